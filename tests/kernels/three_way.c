/* Invocation 0 reads and so does 1, then 0 writes: only the read of 1 conflicts. fixed: 1 does not
 * read.
 */
#include <wgsim/kernel.h>

WG_OVERRIDE(u32, fixed, 0, "1: as it should be");
WG_STORAGE(0, 0, u32, output);
WG_WORKGROUP(u32, word, 1);

WG_ENTRY(main, 2, 1, 1) {
    u32 li = wg_local_invocation_index, seen = 0;

    if (li == 0 || !wg_override(fixed))
        seen = wg_load(word, 0);
    if (li == 0)
        wg_store(word, 0, seen + 1);
    wg_store(output, li, seen);
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_output, 2))
        return -1;
    p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}

WG_KERNEL("three_way", "one of two readers conflicts", .plan = plan);
