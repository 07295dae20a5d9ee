/* A counter is set by an atomic and read as part of its struct, by others. fixed: after a barrier.
 */
#include <wgsim/kernel.h>

typedef struct {
    atomic_u32 count;
    u32 rest;
} counter;

WG_OVERRIDE(u32, fixed, 0, "1: as it should be");
WG_STORAGE(0, 0, u32, output);
WG_WORKGROUP(counter, shared, 1);

WG_ENTRY(main, 64, 1, 1) {
    u32 li = wg_local_invocation_index;

    if (li == 0)
        wg_atomic_(wg, WG_ACCESS_SITE_(shared, WG_OP_ATOMIC_STORE, WG_SITE_UNUSED, 4, "count"),
                   wg_var_shared, 0, 0, 8, WG_OP_ATOMIC_STORE, 7, 0, false);
    if (wg_override(fixed))
        wg_workgroup_barrier();
    wg_store(output, li, wg_load_member(shared, 0, count).bits);
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_output, 64))
        return -1;
    p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}

WG_KERNEL("atomic_then_plain", "set by an atomic, read plainly", .plan = plan);
