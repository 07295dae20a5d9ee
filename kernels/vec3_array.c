/* Points in an array of vec3f: each takes 16 bytes of workgroup memory for 12 that are used. */
#include "points.h"

WG_OVERRIDE(u32, points, GROUP, "points that the array holds, at least one an invocation");

WG_STORAGE_READ(0, 0, f32, x);
WG_STORAGE_READ(0, 1, f32, y);
WG_STORAGE_READ(0, 2, f32, z);
WG_STORAGE(0, 3, f32, output);
WG_WORKGROUP(vec3f, point, wg_override(points));

WG_ENTRY(main, GROUP, 1, 1) {
    u32 i = wg_global_invocation_id.x, li = wg_local_invocation_index;
    vec3f here = {0, 0, 0};

    {
        WG_BRANCH;
        if (i < wg_array_length(x))
            here = (vec3f){wg_load(x, i), wg_load(y, i), wg_load(z, i)};
    }
    wg_store(point, li, here);
    wg_workgroup_barrier();
    {
        WG_BRANCH;
        if (i < wg_array_length(x)) {
            vec3f next = wg_load(point, (li + 1) % GROUP);

            wg_store(output, i, here.x * next.x + here.y * next.y + here.z * next.z);
        }
    }
}

static int plan(struct wg_plan *p) {
    return points_plan(p, &POINTS, p->ops->override(p, wg_override_points).u);
}

static int check(struct wg_plan *p) {
    return points_check(p, &POINTS);
}

WG_KERNEL("vec3_array", "points as array<vec3f>: 16 bytes each, four groups of lanes a load",
          .default_size = 1024, .plan = plan, .check = check);
