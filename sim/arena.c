/* A bump allocator. */
#include "sim/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, CHUNK_BYTES = 64 * 1024 };

/* Its size is a multiple of ALIGNMENT, and so is calloc's address: the data behind it is aligned.
 */
struct arena_chunk {
    _Alignas(ALIGNMENT) struct arena_chunk *older;
};

void arena_init(struct arena *arena) {
    *arena = (struct arena){0};
}

static int arena_grow(struct arena *arena, size_t bytes) {
    size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    if (room > PTRDIFF_MAX - sizeof(struct arena_chunk))
        return -1;
    struct arena_chunk *chunk = calloc(1, sizeof *chunk + room);
    if (!chunk)
        return -1;
    chunk->older = arena->chunk;
    arena->chunk = chunk;
    arena->next = (char *)(chunk + 1);
    arena->end = arena->next + room;
    return 0;
}

void *arena_alloc(struct arena *arena, size_t bytes) {
    if (bytes > SIZE_MAX - ALIGNMENT)
        return NULL;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0)
        bytes = ALIGNMENT;
    if (!arena->chunk || bytes > (size_t)(arena->end - arena->next))
        if (arena_grow(arena, bytes) != 0)
            return NULL;
    void *result = arena->next;
    arena->next += bytes;
    return result;
}

char *arena_strdup(struct arena *arena, const char *text) {
    size_t bytes = strlen(text) + 1;
    char *copy = arena_alloc(arena, bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

char *arena_printf(struct arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length < 0 ? NULL : arena_alloc(arena, (size_t)length + 1);
    if (!text)
        return NULL;
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}

void arena_release(struct arena *arena) {
    for (struct arena_chunk *chunk = arena->chunk; chunk;) {
        struct arena_chunk *older = chunk->older;
        free(chunk);
        chunk = older;
    }
    arena_init(arena);
}
