/* Child processes under libuv. */
#include "sim/cli/jobs.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "sim/arena.h"
#include "sim/error.h"

struct child {
    uv_process_t process;
    int64_t status;
};

static void on_exit_of(uv_process_t *process, int64_t status, int signal) {
    struct child *child = process->data;

    child->status = signal ? 128 + signal : status;
    uv_close((uv_handle_t *)process, NULL);
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
    memcpy(all + 1, argv, (size_t)argc * sizeof *all);
    char *const more[] = {"--jobs", "1", "--shard", shard, "--append", path, NULL};
    memcpy(all + 1 + argc, more, sizeof more);
    return all[0] ? all : NULL;
}

static int start(uv_loop_t *loop, struct child *child, const char *self, char **args,
                 struct wgsim_error *err) {
    uv_stdio_container_t stdio[] = {
        {.flags = UV_IGNORE}, {.flags = UV_IGNORE}, {.flags = UV_INHERIT_FD, .data.fd = 2}};
    uv_process_options_t options = {
        .exit_cb = on_exit_of, .file = self, .args = args, .stdio_count = 3, .stdio = stdio};

    child->process.data = child;
    int result = uv_spawn(loop, &child->process, &options);
    if (result == 0)
        return 0;
    uv_close((uv_handle_t *)&child->process, NULL);
    return error_set(err, "cannot start %s: %s", self, uv_strerror(result));
}

static int run_children(uv_loop_t *loop, struct child *children, int argc, char *const *argv,
                        uint32_t count, const char *folder, struct wgsim_error *err) {
    char self[4096];
    size_t length = sizeof self;
    struct arena arena;
    int result = uv_exepath(self, &length);

    if (result < 0)
        return error_set(err, "cannot find this program: %s", uv_strerror(result));
    arena_init(&arena);
    for (uint32_t i = 0; result == 0 && i < count; i++) {
        char **args = arguments(&arena, argc, argv, self, i + 1, count, folder);
        result =
            args ? start(loop, &children[i], self, args, err) : error_set(err, "out of memory");
    }
    uv_run(loop, UV_RUN_DEFAULT);
    arena_release(&arena);
    for (uint32_t i = 0; result == 0 && i < count; i++)
        if (children[i].status > 1)
            result = error_set(err, "process %u of %u ended with status %d", i + 1, count,
                               (int)children[i].status);
    return result;
}

int jobs_run(int argc, char *const *argv, uint32_t count, const char *folder,
             struct wgsim_error *err) {
    struct child *children = calloc(count, sizeof *children);
    uv_loop_t loop;

    if (!children || uv_loop_init(&loop) < 0) {
        free(children);
        return error_set(err, "out of memory");
    }
    int result = run_children(&loop, children, argc, argv, count, folder, err);
    uv_loop_close(&loop);
    free(children);
    return result;
}
