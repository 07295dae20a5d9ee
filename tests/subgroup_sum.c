/* A kernel whose invocations hold the results of subgroup operations while others run. */
#include <wgsim/kernel.h>

WG_STORAGE(0, 0, atomic_u32, next);
WG_STORAGE(0, 1, atomic_u32, total);

WG_ENTRY(main, 8, 1, 1) {
    u32 place = wg_atomic_add(next, 0, 1);
    u32 sum = wg_subgroup_add(place);

    wg_atomic_add_unused(total, wg_workgroup_id.x, sum);
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_next, 1) || !p->ops->buffer(p, wg_var_total, 3))
        return -1;
    p->ops->dispatch(p, "main", 3, 1, 1);
    return 0;
}

#define wgsim_kernel_2 subgroup_sum_kernel
extern const struct wg_kernel subgroup_sum_kernel;
WG_KERNEL("subgroup_sum", "sums of places that were taken", .plan = plan);
