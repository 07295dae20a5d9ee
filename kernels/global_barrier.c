/* A barrier of all workgroups made of a counter: each waits until all have arrived, which those
 * that are not resident never do. */
#include "plan.h"

enum { GROUP = 64 };
WG_OVERRIDE(u32, spin_limit, 0, "turns after which an invocation gives up; 0: never");

WG_STORAGE(0, 0, atomic_u32, arrived);
WG_STORAGE(0, 1, u32, passed);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 limit = wg_override(spin_limit), turns = 0;

    {
        WG_BRANCH;
        if (wg_local_invocation_index == 0) {
            wg_atomic_add_unused(arrived, 0, 1);
            WG_WHILE(wg_atomic_load(arrived, 0) < wg_num_workgroups.x) {
                if (limit != 0 && ++turns == limit)
                    break;
            }
            wg_store(passed, wg_workgroup_id.x, limit == 0 || turns < limit);
        }
    }
    wg_workgroup_barrier();
}

static int plan(struct wg_plan *p) {
    u32 groups = plan_one_too_many(p);

    if (!p->ops->buffer(p, wg_var_arrived, 1) || !p->ops->buffer(p, wg_var_passed, groups))
        return -1;
    p->ops->dispatch(p, "main", groups, 1, 1);
    return 0;
}

static int check(struct wg_plan *p) {
    return plan_expect_all(p, wg_var_passed, 1);
}

WG_KERNEL("global_barrier", "a barrier of all workgroups: deadlock where not all are resident",
          .flags = WG_KERNEL_WAITS, .plan = plan, .check = check);
