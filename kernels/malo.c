/* A copy that stages each value in workgroup memory and reads it there once: a store, a barrier and
 * a load that buy nothing. */
#include "plan.h"

enum { GROUP = 64 };
WG_OVERRIDE(u32, cache_words, GROUP, "words of workgroup memory; more of them lower the residents");

WG_STORAGE_READ(0, 0, f32, input);
WG_STORAGE(0, 1, f32, output);
WG_WORKGROUP(f32, cache, wg_override(cache_words));

WG_ENTRY(main, GROUP, 1, 1) {
    vec3u gid = wg_global_invocation_id;
    u32 i = gid.y * wg_num_workgroups.x * GROUP + gid.x, li = wg_local_invocation_index;
    bool inside = i < wg_array_length(input);

    {
        WG_BRANCH;
        if (inside)
            wg_store(cache, li, wg_load(input, i));
    }
    wg_workgroup_barrier();
    {
        WG_BRANCH;
        if (inside)
            wg_store(output, i, wg_load(cache, li) * 2);
    }
}

static int plan(struct wg_plan *p) {
    if (p->ops->override(p, wg_override_cache_words).u < GROUP)
        return p->ops->refuse(p, "cache_words must be at least %d, a word an invocation", GROUP);
    return plan_map(p, wg_var_input, wg_var_output, GROUP);
}

static int check(struct wg_plan *p) {
    const f32 *input = plan_initial(p, wg_var_input), *output = plan_result(p, wg_var_output);

    for (uint64_t i = 0; i < p->ops->size(p); i++)
        if (plan_expect_f32(p, wg_var_output, i, output[i], input[i] * 2))
            return -1;
    return 0;
}

WG_KERNEL("malo", "useless staging: each value passes through workgroup memory and is read once",
          .default_size = 65536, .plan = plan, .check = check);
