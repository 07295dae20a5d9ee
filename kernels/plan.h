/* What the plans and checks of these kernels share: input data, dispatches by size, comparisons. */
#ifndef WGSIM_KERNELS_PLAN_H
#define WGSIM_KERNELS_PLAN_H

#include <wgsim/kernel.h>

static inline uint64_t plan_ceil(uint64_t n, uint64_t per) {
    return (n + per - 1) / per;
}

/* --groups, or `x` by `y` workgroups. */
static inline void plan_groups(const struct wg_plan *p, uint64_t x, uint64_t y, u32 groups[3]) {
    p->ops->groups(p, groups);
    if (groups[0] == 0)
        groups[0] = (u32)x, groups[1] = (u32)y, groups[2] = 1;
}

/* Dispatches --groups, or `x` by `y` workgroups; nothing where there is no work. */
static inline int plan_dispatch(struct wg_plan *p, const char *entry, uint64_t x, uint64_t y) {
    u32 groups[3];

    if (x == 0 || y == 0)
        return 0;
    plan_groups(p, x, y, groups);
    p->ops->dispatch(p, entry, groups[0], groups[1], groups[2]);
    return 0;
}

/* The same for kernels whose invocations find their element as gid.y * groups.x * GROUP + gid.x: in
 * as many rows as the 65,535 workgroups that WebGPU allows along an axis make necessary. */
static inline int plan_dispatch_folded(struct wg_plan *p, const char *entry, uint64_t groups) {
    uint64_t rows = plan_ceil(groups, 65535);

    return rows == 0 ? 0 : plan_dispatch(p, entry, plan_ceil(groups, rows), rows);
}

/* Workgroups for kernels whose invocations go on in steps of the whole dispatch, so that any number
 * will do. */
static inline uint64_t plan_capped(uint64_t groups) {
    return groups < 65535 ? groups : 65535;
}

/* --groups, or one workgroup more than the device holds at once, in a row: a wait of all for the
 * last one is then endless. Returns their number. */
static inline u32 plan_one_too_many(const struct wg_plan *p) {
    u32 groups[3];

    plan_groups(p, p->ops->residents(p, "main") + 1, 1, groups);
    return groups[0];
}

/* The next of a sequence of 16-bit numbers; *state starts as PLAN_SEED. */
#define PLAN_SEED 12345u
static inline u32 plan_random(u32 *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* The buffer of `var`, filled with n random words less than `limit`; NULL: the plan fails. */
static inline u32 *plan_words(struct wg_plan *p, u32 var, uint64_t n, u32 limit) {
    u32 *words = p->ops->buffer(p, var, n), state = PLAN_SEED;

    for (uint64_t i = 0; words && i < n; i++)
        words[i] = plan_random(&state) % limit;
    return words;
}

/* The same as floats: whole numbers, so that sums below 2^24 are exact in any order. */
static inline f32 *plan_floats(struct wg_plan *p, u32 var, uint64_t n, u32 limit) {
    f32 *floats = p->ops->buffer(p, var, n);
    u32 state = PLAN_SEED;

    for (uint64_t i = 0; floats && i < n; i++)
        floats[i] = (f32)(plan_random(&state) % limit);
    return floats;
}

/* n floats in and as many elements out, by workgroups of `group` invocations, one for each. */
static inline int plan_map(struct wg_plan *p, u32 input, u32 output, u32 group) {
    uint64_t n = p->ops->size(p);

    if (!plan_floats(p, input, n, 256) || !p->ops->buffer(p, output, n))
        return -1;
    return plan_dispatch_folded(p, "main", plan_ceil(n, group));
}

/* Contents of the buffer of `var` before and after the job. */
static inline const void *plan_initial(const struct wg_plan *p, u32 var) {
    uint64_t elements;

    return p->ops->initial(p, var, &elements);
}
static inline const void *plan_result(const struct wg_plan *p, u32 var) {
    uint64_t elements;

    return p->ops->result(p, var, &elements);
}

/* 0, or reports that element i of `var` is wrong and returns what a check has to. */
static inline int plan_expect(struct wg_plan *p, u32 var, uint64_t i, u32 found, u32 expected) {
    return found == expected
               ? 0
               : p->ops->differs(p, var, i, "is %u and should be %u", found, expected);
}
static inline int plan_expect_f32(struct wg_plan *p, u32 var, uint64_t i, f32 found, f32 expected) {
    return found == expected ? 0
                             : p->ops->differs(p, var, i, "is %.9g and should be %.9g",
                                               (double)found, (double)expected);
}

/* For every element of `var`. */
static inline int plan_expect_all(struct wg_plan *p, u32 var, u32 expected) {
    uint64_t elements;
    const u32 *found = p->ops->result(p, var, &elements);

    for (uint64_t i = 0; i < elements; i++)
        if (plan_expect(p, var, i, found[i], expected))
            return -1;
    return 0;
}

/* For a quotient, which WGSL allows to be 2.5 units in the last place off: 2^-22 of it is more. */
static inline int plan_expect_quotient(struct wg_plan *p, u32 var, uint64_t i, f32 found,
                                       f32 expected) {
    f32 off = found > expected ? found - expected : expected - found;

    return off <= expected * 0x1p-22f ? 0 : plan_expect_f32(p, var, i, found, expected);
}

/* For sums[0] of all n words of `words`. */
static inline int plan_expect_sum(struct wg_plan *p, u32 words, u32 sums) {
    const u32 *values = plan_initial(p, words), *found = plan_result(p, sums);
    uint64_t n = p->ops->size(p);
    u32 sum = 0;

    for (uint64_t i = 0; i < n; i++)
        sum += values[i];
    return plan_expect(p, sums, 0, found[0], sum);
}

/* For sums[i]: that of the words up to i in its block of `block` words. */
static inline int plan_expect_scan(struct wg_plan *p, u32 words, u32 sums, uint64_t block) {
    const u32 *values = plan_initial(p, words), *found = plan_result(p, sums);
    uint64_t n = p->ops->size(p);
    u32 sum = 0;

    for (uint64_t i = 0; i < n; i++) {
        sum = values[i] + (i % block == 0 ? 0 : sum);
        if (plan_expect(p, sums, i, found[i], sum))
            return -1;
    }
    return 0;
}

#endif
