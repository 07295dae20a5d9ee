/* Loads that each wait for the one before: only other residents hide that time, and the workgroup
 * memory that is asked for (16384, 4096 or 1024 bytes) decides how many there are. */
#include "plan.h"

enum { GROUP = 64 };
WG_OVERRIDE(u32, bytes, 16384, "bytes of workgroup memory of a workgroup");
WG_OVERRIDE(u32, loads, 16, "storage loads of an invocation, one after the other");

WG_STORAGE_READ(0, 0, u32, next);
WG_STORAGE(0, 1, u32, output);
WG_WORKGROUP(u32, tile, wg_override(bytes) / 4);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 i = wg_global_invocation_id.x, li = wg_local_invocation_index, at = 0;

    {
        WG_BRANCH;
        if (i < wg_array_length(next)) {
            at = i;
            WG_FOR(u32 k = 0; k < wg_override(loads); k++) {
                at = wg_load(next, at);
            }
        }
    }
    wg_store(tile, li, at);
    wg_workgroup_barrier();
    {
        WG_BRANCH;
        if (i < wg_array_length(next))
            wg_store(output, i, wg_load(tile, GROUP - 1 - li));
    }
}

/* Element i leads to the one that is a workgroup further, so that lanes stay side by side. */
static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p);

    if (p->ops->override(p, wg_override_bytes).u < GROUP * 4)
        return p->ops->refuse(p, "bytes must be at least %d, a word an invocation", GROUP * 4);
    u32 *next = p->ops->buffer(p, wg_var_next, n);

    if (!next || !p->ops->buffer(p, wg_var_output, n))
        return -1;
    for (uint64_t i = 0; i < n; i++)
        next[i] = (u32)((i + GROUP) % n);
    return plan_dispatch(p, "main", plan_ceil(n, GROUP), 1);
}

static int check(struct wg_plan *p) {
    const u32 *output = plan_result(p, wg_var_output);
    uint64_t n = p->ops->size(p), loads = p->ops->override(p, wg_override_loads).u;

    for (uint64_t i = 0; i < n; i++) {
        uint64_t mirrored = i - i % GROUP + GROUP - 1 - i % GROUP;
        u32 at = mirrored < n ? (u32)((mirrored + loads * GROUP) % n) : 0;

        if (plan_expect(p, wg_var_output, i, output[i], at))
            return -1;
    }
    return 0;
}

WG_KERNEL("occupancy", "bytes of workgroup memory against residents, and the time they hide",
          .default_size = 8192, .plan = plan, .check = check);
