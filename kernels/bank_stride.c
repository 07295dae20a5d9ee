/* Loads of workgroup memory at a stride of words: 1 and every odd number is free of conflicts, each
 * factor of two doubles the wavefronts, 32 serves one lane at a time. */
#include "plan.h"

enum { GROUP = 256, WORDS = 4096 };
WG_OVERRIDE(u32, stride, 32, "words between what neighbouring lanes load");
WG_OVERRIDE(u32, loads, 32, "loads of an invocation");

WG_STORAGE(0, 0, u32, output);
WG_WORKGROUP(u32, tile, WORDS);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index, first = li * wg_override(stride), sum = 0;

    WG_FOR(u32 k = li; k < WORDS; k += GROUP) {
        wg_store(tile, k, k);
    }
    wg_workgroup_barrier();
    WG_FOR(u32 k = 0; k < wg_override(loads); k++) {
        sum += wg_load(tile, (first + k) % WORDS);
    }
    wg_store(output, wg_global_invocation_id.x, sum);
}

static int plan(struct wg_plan *p) {
    u32 groups[3];

    plan_groups(p, 4, 1, groups);
    if (!p->ops->buffer(p, wg_var_output, (uint64_t)groups[0] * GROUP))
        return -1;
    p->ops->dispatch(p, "main", groups[0], 1, 1);
    return 0;
}

static int check(struct wg_plan *p) {
    u32 stride = p->ops->override(p, wg_override_stride).u;
    u32 loads = p->ops->override(p, wg_override_loads).u;
    uint64_t elements;
    const u32 *output = p->ops->result(p, wg_var_output, &elements);

    for (uint64_t i = 0; i < elements; i++) {
        u32 sum = 0, first = (u32)(i % GROUP) * stride;

        for (u32 k = 0; k < loads; k++)
            sum += (first + k) % WORDS;
        if (plan_expect(p, wg_var_output, i, output[i], sum))
            return -1;
    }
    return 0;
}

WG_KERNEL("bank_stride", "bank conflicts of loads at --set stride=N words: 32 is the worst",
          .plan = plan, .check = check);
