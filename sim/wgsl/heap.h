/* Memory of the front end: an arena that never returns NULL. */
#ifndef WGSIM_WGSL_HEAP_H
#define WGSIM_WGSL_HEAP_H

#include <setjmp.h>
#include <stddef.h>

#include "sim/arena.h"

/* The stages of the front end keep all they make in one arena and free nothing, so running out of
 * memory can leave them in the middle: full is where wgsl_front and wgsl_pipeline wait for that. */
struct wgsl_heap {
    struct arena *arena;
    jmp_buf *full; /* NULL: heap_alloc may return NULL */
    size_t used_bytes;
};

enum { WGSL_HEAP_LIMIT = 1 << 30 }; /* more than any sensible shader needs */

/* Zeroed. */
void *heap_alloc(struct wgsl_heap *heap, size_t bytes);
/* An array grown to hold count + 1 elements; doubles, so that filling it costs linear time. */
void *heap_grow(struct wgsl_heap *heap, void *array, size_t count, size_t element_bytes);
char *heap_text(struct wgsl_heap *heap, const char *text, size_t length);
char *heap_printf(struct wgsl_heap *heap, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define HEAP_NEW(heap, type) ((type *)heap_alloc((heap), sizeof(type)))
/* Appends to an array and its count, both lvalues. */
#define HEAP_PUSH(heap, array, count, item)                                                        \
    ((array) = heap_grow((heap), (array), (count), sizeof *(array)), (array)[(count)++] = (item))

#endif
