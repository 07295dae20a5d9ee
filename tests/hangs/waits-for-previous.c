/* Each waits for the one before, which has ended by then where one is resident at a time. */
#include <wgsim/kernel.h>

WG_STORAGE(0, 0, atomic_u32, flags);

WG_ENTRY(main, 32, 1, 1) {
    u32 id = wg_workgroup_id.x, turns = 0;

    {
        WG_BRANCH;
        if (wg_local_invocation_index == 0) {
            {
                WG_BRANCH;
                if (id > 0) {
                    WG_WHILE(wg_atomic_load(flags, id - 1) == 0) {
                        turns &= 1;
                    }
                }
            }
            wg_atomic_store(flags, id, 1);
        }
    }
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_flags, 4))
        return -1;
    p->ops->dispatch(p, "main", 4, 1, 1);
    return 0;
}

WG_KERNEL("waits-for-previous", "a chain", .plan = plan);
