/* A tree sum of one workgroup that shows its inside: a line from the first invocation after each
 * step, and the whole tile copied to a buffer. */
#include "plan.h"

enum { GROUP = 32, STEPS = 5 };

WG_STORAGE(0, 0, u32, snapshots);
WG_WORKGROUP(u32, tile, GROUP);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, step = 0;

    wg_store(tile, li, li);
    wg_workgroup_barrier();
    WG_FOR(u32 reach = GROUP / 2; reach > 0; reach /= 2) {
        {
            WG_BRANCH;
            if (li < reach)
                wg_store(tile, li, wg_load(tile, li) + wg_load(tile, li + reach));
        }
        wg_workgroup_barrier();

        u32 value = wg_load(tile, li);

        wg_store(snapshots, step * GROUP + li, value);
        if (li == 0)
            wg_print("after step %u tile[0] is %u", step, value);
        step++;
    }
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_snapshots, STEPS * GROUP))
        return -1;
    p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}

static int check(struct wg_plan *p) {
    const u32 *snapshots = plan_result(p, wg_var_snapshots);
    u32 tile[GROUP];

    for (u32 i = 0; i < GROUP; i++)
        tile[i] = i;
    for (u32 step = 0; step < STEPS; step++)
        for (u32 i = 0, reach = GROUP / 2 >> step; i < GROUP; i++) {
            tile[i] += i < reach ? tile[i + reach] : 0;
            if (plan_expect(p, wg_var_snapshots, step * GROUP + i, snapshots[step * GROUP + i],
                            tile[i]))
                return -1;
        }
    return 0;
}

WG_KERNEL("debug_tree", "printed lines and copies of workgroup memory, to see inside a kernel",
          .plan = plan, .check = check);
