/* Uniformity of calls. */
#include "sim/wgsl/uniformity.h"

/* -- demands -- */

static void demand(struct uniformity *u, struct uniform_demand d) {
    if (d.severity == WGSL_OFF)
        return;
    struct uniform_demand *kept = HEAP_NEW(u->kept, struct uniform_demand);
    *kept = d;
    *u->last_demand = kept;
    u->last_demand = &kept->next;
}

/* Makes a callee's demand, if there is one, the caller's. */
static void pass_on(struct uniformity *u, const struct uniform_demand *of_callee,
                    const struct wgsl_expr *call, struct uniform_node *node, int32_t arg,
                    bool contents) {
    if (of_callee && node)
        demand(u, (struct uniform_demand){NULL, node, of_callee->scope, of_callee->severity, call,
                                          of_callee->cause, arg, contents});
}

/* -- builtin functions -- */

/* Whether all of a subgroup get the same from a subgroup operation. */
static bool is_subgroup_wide(enum wgsl_builtin builtin) {
    switch (builtin) {
    case BI_subgroupAdd:
    case BI_subgroupAll:
    case BI_subgroupAnd:
    case BI_subgroupAny:
    case BI_subgroupBallot:
    case BI_subgroupBroadcast:
    case BI_subgroupBroadcastFirst:
    case BI_subgroupMax:
    case BI_subgroupMin:
    case BI_subgroupMul:
    case BI_subgroupOr:
    case BI_subgroupXor:
        return true;
    default:
        return false;
    }
}

static bool is_shared_texture(const struct wgsl_expr *e) {
    const struct wgsl_type *t = type_unref(e->type);
    return t->kind == TY_TEXTURE && t->texture == TEXTURE_STORAGE && t->access == AM_READ_WRITE;
}

/* Whether the result may differ between invocations whose arguments do not. */
static bool is_result_different(const struct wgsl_expr *e) {
    if (builtin_flags(e->builtin) & (BF_DERIVATIVE | BF_SUBGROUP))
        return true;
    if (e->builtin >= BI_atomicLoad && e->builtin <= BI_atomicCompareExchangeWeak)
        return true;
    return e->builtin == BI_textureLoad && is_shared_texture(e->args[0]);
}

static void builtin_demands(struct uniformity *u, const struct wgsl_expr *e,
                            struct uniform_node *flow, struct uniform_node **args) {
    unsigned flags = builtin_flags(e->builtin);
    struct uniform_demand d = {.scope = flags & BF_SUBGROUP ? SCOPE_SUBGROUP : SCOPE_WORKGROUP,
                               .severity = e->severity,
                               .call = e,
                               .cause = e};
    if (!(flags & (BF_BARRIER | BF_DERIVATIVE | BF_SUBGROUP)))
        return;
    d.node = flow;
    d.arg = -1;
    demand(u, d);
    bool shifts = e->builtin == BI_subgroupShuffleUp || e->builtin == BI_subgroupShuffleDown ||
                  e->builtin == BI_subgroupShuffleXor;
    if (!shifts && e->builtin != BI_workgroupUniformLoad)
        return;
    d.arg = shifts ? 1 : 0;
    d.node = args[d.arg];
    demand(u, d);
}

static struct uniform_node *builtin(struct uniformity *u, const struct wgsl_expr *e,
                                    struct uniform_node *flow, struct uniform_node **args) {
    builtin_demands(u, e, flow, args);
    struct uniform_node *result = flow;
    for (uint32_t i = 0; i < e->arg_count; i++)
        result = uniform_both(u, result, args[i]);
    if (!is_result_different(e))
        return result;
    enum uniform_scope scope = is_subgroup_wide(e->builtin) ? SCOPE_WORKGROUP : SCOPE_SUBGROUP;
    return uniform_both(u, result, uniform_source(u, e, scope));
}

/* -- user functions -- */

/* The nodes that a call starts from. */
struct inputs {
    struct uniform_node *flow, **args, **contents;
};

/* What a call makes of them: its result, or what a pointer points at afterwards. */
static struct uniform_node *outcome(struct uniformity *u, const struct wgsl_expr *e,
                                    const struct uniform_flow *f, const struct inputs *in,
                                    const struct wgsl_variable *changed) {
    struct uniform_node *node = graph_node(&u->graph);
    if (f->different[SCOPE_WORKGROUP]) {
        struct uniform_node *from =
            uniform_source(u, e, f->different[SCOPE_SUBGROUP] ? SCOPE_SUBGROUP : SCOPE_WORKGROUP);
        from->changed = changed;
        graph_edge(&u->graph, node, from);
    }
    graph_edge(&u->graph, node, in->flow);
    for (uint32_t i = 0; i < e->arg_count; i++) {
        if (f->values[i])
            graph_edge(&u->graph, node, in->args[i]);
        if (f->contents[i])
            graph_edge(&u->graph, node, in->contents[i]);
    }
    return node;
}

static struct uniform_node *user(struct uniformity *u, const struct wgsl_expr *e,
                                 struct inputs *in) {
    const struct uniform_summary *callee = &u->summaries[e->function->index];
    for (int scope = 0; scope < SCOPE_COUNT; scope++) {
        pass_on(u, callee->control[scope], e, in->flow, -1, false);
        for (uint32_t i = 0; i < e->arg_count; i++) {
            const struct uniform_param *p = &callee->params[i];
            pass_on(u, p->value[scope], e, in->args[i], (int32_t)i, false);
            pass_on(u, p->contents[scope], e, in->contents[i], (int32_t)i, true);
        }
    }
    for (uint32_t i = 0; i < e->arg_count; i++) {
        if (!in->contents[i])
            continue;
        const struct wgsl_variable *v = uniform_local(e->args[i]);
        struct uniform_node *after = outcome(u, e, &callee->params[i].after, in, v);
        if (!uniform_is_whole(e->args[i]))
            graph_edge(&u->graph, after, u->values[v->index]);
        uniform_assign(u, v->index, after);
    }
    return outcome(u, e, &callee->result, in, NULL);
}

/* -- all calls -- */

struct uniform_node *uniform_call(struct uniformity *u, const struct wgsl_expr *e,
                                  struct uniform_node *flow) {
    struct inputs in = {.flow = flow};
    in.args = heap_alloc(u->heap, (e->arg_count + 1) * sizeof(struct uniform_node *));
    in.contents = heap_alloc(u->heap, (e->arg_count + 1) * sizeof(struct uniform_node *));
    for (uint32_t i = 0; i < e->arg_count; i++)
        in.args[i] = uniform_value(u, e->args[i], flow);
    if (e->kind == EX_BUILTIN)
        return builtin(u, e, flow, in.args);
    for (uint32_t i = 0; i < e->arg_count; i++) {
        const struct wgsl_type *t = e->args[i]->type;
        const struct wgsl_variable *v = t->kind == TY_PTR ? uniform_local(e->args[i]) : NULL;
        in.contents[i] = v ? u->values[v->index] : NULL;
    }
    return user(u, e, &in);
}
