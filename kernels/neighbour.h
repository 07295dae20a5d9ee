/* The reference of the neighbour sums; the last of a workgroup has the first as its neighbour. */
#ifndef WGSIM_KERNELS_NEIGHBOUR_H
#define WGSIM_KERNELS_NEIGHBOUR_H

#include "plan.h"

enum { GROUP = 64 };

static inline int neighbour_check(struct wg_plan *p, u32 input, u32 output) {
    const f32 *values = plan_initial(p, input), *sums = plan_result(p, output);
    uint64_t n = p->ops->size(p);

    for (uint64_t i = 0; i < n; i++) {
        uint64_t next = i - i % GROUP + (i + 1) % GROUP;

        if (plan_expect_f32(p, output, i, sums[i], values[i] + (next < n ? values[next] : 0)))
            return -1;
    }
    return 0;
}

#endif
