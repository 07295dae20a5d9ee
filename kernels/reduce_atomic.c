/* A sum in one dispatch: the partial sums of the workgroups meet in an atomic, which needs no order
 * between them. */
#include "plan.h"

enum { GROUP = 256 };

WG_STORAGE_READ(0, 0, u32, input);
WG_STORAGE(0, 1, atomic_u32, total);
WG_WORKGROUP(u32, partial, GROUP);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, step = wg_num_workgroups.x * GROUP, value = 0;

    WG_FOR(u32 i = wg_global_invocation_id.x; i < wg_array_length(input); i += step) {
        value += wg_load(input, i);
    }
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
    {
        WG_BRANCH;
        if (li == 0) {
            u32 sum = wg_load(partial, 0);

            wg_atomic_add_unused(total, 0, sum);
        }
    }
}

static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p);

    if (!plan_words(p, wg_var_input, n, 256) || !p->ops->buffer(p, wg_var_total, 1))
        return -1;
    return plan_dispatch(p, "main", plan_capped(plan_ceil(n, GROUP)), 1);
}

static int check(struct wg_plan *p) {
    return plan_expect_sum(p, wg_var_input, wg_var_total);
}

WG_KERNEL("reduce_atomic", "a sum in one dispatch: the workgroups' partial sums meet in an atomic",
          .default_size = 1024, .plan = plan, .check = check);
