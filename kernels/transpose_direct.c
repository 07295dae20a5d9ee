/* The transposition without a tile: a row is read at once, but each lane of a subgroup writes to a
 * row of its own. */
#include "transpose.h"

enum { TILE = 16 };
WG_OVERRIDE(u32, side, 128, "rows and columns of the matrix");

WG_STORAGE_READ(0, 0, f32, input);
WG_STORAGE(0, 1, f32, output);

WG_ENTRY(main, TILE, TILE, 1) {
    vec3u gid = wg_global_invocation_id;
    u32 side = wg_override(side);

    {
        WG_BRANCH;
        if (gid.x < side && gid.y < side)
            wg_store(output, gid.x * side + gid.y, wg_load(input, gid.y * side + gid.x));
    }
}

static int plan(struct wg_plan *p) {
    return transpose_plan(p, wg_var_input, wg_var_output, wg_override_side, TILE);
}

static int check(struct wg_plan *p) {
    return transpose_check(p, wg_var_input, wg_var_output, wg_override_side);
}

WG_KERNEL("transpose_direct",
          "the transposition without a tile: stores that no sector serves twice",
          .default_size = 128, .plan = plan, .check = check);
