/* The transposition of a square matrix by tiles, so that both sides of the copy are contiguous. The
 * tile is read by columns: without padding the lanes of a subgroup meet in one bank. */
#include "transpose.h"

WG_OVERRIDE(u32, side, 128, "rows and columns of the matrix");
WG_OVERRIDE(u32, tile, 32, "rows and columns of a tile, and invocations of a workgroup along x");
WG_OVERRIDE(u32, rows, 8, "rows of a tile that are moved at a time: invocations along y");
WG_OVERRIDE(u32, pad, 0, "words between the rows of the tile: 1 puts a column in different banks");

WG_STORAGE_READ(0, 0, f32, input);
WG_STORAGE(0, 1, f32, output);
WG_WORKGROUP(f32, block, wg_override(tile) * (wg_override(tile) + wg_override(pad)));

WG_ENTRY(main, wg_override(tile), wg_override(rows), 1) {
    u32 side = wg_override(side), tile = wg_override(tile), width = tile + wg_override(pad);
    vec3u lid = wg_local_invocation_id, wid = wg_workgroup_id;

    WG_FOR(u32 k = lid.y; k < tile; k += wg_override(rows)) {
        u32 x = wid.x * tile + lid.x, y = wid.y * tile + k;

        WG_BRANCH;
        if (x < side && y < side)
            wg_store(block, k * width + lid.x, wg_load(input, y * side + x));
    }
    wg_workgroup_barrier();
    WG_FOR(u32 k = lid.y; k < tile; k += wg_override(rows)) {
        u32 x = wid.y * tile + lid.x, y = wid.x * tile + k;

        WG_BRANCH;
        if (x < side && y < side)
            wg_store(output, y * side + x, wg_load(block, lid.x * width + k));
    }
}

static int plan(struct wg_plan *p) {
    return transpose_plan(p, wg_var_input, wg_var_output, wg_override_side,
                          p->ops->override(p, wg_override_tile).u);
}

static int check(struct wg_plan *p) {
    return transpose_check(p, wg_var_input, wg_var_output, wg_override_side);
}

WG_KERNEL("transpose", "a transposition by tiles: bank conflicts, and none with --set pad=1",
          .default_size = 128, .plan = plan, .check = check);
