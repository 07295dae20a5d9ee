/* Set-up and reference of the kernels on points: products of each with its neighbour. */
#ifndef WGSIM_KERNELS_POINTS_H
#define WGSIM_KERNELS_POINTS_H

#include "plan.h"

enum { GROUP = 64 };

/* Variables of a kernel on points. */
struct points {
    u32 x, y, z, output;
};
#define POINTS ((struct points){wg_var_x, wg_var_y, wg_var_z, wg_var_output})

static inline int points_plan(struct wg_plan *p, const struct points *vars, u32 points) {
    uint64_t n = p->ops->size(p);

    if (points < GROUP)
        return p->ops->refuse(p, "points must be at least %d, one an invocation", GROUP);
    if (!plan_floats(p, vars->x, n, 16) || !plan_floats(p, vars->y, n, 32) ||
        !plan_floats(p, vars->z, n, 64) || !p->ops->buffer(p, vars->output, n))
        return -1;
    return plan_dispatch(p, "main", plan_ceil(n, GROUP), 1);
}

static inline int points_check(struct wg_plan *p, const struct points *vars) {
    const f32 *x = plan_initial(p, vars->x), *y = plan_initial(p, vars->y);
    const f32 *z = plan_initial(p, vars->z), *output = plan_result(p, vars->output);
    uint64_t n = p->ops->size(p);

    for (uint64_t i = 0; i < n; i++) {
        uint64_t k = i - i % GROUP + (i + 1) % GROUP;
        f32 product = k < n ? x[i] * x[k] + y[i] * y[k] + z[i] * z[k] : 0;

        if (plan_expect_f32(p, vars->output, i, output[i], product))
            return -1;
    }
    return 0;
}

#endif
