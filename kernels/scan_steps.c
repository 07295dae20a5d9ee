/* A prefix sum by one dispatch a step, eight for 256 elements: what scan_block does, with the end
 * of a dispatch in the place of each barrier. */
#include "plan.h"

enum { GROUP = 256 };
WG_OVERRIDE(u32, reach, 1, "distance of the element that is added; doubles with each dispatch");

WG_STORAGE_READ(0, 0, u32, values);
WG_STORAGE(0, 1, u32, sums);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 i = wg_global_invocation_id.x, reach = wg_override(reach);

    {
        WG_BRANCH;
        if (i < wg_array_length(values)) {
            u32 sum = wg_load(values, i);

            {
                WG_BRANCH;
                if (i >= reach)
                    sum += wg_load(values, i - reach);
            }
            wg_store(sums, i, sum);
        }
    }
}

/* The two buffers change places with each step. */
static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p), reach = 1;
    u32 from = wg_var_values, to = wg_var_sums;

    if (!plan_words(p, wg_var_values, n, 256) || !p->ops->buffer(p, wg_var_sums, n))
        return -1;
    do {
        u32 swap = from;

        p->ops->bind(p, wg_var_values, from);
        p->ops->bind(p, wg_var_sums, to);
        p->ops->step_override(p, wg_override_reach, (union wg_value){.u = (u32)reach});
        if (plan_dispatch(p, "main", plan_ceil(n, GROUP), 1))
            return -1;
        from = to, to = swap;
        reach *= 2;
    } while (reach < n);
    return 0;
}

static int check(struct wg_plan *p) {
    uint64_t n = p->ops->size(p);
    u32 last = wg_var_sums;

    for (uint64_t reach = 2; reach < n; reach *= 2)
        last = last == wg_var_sums ? wg_var_values : wg_var_sums;
    return plan_expect_scan(p, wg_var_values, last, n);
}

WG_KERNEL("scan_steps", "a prefix sum by one dispatch a step: what each dispatch costs",
          .default_size = 256, .plan = plan, .check = check);
