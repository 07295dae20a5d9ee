/* Sets of lanes of a subgroup, which has at most 128. */
#ifndef SIM_LANES_H
#define SIM_LANES_H

#include <stdbool.h>
#include <stdint.h>

enum { LANES_MAX = 128 };

struct lanes {
    uint64_t bits[2];
};

static inline struct lanes lanes_first(uint32_t count) {
    return (struct lanes){{count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1,
                           count >= 128 ? UINT64_MAX
                           : count > 64 ? (UINT64_C(1) << (count - 64)) - 1
                                        : 0}};
}
static inline bool lanes_empty(struct lanes a) {
    return !(a.bits[0] | a.bits[1]);
}
static inline bool lanes_equal(struct lanes a, struct lanes b) {
    return a.bits[0] == b.bits[0] && a.bits[1] == b.bits[1];
}
static inline bool lanes_has(struct lanes a, uint32_t lane) {
    return a.bits[lane >> 6] >> (lane & 63) & 1;
}
static inline void lanes_add(struct lanes *a, uint32_t lane) {
    a->bits[lane >> 6] |= UINT64_C(1) << (lane & 63);
}
static inline void lanes_remove(struct lanes *a, uint32_t lane) {
    a->bits[lane >> 6] &= ~(UINT64_C(1) << (lane & 63));
}
static inline struct lanes lanes_and(struct lanes a, struct lanes b) {
    return (struct lanes){{a.bits[0] & b.bits[0], a.bits[1] & b.bits[1]}};
}
static inline struct lanes lanes_or(struct lanes a, struct lanes b) {
    return (struct lanes){{a.bits[0] | b.bits[0], a.bits[1] | b.bits[1]}};
}
static inline struct lanes lanes_without(struct lanes a, struct lanes b) {
    return (struct lanes){{a.bits[0] & ~b.bits[0], a.bits[1] & ~b.bits[1]}};
}
/* Without the instruction for it, which not every CPU has, __builtin_popcountll is a call. */
static inline uint32_t lanes_count_bits(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    return (uint32_t)(((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}
static inline uint32_t lanes_count(struct lanes a) {
    return lanes_count_bits(a.bits[0]) + (a.bits[1] ? lanes_count_bits(a.bits[1]) : 0);
}
/* The lowest lane of a set that is not empty. */
static inline uint32_t lanes_lowest(struct lanes a) {
    return a.bits[0] ? (uint32_t)__builtin_ctzll(a.bits[0])
                     : 64 + (uint32_t)__builtin_ctzll(a.bits[1]);
}
/* The 32 lanes from 32 * block on. */
static inline uint32_t lanes_block(struct lanes a, uint32_t block) {
    return (uint32_t)(a.bits[block >> 1] >> (block & 1) * 32);
}

/* for (LANES_EACH(lane, set)) */
#define LANES_EACH(lane, set)                                                                      \
    struct lanes rest_ = (set);                                                                    \
    !lanes_empty(rest_) && ((lane) = lanes_lowest(rest_), true);                                   \
    lanes_remove(&rest_, (lane))

#endif
