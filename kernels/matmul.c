/* A matrix product by tiles of 16 x 16: each element of a and b is loaded once for 16 products. */
#include "plan.h"

enum { TILE = 16 };
WG_OVERRIDE(u32, rows, 64, "rows of a and c");
WG_OVERRIDE(u32, inner, 64, "columns of a, rows of b");
WG_OVERRIDE(u32, columns, 64, "columns of b and c");

WG_STORAGE_READ(0, 0, f32, a);
WG_STORAGE_READ(0, 1, f32, b);
WG_STORAGE(0, 2, f32, c);
WG_WORKGROUP_2D(f32, tile_a, TILE, TILE);
WG_WORKGROUP_2D(f32, tile_b, TILE, TILE);

/* Elements outside count as zero. */
WG_FUNCTION(f32, element_of_a, u32 row, u32 column) {
    f32 value = 0;

    WG_BRANCH;
    if (row < wg_override(rows) && column < wg_override(inner))
        value = wg_load(a, row * wg_override(inner) + column);
    return value;
}
WG_FUNCTION(f32, element_of_b, u32 row, u32 column) {
    f32 value = 0;

    WG_BRANCH;
    if (row < wg_override(inner) && column < wg_override(columns))
        value = wg_load(b, row * wg_override(columns) + column);
    return value;
}

WG_ENTRY(main, TILE, TILE, 1) {
    vec3u lid = wg_local_invocation_id, gid = wg_global_invocation_id;
    f32 sum = 0;

    WG_FOR(u32 base = 0; base < wg_override(inner); base += TILE) {
        wg_store2(tile_a, lid.y, lid.x, WG_CALL(element_of_a(wg, gid.y, base + lid.x)));
        wg_store2(tile_b, lid.y, lid.x, WG_CALL(element_of_b(wg, base + lid.y, gid.x)));
        wg_workgroup_barrier();
        WG_FOR(u32 k = 0; k < TILE; k++) {
            sum += wg_load2(tile_a, lid.y, k) * wg_load2(tile_b, k, lid.x);
        }
        wg_workgroup_barrier();
    }
    {
        WG_BRANCH;
        if (gid.y < wg_override(rows) && gid.x < wg_override(columns))
            wg_store(c, gid.y * wg_override(columns) + gid.x, sum);
    }
}

/* a is rows x inner, b inner x columns; --size makes all three equal where --set does not. */
struct shape {
    uint64_t rows, inner, columns;
};

static struct shape shape_of(struct wg_plan *p) {
    union wg_value side = {.u = (u32)p->ops->size(p)};

    p->ops->set_override(p, wg_override_rows, side);
    p->ops->set_override(p, wg_override_inner, side);
    p->ops->set_override(p, wg_override_columns, side);
    return (struct shape){p->ops->override(p, wg_override_rows).u,
                          p->ops->override(p, wg_override_inner).u,
                          p->ops->override(p, wg_override_columns).u};
}

static int plan(struct wg_plan *p) {
    struct shape s = shape_of(p);

    if (p->ops->size(p) > 0xffff || s.rows > 0xffff || s.inner > 0xffff || s.columns > 0xffff)
        return p->ops->refuse(p, "a matrix has at most 65535 rows and columns");
    if (!plan_floats(p, wg_var_a, s.rows * s.inner, 16) ||
        !plan_floats(p, wg_var_b, s.inner * s.columns, 16) ||
        !p->ops->buffer(p, wg_var_c, s.rows * s.columns))
        return -1;
    return plan_dispatch(p, "main", plan_ceil(s.columns, TILE), plan_ceil(s.rows, TILE));
}

static int check(struct wg_plan *p) {
    const f32 *a = plan_initial(p, wg_var_a), *b = plan_initial(p, wg_var_b);
    const f32 *c = plan_result(p, wg_var_c);
    struct shape s = shape_of(p);

    for (uint64_t i = 0; i < s.rows * s.columns; i++) {
        f32 sum = 0;

        for (uint64_t k = 0; k < s.inner; k++)
            sum += a[i / s.columns * s.inner + k] * b[k * s.columns + i % s.columns];
        if (plan_expect_f32(p, wg_var_c, i, c[i], sum))
            return -1;
    }
    return 0;
}

WG_KERNEL("matmul", "a matrix product by tiles of 16 x 16: each value loaded serves 16 products",
          .default_size = 64, .plan = plan, .check = check);
