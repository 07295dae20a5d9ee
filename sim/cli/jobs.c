/* Child processes under libuv. */
#include "sim/cli/jobs.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "sim/arena.h"
#include "sim/buf.h"
#include "sim/error.h"
#include "sim/event_loop.h"

enum { SAID_MAX = 1 << 16 };

/* The first writes its errors itself. What the others write is kept, for what goes wrong in the
 * kernel goes wrong in all of them, and is to be said once. */
struct child {
    uv_process_t process;
    uv_pipe_t errors;
    struct buf said;
    int64_t status;
};

/* ---- What they say ---- */

static void give_room(uv_handle_t *pipe, size_t wanted, uv_buf_t *room) {
    static char bytes[4096];

    (void)pipe;
    (void)wanted;
    *room = uv_buf_init(bytes, sizeof bytes);
}

static void on_said(uv_stream_t *pipe, ssize_t count, const uv_buf_t *bytes) {
    struct child *child = pipe->data;

    if (count < 0)
        uv_close((uv_handle_t *)pipe, NULL);
    else if (child->said.len + (size_t)count <= SAID_MAX)
        buf_append(&child->said, bytes->base, (size_t)count);
}

/* Of those that could not do it only the first, which is the one that is named. */
static void say(struct child *children, uint32_t count) {
    bool failed = false;

    for (uint32_t i = 0; i < count; i++) {
        struct child *child = &children[i];
        if (child->said.data && !(child->status > 1 && failed))
            fwrite(child->said.data, 1, child->said.len, stderr);
        failed |= child->status > 1;
        buf_release(&child->said);
    }
}

/* ---- Start and end ---- */

static void on_exit_of(uv_process_t *process, int64_t status, int signal) {
    struct child *child = process->data;

    child->status = signal ? 128 + signal : status;
    uv_close((uv_handle_t *)process, NULL);
}

/* Copies arguments without --jobs; returns how many are left. */
static size_t copy_arguments(char **to, int argc, char *const *argv) {
    size_t count = 0;

    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--jobs") == 0)
            i++;
        else if (strncmp(argv[i], "--jobs=", 7) != 0)
            to[count++] = argv[i];
    return count;
}

/* The arguments of child `index`, after those that were given. NULL: out of memory. */
static char **arguments(struct arena *arena, int argc, char *const *argv, const char *self,
                        uint32_t index, uint32_t count, const char *folder) {
    char **all = arena_alloc(arena, ((size_t)argc + 8) * sizeof *all);
    char *shard = arena_printf(arena, "%u/%u", index, count);
    char *path = arena_printf(arena, "%s/%u", folder, index);

    if (!all || !shard || !path)
        return NULL;
    all[0] = arena_strdup(arena, self);
    size_t given = copy_arguments(all + 1, argc, argv);
    char *const more[] = {"--shard", shard, "--append", path, NULL};
    memcpy(all + 1 + given, more, sizeof more);
    return all[0] ? all : NULL;
}

static int start(uv_loop_t *loop, struct child *child, bool first, const char *self, char **args,
                 struct wgsim_error *err) {
    uv_stdio_container_t stdio[] = {
        {.flags = UV_IGNORE}, {.flags = UV_IGNORE}, {.flags = UV_INHERIT_FD, .data.fd = 2}};
    if (!first) {
        uv_pipe_init(loop, &child->errors, 0);
        child->errors.data = child;
        stdio[2] = (uv_stdio_container_t){.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE,
                                          .data.stream = (uv_stream_t *)&child->errors};
    }
    uv_process_options_t options = {
        .exit_cb = on_exit_of, .file = self, .args = args, .stdio_count = 3, .stdio = stdio};

    child->process.data = child;
    int result = uv_spawn(loop, &child->process, &options);
    if (result == 0 && !first)
        uv_read_start((uv_stream_t *)&child->errors, give_room, on_said);
    if (result == 0)
        return 0;
    uv_close((uv_handle_t *)&child->process, NULL);
    if (!first)
        uv_close((uv_handle_t *)&child->errors, NULL);
    return error_set(err, "cannot start %s: %s", self, uv_strerror(result));
}

/* The children of a loop, and the signals that end them early. */
enum { SIGNALS = 3 };

static const int signal_numbers[SIGNALS] = {SIGHUP, SIGINT, SIGTERM};

struct children {
    struct child *items;
    uint32_t count, started;
    uv_signal_t signals[SIGNALS];
    int interrupted;
};

static void signal_all(struct children *children, int number) {
    for (uint32_t i = 0; i < children->started; i++)
        if (uv_is_active((uv_handle_t *)&children->items[i].process))
            uv_process_kill(&children->items[i].process, number);
}

static void on_signal(uv_signal_t *handle, int number) {
    struct children *children = handle->data;

    children->interrupted = number;
    signal_all(children, number);
}

/* Those that are ignored, as by nohup, stay so. Does not keep the loop alive. */
static void await_signals(uv_loop_t *loop, struct children *children) {
    for (int i = 0; i < SIGNALS; i++) {
        uv_signal_t *handle = &children->signals[i];
        struct sigaction action;
        uv_signal_init(loop, handle);
        handle->data = children;
        if (sigaction(signal_numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            uv_signal_start(handle, on_signal, signal_numbers[i]);
        uv_unref((uv_handle_t *)handle);
    }
}

static int start_all(uv_loop_t *loop, struct children *children, int argc, char *const *argv,
                     const char *folder, struct arena *arena, struct wgsim_error *err) {
    char self[4096];
    size_t length = sizeof self;
    int result = uv_exepath(self, &length);

    if (result < 0)
        return error_set(err, "cannot find this program: %s", uv_strerror(result));
    for (uint32_t i = 0; i < children->count; i++) {
        char **args = arguments(arena, argc, argv, self, i + 1, children->count, folder);
        if (!args)
            return error_set(err, "out of memory");
        if (start(loop, &children->items[i], i == 0, self, args, err) < 0)
            return -1;
        children->started++;
    }
    return 0;
}

static int run_children(uv_loop_t *loop, struct children *children, int argc, char *const *argv,
                        const char *folder, struct wgsim_error *err) {
    struct arena arena;

    arena_init(&arena);
    await_signals(loop, children);
    int result = start_all(loop, children, argc, argv, folder, &arena, err);
    if (result < 0)
        signal_all(children, SIGTERM);
    uv_run(loop, UV_RUN_DEFAULT);
    for (int i = 0; i < SIGNALS; i++)
        uv_close((uv_handle_t *)&children->signals[i], NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    arena_release(&arena);
    say(children->items, children->count);
    for (uint32_t i = 0; result == 0 && !children->interrupted && i < children->count; i++)
        if (children->items[i].status > 1)
            result = error_set(err, "process %u of %u ended with status %d", i + 1, children->count,
                               (int)children->items[i].status);
    return result;
}

int jobs_run(int argc, char *const *argv, uint32_t count, const char *folder, int *interrupted,
             struct wgsim_error *err) {
    struct children children = {.items = calloc(count, sizeof *children.items), .count = count};
    uv_loop_t loop;

    int result = children.items ? event_loop_init(&loop) : UV_ENOMEM;

    if (result < 0) {
        free(children.items);
        return error_set(err, "cannot start processes: %s", uv_strerror(result));
    }
    result = run_children(&loop, &children, argc, argv, folder, err);
    uv_loop_close(&loop);
    free(children.items);
    *interrupted = children.interrupted;
    return result;
}
