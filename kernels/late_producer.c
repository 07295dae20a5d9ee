/* A producer that looks for a long time at a word that never changes before it sets the flag: all
 * is quiet meanwhile, yet the wait of the others ends. */
#include "plan.h"

enum { GROUP = 64, DEFAULT_GROUPS = 4 };
WG_OVERRIDE(u32, delay, 2000, "turns of the producer before it sets the flag");
WG_OVERRIDE(u32, spin_limit, 0, "turns after which an invocation gives up; 0: never");

WG_STORAGE(0, 0, atomic_u32, ready);
WG_STORAGE(0, 1, atomic_u32, stop);
WG_STORAGE(0, 2, u32, seen);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 limit = wg_override(spin_limit), turns = 0;

    {
        WG_BRANCH;
        if (wg_local_invocation_index == 0) {
            if (wg_workgroup_id.x == 0) {
                WG_FOR(u32 k = 0; k < wg_override(delay); k++) {
                    if (wg_atomic_load(stop, 0) != 0)
                        break;
                }
                wg_atomic_store(ready, 0, 1);
            }
            WG_WHILE(wg_atomic_load(ready, 0) == 0) {
                if (limit != 0 && ++turns == limit)
                    break;
            }
            wg_store(seen, wg_workgroup_id.x, limit == 0 || turns < limit);
        }
    }
}

static int plan(struct wg_plan *p) {
    u32 groups[3];

    plan_groups(p, DEFAULT_GROUPS, 1, groups);
    if (!p->ops->buffer(p, wg_var_ready, 1) || !p->ops->buffer(p, wg_var_stop, 1) ||
        !p->ops->buffer(p, wg_var_seen, groups[0]))
        return -1;
    p->ops->dispatch(p, "main", groups[0], 1, 1);
    return 0;
}

static int check(struct wg_plan *p) {
    return plan_expect_all(p, wg_var_seen, 1);
}

WG_KERNEL("late_producer", "a flag that is set late: a long quiet wait that is no deadlock",
          .flags = WG_KERNEL_WAITS, .plan = plan, .check = check);
