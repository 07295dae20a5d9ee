/* Two workgroups that need the same two locks and take them in opposite order. None waits while it
 * holds one: it gives it back, backs off and tries again. Where both do so at the same pace they
 * are in each other's way for ever, although nobody ever stands still. */
#include "plan.h"

enum { GROUP = 1, GROUPS = 2 };
WG_OVERRIDE(u32, backoff, 8, "turns of the first workgroup before it tries again");
WG_OVERRIDE(u32, skew, 0, "turns more of the second: 1 lets both pass");
WG_OVERRIDE(u32, spin_limit, 0, "attempts after which an invocation gives up; 0: never");

WG_STORAGE(0, 0, atomic_u32, lock);
WG_STORAGE(0, 1, atomic_u32, stop);
WG_STORAGE(0, 2, u32, passed);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 group = wg_workgroup_id.x, first = group % 2, second = 1 - first;
    u32 turns = wg_override(backoff) + first * wg_override(skew);
    u32 limit = wg_override(spin_limit), attempts = 0;
    bool has_both = false;

    WG_WHILE(!has_both) {
        if (wg_atomic_exchange(lock, first, 1) == 0) {
            has_both = wg_atomic_exchange(lock, second, 1) == 0;
            wg_atomic_store(lock, first, 0);
        }
        if (limit != 0 && ++attempts == limit)
            break;
        WG_FOR(u32 k = 0; k < turns && !has_both; k++) {
            if (wg_atomic_load(stop, 0) != 0)
                break;
        }
    }
    if (has_both)
        wg_atomic_store(lock, second, 0);
    wg_store(passed, group, has_both);
}

static int plan(struct wg_plan *p) {
    u32 groups[3];

    plan_groups(p, GROUPS, 1, groups);
    if (!p->ops->buffer(p, wg_var_lock, 2) || !p->ops->buffer(p, wg_var_stop, 1) ||
        !p->ops->buffer(p, wg_var_passed, groups[0]))
        return -1;
    p->ops->dispatch(p, "main", groups[0], 1, 1);
    return 0;
}

static int check(struct wg_plan *p) {
    return plan_expect_all(p, wg_var_passed, 1);
}

WG_KERNEL("livelock",
          "two locks in opposite order, with back-off: nobody stands still, none passes",
          .flags = WG_KERNEL_WAITS, .plan = plan, .check = check);
