/* blur.cl in C: the means of 9 values each, which workgroups of 64 stage with 8 around them. */
#include <wgsim/kernel.h>

enum { GROUP = 64, RADIUS = 4, STRIP = GROUP + 2 * RADIUS };

WG_STORAGE_READ(0, 0, f32, input);
WG_STORAGE(0, 1, f32, output);
WG_WORKGROUP(f32, strip, STRIP);

WG_ENTRY(main, GROUP, 1, 1) {
    u32 li = wg_local_invocation_index;
    i32 last = (i32)(wg_num_workgroups.x * GROUP) - 1;
    i32 base = (i32)(wg_workgroup_id.x * GROUP) - RADIUS;
    f32 sum = 0;

    WG_FOR(u32 k = li; k < STRIP; k += GROUP) {
        i32 i = base + (i32)k;
        wg_store(strip, k, wg_load(input, i < 0 ? 0 : i > last ? last : i));
    }
    wg_workgroup_barrier();
    WG_FOR(u32 d = 0; d <= 2 * RADIUS; d++) {
        sum += wg_load(strip, li + d);
    }
    wg_store(output, wg_global_invocation_id.x, sum / (2 * RADIUS + 1));
}

static int plan(struct wg_plan *p) {
    u32 groups = (u32)(p->ops->size(p) / GROUP);

    if (!p->ops->buffer(p, wg_var_input, (uint64_t)groups * GROUP) ||
        !p->ops->buffer(p, wg_var_output, (uint64_t)groups * GROUP))
        return -1;
    p->ops->dispatch(p, "main", groups, 1, 1);
    return 0;
}

WG_KERNEL("blur", "means of 9 values each", .default_size = 1 << 20, .plan = plan);
