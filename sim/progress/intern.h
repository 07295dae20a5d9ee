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
    uint64_t bytes; /* kept in all */
};

#define INTERN_FAILED UINT32_MAX

/* The number of a string, which is copied if it is new. INTERN_FAILED: out of memory. */
uint32_t intern_add(struct intern *intern, const void *bytes, size_t length);
static inline const struct interned *intern_get(const struct intern *intern, uint32_t number) {
    return &intern->items[number];
}
void intern_release(struct intern *intern);

#endif
