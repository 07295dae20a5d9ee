/* Each invocation adds its value to that of its neighbour in the workgroup, which it may read once
 * all have arrived at the barrier. */
#include "neighbour.h"

WG_STORAGE_READ(0, 0, f32, input);
WG_STORAGE(0, 1, f32, output);
WG_WORKGROUP(f32, tile, GROUP);

WG_ENTRY(main, GROUP, 1, 1) {
    vec3u gid = wg_global_invocation_id;
    u32 i = gid.y * wg_num_workgroups.x * GROUP + gid.x, li = wg_local_invocation_index;
    f32 value = 0;

    {
        WG_BRANCH;
        if (i < wg_array_length(input))
            value = wg_load(input, i);
    }
    wg_store(tile, li, value);
    wg_workgroup_barrier();
    {
        WG_BRANCH;
        if (i < wg_array_length(input))
            wg_store(output, i, value + wg_load(tile, (li + 1) % GROUP));
    }
}

static int plan(struct wg_plan *p) {
    return plan_map(p, wg_var_input, wg_var_output, GROUP);
}

static int check(struct wg_plan *p) {
    return neighbour_check(p, wg_var_input, wg_var_output);
}

WG_KERNEL("neighbour_sum", "neighbours exchange values through workgroup memory and a barrier",
          .default_size = 1024, .plan = plan, .check = check);
