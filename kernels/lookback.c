/* A prefix sum in one dispatch that waits for nobody: a block looks back over those before it, and
 * does the work of one that has left no sum yet. Ends on any device and in any order. */
#include "plan.h"

enum { GROUP = 256, UNKNOWN = 0, AGGREGATE = 1, PREFIX = 2 };
WG_OVERRIDE(u32, polls, 4,
            "looks at a block that has left no sum yet before its work is done here");

WG_STORAGE_READ(0, 0, u32, input);
WG_STORAGE(0, 1, u32, output);
/* Sum times 4, plus AGGREGATE (of the block) or PREFIX (up to it). */
WG_STORAGE(0, 2, atomic_u32, state);
WG_WORKGROUP(u32, tile, GROUP);
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

/* The state of a block that may not have started: computed here where nobody has left it. */
WG_FUNCTION(u32, state_of, u32 block) {
    u32 word = UNKNOWN, sum = 0, n = wg_array_length(input);
    u32 end = (block + 1) * GROUP < n ? (block + 1) * GROUP : n;

    WG_FOR(u32 k = 0; word == UNKNOWN && k < wg_override(polls); k++) {
        word = wg_atomic_load(state, block);
    }
    if (word == UNKNOWN) {
        WG_FOR(u32 i = block * GROUP; i < end; i++) {
            sum += wg_load(input, i);
        }
        word = sum * 4 + AGGREGATE;
    }
    return word;
}

/* What stands before a block. */
WG_FUNCTION(u32, look_back, u32 block) {
    u32 sum = 0;

    WG_FOR(u32 k = block; k > 0; k--) {
        u32 word = WG_CALL(state_of(wg, k - 1));

        sum += word / 4;
        if (word % 4 == PREFIX)
            break;
    }
    return sum;
}

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, block = wg_workgroup_id.x, value = 0;
    u32 i = block * GROUP + li;

    {
        WG_BRANCH;
        if (i < wg_array_length(input))
            value = wg_load(input, i);
    }
    u32 sum = WG_CALL(scan_tile(wg, li, value));
    {
        WG_BRANCH;
        if (li == GROUP - 1) {
            wg_atomic_store(state, block, sum * 4 + AGGREGATE);

            u32 prefix = WG_CALL(look_back(wg, block));

            wg_atomic_store(state, block, (prefix + sum) * 4 + PREFIX);
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
    if (!plan_words(p, wg_var_input, n, 16) || !p->ops->buffer(p, wg_var_output, n) ||
        !p->ops->buffer(p, wg_var_state, groups[0]))
        return -1;
    return plan_dispatch(p, "main", plan_ceil(n, GROUP), 1);
}

static int check(struct wg_plan *p) {
    return plan_expect_scan(p, wg_var_input, wg_var_output, p->ops->size(p));
}

WG_KERNEL("lookback", "a scan in one dispatch that waits for nobody: look-back with fallback",
          .default_size = 4096, .plan = plan, .check = check);
