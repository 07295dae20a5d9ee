/* A 3 x 3 blur of an image in a storage buffer: a workgroup stages 10 x 10 pixels to make 8 x 8. */
#include "plan.h"

enum { TILE = 8, HALO = TILE + 2 };
WG_OVERRIDE(u32, width, 64, "pixels in a row; the last row may be shorter");

WG_STORAGE_READ(0, 0, vec4f, image);
WG_STORAGE(0, 1, vec4f, blurred);
WG_WORKGROUP_2D(vec4f, tile, HALO, HALO);

/* The pixel at x, y; one outside is the nearest inside. */
static u32 pixel(i32 x, i32 y, i32 width, i32 count) {
    i32 last_row = (count - 1) / width;
    i32 column = x < 0 ? 0 : x >= width ? width - 1 : x;
    i32 row = y < 0 ? 0 : y > last_row ? last_row : y;
    i32 at = row * width + column;

    return (u32)(at < count ? at : count - 1);
}

static vec4f add(vec4f a, vec4f b) {
    return (vec4f){a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

WG_ENTRY(main, TILE, TILE, 1) {
    vec3u lid = wg_local_invocation_id, gid = wg_global_invocation_id, wid = wg_workgroup_id;
    i32 width = (i32)wg_override(width), count = (i32)wg_array_length(image);
    i32 left = (i32)(wid.x * TILE) - 1, top = (i32)(wid.y * TILE) - 1;

    WG_FOR(u32 k = wg_local_invocation_index; k < HALO * HALO; k += TILE * TILE) {
        u32 x = k % HALO, y = k / HALO;

        wg_store2(tile, y, x, wg_load(image, pixel(left + (i32)x, top + (i32)y, width, count)));
    }
    wg_workgroup_barrier();
    {
        u32 i = gid.y * wg_override(width) + gid.x;

        WG_BRANCH;
        if (gid.x < wg_override(width) && i < wg_array_length(image)) {
            vec4f sum = {0, 0, 0, 0};

            WG_FOR(u32 k = 0; k < 9; k++) {
                sum = add(sum, wg_load2(tile, lid.y + k / 3, lid.x + k % 3));
            }
            wg_store(blurred, i, ((vec4f){sum.x / 9, sum.y / 9, sum.z / 9, sum.w / 9}));
        }
    }
}

static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p), width = p->ops->override(p, wg_override_width).u;

    if (width == 0 || width > 1 << 15 || n > 1 << 30)
        return p->ops->refuse(p, "an image has rows of 1 to 32768 pixels, 2^30 pixels in all");
    vec4f *image = p->ops->buffer(p, wg_var_image, n);
    u32 state = PLAN_SEED;

    if (!image || !p->ops->buffer(p, wg_var_blurred, n))
        return -1;
    for (uint64_t i = 0; i < n; i++) {
        u32 bits = plan_random(&state);

        image[i] = (vec4f){(f32)(bits & 15), (f32)(bits >> 4 & 15), (f32)(bits >> 8 & 15),
                           (f32)(bits >> 12)};
    }
    return plan_dispatch(p, "main", plan_ceil(width, TILE), plan_ceil(plan_ceil(n, width), TILE));
}

static int check_pixel(struct wg_plan *p, uint64_t i, vec4f found, vec4f sum) {
    const f32 means[] = {found.x, found.y, found.z, found.w}, sums[] = {sum.x, sum.y, sum.z, sum.w};

    for (int k = 0; k < 4; k++)
        if (plan_expect_quotient(p, wg_var_blurred, i, means[k], sums[k] / 9))
            return -1;
    return 0;
}

static int check(struct wg_plan *p) {
    const vec4f *image = plan_initial(p, wg_var_image), *blurred = plan_result(p, wg_var_blurred);
    i32 n = (i32)p->ops->size(p), width = (i32)p->ops->override(p, wg_override_width).u;

    for (i32 i = 0; i < n; i++) {
        vec4f sum = {0, 0, 0, 0};

        for (i32 k = 0; k < 9; k++)
            sum = add(sum, image[pixel(i % width + k % 3 - 1, i / width + k / 3 - 1, width, n)]);
        if (check_pixel(p, (uint64_t)i, blurred[i], sum))
            return -1;
    }
    return 0;
}

WG_KERNEL("tile_blur", "a 3 x 3 blur of an image: tiles of vec4f with a halo in workgroup memory",
          .default_size = 4096, .plan = plan, .check = check);
