/* A prefix sum in three dispatches: every workgroup scans its block, one workgroup scans the sums
 * of the blocks, and each block adds what stands before it. */
#include "plan.h"

enum { GROUP = 256 };

WG_STORAGE_READ(0, 0, u32, input);
WG_STORAGE(0, 1, u32, output);
WG_STORAGE(0, 2, u32, sums);
WG_WORKGROUP(u32, tile, GROUP);

/* The sum of the values of invocations 0..li; tile holds those of all. */
WG_FUNCTION(u32, scan_tile, u32 li, u32 value) {
    u32 sum = value;

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
    return sum;
}

WG_ENTRY(scan_blocks, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, i = wg_global_invocation_id.x, value = 0;
    u32 n = wg_array_length(input);

    {
        WG_BRANCH;
        if (i < n)
            value = wg_load(input, i);
    }
    u32 sum = WG_CALL(scan_tile(wg, li, value));
    {
        WG_BRANCH;
        if (i < n)
            wg_store(output, i, sum);
    }
    {
        WG_BRANCH;
        if (li == GROUP - 1)
            wg_store(sums, wg_workgroup_id.x, sum);
    }
}

/* Leaves in sums[k] what stands before block k. */
WG_ENTRY(scan_sums, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, before = 0;

    WG_FOR(u32 base = 0; base < wg_array_length(sums); base += GROUP) {
        u32 i = base + li, value = 0;

        {
            WG_BRANCH;
            if (i < wg_array_length(sums))
                value = wg_load(sums, i);
        }
        u32 sum = WG_CALL(scan_tile(wg, li, value));
        {
            WG_BRANCH;
            if (i < wg_array_length(sums))
                wg_store(sums, i, before + sum - value);
        }
        before += wg_load(tile, GROUP - 1);
        wg_workgroup_barrier();
    }
}

WG_ENTRY(add_sums, GROUP, 1, 1) {
    u32 i = wg_global_invocation_id.x;

    {
        WG_BRANCH;
        if (i < wg_array_length(output)) {
            u32 sum = wg_load(output, i);

            wg_store(output, i, wg_load(sums, wg_workgroup_id.x) + sum);
        }
    }
}

static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p), blocks = plan_ceil(n, GROUP);

    if (!plan_words(p, wg_var_input, n, 256) || !p->ops->buffer(p, wg_var_output, n) ||
        !p->ops->buffer(p, wg_var_sums, blocks))
        return -1;
    if (n > 0) {
        p->ops->dispatch(p, "scan_blocks", (u32)blocks, 1, 1);
        p->ops->dispatch(p, "scan_sums", 1, 1, 1);
        p->ops->dispatch(p, "add_sums", (u32)blocks, 1, 1);
    }
    return 0;
}

static int check(struct wg_plan *p) {
    return plan_expect_scan(p, wg_var_input, wg_var_output, p->ops->size(p));
}

WG_KERNEL("scan", "a prefix sum in three dispatches: blocks, sums of blocks, addition",
          .default_size = 4096, .plan = plan, .check = check);
