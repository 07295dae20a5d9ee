/* The least label of both ends of some edges, until none changes: the same in whatever order they
 * are looked at. fixed: all labels are set before. */
#include <wgsim/kernel.h>

WG_OVERRIDE(u32, fixed, 0, "1: as it should be");
WG_STORAGE(0, 0, u32, output);
WG_WORKGROUP(atomic_u32, label, 64);

WG_ENTRY(main, 64, 1, 1) {
    u32 a = wg_local_invocation_index, b = a * 37 % 50;

    wg_atomic_store(label, a, (a * 11 + 5) % 64);
    if (wg_override(fixed))
        wg_workgroup_barrier();
    WG_FOR(u32 turn = 0; turn < 64; turn++) {
        wg_atomic_min(label, a, wg_atomic_load(label, b));
        wg_atomic_min(label, b, wg_atomic_load(label, a));
        wg_workgroup_barrier();
    }
    wg_store(output, a, wg_atomic_load(label, a));
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_output, 64))
        return -1;
    p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}

WG_KERNEL("labels", "labels that spread along edges", .plan = plan);
