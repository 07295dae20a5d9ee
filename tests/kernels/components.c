/* Two invocations store components of one vector: by the race rules each stores all of it. fixed:
 * each has a vector of its own. */
#include <wgsim/kernel.h>

WG_OVERRIDE(u32, fixed, 0, "1: as it should be");
WG_STORAGE(0, 0, f32, output);
WG_WORKGROUP(vec2f, pair, 2);

/* The site says that a component is part of a vector, as translated shaders do. */
static const struct wg_site component WG_SECTION_("wg_sites") = {.file = __FILE__,
                                                                 .text = "pair[i].x",
                                                                 .variable = "pair",
                                                                 .id = 60000,
                                                                 .line = __LINE__,
                                                                 .op = WG_OP_STORE,
                                                                 .bytes = 4,
                                                                 .space = WG_SPACE_WORKGROUP,
                                                                 .var = wg_var_pair,
                                                                 .vector_bytes = 8};

WG_ENTRY(main, 2, 1, 1) {
    u32 li = wg_local_invocation_index;
    f32 value = (f32)li + 1;
    uint64_t at = wg_override(fixed) ? li * 8 : li * 4;

    wg_write_(wg, component.id, wg_var_pair, at, li, 8, &value, 4);
    wg_workgroup_barrier();
    wg_store(output, li, wg_load_member(pair, li, x) + wg_load_member(pair, 0, y));
}

static int plan(struct wg_plan *p) {
    if (!p->ops->buffer(p, wg_var_output, 2))
        return -1;
    p->ops->dispatch(p, "main", 1, 1, 1);
    return 0;
}

WG_KERNEL("components", "components of one vector", .plan = plan);
