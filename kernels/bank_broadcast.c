/* Loads in which lanes share words: the same word for all or for pairs costs one pass, different
 * words of one bank cost one each. */
#include "plan.h"

enum { LANES = 32, WORDS = LANES * LANES };

WG_STORAGE(0, 0, u32, output);
WG_WORKGROUP(u32, tile, WORDS);

WG_ENTRY(main, LANES, 1, 1) {
    u32 li = wg_local_invocation_index, sum = 0;

    WG_FOR(u32 k = li; k < WORDS; k += LANES) {
        wg_store(tile, k, k);
    }
    wg_workgroup_barrier();
    sum += wg_load(tile, 7);
    sum += wg_load(tile, li / 2);
    sum += wg_load(tile, li);
    sum += wg_load(tile, li / 2 * LANES);
    sum += wg_load(tile, li * LANES);
    wg_store(output, wg_global_invocation_id.x, sum);
}

static int plan(struct wg_plan *p) {
    u32 groups[3];

    plan_groups(p, 1, 1, groups);
    if (!p->ops->buffer(p, wg_var_output, (uint64_t)groups[0] * LANES))
        return -1;
    p->ops->dispatch(p, "main", groups[0], 1, 1);
    return 0;
}

static int check(struct wg_plan *p) {
    uint64_t elements;
    const u32 *output = p->ops->result(p, wg_var_output, &elements);

    for (uint64_t i = 0; i < elements; i++) {
        u32 li = (u32)(i % LANES), sum = 7 + (li / 2 + li) + (li / 2 + li) * LANES;

        if (plan_expect(p, wg_var_output, i, output[i], sum))
            return -1;
    }
    return 0;
}

WG_KERNEL("bank_broadcast", "lanes that load one word share a pass, words of one bank do not",
          .plan = plan, .check = check);
