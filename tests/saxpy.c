/* The kernel of the example test: y = a * x + y. */
#include <wgsim/kernel.h>

WG_OVERRIDE(f32, a, 2, "factor");
WG_STORAGE_READ(0, 0, f32, x);
WG_STORAGE(0, 1, f32, y);

WG_ENTRY(main, 64, 1, 1) {
    u32 i = wg_global_invocation_id.x;

    if (i < wg_array_length(y))
        wg_store(y, i, wg_override(a) * wg_load(x, i) + wg_load(y, i));
}

WG_KERNEL("saxpy", "y = a * x + y");
