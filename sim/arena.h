/* A bump allocator: many small objects that live and die together. */
#ifndef SIM_ARENA_H
#define SIM_ARENA_H

#include <stddef.h>

struct arena_chunk;

/* Invariant: chunk is the newest of a list of chunks; [next, end) is its unused, zeroed rest. */
struct arena {
    struct arena_chunk *chunk;
    char *next;
    char *end;
};

void arena_init(struct arena *arena);

/* Zeroed and aligned to 16 bytes; NULL when out of memory. Zero bytes give a valid pointer. */
void *arena_alloc(struct arena *arena, size_t bytes);

/* Both return NULL when out of memory. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Frees everything allocated; the arena is then empty and may be used again. */
void arena_release(struct arena *arena);

#endif
