/* Finding and reading the WGSL twin of a kernel. */
#include "sim/cli/twin_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/paths.h"
#include "sim/error.h"
#include "sim/read_file.h"

enum { SHADER_LIMIT_BYTES = 1 << 20 };

static bool ends_with(const char *text, const char *suffix) {
    size_t length = strlen(text), tail = strlen(suffix);
    return length > tail && strcmp(text + length - tail, suffix) == 0;
}

const char *twin_file_path(const char *operand, struct arena *arena) {
    static const char *const suffixes[] = {".c", ".so"};
    if (ends_with(operand, ".wgsl"))
        return operand;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (ends_with(operand, suffixes[i]))
            return arena_printf(arena, "%.*s.wgsl", (int)(strlen(operand) - strlen(suffixes[i])),
                                operand);
    return paths_kernel_source(arena, operand, "wgsl");
}

const char *twin_file_read(const char *path, struct arena *arena, struct wgsim_error *err) {
    struct wgsim_error why;
    size_t length;
    char *text = read_file(path, "a shader", SHADER_LIMIT_BYTES, &length, &why);
    const char *copy = NULL;
    if (!text)
        error_format(err, "the shader for the device: %s", why.message);
    else if (memchr(text, 0, length))
        error_format(err, "%s is no shader", path);
    else if (!(copy = arena_strdup(arena, text)))
        error_format(err, "out of memory");
    free(text);
    return copy;
}
