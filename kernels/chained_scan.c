/* A prefix sum in one dispatch: each block waits for the sum of the block before it. By workgroup
 * id that ends only if workgroups start in ascending order; by ticket it ends in any order, as
 * whoever drew an earlier ticket has started. */
#include "plan.h"

enum { GROUP = 256 };
WG_OVERRIDE(u32, by_ticket, 0, "1: blocks are drawn by ticket; 0: the workgroup's id");
WG_OVERRIDE(u32, spin_limit, 0, "turns after which an invocation gives up; 0: never");

WG_STORAGE_READ(0, 0, u32, input);
WG_STORAGE(0, 1, u32, output);
/* Sum up to the end of a block, plus 1; 0: not known yet. */
WG_STORAGE(0, 2, atomic_u32, chain);
WG_STORAGE(0, 3, atomic_u32, next);
WG_WORKGROUP(u32, tile, GROUP);
WG_WORKGROUP(u32, drawn, 1);
WG_WORKGROUP(u32, before, 1);

/* The sum of the values of invocations 0..li. */
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

/* What stands before a block: waits for the block in front of it. */
WG_FUNCTION(u32, sum_before, u32 block) {
    u32 limit = wg_override(spin_limit), turns = 0, word = 1;

    if (block > 0) {
        WG_LOOP {
            word = wg_atomic_load(chain, block - 1);
            if (word != 0)
                break;
            if (limit != 0 && ++turns == limit)
                break;
        }
    }
    return word - 1;
}

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, value = 0;

    {
        WG_BRANCH;
        if (li == 0) {
            u32 block = wg_workgroup_id.x;

            if (wg_override(by_ticket) != 0)
                block = wg_atomic_add(next, 0, 1);
            wg_store(drawn, 0, block);
        }
    }
    u32 block = wg_uniform_load(drawn, 0), i = block * GROUP + li;
    {
        WG_BRANCH;
        if (i < wg_array_length(input))
            value = wg_load(input, i);
    }
    u32 sum = WG_CALL(scan_tile(wg, li, value));
    {
        WG_BRANCH;
        if (li == GROUP - 1) {
            u32 prefix = WG_CALL(sum_before(wg, block));

            wg_atomic_store(chain, block, prefix + sum + 1);
            wg_store(before, 0, prefix);
        }
    }
    wg_workgroup_barrier();
    {
        WG_BRANCH;
        if (i < wg_array_length(input))
            wg_store(output, i, sum + wg_load(before, 0));
    }
}

static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p);
    u32 groups[3];

    plan_groups(p, plan_ceil(n, GROUP), 1, groups);
    if (!plan_words(p, wg_var_input, n, 256) || !p->ops->buffer(p, wg_var_output, n) ||
        !p->ops->buffer(p, wg_var_chain, groups[0]) || !p->ops->buffer(p, wg_var_next, 1))
        return -1;
    return plan_dispatch(p, "main", plan_ceil(n, GROUP), 1);
}

static int check(struct wg_plan *p) {
    return plan_expect_scan(p, wg_var_input, wg_var_output, p->ops->size(p));
}

WG_KERNEL("chained_scan", "a scan whose blocks wait for each other, by id or --set by_ticket=1",
          .flags = WG_KERNEL_WAITS, .default_size = 16384, .plan = plan, .check = check);
