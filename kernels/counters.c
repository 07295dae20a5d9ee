/* A thousand workgroups add to one counter; no addition is lost, in whatever order they run. */
#include "plan.h"

enum { GROUP = 64 };

WG_STORAGE_READ(0, 0, u32, input);
WG_STORAGE(0, 1, atomic_u32, total);

WG_ENTRY(main, GROUP, 1, 1) {
    vec3u gid = wg_global_invocation_id;
    u32 i = gid.y * wg_num_workgroups.x * GROUP + gid.x;

    {
        WG_BRANCH;
        if (i < wg_array_length(input)) {
            u32 value = wg_load(input, i);

            wg_atomic_add_unused(total, 0, value);
        }
    }
}

static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p);

    if (!plan_words(p, wg_var_input, n, 1 << 16) || !p->ops->buffer(p, wg_var_total, 1))
        return -1;
    return plan_dispatch_folded(p, "main", plan_ceil(n, GROUP));
}

static int check(struct wg_plan *p) {
    return plan_expect_sum(p, wg_var_input, wg_var_total);
}

WG_KERNEL("counters", "1,000 workgroups add to one counter by atomics: the sum is exact",
          .default_size = 64000, .plan = plan, .check = check);
