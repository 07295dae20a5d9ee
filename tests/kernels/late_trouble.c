/* Workgroups that keep to themselves, but for what one does, late. */
#include <wgsim/kernel.h>

WG_OVERRIDE(u32, trouble, 0,
            "0: none, 1: reads another's, 2: outside, 3: divergence, 4: race, "
            "5: too deep, 6: divides by zero, 7: many requests, 8: one invocation too deep");
WG_OVERRIDE(u32, divides, 0xffffffff, "the workgroup that divides by zero whatever happens");
WG_OVERRIDE(u32, in, 0xffffffff, "the workgroup that does it; the last if there is none");

WG_STORAGE(0, 0, u32, data);
WG_STORAGE(0, 1, u32, extra);
WG_WORKGROUP(u32, tile, 64);

enum { ROUNDS = 8, DEPTH = 3000 };

/* Never inlined into itself. */
static __attribute__((noinline)) u32 deep(u32 n, volatile u32 *above) {
    volatile u32 mine = n + (above ? *above : 0);

    return n == 0 ? mine : deep(n - 1, &mine) + mine;
}

WG_ENTRY(main, 64, 1, 1) {
    u32 li = wg_local_invocation_index, i = wg_workgroup_id.x * 64 + li;
    u32 last = wg_num_workgroups.x - 1;
    u32 where = wg_override(in) < last ? wg_override(in) : last;
    u32 trouble = wg_workgroup_id.x == where ? wg_override(trouble) : 0;

    WG_FOR(u32 k = 0; k < ROUNDS; k++) {
        wg_store(tile, li, wg_load(data, i) + k);
        wg_workgroup_barrier();
        wg_store(data, i, wg_load(tile, 63 - li) * 3 + li);
        wg_workgroup_barrier();
    }
    if (trouble == 1) {
        wg_store(extra, i, wg_load(data, li));
    }
    if (trouble == 2) {
        wg_store(extra, i + 64, 1);
    }
    if (trouble == 3 && li < 10) {
        wg_workgroup_barrier();
    }
    if (trouble == 4) {
        wg_store(tile, li / 2, li);
    }
    if (trouble == 5) {
        wg_store(extra, i, deep(DEPTH, NULL));
    }
    if (trouble == 8 && li == 40) {
        wg_store(extra, i, deep(DEPTH / 8, NULL));
    }
    if (trouble == 6 || wg_workgroup_id.x == wg_override(divides)) {
        wg_store(extra, i, i / wg_load(extra, i));
    }
    if (trouble == 7) {
        WG_FOR(u32 k = 0; k < 1u << 19; k++) {
            wg_store(extra, i, k);
        }
    }
}

static int plan(struct wg_plan *p) {
    u32 groups[3];

    p->ops->groups(p, groups);
    u32 count = groups[0] ? groups[0] : 600;
    if (!p->ops->buffer(p, wg_var_data, count * 64) || !p->ops->buffer(p, wg_var_extra, count * 64))
        return -1;
    p->ops->dispatch(p, "main", count, 1, 1);
    p->ops->dispatch(p, "main", count, 1, 1);
    return 0;
}

WG_KERNEL("late_trouble", "what the last workgroup does is found late", .plan = plan);
