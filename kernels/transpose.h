/* Set-up and reference of the transpositions of a matrix. */
#ifndef WGSIM_KERNELS_TRANSPOSE_H
#define WGSIM_KERNELS_TRANSPOSE_H

#include "plan.h"

/* --size where --set does not say otherwise. */
static inline uint64_t transpose_side(struct wg_plan *p, u32 side_override) {
    p->ops->set_override(p, side_override, (union wg_value){.u = (u32)p->ops->size(p)});
    return p->ops->override(p, side_override).u;
}

static inline int transpose_plan(struct wg_plan *p, u32 input, u32 output, u32 side_override,
                                 u32 tile) {
    uint64_t side = transpose_side(p, side_override);

    if (p->ops->size(p) > 0xffff || side > 0xffff)
        return p->ops->refuse(p, "a matrix has at most 65535 rows");
    if (tile == 0)
        return p->ops->refuse(p, "a tile has at least one row");
    if (!plan_floats(p, input, side * side, 1 << 16) || !p->ops->buffer(p, output, side * side))
        return -1;
    return plan_dispatch(p, "main", plan_ceil(side, tile), plan_ceil(side, tile));
}

static inline int transpose_check(struct wg_plan *p, u32 input, u32 output, u32 side_override) {
    const f32 *from = plan_initial(p, input), *to = plan_result(p, output);
    uint64_t side = transpose_side(p, side_override);

    for (uint64_t i = 0; i < side * side; i++)
        if (plan_expect_f32(p, output, i, to[i], from[i % side * side + i / side]))
            return -1;
    return 0;
}

#endif
