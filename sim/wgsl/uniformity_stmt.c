/* Uniformity of control flow, statement by statement. */
#include "sim/wgsl/uniformity.h"
#include "sim/wgsl/walk.h"

/* Control flow at the end of a statement, and what the statement may do to it. */
struct end {
    struct uniform_node *flow;
    unsigned behaviours; /* of enum wgsl_behaviour */
};

static struct end walk_stmt(struct uniformity *u, struct wgsl_stmt *s, struct uniform_node *flow);

static struct end walk_list(struct uniformity *u, struct wgsl_stmt *s, struct uniform_node *flow) {
    struct end end = {flow, BEHAVE_NEXT};
    for (; s && end.behaviours & BEHAVE_NEXT; s = s->next) {
        struct end next = walk_stmt(u, s, end.flow);
        end.flow = next.flow;
        end.behaviours = (end.behaviours & ~(unsigned)BEHAVE_NEXT) | next.behaviours;
    }
    return end;
}

static struct end walk_block(struct uniformity *u, const struct wgsl_block *block,
                             struct uniform_node *flow) {
    return walk_list(u, block ? block->first : NULL, flow);
}

/* -- simple statements -- */

static void walk_declaration(struct uniformity *u, const struct wgsl_variable *v,
                             struct uniform_node *flow) {
    if (v->kind != VAR_CONST)
        u->values[v->index] = v->init ? uniform_value(u, v->init, flow) : flow;
}

/* Compound assignments read the old value before they evaluate the right side. */
static void walk_assignment(struct uniformity *u, const struct wgsl_stmt *s,
                            struct uniform_node *flow) {
    const struct wgsl_variable *v = uniform_local(s->lhs);
    struct uniform_node *value = uniform_both(u, uniform_value(u, s->lhs, flow), flow);
    if (v && s->kind != ST_ASSIGN)
        value = uniform_both(u, value, u->values[v->index]);
    if (s->rhs)
        value = uniform_both(u, value, uniform_value(u, s->rhs, flow));
    if (!v)
        return;
    if (!uniform_is_whole(s->lhs))
        value = uniform_both(u, value, u->values[v->index]);
    uniform_assign(u, v->index, value);
}

/* What the caller sees when the function ends here. */
static void walk_exit(struct uniformity *u) {
    for (uint32_t i = 0; i < u->function->param_count; i++)
        if (u->ports[i].after)
            graph_edge(&u->graph, u->ports[i].after, u->values[i]);
}

static void walk_return(struct uniformity *u, const struct wgsl_stmt *s,
                        struct uniform_node *flow) {
    if (s->rhs)
        graph_edge(&u->graph, u->result, uniform_value(u, s->rhs, flow));
    walk_exit(u);
}

static void walk_jump(struct uniformity *u, bool is_continue) {
    struct uniform_target *t = u->target;
    while (is_continue && !t->is_loop)
        t = t->outer;
    uniform_leave(u, t->mark, is_continue ? &t->continues : &t->breaks);
}

/* -- branches -- */

/* The end of a branching statement whose arms end like this. */
static struct end end_branch(struct uniformity *u, struct uniform_node *before, struct end a,
                             struct end b) {
    unsigned behaviours = a.behaviours | b.behaviours;
    if (behaviours == BEHAVE_NEXT)
        return (struct end){before, behaviours};
    return (struct end){uniform_both(u, a.flow, b.flow), behaviours};
}

struct arm {
    struct uniform_node *before; /* its condition */
    struct end end;
};

/* A chain of if ... else if ... is one 'if' in the 'else' of another. */
static struct end walk_if(struct uniformity *u, struct wgsl_stmt *s, struct uniform_node *flow) {
    struct uniform_exits exits = {NULL, 0};
    uint32_t mark = u->log_count, count = 0;
    struct arm *arms = NULL;
    for (; s && s->kind == ST_IF; s = s->else_) {
        struct arm arm = {.before = flow};
        flow = uniform_condition(u, s->condition, flow);
        uint32_t arm_mark = u->log_count;
        arm.end = walk_block(u, s->body, flow);
        if (arm.end.behaviours & BEHAVE_NEXT)
            uniform_leave(u, mark, &exits);
        uniform_go_back(u, arm_mark);
        HEAP_PUSH(u->heap, arms, count, arm);
    }
    struct end end = walk_block(u, s ? s->block : NULL, flow);
    if (end.behaviours & BEHAVE_NEXT)
        uniform_leave(u, mark, &exits);
    uniform_go_back(u, mark);
    uniform_join(u, &exits);
    while (count--)
        end = end_branch(u, arms[count].before, arms[count].end, end);
    return end;
}

static struct end walk_switch(struct uniformity *u, struct wgsl_stmt *s,
                              struct uniform_node *flow) {
    struct uniform_node *chosen = uniform_condition(u, s->condition, flow);
    struct uniform_target target = {.outer = u->target, .mark = u->log_count};
    struct uniform_node *ends = NULL;
    unsigned behaviours = 0;
    u->target = &target;
    for (uint32_t i = 0; i < s->case_count; i++) {
        struct end end = walk_block(u, s->cases[i].body, chosen);
        if (end.behaviours & BEHAVE_NEXT)
            uniform_leave(u, target.mark, &target.breaks);
        uniform_go_back(u, target.mark);
        ends = uniform_both(u, ends, end.flow);
        behaviours |= end.behaviours;
    }
    u->target = target.outer;
    uniform_join(u, &target.breaks);
    if (behaviours & BEHAVE_BREAK)
        behaviours = (behaviours & ~(unsigned)BEHAVE_BREAK) | BEHAVE_NEXT;
    return (struct end){behaviours == BEHAVE_NEXT ? flow : ends, behaviours};
}

/* -- loops -- */

/* The variables from outside that a loop changes, each once. */
struct changed {
    struct uniformity *u;
    uint32_t *indices;
    uint32_t count;
};

static void add_changed(struct changed *c, const struct wgsl_expr *memory) {
    const struct wgsl_variable *v = uniform_local(memory);
    if (!v || !c->u->values[v->index] || c->u->stamps[v->index] == c->u->stamp)
        return;
    c->u->stamps[v->index] = c->u->stamp;
    HEAP_PUSH(c->u->heap, c->indices, c->count, v->index);
}

static void change_by_stmt(void *context, struct wgsl_stmt *s) {
    if (s->kind == ST_ASSIGN || s->kind == ST_COMPOUND || s->kind == ST_INCREMENT)
        add_changed(context, s->lhs);
}

static void change_by_call(void *context, struct wgsl_expr *e) {
    if (e->kind == EX_USER)
        for (uint32_t i = 0; i < e->arg_count; i++)
            if (e->args[i]->type->kind == TY_PTR)
                add_changed(context, e->args[i]);
}

static void find_changed(struct changed *c, struct wgsl_stmt *s) {
    const struct wgsl_visitor visitor = {change_by_stmt, change_by_call, c};
    c->u->stamp++;
    wgsl_walk_expr(&visitor, s->condition);
    wgsl_walk_block(&visitor, s->body);
    wgsl_walk_block(&visitor, s->continuing);
    wgsl_walk_expr(&visitor, s->break_if);
    struct wgsl_block update = {.first = s->update};
    wgsl_walk_block(&visitor, &update);
}

/* At the start of each trip a variable holds what it did before the loop or after a trip. */
static struct uniform_node **begin_trip(struct uniformity *u, const struct changed *c) {
    struct uniform_node **nodes = heap_alloc(u->heap, (c->count + 1) * sizeof *nodes);
    for (uint32_t i = 0; i < c->count; i++) {
        nodes[i] = graph_node(&u->graph);
        graph_edge(&u->graph, nodes[i], u->values[c->indices[i]]);
        uniform_assign(u, c->indices[i], nodes[i]);
    }
    return nodes;
}

/* What follows a trip's body; returns control flow at its end. */
static struct uniform_node *walk_continuing(struct uniformity *u, struct wgsl_stmt *s,
                                            struct uniform_node *flow) {
    flow = walk_block(u, s->continuing, flow).flow;
    flow = walk_list(u, s->update, flow).flow;
    if (!s->break_if)
        return flow;
    flow = uniform_condition(u, s->break_if, flow);
    uniform_leave(u, u->target->mark, &u->target->breaks);
    return flow;
}

/* A body that is left by its condition, as one that begins with 'if !condition { break; }'. */
static struct end walk_trip(struct uniformity *u, struct wgsl_stmt *s, struct uniform_node *flow) {
    if (!s->condition)
        return walk_block(u, s->body, flow);
    flow = uniform_condition(u, s->condition, flow);
    uniform_leave(u, u->target->mark, &u->target->breaks);
    struct end end = walk_block(u, s->body, flow);
    end.behaviours |= BEHAVE_BREAK;
    return end;
}

static struct end walk_loop(struct uniformity *u, struct wgsl_stmt *s, struct uniform_node *flow) {
    if (s->init)
        walk_stmt(u, s->init, flow);
    struct changed changed = {.u = u};
    find_changed(&changed, s);
    struct uniform_node **starts = begin_trip(u, &changed);
    struct uniform_target target = {.outer = u->target, .is_loop = true, .mark = u->log_count};
    struct uniform_node *trip = graph_node(&u->graph);
    graph_edge(&u->graph, trip, flow);
    u->target = &target;
    struct end body = walk_trip(u, s, trip);
    if (body.behaviours & BEHAVE_NEXT)
        uniform_leave(u, target.mark, &target.continues);
    bool repeats = body.behaviours & (BEHAVE_NEXT | BEHAVE_CONTINUE);
    if (repeats) {
        uniform_go_back(u, target.mark);
        uniform_join(u, &target.continues);
        graph_edge(&u->graph, trip, walk_continuing(u, s, body.flow));
        for (uint32_t i = 0; i < changed.count; i++)
            graph_edge(&u->graph, starts[i], u->values[changed.indices[i]]);
    }
    uniform_go_back(u, target.mark);
    uniform_join(u, &target.breaks);
    u->target = target.outer;
    struct end end = {flow, target.breaks.count ? BEHAVE_NEXT : 0};
    if (body.behaviours & BEHAVE_RETURN) {
        end.flow = repeats ? trip : body.flow;
        end.behaviours |= BEHAVE_RETURN;
    }
    return end;
}

/* -- all statements -- */

static struct end walk_stmt(struct uniformity *u, struct wgsl_stmt *s, struct uniform_node *flow) {
    struct end end = {flow, BEHAVE_NEXT};
    switch (s->kind) {
    case ST_BLOCK:
        return walk_block(u, s->block, flow);
    case ST_IF:
        return walk_if(u, s, flow);
    case ST_SWITCH:
        return walk_switch(u, s, flow);
    case ST_LOOP:
    case ST_FOR:
    case ST_WHILE:
        return walk_loop(u, s, flow);
    case ST_DECLARE:
        walk_declaration(u, s->variable, flow);
        break;
    case ST_ASSIGN:
    case ST_COMPOUND:
    case ST_INCREMENT:
        walk_assignment(u, s, flow);
        break;
    case ST_PHONY:
    case ST_CALL:
        uniform_value(u, s->rhs, flow);
        break;
    case ST_BREAK:
    case ST_CONTINUE:
        walk_jump(u, s->kind == ST_CONTINUE);
        end.behaviours = s->kind == ST_CONTINUE ? BEHAVE_CONTINUE : BEHAVE_BREAK;
        break;
    case ST_RETURN:
        walk_return(u, s, flow);
        end.behaviours = BEHAVE_RETURN;
        break;
    case ST_DISCARD:
    case ST_CONST_ASSERT:
        break;
    }
    return end;
}

void uniform_walk(struct uniformity *u) {
    if (walk_block(u, u->function->body, u->start).behaviours & BEHAVE_NEXT)
        walk_exit(u);
}
