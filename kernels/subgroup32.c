/* A sum that takes a subgroup to be 32 invocations: right there, and wrong on devices where it is
 * narrower or wider. */
#include "plan.h"

enum { GROUP = 64, ASSUMED = 32 };

WG_STORAGE(0, 0, u32, total);
WG_WORKGROUP(u32, part, GROUP / ASSUMED);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, one = 1;
    u32 sum = wg_subgroup_add(one);

    {
        WG_BRANCH;
        if (li % ASSUMED == 0)
            wg_store(part, li / ASSUMED, sum);
    }
    wg_workgroup_barrier();
    {
        WG_BRANCH;
        if (li == 0) {
            u32 first = wg_load(part, 0);

            wg_store(total, 0, first + wg_load(part, 1));
        }
    }
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_total, 1))
        return -1;
    p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}

static int check(struct wg_plan *p) {
    return plan_expect_all(p, wg_var_total, GROUP);
}

WG_KERNEL("subgroup32", "a sum that assumes subgroups of 32: wrong with --subgroup 16 or 64",
          .flags = WG_KERNEL_FAULTY, .plan = plan, .check = check);
