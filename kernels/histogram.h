/* Set-up and reference of the histograms. */
#ifndef WGSIM_KERNELS_HISTOGRAM_H
#define WGSIM_KERNELS_HISTOGRAM_H

#include "plan.h"

enum { GROUP = 256, BINS = 256 };

/* Four words for each invocation. */
static inline int histogram_plan(struct wg_plan *p, u32 words, u32 bins) {
    uint64_t n = p->ops->size(p);

    if (!plan_words(p, words, n, 1 << 16) || !p->ops->buffer(p, bins, BINS))
        return -1;
    return plan_dispatch(p, "main", plan_capped(plan_ceil(n, 4 * GROUP)), 1);
}

static inline int histogram_check(struct wg_plan *p, u32 words, u32 bins) {
    const u32 *values = plan_initial(p, words), *found = plan_result(p, bins);
    uint64_t n = p->ops->size(p);
    u32 counts[BINS] = {0};

    for (uint64_t i = 0; i < n; i++)
        counts[values[i] % BINS]++;
    for (u32 i = 0; i < BINS; i++)
        if (plan_expect(p, bins, i, found[i], counts[i]))
            return -1;
    return 0;
}

#endif
