/* transpose.cl in C: by tiles of 32 x 32, which workgroups of 32 x 8 move, padded. */
#include <wgsim/kernel.h>

enum { TILE = 32, ROWS = 8 };

WG_STORAGE_READ(0, 0, f32, input);
WG_STORAGE(0, 1, f32, output);
WG_WORKGROUP_2D(f32, block, TILE, TILE + 1);

WG_ENTRY(main, TILE, ROWS, 1) {
    u32 x = wg_local_invocation_id.x, y = wg_local_invocation_id.y;
    u32 columns = wg_num_workgroups.x * TILE, rows = wg_num_workgroups.y * TILE;
    u32 column = wg_workgroup_id.x * TILE, row = wg_workgroup_id.y * TILE;

    WG_FOR(u32 k = y; k < TILE; k += ROWS) {
        wg_store2(block, k, x, wg_load(input, (row + k) * columns + column + x));
    }
    wg_workgroup_barrier();
    WG_FOR(u32 k = y; k < TILE; k += ROWS) {
        wg_store(output, (column + k) * rows + row + x, wg_load2(block, x, k));
    }
}

static int plan(struct wg_plan *p) {
    u32 side = (u32)p->ops->size(p);

    if (!p->ops->buffer(p, wg_var_input, (uint64_t)side * side) ||
        !p->ops->buffer(p, wg_var_output, (uint64_t)side * side))
        return -1;
    p->ops->dispatch(p, "main", side / TILE, side / TILE, 1);
    return 0;
}

WG_KERNEL("transpose", "a transposition by tiles of 32 x 32", .default_size = 1024, .plan = plan);
