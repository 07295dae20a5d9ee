/* A tile is read by other invocations than wrote it. fixed: with the barrier between. */
#include <wgsim/kernel.h>

WG_OVERRIDE(u32, fixed, 0, "1: as it should be");
WG_STORAGE(0, 0, u32, output);
WG_WORKGROUP(u32, tile, 64);

WG_ENTRY(main, 64, 1, 1) {
    u32 li = wg_local_invocation_index;

    wg_store(tile, li, li);
    if (wg_override(fixed))
        wg_workgroup_barrier();
    wg_store(output, li, wg_load(tile, 63 - li));
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_output, 64))
        return -1;
    p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}

WG_KERNEL("missing_barrier", "a barrier is missing", .plan = plan);
