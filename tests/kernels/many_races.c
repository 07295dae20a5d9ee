/* Ten thousand elements race, all for one reason. fixed: each invocation keeps to its own. */
#include <wgsim/kernel.h>

enum { GROUPS = 157 };
WG_OVERRIDE(u32, fixed, 0, "1: as it should be");
WG_STORAGE(0, 0, u32, data);

WG_ENTRY(main, 64, 1, 1) {
    u32 i = wg_global_invocation_id.x;
    u32 next = wg_override(fixed) ? i : (i + 64) % (GROUPS * 64);

    wg_store(data, i, wg_load(data, next) + 1);
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_data, GROUPS * 64))
        return -1;
    p->ops->dispatch(p, "main", GROUPS, 1, 1);
    return 0;
}

WG_KERNEL("many_races", "many elements that race for one reason", .plan = plan);
