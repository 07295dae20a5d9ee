/* Every workgroup waits for the flag that the last one sets: ends only where all of them are
 * resident at once. */
#include <wgsim/kernel.h>

WG_OVERRIDE(u32, workgroup_size, 256, "invocations in a workgroup");
WG_OVERRIDE(u32, workgroup_memory, 0,
            "bytes of workgroup memory, to lower the number of residents");
WG_OVERRIDE(u32, spin_limit, 0, "turns after which an invocation gives up; 0: never");

WG_STORAGE(0, 0, atomic_u32, ready);
WG_STORAGE(0, 1, u32, gave_up);
WG_WORKGROUP(u32, ballast, (wg_override(workgroup_memory) + 3) / 4);

WG_ENTRY(main, wg_override(workgroup_size), 1, 1) {
    u32 last = wg_num_workgroups.x - 1, turns = 0;

    if (wg_local_invocation_index == 0) {
        if (wg_workgroup_id.x == last)
            wg_atomic_store(ready, 0, 1);
        WG_WHILE(wg_atomic_load(ready, 0) == 0) {
            if (wg_override(spin_limit) != 0 && ++turns == wg_override(spin_limit)) {
                wg_store(gave_up, wg_workgroup_id.x, 1);
                break;
            }
        }
    }
    wg_workgroup_barrier();
}

static int plan(struct wg_plan *p) {
    u32 groups[3];

    p->ops->groups(p, groups);
    if (groups[0] == 0)
        groups[0] = (u32)p->ops->residents(p, "main") + 1, groups[1] = groups[2] = 1;
    if (!p->ops->buffer(p, wg_var_ready, 1) || !p->ops->buffer(p, wg_var_gave_up, groups[0]))
        return -1;
    p->ops->dispatch(p, "main", groups[0], groups[1], groups[2]);
    return 0;
}

WG_KERNEL(
    "spinwait",
    "every workgroup waits for the flag that the last one sets: deadlock beyond the residents",
    .flags = WG_KERNEL_WAITS, .plan = plan);
