/* matmul.cl in C: a product by tiles of 16 x 16, 64 columns by 64 rows. */
#include <wgsim/kernel.h>

enum { TILE = 16, INNER = 64 };

WG_STORAGE_READ(0, 0, f32, a);
WG_STORAGE_READ(0, 1, f32, b);
WG_STORAGE(0, 2, f32, c);
WG_WORKGROUP_2D(f32, tile_a, TILE, TILE);
WG_WORKGROUP_2D(f32, tile_b, TILE, TILE);

WG_ENTRY(main, TILE, TILE, 1) {
    vec3u lid = wg_local_invocation_id, gid = wg_global_invocation_id;
    u32 columns = wg_num_workgroups.x * TILE;
    f32 sum = 0;

    WG_FOR(u32 base = 0; base < INNER; base += TILE) {
        wg_store2(tile_a, lid.y, lid.x, wg_load(a, gid.y * INNER + base + lid.x));
        wg_store2(tile_b, lid.y, lid.x, wg_load(b, (base + lid.y) * columns + gid.x));
        wg_workgroup_barrier();
        WG_FOR(u32 k = 0; k < TILE; k++) {
            sum += wg_load2(tile_a, lid.y, k) * wg_load2(tile_b, k, lid.x);
        }
        wg_workgroup_barrier();
    }
    wg_store(c, gid.y * columns + gid.x, sum);
}

static int plan(struct wg_plan *p) {
    u32 side = (u32)p->ops->size(p);

    if (!p->ops->buffer(p, wg_var_a, (uint64_t)side * INNER) ||
        !p->ops->buffer(p, wg_var_b, (uint64_t)side * INNER) ||
        !p->ops->buffer(p, wg_var_c, (uint64_t)side * side))
        return -1;
    p->ops->dispatch(p, "main", side / TILE, side / TILE, 1);
    return 0;
}

WG_KERNEL("matmul", "a product by tiles of 16 x 16", .default_size = 1024, .plan = plan);
