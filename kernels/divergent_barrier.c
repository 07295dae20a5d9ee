/* Two halves of a workgroup that wait at two different barriers: a shader that WGSL refuses, as it
 * hangs where barriers are kept apart and goes on where arrivals are merely counted. */
#include "plan.h"

enum { GROUP = 64 };

WG_STORAGE(0, 0, u32, output);
WG_WORKGROUP(u32, tile, GROUP);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, i = wg_global_invocation_id.x;

    wg_store(tile, li, i);
    {
        WG_BRANCH;
        if (li < GROUP / 2) {
            wg_workgroup_barrier();
            wg_store(output, i, wg_load(tile, li + GROUP / 2));
        } else {
            wg_workgroup_barrier();
            wg_store(output, i, wg_load(tile, li - GROUP / 2));
        }
    }
}

static int plan(struct wg_plan *p) {
    u32 groups[3];

    plan_groups(p, 1, 1, groups);
    if (!p->ops->buffer(p, wg_var_output, (uint64_t)groups[0] * GROUP))
        return -1;
    p->ops->dispatch(p, "main", groups[0], 1, 1);
    return 0;
}

static int check(struct wg_plan *p) {
    uint64_t elements;
    const u32 *output = p->ops->result(p, wg_var_output, &elements);

    for (uint64_t i = 0; i < elements; i++)
        if (plan_expect(p, wg_var_output, i, output[i], (u32)i ^ GROUP / 2))
            return -1;
    return 0;
}

WG_KERNEL("divergent_barrier", "halves of a workgroup wait at different barriers: divergence",
          .flags = WG_KERNEL_FAULTY, .plan = plan, .check = check);
