/* A tile used again in each turn of a loop without marks. fixed: with the second barrier. */
#include <wgsim/kernel.h>

WG_OVERRIDE(u32, fixed, 0, "1: as it should be");
WG_STORAGE(0, 0, u32, output);
WG_WORKGROUP(u32, tile, 64);

WG_ENTRY(main, 64, 1, 1) {
    u32 li = wg_local_invocation_index, sum = 0;

    for (u32 k = 0; k < 4; k++) {
        wg_store(tile, li, k + li);
        wg_workgroup_barrier();
        for (u32 j = 0; j < 64; j++)
            sum += wg_load(tile, j);
        if (wg_override(fixed))
            wg_workgroup_barrier();
    }
    wg_store(output, li, sum);
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_output, 64))
        return -1;
    p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}

WG_KERNEL("no_marks", "a loop without marks", .plan = plan);
