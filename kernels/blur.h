/* The reference of the blurs: the mean of 2 radius + 1 values, edges repeated. */
#ifndef WGSIM_KERNELS_BLUR_H
#define WGSIM_KERNELS_BLUR_H

#include "plan.h"

static inline int blur_check(struct wg_plan *p, u32 input, u32 output, u32 radius) {
    const f32 *values = plan_initial(p, input), *means = plan_result(p, output);
    int64_t n = (int64_t)p->ops->size(p), reach = radius;

    for (int64_t i = 0; i < n; i++) {
        f32 sum = 0;

        for (int64_t k = i - reach; k <= i + reach; k++)
            sum += values[k < 0 ? 0 : k >= n ? n - 1 : k];
        if (plan_expect_quotient(p, output, (uint64_t)i, means[i], sum / (f32)(2 * reach + 1)))
            return -1;
    }
    return 0;
}

#endif
