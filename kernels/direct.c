/* The copy of malo without the detour: each value is read from storage where it is needed. */
#include "plan.h"

enum { GROUP = 64 };

WG_STORAGE_READ(0, 0, f32, input);
WG_STORAGE(0, 1, f32, output);

WG_ENTRY(main, GROUP, 1, 1) {
    vec3u gid = wg_global_invocation_id;
    u32 i = gid.y * wg_num_workgroups.x * GROUP + gid.x;

    {
        WG_BRANCH;
        if (i < wg_array_length(input))
            wg_store(output, i, wg_load(input, i) * 2);
    }
}

static int plan(struct wg_plan *p) {
    return plan_map(p, wg_var_input, wg_var_output, GROUP);
}

static int check(struct wg_plan *p) {
    const f32 *input = plan_initial(p, wg_var_input), *output = plan_result(p, wg_var_output);

    for (uint64_t i = 0; i < p->ops->size(p); i++)
        if (plan_expect_f32(p, wg_var_output, i, output[i], input[i] * 2))
            return -1;
    return 0;
}

WG_KERNEL("direct", "the copy of malo read straight from storage: fewer cycles, more residents",
          .default_size = 65536, .plan = plan, .check = check);
