/* Each invocation writes far beyond an array of its own, over the stacks of others. */
#include <wgsim/kernel.h>

WG_OVERRIDE(u32, bytes, 30000, "how far");
WG_STORAGE(0, 0, u32, out);

WG_ENTRY(main, 64, 1, 1) {
    volatile char own[64] = {0};

    for (u32 i = 0; i < wg_override(bytes); i++)
        own[i] = 1;
    wg_store(out, 0, (u32)own[0]);
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_out, 1))
        return -1;
    p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}

WG_KERNEL("smash", "overruns an array of its own", .plan = plan);
