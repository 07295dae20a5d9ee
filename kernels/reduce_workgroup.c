/* A sum by one workgroup: 256 running sums, then a tree of eight steps. */
#include "plan.h"

enum { GROUP = 256 };

WG_STORAGE_READ(0, 0, u32, input);
WG_STORAGE(0, 1, u32, total);
WG_WORKGROUP(u32, partial, GROUP);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, value = 0;

    WG_FOR(u32 i = li; i < wg_array_length(input); i += GROUP) {
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
        if (li == 0)
            wg_store(total, 0, wg_load(partial, 0));
    }
}

static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p);

    if (!plan_words(p, wg_var_input, n, 256) || !p->ops->buffer(p, wg_var_total, 1))
        return -1;
    if (n > 0)
        p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}

static int check(struct wg_plan *p) {
    return plan_expect_sum(p, wg_var_input, wg_var_total);
}

WG_KERNEL("reduce_workgroup", "a sum by the tree of one workgroup: eight steps, a barrier each",
          .default_size = 256, .plan = plan, .check = check);
