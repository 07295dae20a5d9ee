/* A bitonic sort, one dispatch a step: dozens of them. A merge of blocks starts by comparing the
 * two halves mirrored, so that all comparisons go one way and any number of elements can be sorted.
 */
#include "plan.h"

enum { GROUP = 256, LIMIT = 4096 };
WG_OVERRIDE(u32, block, 2, "elements of a block of this step: a power of two");
WG_OVERRIDE(u32, mirrored, 1, "1: the first step of a merge; 0: the others");

WG_STORAGE(0, 0, u32, values);

/* Invocation i compares one pair: the two halves of a block hold the two of each pair. */
WG_ENTRY(main, GROUP, 1, 1) {
    u32 i = wg_global_invocation_id.x, block = wg_override(block), half = block / 2;
    u32 base = i / half * block, k = i % half;
    u32 low = base + k, high = wg_override(mirrored) != 0 ? base + block - 1 - k : low + half;

    {
        WG_BRANCH;
        if (high < wg_array_length(values)) {
            u32 a = wg_load(values, low), b = wg_load(values, high);

            WG_BRANCH;
            if (a > b) {
                wg_store(values, low, b);
                wg_store(values, high, a);
            }
        }
    }
}

static int plan_step(struct wg_plan *p, uint64_t pairs, u32 block, u32 mirrored) {
    p->ops->step_override(p, wg_override_block, (union wg_value){.u = block});
    p->ops->step_override(p, wg_override_mirrored, (union wg_value){.u = mirrored});
    return plan_dispatch(p, "main", plan_ceil(pairs, GROUP), 1);
}

static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p), pairs = n > 0;

    if (!plan_words(p, wg_var_values, n, LIMIT))
        return -1;
    while (pairs * 2 < n)
        pairs *= 2;
    for (uint64_t merged = 2; merged <= pairs * 2; merged *= 2)
        for (uint64_t block = merged; block > 1; block /= 2)
            if (plan_step(p, pairs, (u32)block, block == merged))
                return -1;
    return 0;
}

/* The reference counts how often each value occurs. */
static int check(struct wg_plan *p) {
    const u32 *initial = plan_initial(p, wg_var_values), *sorted = plan_result(p, wg_var_values);
    u32 counts[LIMIT] = {0};
    uint64_t i = 0;

    for (uint64_t k = 0; k < p->ops->size(p); k++)
        counts[initial[k]]++;
    for (u32 value = 0; value < LIMIT; value++)
        for (u32 k = 0; k < counts[value]; k++, i++)
            if (plan_expect(p, wg_var_values, i, sorted[i], value))
                return -1;
    return 0;
}

WG_KERNEL("bitonic", "a sort in dozens of dispatches, one for each step", .default_size = 1024,
          .plan = plan, .check = check);
