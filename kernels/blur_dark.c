/* The blur with a hole instead of a clamp: words of the halo that lie outside are never written,
 * are zero by guarantee, and darken both edges. */
#include "blur.h"

enum { GROUP = 64, RADIUS = 4, HALO = GROUP + 2 * RADIUS };

WG_STORAGE_READ(0, 0, f32, input);
WG_STORAGE(0, 1, f32, output);
WG_WORKGROUP(f32, strip, HALO);

WG_ENTRY(main, GROUP, 1, 1) {
    vec3u gid = wg_global_invocation_id;
    u32 li = wg_local_invocation_index, i = gid.y * wg_num_workgroups.x * GROUP + gid.x;
    u32 n = wg_array_length(input);
    i32 base = (i32)(i - li) - RADIUS;

    WG_FOR(u32 k = li; k < HALO; k += GROUP) {
        u32 at = (u32)(base + (i32)k);

        WG_BRANCH;
        if (at < n)
            wg_store(strip, k, wg_load(input, at));
    }
    wg_workgroup_barrier();
    {
        WG_BRANCH;
        if (i < n) {
            f32 sum = 0;

            WG_FOR(u32 d = 0; d <= 2 * RADIUS; d++) {
                sum += wg_load(strip, li + d);
            }
            wg_store(output, i, sum / (f32)(2 * RADIUS + 1));
        }
    }
}

static int plan(struct wg_plan *p) {
    return plan_map(p, wg_var_input, wg_var_output, GROUP);
}

static int check(struct wg_plan *p) {
    return blur_check(p, wg_var_input, wg_var_output, RADIUS);
}

WG_KERNEL("blur_dark", "the blur without a clamp: unwritten words of the halo darken the edges",
          .flags = WG_KERNEL_FAULTY, .default_size = 1000, .plan = plan, .check = check);
