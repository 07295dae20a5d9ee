/* A lock of a workgroup, by exchange, around plain memory; fixed: around an atomic. */
#include <wgsim/kernel.h>

WG_OVERRIDE(u32, fixed, 0, "1: as it should be");
WG_STORAGE(0, 0, u32, output);
WG_WORKGROUP(atomic_u32, lock, 1);
WG_WORKGROUP(u32, total, 1);
WG_WORKGROUP(atomic_u32, sum, 1);

WG_ENTRY(main, 64, 1, 1) {
    u32 li = wg_local_invocation_index;
    bool mine = false;

    WG_WHILE(!mine) {
        WG_BRANCH;
        if (wg_atomic_exchange(lock, 0, 1) == 0) {
            if (wg_override(fixed))
                wg_atomic_store(sum, 0, wg_atomic_load(sum, 0) + li);
            else
                wg_store(total, 0, wg_load(total, 0) + li);
            wg_atomic_store(lock, 0, 0);
            mine = true;
        }
    }
    wg_workgroup_barrier();
    wg_store(output, li, wg_override(fixed) ? wg_atomic_load(sum, 0) : wg_load(total, 0));
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_output, 64))
        return -1;
    p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}

WG_KERNEL("workgroup_lock", "a lock", .plan = plan);
