/* A lock that workgroups take in the order in which they drew tickets, so that none starves while
 * those that have one keep running. What it protects is a race all the same. */
#include "plan.h"

enum { GROUP = 64 };
WG_OVERRIDE(u32, spin_limit, 0, "turns after which an invocation gives up; 0: never");

WG_STORAGE(0, 0, atomic_u32, next);
WG_STORAGE(0, 1, atomic_u32, serving);
WG_STORAGE(0, 2, u32, total);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 limit = wg_override(spin_limit), turns = 0;

    {
        WG_BRANCH;
        if (wg_local_invocation_index == 0) {
            u32 ticket = wg_atomic_add(next, 0, 1);

            WG_WHILE(wg_atomic_load(serving, 0) != ticket) {
                if (limit != 0 && ++turns == limit)
                    break;
            }
            if (limit == 0 || turns < limit) {
                u32 sum = wg_load(total, 0);

                wg_store(total, 0, sum + 1);
                wg_atomic_store(serving, 0, ticket + 1);
            }
        }
    }
}

enum { DEFAULT_GROUPS = 16 };

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_next, 1) || !p->ops->buffer(p, wg_var_serving, 1) ||
        !p->ops->buffer(p, wg_var_total, 1))
        return -1;
    return plan_dispatch(p, "main", DEFAULT_GROUPS, 1);
}

static int check(struct wg_plan *p) {
    const u32 *total = plan_result(p, wg_var_total);
    u32 groups[3];

    plan_groups(p, DEFAULT_GROUPS, 1, groups);
    return plan_expect(p, wg_var_total, 0, total[0], groups[0] * groups[1] * groups[2]);
}

WG_KERNEL("ticket_lock", "a lock by tickets: ends, but atomics do not order what it protects",
          .flags = WG_KERNEL_WAITS | WG_KERNEL_FAULTY, .plan = plan, .check = check);
