/* Prefix sums of blocks of 256 in one dispatch: eight steps inside the workgroup, with barriers
 * between them. */
#include "plan.h"

enum { GROUP = 256 };

WG_STORAGE_READ(0, 0, u32, input);
WG_STORAGE(0, 1, u32, output);
WG_WORKGROUP(u32, tile, GROUP);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, i = wg_global_invocation_id.x, sum = 0;

    {
        WG_BRANCH;
        if (i < wg_array_length(input))
            sum = wg_load(input, i);
    }
    wg_store(tile, li, sum);
    wg_workgroup_barrier();
    WG_FOR(u32 reach = 1; reach < GROUP; reach *= 2) {
        {
            WG_BRANCH;
            if (li >= reach)
                sum += wg_load(tile, li - reach);
        }
        wg_workgroup_barrier();
        wg_store(tile, li, sum);
        wg_workgroup_barrier();
    }
    {
        WG_BRANCH;
        if (i < wg_array_length(input))
            wg_store(output, i, sum);
    }
}

static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p);

    if (!plan_words(p, wg_var_input, n, 256) || !p->ops->buffer(p, wg_var_output, n))
        return -1;
    return plan_dispatch(p, "main", plan_ceil(n, GROUP), 1);
}

static int check(struct wg_plan *p) {
    return plan_expect_scan(p, wg_var_input, wg_var_output, GROUP);
}

WG_KERNEL("scan_block", "prefix sums of blocks of 256: eight steps inside one dispatch",
          .default_size = 256, .plan = plan, .check = check);
