/* One invocation sets an atomic flag of its workgroup, others wait for it, or look once. */
#include <wgsim/kernel.h>

WG_OVERRIDE(u32, fixed, 0, "1: wait");
WG_OVERRIDE(u32, setter, 0, "who sets it");
WG_STORAGE(0, 0, u32, output);
WG_WORKGROUP(atomic_u32, ready, 1);

WG_ENTRY(main, 64, 1, 1) {
    u32 li = wg_local_invocation_index;

    if (li == wg_override(setter))
        wg_atomic_store(ready, 0, 7);
    if (wg_override(fixed)) {
        WG_LOOP {
            if (wg_atomic_load(ready, 0) != 0)
                break;
        }
        wg_store(output, li, 7);
    } else {
        wg_store(output, li, wg_atomic_load(ready, 0));
    }
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_output, 64))
        return -1;
    p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}

WG_KERNEL("spin_flag", "a flag of a workgroup", .plan = plan);
