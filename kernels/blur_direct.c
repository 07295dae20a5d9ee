/* The blur without workgroup memory: every value is read nine times from storage. */
#include "blur.h"

enum { GROUP = 64 };
WG_OVERRIDE(u32, radius, 4, "neighbours on each side");

WG_STORAGE_READ(0, 0, f32, input);
WG_STORAGE(0, 1, f32, output);

WG_FUNCTION(f32, clamped, i32 i) {
    i32 last = (i32)wg_array_length(input) - 1;

    return wg_load(input, i < 0 ? 0 : i > last ? last : i);
}

WG_ENTRY(main, GROUP, 1, 1) {
    vec3u gid = wg_global_invocation_id;
    u32 i = gid.y * wg_num_workgroups.x * GROUP + gid.x, radius = wg_override(radius);

    {
        WG_BRANCH;
        if (i < wg_array_length(input)) {
            f32 sum = 0;

            WG_FOR(u32 d = 0; d <= 2 * radius; d++) {
                sum += WG_CALL(clamped(wg, (i32)(i + d) - (i32)radius));
            }
            wg_store(output, i, sum / (f32)(2 * radius + 1));
        }
    }
}

static int plan(struct wg_plan *p) {
    return plan_map(p, wg_var_input, wg_var_output, GROUP);
}

static int check(struct wg_plan *p) {
    return blur_check(p, wg_var_input, wg_var_output, p->ops->override(p, wg_override_radius).u);
}

WG_KERNEL("blur_direct", "the blur read straight from storage: nine loads for each value",
          .default_size = 65536, .plan = plan, .check = check);
