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

/* Whole words: count is a multiple of 8. */
static inline uint64_t hash_words(uint64_t hash, const void *bytes, size_t count) {
    const char *from = bytes;
    uint64_t word;

    for (size_t i = 0; i < count; i += sizeof word) {
        memcpy(&word, from + i, sizeof word);
        hash = hash_word(hash, word);
    }
    return hash;
}

/* Ends a hash of words with the up to 7 bytes behind them. */
static inline uint64_t hash_rest(uint64_t hash, const void *bytes, size_t count) {
    uint64_t word = 0;

    if (count)
        memcpy(&word, bytes, count);
    return hash_word(hash_word(hash, word), count);
}

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    size_t whole = count & ~(size_t)7;

    return hash_rest(hash_words(hash, bytes, whole), (const char *)bytes + whole, count - whole);
}

/* Of large contents: in four parts at a time, which a processor does side by side. */
static inline uint64_t hash_contents(const void *bytes, size_t count) {
    const char *from = bytes;
    uint64_t lanes[4] = {HASH_START, ~HASH_START, HASH_START * 3, ~HASH_START * 3}, word;
    size_t at = 0;

    for (; at + sizeof lanes <= count; at += sizeof lanes)
        for (int i = 0; i < 4; i++) {
            memcpy(&word, from + at + i * 8, sizeof word);
            lanes[i] = hash_word(lanes[i], word);
        }
    return hash_bytes(hash_words(HASH_START, lanes, sizeof lanes), from + at, count - at);
}

static inline uint64_t hash_text(uint64_t hash, const char *text) {
    return text ? hash_bytes(hash, text, strlen(text)) : hash_word(hash, 0);
}

#endif
