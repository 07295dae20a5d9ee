/* The least and the greatest value: atomics in workgroup memory, then one of each in storage for a
 * workgroup. */
#include "plan.h"

enum { GROUP = 64 };

WG_STORAGE_READ(0, 0, i32, input);
WG_STORAGE(0, 1, atomic_i32, range);
WG_WORKGROUP(atomic_i32, local, 2);

WG_ENTRY(main, GROUP, 1, 1) {
    vec3u gid = wg_global_invocation_id;
    u32 i = gid.y * wg_num_workgroups.x * GROUP + gid.x, li = wg_local_invocation_index;

    {
        WG_BRANCH;
        if (li == 0) {
            wg_atomic_store(local, 0, INT32_MAX);
            wg_atomic_store(local, 1, INT32_MIN);
        }
    }
    wg_workgroup_barrier();
    {
        WG_BRANCH;
        if (i < wg_array_length(input)) {
            i32 value = wg_load(input, i);

            wg_atomic_min_unused(local, 0, value);
            wg_atomic_max_unused(local, 1, value);
        }
    }
    wg_workgroup_barrier();
    {
        WG_BRANCH;
        if (li == 0) {
            i32 least = wg_atomic_load(local, 0), greatest = wg_atomic_load(local, 1);

            wg_atomic_min_unused(range, 0, least);
            wg_atomic_max_unused(range, 1, greatest);
        }
    }
}

static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p);
    i32 *input = p->ops->buffer(p, wg_var_input, n), *range = p->ops->buffer(p, wg_var_range, 2);
    u32 state = PLAN_SEED;

    if (!input || !range)
        return -1;
    for (uint64_t i = 0; i < n; i++)
        input[i] = (i32)plan_random(&state) - (1 << 15);
    range[0] = INT32_MAX, range[1] = INT32_MIN;
    return plan_dispatch_folded(p, "main", plan_ceil(n, GROUP));
}

static int check(struct wg_plan *p) {
    const i32 *input = plan_initial(p, wg_var_input), *range = plan_result(p, wg_var_range);
    i32 expected[] = {INT32_MAX, INT32_MIN};

    for (uint64_t i = 0; i < p->ops->size(p); i++) {
        expected[0] = input[i] < expected[0] ? input[i] : expected[0];
        expected[1] = input[i] > expected[1] ? input[i] : expected[1];
    }
    for (u32 k = 0; k < 2; k++)
        if (range[k] != expected[k])
            return p->ops->differs(p, wg_var_range, k, "is %d and should be %d", range[k],
                                   expected[k]);
    return 0;
}

WG_KERNEL("minmax", "the least and the greatest value by atomics", .default_size = 4096,
          .plan = plan, .check = check);
