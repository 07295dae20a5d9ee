/* Every workgroup waits for the flag that the last one sets: ends only where all of them are
 * resident at once. */
#include "plan.h"

WG_OVERRIDE(u32, workgroup_size, 256, "invocations in a workgroup");
WG_OVERRIDE(u32, workgroup_memory, 0,
            "bytes of workgroup memory, to lower the number of residents");
WG_OVERRIDE(u32, spin_limit, 0, "turns after which an invocation gives up; 0: never");

WG_STORAGE(0, 0, atomic_u32, ready);
WG_STORAGE(0, 1, u32, seen);
WG_WORKGROUP(u32, ballast,
             wg_override(workgroup_memory) > 4 ? (wg_override(workgroup_memory) + 3) / 4 : 1);

WG_ENTRY(main, wg_override(workgroup_size), 1, 1) {
    u32 last = wg_num_workgroups.x - 1, limit = wg_override(spin_limit), turns = 0;

    {
        WG_BRANCH;
        if (wg_local_invocation_index == 0) {
            if (wg_workgroup_id.x == last)
                wg_atomic_store(ready, 0, 1);
            WG_WHILE(wg_atomic_load(ready, 0) == 0) {
                if (limit != 0 && ++turns == limit)
                    break;
            }
            wg_store(seen, wg_workgroup_id.x, limit == 0 || turns < limit);
        }
    }
    wg_workgroup_barrier();
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

WG_KERNEL("spinwait", "all workgroups wait for the last one: deadlock where not all are resident",
          .flags = WG_KERNEL_WAITS, .plan = plan, .check = check);
