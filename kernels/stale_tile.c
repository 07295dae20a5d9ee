/* A workgroup goes over its 100 values in tiles of 64. Memory is zero when a workgroup starts, not
 * when a trip of a loop does: the second tile is filled only in part, the rest is left of the first
 * unless the tile is cleared. */
#include "plan.h"

enum { GROUP = 64, SHARE = 100 };
WG_OVERRIDE(u32, clear, 0, "1: clear the tile in each trip, with a barrier after it");

WG_STORAGE_READ(0, 0, u32, input);
WG_STORAGE(0, 1, u32, at_start);
WG_STORAGE(0, 2, atomic_u32, sums);
WG_WORKGROUP(u32, tile, GROUP);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, wid = wg_workgroup_id.x, sum = 0;
    u32 end = (wid + 1) * SHARE, n = wg_array_length(input);

    end = end < n ? end : n;
    wg_store(at_start, wid * GROUP + li, wg_load(tile, li));
    wg_workgroup_barrier();
    WG_FOR(u32 base = wid * SHARE; base < end; base += GROUP) {
        if (wg_override(clear) != 0) {
            wg_store(tile, li, 0);
            wg_workgroup_barrier();
        }
        {
            WG_BRANCH;
            if (base + li < end)
                wg_store(tile, li, wg_load(input, base + li));
        }
        wg_workgroup_barrier();
        sum += wg_load(tile, GROUP - 1 - li);
        wg_workgroup_barrier();
    }
    wg_atomic_add_unused(sums, wid, sum);
}

static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p);
    u32 groups[3];

    plan_groups(p, plan_ceil(n, SHARE), 1, groups);
    if (!plan_words(p, wg_var_input, n, 256) ||
        !p->ops->buffer(p, wg_var_at_start, (uint64_t)groups[0] * GROUP) ||
        !p->ops->buffer(p, wg_var_sums, groups[0]))
        return -1;
    return plan_dispatch(p, "main", plan_ceil(n, SHARE), 1);
}

static int check(struct wg_plan *p) {
    const u32 *input = plan_initial(p, wg_var_input), *sums = plan_result(p, wg_var_sums);
    uint64_t n = p->ops->size(p);

    if (plan_expect_all(p, wg_var_at_start, 0))
        return -1;
    for (uint64_t k = 0; k * SHARE < n; k++) {
        u32 sum = 0;

        for (uint64_t i = k * SHARE; i < (k + 1) * SHARE && i < n; i++)
            sum += input[i];
        if (plan_expect(p, wg_var_sums, k, sums[k], sum))
            return -1;
    }
    return 0;
}

WG_KERNEL("stale_tile", "a tile filled in part: values of the trip before are read again",
          .flags = WG_KERNEL_FAULTY, .default_size = 400, .plan = plan, .check = check);
