/* Places in shader text. */
#ifndef WGSIM_WGSL_SOURCE_H
#define WGSIM_WGSL_SOURCE_H

#include <stdint.h>

/* A stretch of one line of one file, as the author wrote it: the preprocessor is already undone.
 * line and column count from 1, columns and length in bytes. A stretch that goes on over the end
 * of its line has the length of its part in the first line. line 0: no place. */
struct wgsl_span {
    uint32_t file; /* index in wgsl_module.files */
    uint32_t line;
    uint32_t column;
    uint32_t length;
};

/* One text that was read: the shader itself, or a file it includes. */
struct wgsl_file {
    const char *name;
    const char *text; /* NUL-terminated; may hold NULs before that */
    uint32_t length;
};

#endif
