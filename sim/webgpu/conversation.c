/* Starting, feeding, hearing and ending a process. */
#include "sim/webgpu/conversation.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "sim/error.h"
#include "sim/event_loop.h"

/* After SIGKILL; a process that the kernel cannot end in this time is left behind, and said so. */
enum { KILL_GRACE_MS = 500, MESSAGES_KEPT_BYTES = 16384 };

/* The handles of a conversation; done when all are closed. */
struct talk {
    struct conversation *outcome;
    uv_loop_t loop;
    uv_process_t process;
    uv_timer_t timer;
    uv_pipe_t input, output, messages;
    uv_write_t write;
    char chunk[65536];
    bool exited;
};

static void close_handle(uv_handle_t *handle) {
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

/* The timer is needed until the process has ended and its pipes are read out. */
static void close_timer_if_last(struct talk *talk) {
    if (talk->exited && uv_is_closing((uv_handle_t *)&talk->output) &&
        uv_is_closing((uv_handle_t *)&talk->messages))
        close_handle((uv_handle_t *)&talk->timer);
}

static void on_ended(uv_process_t *process, int64_t exit_status, int exit_signal) {
    struct talk *talk = process->data;
    talk->exited = true;
    talk->outcome->exit_status = exit_status;
    talk->outcome->exit_signal = exit_signal;
    close_handle((uv_handle_t *)process);
    close_handle((uv_handle_t *)&talk->input);
    close_timer_if_last(talk);
}

static void on_chunk_wanted(uv_handle_t *handle, size_t suggested, uv_buf_t *out) {
    struct talk *talk = handle->data;
    (void)suggested;
    *out = uv_buf_init(talk->chunk, sizeof talk->chunk);
}

static void on_heard(uv_stream_t *stream, ssize_t count, const uv_buf_t *bytes) {
    struct talk *talk = stream->data;
    if (count > 0)
        buf_append(&talk->outcome->heard, bytes->base, (size_t)count);
    if (count < 0 || talk->outcome->heard.failed)
        close_handle((uv_handle_t *)stream);
    close_timer_if_last(talk);
}

static void on_complaint(uv_stream_t *stream, ssize_t count, const uv_buf_t *bytes) {
    struct talk *talk = stream->data;
    if (count > 0 && talk->outcome->complaints.len < MESSAGES_KEPT_BYTES)
        buf_append(&talk->outcome->complaints, bytes->base, (size_t)count);
    if (count < 0)
        close_handle((uv_handle_t *)stream);
    close_timer_if_last(talk);
}

static void on_written(uv_write_t *write, int status) {
    struct talk *talk = write->data;
    (void)status; /* a worker that stops reading tells why, or its exit does */
    close_handle((uv_handle_t *)&talk->input);
}

static void abandon(uv_timer_t *timer) {
    struct talk *talk = timer->data;
    talk->outcome->abandoned = !talk->exited;
    close_handle((uv_handle_t *)&talk->process);
    close_handle((uv_handle_t *)&talk->input);
    close_handle((uv_handle_t *)&talk->output);
    close_handle((uv_handle_t *)&talk->messages);
    close_handle((uv_handle_t *)timer);
}

static void on_deadline(uv_timer_t *timer) {
    struct talk *talk = timer->data;
    talk->outcome->timed_out = true;
    if (!talk->exited)
        uv_process_kill(&talk->process, SIGKILL);
    uv_timer_start(timer, abandon, KILL_GRACE_MS, 0);
}

/* --- Starting --- */

static void init_handles(struct talk *talk) {
    uv_timer_init(&talk->loop, &talk->timer);
    uv_pipe_init(&talk->loop, &talk->input, 0);
    uv_pipe_init(&talk->loop, &talk->output, 0);
    uv_pipe_init(&talk->loop, &talk->messages, 0);
    talk->timer.data = talk->process.data = talk->write.data = talk;
    talk->input.data = talk->output.data = talk->messages.data = talk;
}

static int spawn(struct talk *talk, const char *program) {
    char *arguments[] = {(char *)program, NULL};
    uv_stdio_container_t stdio[3] = {
        {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t *)&talk->input},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&talk->output},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&talk->messages},
    };
    uv_process_options_t options = {
        .file = program, .args = arguments, .stdio = stdio, .stdio_count = 3, .exit_cb = on_ended};
    return uv_spawn(&talk->loop, &talk->process, &options);
}

static void run(struct talk *talk, const struct buf *say, uint64_t deadline_ms) {
    uv_buf_t bytes = {.base = say->data, .len = say->len};
    uv_timer_start(&talk->timer, on_deadline, deadline_ms, 0);
    uv_read_start((uv_stream_t *)&talk->output, on_chunk_wanted, on_heard);
    uv_read_start((uv_stream_t *)&talk->messages, on_chunk_wanted, on_complaint);
    if (uv_write(&talk->write, (uv_stream_t *)&talk->input, &bytes, 1, on_written) != 0)
        close_handle((uv_handle_t *)&talk->input);
    uv_run(&talk->loop, UV_RUN_DEFAULT);
}

static int start_and_run(struct talk *talk, const char *program, const struct buf *say,
                         uint64_t deadline_ms, struct wgsim_error *err) {
    int status = event_loop_init(&talk->loop);
    if (status != 0)
        return error_set(err, "cannot start %s: %s", program, uv_strerror(status));
    init_handles(talk);
    status = spawn(talk, program);
    if (status == 0) {
        run(talk, say, deadline_ms);
    } else {
        abandon(&talk->timer);
        uv_run(&talk->loop, UV_RUN_DEFAULT);
        error_format(err, "cannot start %s: %s", program, uv_strerror(status));
    }
    uv_loop_close(&talk->loop);
    return status == 0 ? 0 : -1;
}

int conversation_hold(struct conversation *conversation, const char *program, const struct buf *say,
                      uint64_t deadline_ms, struct wgsim_error *err) {
    struct talk *talk = calloc(1, sizeof *talk);
    memset(conversation, 0, sizeof *conversation);
    if (!talk)
        return error_set(err, "out of memory");
    talk->outcome = conversation;
    uint64_t start = uv_hrtime();
    int result = start_and_run(talk, program, say, deadline_ms, err);
    conversation->milliseconds = (uv_hrtime() - start) / 1000000;
    free(talk);
    return result;
}

void conversation_release(struct conversation *conversation) {
    buf_release(&conversation->heard);
    buf_release(&conversation->complaints);
}
