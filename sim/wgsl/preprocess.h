/* Shader text after the preprocessor, with the way back to what the author wrote. */
#ifndef WGSIM_WGSL_PREPROCESS_H
#define WGSIM_WGSL_PREPROCESS_H

#include "sim/wgsl/diagnostic.h"
#include "sim/wgsl/front.h"
#include "sim/wgsl/heap.h"
#include "sim/wgsl/source.h"

/* From this offset on, text comes from place. */
struct wgsl_piece {
    uint32_t offset;
    struct wgsl_span place;
    bool expanded; /* a macro's expansion: all of it stands at place */
};

struct wgsl_text {
    const char *text; /* NUL-terminated */
    uint32_t length;
    struct wgsl_piece *pieces; /* by offset; the first has offset 0 */
    uint32_t piece_count;
};

/* Carries out #define, #undef, #if and its like, #include; drops #import and #pragma lines.
 * Adds the files it reads to the module. out: room for the text as it grows, which the caller
 * releases, for memory may run out in between. */
struct wgsl_text wgsl_preprocess(struct wgsl_module *module, struct wgsl_heap *heap,
                                 const struct wgsl_options *options, struct buf *out,
                                 struct wgsl_diagnostics *diagnostics);

#endif
