/* A sum in two dispatches: every workgroup leaves a partial sum, and the end of the first dispatch
 * is the barrier after which one workgroup may add them. */
#include "plan.h"

enum { GROUP = 256 };

WG_STORAGE_READ(0, 0, u32, input);
WG_STORAGE(0, 1, u32, sums);
WG_STORAGE(0, 2, u32, total);
WG_WORKGROUP(u32, partial, GROUP);

/* Sequential addressing: the lower half adds the upper one, so no two lanes meet in a bank. */
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

WG_ENTRY(add_parts, GROUP, 1, 1) {
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
}

WG_ENTRY(add_sums, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, value = 0;

    WG_FOR(u32 i = li; i < wg_array_length(sums); i += GROUP) {
        value += wg_load(sums, i);
    }
    WG_CALL(add_tree(wg, li, value));
    {
        WG_BRANCH;
        if (li == 0)
            wg_store(total, 0, wg_load(partial, 0));
    }
}

static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p);
    u32 groups[3];

    plan_groups(p, plan_capped(plan_ceil(n, GROUP)), 1, groups);
    if (!plan_words(p, wg_var_input, n, 256) || !p->ops->buffer(p, wg_var_sums, groups[0]) ||
        !p->ops->buffer(p, wg_var_total, 1))
        return -1;
    if (n > 0) {
        p->ops->dispatch(p, "add_parts", groups[0], 1, 1);
        p->ops->dispatch(p, "add_sums", 1, 1, 1);
    }
    return 0;
}

static int check(struct wg_plan *p) {
    return plan_expect_sum(p, wg_var_input, wg_var_total);
}

WG_KERNEL("reduce", "a sum in two dispatches: partial sums by trees, then the sum of them",
          .default_size = 1024, .plan = plan, .check = check);
