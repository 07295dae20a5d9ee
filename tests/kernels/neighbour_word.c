/* Every invocation reads the word that its neighbour stores, without a barrier between. */
#include <wgsim/kernel.h>

WG_STORAGE(0, 0, u32, out);
WG_WORKGROUP(u32, tile, 64);

WG_ENTRY(main, 64, 1, 1) {
    u32 i = wg_local_invocation_index;

    wg_store(tile, i, i);
    wg_store(out, i, wg_load(tile, i < 63 ? i + 1 : i));
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_out, 64))
        return -1;
    p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}

WG_KERNEL("neighbour_word", "reads too early", .plan = plan);
