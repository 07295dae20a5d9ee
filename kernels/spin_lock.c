/* A lock that every lane spins for. Where lanes run in lockstep the one that holds it waits for the
 * others to leave the loop; and what it protects is still a race, as relaxed atomics order nothing.
 */
#include "plan.h"

enum { GROUP = 64 };
WG_OVERRIDE(u32, spin_limit, 0, "turns after which an invocation gives up; 0: never");

WG_STORAGE(0, 0, atomic_u32, lock);
WG_STORAGE(0, 1, u32, total);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 limit = wg_override(spin_limit), turns = 0;

    WG_WHILE(wg_atomic_exchange(lock, 0, 1) != 0) {
        if (limit != 0 && ++turns == limit)
            break;
    }
    {
        WG_BRANCH;
        if (limit == 0 || turns < limit) {
            u32 sum = wg_load(total, 0);

            wg_store(total, 0, sum + 1);
            wg_atomic_store(lock, 0, 0);
        }
    }
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_lock, 1) || !p->ops->buffer(p, wg_var_total, 1))
        return -1;
    return plan_dispatch(p, "main", 2, 1);
}

static int check(struct wg_plan *p) {
    const u32 *total = plan_result(p, wg_var_total);
    u32 groups[3];

    plan_groups(p, 2, 1, groups);
    return plan_expect(p, wg_var_total, 0, total[0], groups[0] * groups[1] * groups[2] * GROUP);
}

WG_KERNEL("spin_lock", "a lock that every lane spins for: hangs with --lanes=lockstep",
          .flags = WG_KERNEL_WAITS | WG_KERNEL_FAULTY, .plan = plan, .check = check);
