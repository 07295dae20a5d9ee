/* Points in three arrays of f32: 12 bytes each, and every array is read contiguously. */
#include "points.h"

WG_OVERRIDE(u32, points, GROUP, "points that the arrays hold, at least one an invocation");

WG_STORAGE_READ(0, 0, f32, x);
WG_STORAGE_READ(0, 1, f32, y);
WG_STORAGE_READ(0, 2, f32, z);
WG_STORAGE(0, 3, f32, output);
WG_WORKGROUP(f32, point_x, wg_override(points));
WG_WORKGROUP(f32, point_y, wg_override(points));
WG_WORKGROUP(f32, point_z, wg_override(points));

WG_ENTRY(main, GROUP, 1, 1) {
    u32 i = wg_global_invocation_id.x, li = wg_local_invocation_index;
    vec3f here = {0, 0, 0};

    {
        WG_BRANCH;
        if (i < wg_array_length(x))
            here = (vec3f){wg_load(x, i), wg_load(y, i), wg_load(z, i)};
    }
    wg_store(point_x, li, here.x);
    wg_store(point_y, li, here.y);
    wg_store(point_z, li, here.z);
    wg_workgroup_barrier();
    {
        WG_BRANCH;
        if (i < wg_array_length(x)) {
            u32 next = (li + 1) % GROUP;
            f32 product = here.x * wg_load(point_x, next);

            product += here.y * wg_load(point_y, next);
            product += here.z * wg_load(point_z, next);
            wg_store(output, i, product);
        }
    }
}

static int plan(struct wg_plan *p) {
    return points_plan(p, &POINTS, p->ops->override(p, wg_override_points).u);
}

static int check(struct wg_plan *p) {
    return points_check(p, &POINTS);
}

WG_KERNEL("three_arrays", "points as three arrays of f32: 12 bytes each, read contiguously",
          .default_size = 1024, .plan = plan, .check = check);
