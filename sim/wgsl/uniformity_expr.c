/* Uniformity of expressions. */
#include "sim/wgsl/uniformity.h"

struct uniform_node *uniform_both(struct uniformity *u, struct uniform_node *a,
                                  struct uniform_node *b) {
    if (a == b || !b)
        return a;
    if (!a)
        return b;
    struct uniform_node *node = graph_node(&u->graph);
    graph_edge(&u->graph, node, a);
    graph_edge(&u->graph, node, b);
    return node;
}

/* -- memory -- */

bool uniform_is_whole(const struct wgsl_expr *e) {
    while (e->kind == EX_ADDRESS || e->kind == EX_DEREF)
        e = e->lhs;
    if (e->kind != EX_VARIABLE)
        return false;
    const struct wgsl_variable *v = e->variable;
    return v->kind != VAR_LET || (v->init && uniform_is_whole(v->init));
}

const struct wgsl_variable *uniform_local(const struct wgsl_expr *e) {
    return e->type->space == AS_FUNCTION ? e->root : NULL;
}

static bool is_shared(const struct wgsl_type *memory) {
    return memory->space == AS_PRIVATE || memory->space == AS_WORKGROUP ||
           (memory->space == AS_STORAGE && memory->access != AM_READ);
}

static bool is_memory(const struct wgsl_type *type) {
    return type->kind == TY_REF || type->kind == TY_PTR;
}

struct uniform_node *uniform_source(struct uniformity *u, const struct wgsl_expr *e,
                                    enum uniform_scope scope) {
    struct uniform_node *node = graph_node(&u->graph);
    node->source = e;
    graph_edge(&u->graph, node, u->graph.different[scope]);
    return node;
}

/* What the memory named by e->lhs holds. */
static struct uniform_node *load(struct uniformity *u, const struct wgsl_expr *e,
                                 struct uniform_node *flow) {
    struct uniform_node *place = uniform_value(u, e->lhs, flow);
    if (is_shared(e->lhs->type))
        return uniform_source(u, e, SCOPE_SUBGROUP);
    const struct wgsl_variable *v = uniform_local(e->lhs);
    return uniform_both(u, v ? u->values[v->index] : NULL, place);
}

/* -- values -- */

static struct uniform_node *variable(struct uniformity *u, const struct wgsl_variable *v,
                                     struct uniform_node *flow) {
    if (v->kind == VAR_LET)
        return uniform_both(u, flow, u->values[v->index]);
    if (v->kind == VAR_PARAM)
        return uniform_both(u, flow, u->ports[v->index].value);
    return flow;
}

struct uniform_node *uniform_condition(struct uniformity *u, const struct wgsl_expr *e,
                                       struct uniform_node *flow) {
    struct uniform_node *value = uniform_value(u, e, flow);
    if (value == flow)
        return flow;
    struct uniform_node *node = graph_node(&u->graph);
    node->condition = e;
    node->outer = flow;
    graph_edge(&u->graph, node, value);
    return node;
}

/* && and ||: the right operand, and what calls in it change, is evaluated or not. */
static struct uniform_node *short_circuit(struct uniformity *u, const struct wgsl_expr *e,
                                          struct uniform_node *flow) {
    flow = uniform_condition(u, e->lhs, flow);
    uint32_t mark = u->log_count;
    struct uniform_node *value = uniform_value(u, e->rhs, flow);
    if (u->log_count == mark)
        return value;
    struct uniform_exits ways = {NULL, 0};
    uniform_leave(u, mark, &ways);
    uniform_go_back(u, mark);
    uniform_leave(u, mark, &ways);
    uniform_join(u, &ways);
    return value;
}

static struct uniform_node *binary(struct uniformity *u, const struct wgsl_expr *e,
                                   struct uniform_node *flow) {
    if (e->op == OP_LOGICAL_AND || e->op == OP_LOGICAL_OR)
        return short_circuit(u, e, flow);
    struct uniform_node *left = uniform_value(u, e->lhs, flow);
    return uniform_both(u, left, uniform_value(u, e->rhs, flow));
}

static struct uniform_node *construct(struct uniformity *u, const struct wgsl_expr *e,
                                      struct uniform_node *flow) {
    struct uniform_node *node = flow;
    for (uint32_t i = 0; i < e->arg_count; i++)
        node = uniform_both(u, node, uniform_value(u, e->args[i], flow));
    return node;
}

struct uniform_node *uniform_value(struct uniformity *u, const struct wgsl_expr *e,
                                   struct uniform_node *flow) {
    if (e->stage == STAGE_CONST)
        return flow;
    switch (e->kind) {
    case EX_VARIABLE:
        return variable(u, e->variable, flow);
    case EX_LOAD:
        return load(u, e, flow);
    case EX_SWIZZLE:
        if (is_memory(e->lhs->type) && !is_memory(e->type))
            return load(u, e, flow);
        return uniform_value(u, e->lhs, flow);
    case EX_MEMBER:
    case EX_UNARY:
    case EX_ADDRESS:
    case EX_DEREF:
        return uniform_value(u, e->lhs, flow);
    case EX_INDEX:
    case EX_BINARY:
        return binary(u, e, flow);
    case EX_USER:
    case EX_BUILTIN:
        return uniform_call(u, e, flow);
    case EX_CONSTRUCT:
        return construct(u, e, flow);
    case EX_LITERAL:
    case EX_IDENT:
    case EX_CALL:
        break;
    }
    return flow;
}
