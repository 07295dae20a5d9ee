/* Workgroup 0 alone waits for the flag that the last one sets: the others end and make room, so it
 * ends wherever two workgroups can be resident, and hangs where one can. */
#include "plan.h"

enum { GROUP = 64 };
WG_OVERRIDE(u32, spin_limit, 0, "turns after which an invocation gives up; 0: never");

WG_STORAGE(0, 0, atomic_u32, ready);
WG_STORAGE(0, 1, u32, seen);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 last = wg_num_workgroups.x - 1, limit = wg_override(spin_limit), turns = 0;

    {
        WG_BRANCH;
        if (wg_local_invocation_index == 0) {
            if (wg_workgroup_id.x == last)
                wg_atomic_store(ready, 0, 1);
            if (wg_workgroup_id.x == 0) {
                WG_WHILE(wg_atomic_load(ready, 0) == 0) {
                    if (limit != 0 && ++turns == limit)
                        break;
                }
            }
            wg_store(seen, wg_workgroup_id.x, limit == 0 || turns < limit);
        }
    }
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

WG_KERNEL("waitlast", "only workgroup 0 waits for the last one: ends wherever two fit",
          .flags = WG_KERNEL_WAITS, .plan = plan, .check = check);
