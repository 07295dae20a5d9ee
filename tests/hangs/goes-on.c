/* Odd lanes go on to the condition of a loop by `continue`. */
#include <wgsim/kernel.h>
WG_STORAGE(0, 0, u32, data);
WG_ENTRY(main, 32, 1, 1) {
    u32 li = wg_local_invocation_index, i = 0;
    WG_WHILE(wg_load(data, i * 32 + li) != 99 && i < 4) {
        i++;
        {
            WG_BRANCH;
            if (li & 1)
                continue;
        }
        wg_store(data, 320 + li, i);
    }
}
static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_data, 512))
        return -1;
    p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}
WG_KERNEL("goes-on", "lanes that continue ask the condition with the others", .plan = plan);
