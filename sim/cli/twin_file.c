/* Finding and reading the WGSL twin of a kernel. */
#include "sim/cli/twin_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/paths.h"
#include "sim/error.h"

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

static const char *read_all(FILE *file, const char *path, struct arena *arena,
                            struct wgsim_error *err) {
    char *text = arena_alloc(arena, SHADER_LIMIT_BYTES + 1);
    size_t length = text ? fread(text, 1, SHADER_LIMIT_BYTES + 1, file) : 0;
    if (!text)
        error_format(err, "out of memory");
    else if (ferror(file))
        error_format(err, "cannot read %s: %s", path, strerror(errno));
    else if (length > SHADER_LIMIT_BYTES || memchr(text, 0, length))
        error_format(err, "%s is no shader", path);
    else
        return text;
    return NULL;
}

const char *twin_file_read(const char *path, struct arena *arena, struct wgsim_error *err) {
    FILE *file = fopen(path, "r");
    if (!file) {
        error_format(err, "cannot read the shader for the device, %s: %s", path, strerror(errno));
        return NULL;
    }
    const char *text = read_all(file, path, arena, err);
    fclose(file);
    return text;
}
