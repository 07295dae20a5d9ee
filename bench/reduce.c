/* reduce.cl in C: the sums of 256 values each, by trees. */
#include <wgsim/kernel.h>

enum { GROUP = 256 };

WG_STORAGE_READ(0, 0, u32, input);
WG_STORAGE(0, 1, u32, sums);
WG_WORKGROUP(u32, partial, GROUP);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index;

    wg_store(partial, li, wg_load(input, wg_global_invocation_id.x));
    wg_workgroup_barrier();
    WG_FOR(u32 reach = GROUP / 2; reach > 0; reach /= 2) {
        {
            WG_BRANCH;
            if (li < reach)
                wg_store(partial, li, wg_load(partial, li) + wg_load(partial, li + reach));
        }
        wg_workgroup_barrier();
    }
    {
        WG_BRANCH;
        if (li == 0)
            wg_store(sums, wg_workgroup_id.x, wg_load(partial, 0));
    }
}

static int plan(struct wg_plan *p) {
    u32 groups = (u32)(p->ops->size(p) / GROUP);

    if (!p->ops->buffer(p, wg_var_input, (uint64_t)groups * GROUP) ||
        !p->ops->buffer(p, wg_var_sums, groups))
        return -1;
    p->ops->dispatch(p, "main", groups, 1, 1);
    return 0;
}

WG_KERNEL("reduce", "sums of 256 values each", .default_size = 1 << 20, .plan = plan);
