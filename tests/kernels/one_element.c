/* Strips of workgroups overlap in one element. fixed: they do not. */
#include <wgsim/kernel.h>

WG_OVERRIDE(u32, fixed, 0, "1: as it should be");
WG_STORAGE(0, 0, u32, output);

WG_ENTRY(main, 64, 1, 1) {
    u32 step = wg_override(fixed) ? 64 : 63;

    wg_store(output, wg_workgroup_id.x * step + wg_local_invocation_index, wg_workgroup_id.x + 1);
}

static int plan(struct wg_plan *p) {
    const u32 fixed = p->ops->override(p, wg_override_fixed).u;

    if (!p->ops->buffer(p, wg_var_output, fixed ? 256 : 253))
        return -1;
    p->ops->dispatch(p, "main", 4, 1, 1);
    return 0;
}

WG_KERNEL("one_element", "strips that overlap in one element", .plan = plan);
