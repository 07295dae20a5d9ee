/* A kernel from a file. */
#include "sim/open.h"

#include <stdlib.h>
#include <string.h>

#include "sim/compile.h"
#include "sim/error.h"
#include "sim/shader.h"

static bool ends_with(const char *text, const char *suffix) {
    size_t length = strlen(text), tail = strlen(suffix);

    return length > tail && strcmp(text + length - tail, suffix) == 0;
}

static int open_c(struct kernel *kernel, const char *path, const char *include,
                  struct wgsim_error *err) {
    struct arena arena;

    arena_init(&arena);
    const char *object = compile_file(&arena, path, include, err);
    int result = object ? kernel_load_compiled(kernel, object, path, err) : -1;
    arena_release(&arena);
    return result;
}

static int open_object(struct kernel *kernel, const char *path, struct wgsim_error *err) {
    struct arena arena;

    if (strchr(path, '/'))
        return kernel_load(kernel, path, err);
    arena_init(&arena);
    const char *object = arena_printf(&arena, "./%s", path);
    int result = object ? kernel_load(kernel, object, err) : error_set(err, "out of memory");
    arena_release(&arena);
    return result;
}

/* What is wrong with a rejected shader, if its diagnostics say so. */
static void explain(const struct wgsl_diagnostics *diagnostics, const char *path,
                    struct wgsim_error *err) {
    const struct wgsl_diagnostic *first = diagnostics->first;

    while (first && first->severity != WGSL_ERROR)
        first = first->next;
    if (first && !first->span.line)
        error_format(err, "%s: %s", path, first->message);
    else if (first)
        error_format(err, "%s:%u:%u: %s", path, first->span.line, first->span.column,
                     first->message);
}

static int open_text(struct kernel *kernel, const char *path, const char *text, size_t length,
                     const char *include, const struct shader_options *options,
                     struct wgsim_error *err) {
    struct wgsl_diagnostics diagnostics;
    struct shader shader;
    int result = -1;

    wgsl_diagnostics_init(&diagnostics);
    if (shader_open(&shader, path, text, length, options, &diagnostics, err) < 0) {
        explain(&diagnostics, path, err);
    } else {
        const char *object = shader_object(&shader, include, err);
        result = object ? kernel_load_compiled(kernel, object, path, err) : -1;
    }
    shader_release(&shader);
    wgsl_diagnostics_release(&diagnostics);
    return result;
}

int open_kernel(struct kernel *kernel, const char *path, const char *include,
                const struct wgsl_setting *settings, uint32_t setting_count,
                struct wgsim_error *err) {
    if (ends_with(path, ".c"))
        return open_c(kernel, path, include, err);
    if (!ends_with(path, ".wgsl"))
        return open_object(kernel, path, err);
    struct shader_options options = {.settings = settings, .setting_count = setting_count};
    size_t length;
    char *text = shader_read(path, &length, err);
    int result = text ? open_text(kernel, path, text, length, include, &options, err) : -1;
    free(text);
    return result;
}
