/* One subgroup follows a chain of words, each of which says where the next is: first in workgroup
 * memory, then in storage. The barrier ends each step, and nothing hides the latency, so the cycles
 * of a dispatch show it. */
#include "plan.h"

enum { WORDS = 32 };
WG_OVERRIDE(u32, steps, 256, "loads, one after the other");

WG_STORAGE_READ(0, 0, u32, next);
WG_STORAGE(0, 1, u32, reached);
WG_WORKGROUP(u32, ring, WORDS);

WG_ENTRY(in_workgroup, WORDS, 1, 1) {
    u32 li = wg_local_invocation_index, at = 0;

    wg_store(ring, li, wg_load(next, li));
    wg_workgroup_barrier();
    WG_FOR(u32 k = 0; k < wg_override(steps); k++) {
        at = wg_load(ring, at);
        wg_workgroup_barrier();
    }
    wg_store(reached, li, at);
}

WG_ENTRY(in_storage, WORDS, 1, 1) {
    u32 li = wg_local_invocation_index, at = 0;

    WG_FOR(u32 k = 0; k < wg_override(steps); k++) {
        at = wg_load(next, at);
        wg_workgroup_barrier();
    }
    wg_store(reached, WORDS + li, at);
}

static int plan(struct wg_plan *p) {
    u32 *next = p->ops->buffer(p, wg_var_next, WORDS);

    if (!next || !p->ops->buffer(p, wg_var_reached, 2 * WORDS))
        return -1;
    for (u32 i = 0; i < WORDS; i++)
        next[i] = (i + 1) % WORDS;
    p->ops->dispatch(p, "in_workgroup", 1, 1, 1);
    p->ops->dispatch(p, "in_storage", 1, 1, 1);
    return 0;
}

static int check(struct wg_plan *p) {
    return plan_expect_all(p, wg_var_reached, p->ops->override(p, wg_override_steps).u % WORDS);
}

WG_KERNEL("latency", "a chain of loads in workgroup memory, then in storage: cycles of a load",
          .plan = plan, .check = check);
