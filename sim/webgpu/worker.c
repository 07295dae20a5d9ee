/* wgsim-webgpu: runs one job on a WebGPU device and exits; see frame.h for what it reads and
 * writes.
 *
 * A process of its own, because no implementation comes back from a kernel that hangs: then it is
 * killed. */
#include <errno.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "sim/arena.h"
#include "sim/buf.h"
#include "sim/error.h"
#include "sim/webgpu/adapter.h"
#include "sim/webgpu/execute.h"
#include "sim/webgpu/frame.h"

/* Where bootstrap or configure's --with-webgpu found the libraries, and perhaps SwiftShader. */
#define FETCHED_DRIVER WGSIM_WEBGPU_PREFIX "/vulkan/vk_swiftshader_icd.json"

/* The answers' descriptor: libraries may print on 1. */
static int answers = -1;

static void send_frame(const char *tag, const void *bytes, size_t length) {
    struct buf out = {0};
    frame_append(&out, tag, bytes, length);
    for (size_t sent = 0; !out.failed && sent < out.len;) {
        ssize_t count = write(answers, out.data + sent, out.len - sent);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            _exit(EXIT_FAILURE);
        sent += (size_t)count;
    }
    if (out.failed)
        _exit(EXIT_FAILURE);
    buf_release(&out);
}

static void send_json(const char *tag, json_t *json) {
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    if (!text)
        _exit(EXIT_FAILURE);
    send_frame(tag, text, strlen(text));
    free(text);
    json_decref(json);
}

static char current_step[160];

static void begin_step(const char *step, bool running) {
    snprintf(current_step, sizeof current_step, "%s", step);
    send_json("STEP", json_pack("{s:s, s:b}", "step", current_step, "running", (int)running));
}

/* The last thing that a worker does; exit handlers of the libraries are not run, for they may hang.
 */
_Noreturn static void leave(void) {
    _exit(EXIT_SUCCESS);
}

_Noreturn static void fail(const char *kind, const struct wgsim_error *err) {
    json_t *message = json_string(err->message);
    send_json("FAIL", json_pack("{s:s, s:s, s:o}", "kind", kind, "step", current_step, "message",
                                message ? message : json_string("(a message that is not UTF-8)")));
    leave();
}

_Noreturn static void fail_on_device(const struct gpu *gpu, const struct wgsim_error *err) {
    fail(gpu->error.lost ? "lost" : "rejected", err);
}

/* --- Reading the job --- */

/* Reads until text holds one more frame from *at on. */
static int read_frame(struct buf *text, size_t *at, struct frame *frame, struct wgsim_error *err) {
    for (;;) {
        int64_t taken =
            frame_parse(text->data ? text->data + *at : "", text->len - *at, frame, err);
        if (taken < 0)
            return -1;
        if (taken > 0) {
            *at += (size_t)taken;
            return 0;
        }
        char bytes[65536];
        ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return error_set(err, "the job ends early");
        buf_append(text, bytes, (size_t)count);
        if (text->failed)
            return error_set(err, "out of memory");
    }
}

static int read_init(struct buf *text, size_t *at, struct arena *arena,
                     struct device_buffer *buffer, struct wgsim_error *err) {
    struct frame frame;
    if (read_frame(text, at, &frame, err) != 0)
        return -1;
    if (strcmp(frame.tag, "DATA") != 0 || frame.length != buffer->bytes)
        return error_set(err, "bad initial bytes of buffer %s", buffer->name);
    void *bytes = arena_alloc(arena, frame.length);
    if (!bytes)
        return error_set(err, "out of memory");
    buffer->init = memcpy(bytes, frame.bytes, frame.length);
    return 0;
}

static int read_job(struct arena *arena, struct device_job *job, struct wgsim_error *err) {
    struct buf text = {0};
    size_t at = 0;
    struct frame frame;
    bool *has_init;
    if (read_frame(&text, &at, &frame, err) != 0)
        return -1;
    json_t *json =
        strcmp(frame.tag, "JOB_") == 0 ? json_loadb(frame.bytes, frame.length, 0, NULL) : NULL;
    if (!json)
        return error_set(err, "the first frame is no job");
    int result = device_job_decode(json, arena, job, &has_init, err);
    json_decref(json);
    for (size_t i = 0; result == 0 && i < job->buffer_count; i++)
        if (has_init[i])
            result = read_init(&text, &at, arena, &job->buffers[i], err);
    buf_release(&text);
    return result;
}

/* --- Doing it --- */

/* What the Vulkan loader reads: only the driver that the job names; else the system's and a fetched
 * one. */
static void choose_vulkan_driver(const struct device_job *job) {
    if (job->target.vulkan_driver) {
        setenv("VK_DRIVER_FILES", job->target.vulkan_driver, 1);
        setenv("VK_ICD_FILENAMES", job->target.vulkan_driver, 1);
    } else if (access(FETCHED_DRIVER, R_OK) == 0) {
        setenv("VK_ADD_DRIVER_FILES", FETCHED_DRIVER, 0);
    }
}

static void list_adapters(struct gpu *gpu) {
    begin_step("listing adapters", false);
    send_json("LIST", json_pack("{s:o}", "adapters", adapter_list(gpu)));
}

static void refuse_unbounded(const struct gpu *gpu, const struct device_job *job) {
    struct wgsim_error err;
    if (!job->spins_unbounded || job->target.allow_hang || !gpu->is_hardware)
        return;
    error_format(&err,
                 "this kernel waits without a bound, which may hang a real GPU; bound it by its "
                 "spin_limit, or say --allow-hang");
    fail("unable", &err);
}

/* wgpu-native panics on such a dispatch. */
static void refuse_oversized(const struct gpu *gpu, const struct device_dispatch *dispatch) {
    struct wgsim_error err;
    for (int axis = 0; axis < 3; axis++) {
        if (dispatch->groups[axis] <= gpu->max_workgroups_per_axis)
            continue;
        error_format(&err, "%u workgroups along %c, of at most %u", dispatch->groups[axis],
                     "xyz"[axis], gpu -> max_workgroups_per_axis);
        fail("rejected", &err);
    }
}

static void run_dispatches(struct execution *execution, struct arena *arena) {
    struct wgsim_error err;
    const struct device_job *job = execution->job;
    for (size_t i = 0; i < job->dispatch_count; i++) {
        const struct device_dispatch *d = &job->dispatches[i];
        char step[128];
        snprintf(step, sizeof step, "dispatch %zu (%.40s, %u x %u x %u workgroups)", i, d->entry,
                 d->groups[0], d->groups[1], d->groups[2]);
        begin_step(step, true);
        refuse_oversized(execution->gpu, d);
        if (execute_dispatch(execution, i, arena, &err) != 0)
            fail_on_device(execution->gpu, &err);
    }
}

static void run_job(struct gpu *gpu, const struct device_job *job, struct arena *arena) {
    struct wgsim_error err;
    struct execution execution = {.gpu = gpu, .job = job};
    begin_step("opening the device", false);
    if (gpu_open_device(gpu, job, &err) != 0)
        fail("unable", &err);
    send_json("FACT", adapter_describe(gpu));
    refuse_unbounded(gpu, job);
    begin_step("compiling the shader", false);
    if (execute_compile(&execution, &err) != 0)
        fail_on_device(gpu, &err);
    begin_step("creating the buffers", false);
    if (execute_upload(&execution, arena, &err) != 0)
        fail_on_device(gpu, &err);
    run_dispatches(&execution, arena);
    begin_step("reading the results", true);
    send_json("DONE", json_object());
    for (size_t i = 0; i < job->buffer_count; i++) {
        if (!job->buffers[i].read)
            continue;
        const void *bytes = execute_read(&execution, i, &err);
        if (!bytes)
            fail_on_device(gpu, &err);
        send_frame("DATA", bytes, job->buffers[i].bytes);
    }
}

int main(void) {
    struct arena arena;
    struct device_job job;
    struct gpu gpu;
    struct wgsim_error err;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no one else would end a hung kernel */
    answers = dup(STDOUT_FILENO);
    if (answers < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return EXIT_FAILURE;
    arena_init(&arena);
    begin_step("reading the job", false);
    if (read_job(&arena, &job, &err) != 0)
        fail("unable", &err);
    choose_vulkan_driver(&job);
    setenv("RUST_BACKTRACE", "0", 1);
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
    begin_step("opening the library", false);
    if (gpu_open(&gpu, job.target.library, &arena, &err) != 0)
        fail("unable", &err);
    if (job.only_list)
        list_adapters(&gpu);
    else
        run_job(&gpu, &job, &arena);
    leave();
}
