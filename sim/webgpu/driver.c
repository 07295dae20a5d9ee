/* Starting, feeding, hearing and ending a device worker. */
#include "sim/webgpu/driver.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "sim/buf.h"
#include "sim/error.h"
#include "sim/webgpu/frame.h"

/* After SIGKILL; a process that the kernel cannot end in this time is left behind, and said so. */
enum { KILL_GRACE_MS = 500, MESSAGES_KEPT_BYTES = 16384 };

struct driver {
    uv_loop_t loop;
    uv_process_t process;
    uv_timer_t timer;
    uv_pipe_t to_worker, from_worker, messages;
    uv_write_t write;
    struct buf job, heard, complaints;
    char chunk[65536];
    int64_t exit_status;
    int exit_signal;
    bool exited, timed_out, abandoned;
};

/* --- Event handling: the loop ends when every handle is closed --- */

static void close_handle(uv_handle_t *handle) {
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

/* The timer is needed until the process has ended and its pipes are read out. */
static void close_timer_if_last(struct driver *driver) {
    if (driver->exited && uv_is_closing((uv_handle_t *)&driver->from_worker) &&
        uv_is_closing((uv_handle_t *)&driver->messages))
        close_handle((uv_handle_t *)&driver->timer);
}

static void on_ended(uv_process_t *process, int64_t exit_status, int exit_signal) {
    struct driver *driver = process->data;
    driver->exited = true;
    driver->exit_status = exit_status;
    driver->exit_signal = exit_signal;
    close_handle((uv_handle_t *)process);
    close_handle((uv_handle_t *)&driver->to_worker);
    close_timer_if_last(driver);
}

static void on_chunk_wanted(uv_handle_t *handle, size_t suggested, uv_buf_t *out) {
    struct driver *driver = handle->data;
    (void)suggested;
    *out = uv_buf_init(driver->chunk, sizeof driver->chunk);
}

static void on_heard(uv_stream_t *stream, ssize_t count, const uv_buf_t *bytes) {
    struct driver *driver = stream->data;
    if (count > 0)
        buf_append(&driver->heard, bytes->base, (size_t)count);
    if (count < 0 || driver->heard.failed)
        close_handle((uv_handle_t *)stream);
    close_timer_if_last(driver);
}

static void on_complaint(uv_stream_t *stream, ssize_t count, const uv_buf_t *bytes) {
    struct driver *driver = stream->data;
    if (count > 0 && driver->complaints.len < MESSAGES_KEPT_BYTES)
        buf_append(&driver->complaints, bytes->base, (size_t)count);
    if (count < 0)
        close_handle((uv_handle_t *)stream);
    close_timer_if_last(driver);
}

static void on_written(uv_write_t *write, int status) {
    struct driver *driver = write->data;
    (void)status; /* a worker that stops reading tells why, or its exit does */
    close_handle((uv_handle_t *)&driver->to_worker);
}

static void abandon(uv_timer_t *timer) {
    struct driver *driver = timer->data;
    driver->abandoned = !driver->exited;
    close_handle((uv_handle_t *)&driver->process);
    close_handle((uv_handle_t *)&driver->to_worker);
    close_handle((uv_handle_t *)&driver->from_worker);
    close_handle((uv_handle_t *)&driver->messages);
    close_handle((uv_handle_t *)timer);
}

static void on_deadline(uv_timer_t *timer) {
    struct driver *driver = timer->data;
    driver->timed_out = true;
    if (!driver->exited)
        uv_process_kill(&driver->process, SIGKILL);
    uv_timer_start(timer, abandon, KILL_GRACE_MS, 0);
}

/* --- Starting --- */

static int compose_job(struct buf *out, const struct device_job *job, struct wgsim_error *err) {
    json_t *json = device_job_encode(job);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    if (text)
        frame_append(out, "JOB_", text, strlen(text));
    json_decref(json);
    free(text);
    if (!text)
        return error_set(err, "the shader or a name is not UTF-8");
    for (size_t i = 0; i < job->buffer_count; i++)
        if (job->buffers[i].init)
            frame_append(out, "DATA", job->buffers[i].init, job->buffers[i].bytes);
    return out->failed ? error_set(err, "out of memory") : 0;
}

static void init_handles(struct driver *driver) {
    uv_timer_init(&driver->loop, &driver->timer);
    uv_pipe_init(&driver->loop, &driver->to_worker, 0);
    uv_pipe_init(&driver->loop, &driver->from_worker, 0);
    uv_pipe_init(&driver->loop, &driver->messages, 0);
    driver->timer.data = driver->process.data = driver->write.data = driver;
    driver->to_worker.data = driver->from_worker.data = driver->messages.data = driver;
}

static int spawn(struct driver *driver, const char *worker) {
    char *arguments[] = {(char *)worker, NULL};
    uv_stdio_container_t stdio[3] = {
        {.flags = UV_CREATE_PIPE | UV_READABLE_PIPE,
         .data.stream = (uv_stream_t *)&driver->to_worker},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE,
         .data.stream = (uv_stream_t *)&driver->from_worker},
        {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE,
         .data.stream = (uv_stream_t *)&driver->messages},
    };
    uv_process_options_t options = {
        .file = worker, .args = arguments, .stdio = stdio, .stdio_count = 3, .exit_cb = on_ended};
    return uv_spawn(&driver->loop, &driver->process, &options);
}

static void converse(struct driver *driver, uint64_t deadline_ms) {
    uv_buf_t bytes = {.base = driver->job.data, .len = driver->job.len};
    uv_timer_start(&driver->timer, on_deadline, deadline_ms, 0);
    uv_read_start((uv_stream_t *)&driver->from_worker, on_chunk_wanted, on_heard);
    uv_read_start((uv_stream_t *)&driver->messages, on_chunk_wanted, on_complaint);
    if (uv_write(&driver->write, (uv_stream_t *)&driver->to_worker, &bytes, 1, on_written) != 0)
        close_handle((uv_handle_t *)&driver->to_worker);
    uv_run(&driver->loop, UV_RUN_DEFAULT);
}

/* Runs the worker until it has ended. */
static int hold_conversation(struct driver *driver, const struct device_target *target,
                             struct wgsim_error *err) {
    if (uv_loop_init(&driver->loop) != 0)
        return error_set(err, "no event loop");
    init_handles(driver);
    int status = spawn(driver, target->worker);
    if (status == 0) {
        converse(driver, target->deadline_ms);
    } else {
        abandon(&driver->timer);
        uv_run(&driver->loop, UV_RUN_DEFAULT);
        error_format(err, "cannot start %s: %s", target->worker, uv_strerror(status));
    }
    uv_loop_close(&driver->loop);
    return status == 0 ? 0 : -1;
}

/* --- Understanding what was heard --- */

struct listener {
    const struct device_job *job;
    struct arena *arena;
    struct device_answer *answer;
    const char *failure; /* the worker's own message that it was unable */
    size_t next_output;  /* index of the next buffer to come */
    bool running, done, complete;
};

static const char *text_member(struct arena *arena, const json_t *json, const char *key) {
    const char *text = json_string_value(json_object_get(json, key));
    return arena_strdup(arena, text ? text : "");
}

/* Moves next_output on to a buffer that is read back; complete when there is none. */
static void expect_output(struct listener *listener) {
    const struct device_job *job = listener->job;
    while (listener->next_output < job->buffer_count && !job->buffers[listener->next_output].read)
        listener->next_output++;
    listener->complete = listener->next_output == job->buffer_count;
}

static int hear_data(struct listener *listener, const struct frame *frame,
                     struct wgsim_error *err) {
    const struct device_job *job = listener->job;
    if (!listener->done || listener->complete)
        return error_set(err, "results that nobody asked for");
    size_t i = listener->next_output++;
    if (frame->length != job->buffers[i].bytes)
        return error_set(err, "%zu bytes of buffer %s, which has %llu", frame->length,
                         job->buffers[i].name, (unsigned long long)job->buffers[i].bytes);
    void *copy = arena_alloc(listener->arena, frame->length);
    if (!copy)
        return error_set(err, "out of memory");
    listener->answer->outputs[i] = memcpy(copy, frame->bytes, frame->length);
    expect_output(listener);
    return 0;
}

static void hear_failure(struct listener *listener, const json_t *json) {
    struct device_answer *answer = listener->answer;
    const char *kind = json_string_value(json_object_get(json, "kind"));
    const char *message = text_member(listener->arena, json, "message");
    listener->complete = true;
    if (kind && strcmp(kind, "rejected") == 0)
        answer->status = DEVICE_REJECTED;
    else if (kind && strcmp(kind, "lost") == 0 && listener->running)
        answer->status = DEVICE_HUNG;
    else
        listener->failure = message;
    answer->message = message;
}

static int hear_json(struct listener *listener, const struct frame *frame,
                     struct wgsim_error *err) {
    struct device_answer *answer = listener->answer;
    json_t *json = json_loadb(frame->bytes, frame->length, 0, NULL);
    if (!json_is_object(json)) {
        json_decref(json);
        return error_set(err, "a %s frame that is no JSON object", frame->tag);
    }
    if (strcmp(frame->tag, "STEP") == 0) {
        answer->step = text_member(listener->arena, json, "step");
        listener->running = json_is_true(json_object_get(json, "running"));
    } else if (strcmp(frame->tag, "FACT") == 0 && !answer->device) {
        answer->device = json_incref(json);
    } else if (strcmp(frame->tag, "LIST") == 0 && listener->job->only_list && !answer->adapters) {
        answer->status = DEVICE_LISTED;
        answer->adapters = json_incref(json_object_get(json, "adapters"));
        listener->complete = true;
    } else if (strcmp(frame->tag, "DONE") == 0 && !listener->job->only_list) {
        listener->done = true;
        expect_output(listener);
    } else if (strcmp(frame->tag, "FAIL") == 0) {
        hear_failure(listener, json);
    }
    json_decref(json);
    return 0;
}

static int hear(struct listener *listener, const struct buf *heard, struct wgsim_error *err) {
    size_t at = 0;
    struct frame frame;
    while (at < heard->len) {
        int64_t taken = frame_parse(heard->data + at, heard->len - at, &frame, err);
        if (taken <= 0)
            return (int)taken;
        at += (size_t)taken;
        if (listener->complete)
            return error_set(err, "a %s frame after the last", frame.tag);
        int result = strcmp(frame.tag, "DATA") == 0 ? hear_data(listener, &frame, err)
                                                    : hear_json(listener, &frame, err);
        if (result != 0)
            return -1;
    }
    return 0;
}

/* The line of the worker's stderr that says most: what follows a Rust panic's place, else the last.
 */
static const char *last_words(struct arena *arena, const struct buf *complaints) {
    const char *text = complaints->data ? complaints->data : "";
    const char *panic = strstr(text, "panicked at ");
    const char *line = panic ? strchr(panic, '\n') : NULL;
    if (line)
        return arena_printf(arena, ": %.*s", (int)strcspn(line + 1, "\n"), line + 1);
    size_t end = strlen(text);
    while (end > 0 && text[end - 1] == '\n')
        end--;
    size_t start = end;
    while (start > 0 && text[start - 1] != '\n')
        start--;
    return end > start ? arena_printf(arena, ": %.*s", (int)(end - start), text + start) : "";
}

/* Why the conversation broke off; a hung dispatch is an answer, all else an error. */
static int explain_end(const struct driver *driver, struct listener *listener,
                       struct wgsim_error *err) {
    double deadline_s = (double)listener->job->target.deadline_ms / 1000;
    struct device_answer *answer = listener->answer;
    const char *step = answer->step ? answer->step : "starting";
    if (driver->timed_out && listener->running) {
        answer->status = DEVICE_HUNG;
        answer->message = arena_printf(
            listener->arena, "did not end within %.1f s%s", deadline_s,
            driver->abandoned ? "; its process could not be ended and is left behind" : "");
        return 0;
    }
    if (driver->timed_out)
        return error_set(err, "the device worker did not get past \"%s\" within %.1f s", step,
                         deadline_s);
    if (driver->exit_signal)
        return error_set(err, "the device worker was ended by signal %d (%s) at \"%s\"%s",
                         driver->exit_signal, strsignal(driver->exit_signal), step,
                         last_words(listener->arena, &driver->complaints));
    return error_set(err, "the device worker broke off with status %d at \"%s\"%s",
                     (int)driver->exit_status, step,
                     last_words(listener->arena, &driver->complaints));
}

static int understand(const struct driver *driver, struct listener *listener,
                      struct wgsim_error *err) {
    struct wgsim_error why;
    if (driver->heard.failed)
        return error_set(err, "out of memory");
    if (hear(listener, &driver->heard, &why) != 0)
        return error_set(err, "the device worker talks nonsense: %s", why.message);
    if (listener->failure)
        return error_set(err, "%s", listener->failure);
    return listener->complete ? 0 : explain_end(driver, listener, err);
}

int driver_run(const struct device_job *job, struct arena *arena, struct device_answer *answer,
               struct wgsim_error *err) {
    struct listener listener = {.job = job, .arena = arena, .answer = answer};
    struct driver *driver = calloc(1, sizeof *driver);
    memset(answer, 0, sizeof *answer);
    answer->outputs = arena_alloc(arena, job->buffer_count * sizeof *answer->outputs);
    if (!driver || !answer->outputs) {
        free(driver);
        return error_set(err, "out of memory");
    }
    int result = compose_job(&driver->job, job, err);
    uint64_t start = uv_hrtime();
    if (result == 0)
        result = hold_conversation(driver, &job->target, err);
    answer->milliseconds = (uv_hrtime() - start) / 1000000;
    if (result == 0)
        result = understand(driver, &listener, err);
    if (result != 0)
        device_answer_release(answer);
    buf_release(&driver->job);
    buf_release(&driver->heard);
    buf_release(&driver->complaints);
    free(driver);
    return result;
}

void device_answer_release(struct device_answer *answer) {
    json_decref(answer->device);
    json_decref(answer->adapters);
    answer->device = answer->adapters = NULL;
}
