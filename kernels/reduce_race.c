/* The two dispatches of reduce in one: workgroup 0 adds partial sums that the others may not have
 * written yet. storageBarrier() orders nothing between workgroups. */
#include "plan.h"

enum { GROUP = 256 };

WG_STORAGE_READ(0, 0, u32, input);
WG_STORAGE(0, 1, u32, sums);
WG_STORAGE(0, 2, u32, total);
WG_WORKGROUP(u32, partial, GROUP);

WG_FUNCTION(void, add_tree, u32 li, u32 value) {
    wg_store(partial, li, value);
    wg_workgroup_barrier();
    WG_FOR(u32 reach = GROUP / 2; reach > 0; reach /= 2) {
        {
            WG_BRANCH;
            if (li < reach)
                wg_store(partial, li, wg_load(partial, li) + wg_load(partial, li + reach));
        }
        wg_workgroup_barrier();
    }
}

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, step = wg_num_workgroups.x * GROUP, value = 0;

    WG_FOR(u32 i = wg_global_invocation_id.x; i < wg_array_length(input); i += step) {
        value += wg_load(input, i);
    }
    WG_CALL(add_tree(wg, li, value));
    {
        WG_BRANCH;
        if (li == 0)
            wg_store(sums, wg_workgroup_id.x, wg_load(partial, 0));
    }
    wg_storage_barrier();
    if (wg_workgroup_id.x == 0) {
        value = 0;
        WG_FOR(u32 i = li; i < wg_num_workgroups.x; i += GROUP) {
            value += wg_load(sums, i);
        }
        WG_CALL(add_tree(wg, li, value));
        {
            WG_BRANCH;
            if (li == 0)
                wg_store(total, 0, wg_load(partial, 0));
        }
    }
}

static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p);
    u32 groups[3];

    plan_groups(p, plan_capped(plan_ceil(n, GROUP)), 1, groups);
    if (!plan_words(p, wg_var_input, n, 256) || !p->ops->buffer(p, wg_var_sums, groups[0]) ||
        !p->ops->buffer(p, wg_var_total, 1))
        return -1;
    return plan_dispatch(p, "main", groups[0], 1);
}

static int check(struct wg_plan *p) {
    return plan_expect_sum(p, wg_var_input, wg_var_total);
}

WG_KERNEL("reduce_race", "reduce in one dispatch: a race between workgroups, wrong or lucky",
          .flags = WG_KERNEL_FAULTY, .default_size = 1024, .plan = plan, .check = check);
