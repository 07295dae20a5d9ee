/* Storage is exchanged within a workgroup across a barrier that orders workgroup memory. fixed:
 * across one that orders storage. */
#include <wgsim/kernel.h>

WG_OVERRIDE(u32, fixed, 0, "1: as it should be");
WG_STORAGE(0, 0, u32, data);

WG_ENTRY(main, 64, 1, 1) {
    u32 li = wg_local_invocation_index;

    wg_store(data, li, li);
    if (wg_override(fixed))
        wg_storage_barrier();
    else
        wg_workgroup_barrier();
    wg_store(data, 64 + li, wg_load(data, 63 - li));
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_data, 128))
        return -1;
    p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}

WG_KERNEL("wrong_barrier", "a barrier of the wrong kind", .plan = plan);
