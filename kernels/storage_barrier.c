/* The wait of spinwait between storage barriers: they order the accesses of one workgroup, and have
 * no effect on the others, neither of order nor of waiting. */
#include "plan.h"

enum { GROUP = 64 };
WG_OVERRIDE(u32, spin_limit, 0, "turns after which an invocation gives up; 0: never");

WG_STORAGE(0, 0, atomic_u32, ready);
WG_STORAGE(0, 1, u32, seen);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, last = wg_num_workgroups.x - 1;
    u32 limit = wg_override(spin_limit), turns = 0;

    {
        WG_BRANCH;
        if (li == 0 && wg_workgroup_id.x == last)
            wg_atomic_store(ready, 0, 1);
    }
    wg_storage_barrier();
    {
        WG_BRANCH;
        if (li == 0) {
            WG_WHILE(wg_atomic_load(ready, 0) == 0) {
                if (limit != 0 && ++turns == limit)
                    break;
            }
            wg_store(seen, wg_workgroup_id.x, limit == 0 || turns < limit);
        }
    }
    wg_storage_barrier();
}

static int plan(struct wg_plan *p) {
    u32 groups = plan_one_too_many(p);

    if (!p->ops->buffer(p, wg_var_ready, 1) || !p->ops->buffer(p, wg_var_seen, groups))
        return -1;
    p->ops->dispatch(p, "main", groups, 1, 1);
    return 0;
}

static int check(struct wg_plan *p) {
    return plan_expect_all(p, wg_var_seen, 1);
}

WG_KERNEL("storage_barrier", "storageBarrier() does not help a wait for another workgroup",
          .flags = WG_KERNEL_WAITS, .plan = plan, .check = check);
