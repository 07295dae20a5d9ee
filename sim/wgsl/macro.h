/* Macros of the preprocessor and their expansion. */
#ifndef WGSIM_WGSL_MACRO_H
#define WGSIM_WGSL_MACRO_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/buf.h"
#include "sim/wgsl/heap.h"

struct wgsl_macro {
    struct wgsl_macro *next;
    const char *name;
    const char *body;
    bool takes_arguments;
    const char **params;
    uint32_t param_count;
    bool expanding; /* a macro is not expanded within itself */
};

struct wgsl_macros {
    struct wgsl_heap *heap;
    struct wgsl_macro *first;
};

enum { MACRO_OUTPUT_LIMIT = 1 << 20 }; /* bytes at which the expansion of one use is given up */

struct wgsl_macro *macro_find(const struct wgsl_macros *macros, const char *name, size_t length);
void macro_remove(struct wgsl_macros *macros, const char *name, size_t length);
/* definition: what stands after "#define ", or NAME=VALUE turned into "NAME VALUE". Returns false
 * when it is malformed. */
bool macro_define(struct wgsl_macros *macros, const char *definition, size_t length);

/* Length of the identifier at p, 0 if there is none. */
size_t macro_word(const char *p, const char *end);

/* Expands the macro whose name stands at p up to end, appends the result to out, which is empty
 * before, and returns how many characters of p that took. 0: the word at p is no macro (or takes
 * arguments and has none). */
size_t macro_expand(struct wgsl_macros *macros, const char *p, const char *end, struct buf *out);

#endif
