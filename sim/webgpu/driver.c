/* Running a device job by a worker, and understanding what it says. */
#include "sim/webgpu/driver.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/webgpu/conversation.h"
#include "sim/webgpu/frame.h"

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
static int explain_end(const struct conversation *talk, struct listener *listener,
                       struct wgsim_error *err) {
    double deadline_s = (double)listener->job->target.deadline_ms / 1000;
    struct device_answer *answer = listener->answer;
    const char *step = answer->step ? answer->step : "starting";
    if (talk->timed_out && listener->running) {
        answer->status = DEVICE_HUNG;
        answer->message = arena_printf(
            listener->arena, "did not end within %.1f s%s", deadline_s,
            talk->abandoned ? "; its process could not be ended and is left behind" : "");
        return 0;
    }
    if (talk->timed_out)
        return error_set(err, "the device worker did not get past \"%s\" within %.1f s", step,
                         deadline_s);
    if (talk->exit_signal)
        return error_set(err, "the device worker was ended by signal %d (%s) at \"%s\"%s",
                         talk->exit_signal, strsignal(talk->exit_signal), step,
                         last_words(listener->arena, &talk->complaints));
    return error_set(err, "the device worker broke off with status %d at \"%s\"%s",
                     (int)talk->exit_status, step, last_words(listener->arena, &talk->complaints));
}

static int understand(const struct conversation *talk, struct listener *listener,
                      struct wgsim_error *err) {
    struct wgsim_error why;
    if (talk->heard.failed)
        return error_set(err, "out of memory");
    if (hear(listener, &talk->heard, &why) != 0)
        return error_set(err, "the device worker talks nonsense: %s", why.message);
    if (listener->failure)
        return error_set(err, "%s", listener->failure);
    return listener->complete ? 0 : explain_end(talk, listener, err);
}

int driver_run(const struct device_job *job, struct arena *arena, struct device_answer *answer,
               struct wgsim_error *err) {
    struct listener listener = {.job = job, .arena = arena, .answer = answer};
    struct conversation talk = {0};
    struct buf text = {0};
    memset(answer, 0, sizeof *answer);
    answer->outputs = arena_alloc(arena, job->buffer_count * sizeof *answer->outputs);
    if (!answer->outputs)
        return error_set(err, "out of memory");
    int result = compose_job(&text, job, err);
    if (result == 0)
        result = conversation_hold(&talk, job->target.worker, &text, job->target.deadline_ms, err);
    answer->milliseconds = talk.milliseconds;
    if (result == 0)
        result = understand(&talk, &listener, err);
    if (result != 0)
        device_answer_release(answer);
    buf_release(&text);
    conversation_release(&talk);
    return result;
}

void device_answer_release(struct device_answer *answer) {
    json_decref(answer->device);
    json_decref(answer->adapters);
    answer->device = answer->adapters = NULL;
}
