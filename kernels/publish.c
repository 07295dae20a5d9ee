/* Workgroups in pairs: the first writes data and then sets a flag, the second waits for the flag
 * and reads the data. Atomicity is not ordering: what it reads may be older than the flag. */
#include "plan.h"

enum { GROUP = 64 };
WG_OVERRIDE(u32, spin_limit, 0, "turns after which an invocation gives up; 0: never");

WG_STORAGE(0, 0, atomic_u32, ready);
WG_STORAGE(0, 1, u32, data);
WG_STORAGE(0, 2, u32, output);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, pair = wg_workgroup_id.x / 2;
    u32 limit = wg_override(spin_limit), turns = 0;

    if (wg_workgroup_id.x % 2 == 0) {
        wg_store(data, pair * GROUP + li, li + 1);
        wg_storage_barrier();
        {
            WG_BRANCH;
            if (li == 0)
                wg_atomic_store(ready, pair, 1);
        }
    } else {
        {
            WG_BRANCH;
            if (li == 0) {
                WG_WHILE(wg_atomic_load(ready, pair) == 0) {
                    if (limit != 0 && ++turns == limit)
                        break;
                }
            }
        }
        wg_storage_barrier();
        wg_store(output, pair * GROUP + li, wg_load(data, pair * GROUP + li));
    }
}

static int plan(struct wg_plan *p) {
    u32 groups[3];

    plan_groups(p, 2, 1, groups);

    uint64_t pairs = plan_ceil(groups[0], 2);

    if (!p->ops->buffer(p, wg_var_ready, pairs) || !p->ops->buffer(p, wg_var_data, pairs * GROUP) ||
        !p->ops->buffer(p, wg_var_output, pairs * GROUP))
        return -1;
    p->ops->dispatch(p, "main", groups[0], 1, 1);
    return 0;
}

static int check(struct wg_plan *p) {
    uint64_t elements;
    const u32 *output = p->ops->result(p, wg_var_output, &elements);

    for (uint64_t i = 0; i < elements; i++)
        if (plan_expect(p, wg_var_output, i, output[i], (u32)(i % GROUP + 1)))
            return -1;
    return 0;
}

WG_KERNEL("publish", "data published by an atomic flag: atomicity is not ordering",
          .flags = WG_KERNEL_WAITS | WG_KERNEL_FAULTY, .plan = plan, .check = check);
