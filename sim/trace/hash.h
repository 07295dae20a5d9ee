/* A 64-bit hash of words and bytes: to tell what has changed, by accident or by an editor. Nothing
 * keeps someone from making two inputs with one hash on purpose. */
#ifndef SIM_TRACE_HASH_H
#define SIM_TRACE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_START UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t hash_word(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 32;
}

/* Several words in the time of one: what each adds does not wait for the others. */
static inline uint64_t hash_five(uint64_t hash, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                                 uint64_t e) {
    uint64_t sum = a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xbf58476d1ce4e5b9) +
                   c * UINT64_C(0x94d049bb133111eb) + d * UINT64_C(0xd6e8feb86659fd93) +
                   e * UINT64_C(0xc2b2ae3d27d4eb4f);

    return hash_word(hash, sum ^ sum >> 29);
}

enum { HASH_BLOCK_BYTES = 32, HASH_PREFETCH_BYTES = 4096 };

/* Whole blocks: count is a multiple of HASH_BLOCK_BYTES. A processor fetches what comes next by
 * itself, but not beyond the page. */
static inline uint64_t hash_blocks(uint64_t hash, const void *bytes, size_t count) {
    const char *from = bytes;
    uint64_t words[HASH_BLOCK_BYTES / sizeof(uint64_t)];

    for (size_t i = 0; i < count; i += sizeof words) {
        __builtin_prefetch((const void *)((uintptr_t)from + i + HASH_PREFETCH_BYTES));
        memcpy(words, from + i, sizeof words);
        hash = hash_five(hash, words[0], words[1], words[2], words[3], 0);
    }
    return hash;
}

/* Ends a hash of blocks with what is behind them: less than one. */
static inline uint64_t hash_rest(uint64_t hash, const void *bytes, size_t count) {
    char block[HASH_BLOCK_BYTES] = {0};

    if (count)
        memcpy(block, bytes, count);
    return hash_word(hash_blocks(hash, block, sizeof block), count);
}

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    size_t whole = count & ~(size_t)(HASH_BLOCK_BYTES - 1);

    return hash_rest(hash_blocks(hash, bytes, whole), (const char *)bytes + whole, count - whole);
}

static inline uint64_t hash_text(uint64_t hash, const char *text) {
    return text ? hash_bytes(hash, text, strlen(text)) : hash_word(hash, 0);
}

#endif
