/* Nothing but barriers, as many as --set count says: what one costs a lane. */
#include <wgsim/kernel.h>

enum { GROUP = 256 };

WG_OVERRIDE(u32, count, 64, "barriers");
WG_STORAGE(0, 0, u32, done);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 count = wg_override(count);

    for (u32 i = 0; i < count; i++)
        wg_workgroup_barrier();
    wg_store(done, wg_global_invocation_id.x, 1);
}

static int plan(struct wg_plan *p) {
    u32 groups = (u32)p->ops->size(p);

    if (!p->ops->buffer(p, wg_var_done, (uint64_t)groups * GROUP))
        return -1;
    p->ops->dispatch(p, "main", groups, 1, 1);
    return 0;
}

WG_KERNEL("barriers", "nothing but barriers", .default_size = 1024, .plan = plan);
