/* An append buffer: an atomic reserves a place for each value that is kept. The order of what was
 * appended is free; a later dispatch may read it. */
#include "plan.h"

enum { GROUP = 64, LIMIT = 4096 };

WG_STORAGE_READ(0, 0, u32, input);
WG_STORAGE(0, 1, atomic_u32, count);
WG_STORAGE(0, 2, u32, kept);

WG_ENTRY(main, GROUP, 1, 1) {
    vec3u gid = wg_global_invocation_id;
    u32 i = gid.y * wg_num_workgroups.x * GROUP + gid.x;

    {
        WG_BRANCH;
        if (i < wg_array_length(input)) {
            u32 value = wg_load(input, i);

            WG_BRANCH;
            if (value % 3 == 0) {
                u32 place = wg_atomic_add(count, 0, 1);

                wg_store(kept, place, value);
            }
        }
    }
}

static int plan(struct wg_plan *p) {
    uint64_t n = p->ops->size(p);

    if (!plan_words(p, wg_var_input, n, LIMIT) || !p->ops->buffer(p, wg_var_count, 1) ||
        !p->ops->buffer(p, wg_var_kept, n))
        return -1;
    return plan_dispatch_folded(p, "main", plan_ceil(n, GROUP));
}

/* Every value is kept as often as it stands in the input, in whatever order. */
static int check(struct wg_plan *p) {
    const u32 *input = plan_initial(p, wg_var_input), *kept = plan_result(p, wg_var_kept);
    const u32 *count = plan_result(p, wg_var_count);
    u32 wanted[LIMIT] = {0}, expected = 0;

    for (uint64_t i = 0; i < p->ops->size(p); i++)
        if (input[i] % 3 == 0)
            wanted[input[i]]++, expected++;
    if (plan_expect(p, wg_var_count, 0, count[0], expected))
        return -1;
    for (u32 k = 0; k < expected; k++)
        if (kept[k] >= LIMIT || wanted[kept[k]]-- == 0)
            return p->ops->differs(p, wg_var_kept, k, "is %u, which was not to be kept (again)",
                                   kept[k]);
    return 0;
}

WG_KERNEL("append", "an append buffer: an atomic reserves places, in an order that is free",
          .flags = WG_KERNEL_RESULT_FREE, .default_size = 4096, .plan = plan, .check = check);
