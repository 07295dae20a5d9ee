/* Byte strings kept once: equal strings have equal numbers, exactly (a hash only finds the
 * candidate). */
#ifndef SIM_PROGRESS_INTERN_H
#define SIM_PROGRESS_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct interned {
    uint8_t *bytes;
    size_t length;
    uint64_t hash;
};

struct intern {
    struct interned *items;
    size_t count, capacity;
    uint32_t *table; /* index + 1 */
    size_t table_size;
    uint64_t bytes; /* of the strings */
};

#define INTERN_FAILED UINT32_MAX

/* The number of a string, which is copied if it is new; NULL is an empty one. INTERN_FAILED: out of
 * memory. */
uint32_t intern_add(struct intern *intern, const void *bytes, size_t length);
/* INTERN_FAILED: there is none. */
uint32_t intern_find(const struct intern *intern, const void *bytes, size_t length);
/* Of one string after the other. */
uint32_t intern_add_two(struct intern *intern, const void *first, size_t first_length,
                        const void *second, size_t second_length);
static inline const struct interned *intern_get(const struct intern *intern, uint32_t number) {
    return &intern->items[number];
}
/* Memory taken in all. */
static inline uint64_t intern_bytes(const struct intern *intern) {
    return intern->bytes + intern->capacity * sizeof *intern->items +
           intern->table_size * sizeof *intern->table;
}
void intern_release(struct intern *intern);

#endif
