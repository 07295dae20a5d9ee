/* A hash table of byte strings. */
#include "sim/progress/intern.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const uint8_t *bytes, size_t length) {
    uint64_t a = 0x9e3779b97f4a7c15u ^ length, b = 0xc2b2ae3d27d4eb4fu, word;

    for (; length >= 8; bytes += 8, length -= 8) {
        memcpy(&word, bytes, 8);
        __uint128_t product = (__uint128_t)(word ^ a) * (b | 1);
        a = (uint64_t)product ^ word;
        b += (uint64_t)(product >> 64);
    }
    word = 0;
    memcpy(&word, bytes, length);
    __uint128_t product = (__uint128_t)(word ^ a) * 0xd6e8feb86659fd93u;
    return (uint64_t)product ^ (uint64_t)(product >> 64) ^ b;
}

static size_t place_of(const struct intern *intern, const void *bytes, size_t length,
                       uint64_t hash) {
    size_t place = hash & (intern->table_size - 1);

    for (; intern->table[place]; place = (place + 1) & (intern->table_size - 1)) {
        const struct interned *item = &intern->items[intern->table[place] - 1];
        if (item->hash == hash && item->length == length && memcmp(item->bytes, bytes, length) == 0)
            break;
    }
    return place;
}

static int grow_table(struct intern *intern) {
    size_t size = intern->table_size ? intern->table_size * 2 : 1024;
    uint32_t *table = calloc(size, sizeof *table);

    if (!table)
        return -1;
    for (size_t i = 0; i < intern->count; i++) {
        size_t place = intern->items[i].hash & (size - 1);
        while (table[place])
            place = (place + 1) & (size - 1);
        table[place] = (uint32_t)i + 1;
    }
    free(intern->table);
    intern->table = table;
    intern->table_size = size;
    return 0;
}

static int grow_items(struct intern *intern) {
    size_t capacity = intern->capacity ? intern->capacity * 2 : 256;
    struct interned *items = realloc(intern->items, capacity * sizeof *items);

    if (!items)
        return -1;
    intern->items = items;
    intern->capacity = capacity;
    return 0;
}

uint32_t intern_find(const struct intern *intern, const void *bytes, size_t length) {
    if (!intern->table_size)
        return INTERN_FAILED;
    if (!length)
        bytes = "";
    return intern->table[place_of(intern, bytes, length, hash_of(bytes, length))] - 1;
}

uint32_t intern_add_two(struct intern *intern, const void *first, size_t first_length,
                        const void *second, size_t second_length) {
    size_t length = first_length + second_length;
    uint8_t small[1024], *both = length <= sizeof small ? small : malloc(length);

    if (!both)
        return INTERN_FAILED;
    memcpy(both, first, first_length);
    memcpy(both + first_length, second, second_length);
    uint32_t number = intern_add(intern, both, length);
    if (both != small)
        free(both);
    return number;
}

uint32_t intern_add(struct intern *intern, const void *bytes, size_t length) {
    if (!length)
        bytes = "";
    if (intern->count * 2 >= intern->table_size && grow_table(intern) < 0)
        return INTERN_FAILED;
    uint64_t hash = hash_of(bytes, length);
    size_t place = place_of(intern, bytes, length, hash);
    if (intern->table[place])
        return intern->table[place] - 1;
    if ((intern->count == intern->capacity && grow_items(intern) < 0) ||
        intern->count >= UINT32_MAX - 1)
        return INTERN_FAILED;
    uint8_t *copy = malloc(length + 1);
    if (!copy)
        return INTERN_FAILED;
    memcpy(copy, bytes, length);
    intern->items[intern->count++] = (struct interned){copy, length, hash};
    intern->bytes += length;
    intern->table[place] = (uint32_t)intern->count;
    /* cppcheck-suppress memleak ; it is in items */
    return (uint32_t)intern->count - 1;
}

void intern_release(struct intern *intern) {
    for (size_t i = 0; i < intern->count; i++)
        free(intern->items[i].bytes);
    free(intern->items);
    free(intern->table);
    *intern = (struct intern){0};
}
