/* Memory of the front end. */
#include "sim/wgsl/heap.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *heap_alloc(struct wgsl_heap *heap, size_t bytes) {
    void *p = NULL;
    if (bytes <= WGSL_HEAP_LIMIT - heap->used_bytes) {
        p = arena_alloc(heap->arena, bytes);
        heap->used_bytes += bytes;
    }
    if (!p && heap->full)
        longjmp(*heap->full, 1);
    return p;
}

void *heap_grow(struct wgsl_heap *heap, void *array, size_t count, size_t element_bytes) {
    if (count & (count - 1) || (count == 0 && array))
        return array;
    /* count is 0 or a power of two: the array is full */
    void *bigger = heap_alloc(heap, (count ? count * 2 : 1) * element_bytes);
    if (count)
        memcpy(bigger, array, count * element_bytes);
    return bigger;
}

char *heap_text(struct wgsl_heap *heap, const char *text, size_t length) {
    char *copy = heap_alloc(heap, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *heap_printf(struct wgsl_heap *heap, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = heap_alloc(heap, (size_t)length + 1);
    va_start(list, format);
    vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
    return text;
}
