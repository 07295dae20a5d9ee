/* A blur of radius 4 whose workgroups read 72 values to make 64: each is loaded once from storage
 * and read up to nine times from workgroup memory. */
#include "blur.h"

enum { GROUP = 64 };
WG_OVERRIDE(u32, radius, 4, "neighbours on each side");

WG_STORAGE_READ(0, 0, f32, input);
WG_STORAGE(0, 1, f32, output);
WG_WORKGROUP(f32, strip, GROUP + 2 * wg_override(radius));

/* Repeats the edge instead of leaving a hole, which would darken it. */
WG_FUNCTION(f32, clamped, i32 i) {
    i32 last = (i32)wg_array_length(input) - 1;

    return wg_load(input, i < 0 ? 0 : i > last ? last : i);
}

WG_ENTRY(main, GROUP, 1, 1) {
    vec3u gid = wg_global_invocation_id;
    u32 li = wg_local_invocation_index, i = gid.y * wg_num_workgroups.x * GROUP + gid.x;
    u32 radius = wg_override(radius);
    i32 base = (i32)(i - li) - (i32)radius;

    /* A stride of the workgroup's size: neighbouring invocations load neighbouring values. */
    WG_FOR(u32 k = li; k < GROUP + 2 * radius; k += GROUP) {
        wg_store(strip, k, WG_CALL(clamped(wg, base + (i32)k)));
    }
    wg_workgroup_barrier();
    {
        WG_BRANCH;
        if (i < wg_array_length(input)) {
            f32 sum = 0;

            WG_FOR(u32 d = 0; d <= 2 * radius; d++) {
                sum += wg_load(strip, li + d);
            }
            wg_store(output, i, sum / (f32)(2 * radius + 1));
        }
    }
}

static int plan(struct wg_plan *p) {
    if (p->ops->override(p, wg_override_radius).u > 65535)
        return p->ops->refuse(p, "radius must be at most 65535");
    return plan_map(p, wg_var_input, wg_var_output, GROUP);
}

static int check(struct wg_plan *p) {
    return blur_check(p, wg_var_input, wg_var_output, p->ops->override(p, wg_override_radius).u);
}

WG_KERNEL("blur", "staging that pays: 72 values loaded for 64, each read nine times",
          .default_size = 65536, .plan = plan, .check = check);
