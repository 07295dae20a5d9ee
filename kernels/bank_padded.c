/* Two matrices of 32 x 32 words read by columns: the rows of one are 32 words long and a column
 * lies in one bank, those of the other have a 33rd and a column lies in 32. */
#include "plan.h"

enum { SIDE = 32 };

WG_STORAGE(0, 0, u32, output);
WG_WORKGROUP(u32, plain, SIDE *SIDE);
WG_WORKGROUP(u32, padded, SIDE *(SIDE + 1));

WG_ENTRY(main, SIDE, 1, 1) {
    u32 li = wg_local_invocation_index, sum = 0;

    WG_FOR(u32 row = 0; row < SIDE; row++) {
        wg_store(plain, row * SIDE + li, row);
        wg_store(padded, row * (SIDE + 1) + li, row);
    }
    wg_workgroup_barrier();
    WG_FOR(u32 column = 0; column < SIDE; column++) {
        sum += wg_load(plain, li * SIDE + column);
        sum += wg_load(padded, li * (SIDE + 1) + column);
    }
    wg_store(output, wg_global_invocation_id.x, sum);
}

static int plan(struct wg_plan *p) {
    u32 groups[3];

    plan_groups(p, 1, 1, groups);
    if (!p->ops->buffer(p, wg_var_output, (uint64_t)groups[0] * SIDE))
        return -1;
    p->ops->dispatch(p, "main", groups[0], 1, 1);
    return 0;
}

static int check(struct wg_plan *p) {
    uint64_t elements;
    const u32 *output = p->ops->result(p, wg_var_output, &elements);

    for (uint64_t i = 0; i < elements; i++)
        if (plan_expect(p, wg_var_output, i, output[i], (u32)(i % SIDE) * SIDE * 2))
            return -1;
    return 0;
}

WG_KERNEL("bank_padded", "columns of 32 x 32 words with and without padding, side by side",
          .plan = plan, .check = check);
