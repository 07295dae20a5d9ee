/* Uniformity analysis: functions, callees before callers. */
#include "sim/wgsl/uniformity.h"

/* -- the start -- */

static bool is_input_same(const struct wgsl_io *io, enum wgsl_shader_stage stage,
                          enum uniform_scope scope) {
    switch (io->builtin) {
    case BV_workgroup_id:
    case BV_workgroup_index:
    case BV_num_workgroups:
    case BV_num_subgroups:
        return true;
    case BV_subgroup_size:
        return stage == SHADER_COMPUTE;
    case BV_subgroup_id:
        return scope == SCOPE_SUBGROUP;
    default:
        return false;
    }
}

/* A struct is one value: the same only if all of its members are. */
static bool is_parameter_same(const struct uniformity *u, const struct wgsl_variable *p,
                              enum uniform_scope scope) {
    enum wgsl_shader_stage stage = u->function->stage;
    if (p->type->kind != TY_STRUCT)
        return is_input_same(&p->io, stage, scope);
    for (uint32_t i = 0; i < p->type->member_count; i++)
        if (!is_input_same(&p->type->members[i].io, stage, scope))
            return false;
    return true;
}

static void start_input(struct uniformity *u, const struct wgsl_variable *p) {
    struct uniform_node *node = u->ports[p->index].value;
    node->input = p;
    for (int scope = 0; scope < SCOPE_COUNT; scope++)
        if (!is_parameter_same(u, p, scope))
            graph_edge(&u->graph, node, u->graph.different[scope]);
}

static void start_parameter(struct uniformity *u, const struct wgsl_variable *p) {
    struct uniform_port *port = &u->ports[p->index];
    port->value = graph_node(&u->graph);
    if (p->type->kind == TY_PTR && p->type->space == AS_FUNCTION) {
        port->contents = graph_node(&u->graph);
        port->after = graph_node(&u->graph);
        u->values[p->index] = port->contents;
    }
    if (u->function->stage != SHADER_NONE)
        start_input(u, p);
}

static void start(struct uniformity *u) {
    const struct wgsl_function *f = u->function;
    uint32_t count = f->param_count + f->local_count;
    graph_init(&u->graph, u->heap);
    u->start = graph_node(&u->graph);
    u->result = graph_node(&u->graph);
    u->last_demand = &u->demands;
    u->values = heap_alloc(u->heap, (count + 1) * sizeof(struct uniform_node *));
    u->stamps = heap_alloc(u->heap, (count + 1) * sizeof *u->stamps);
    u->places = heap_alloc(u->heap, (count + 1) * sizeof *u->places);
    u->ports = heap_alloc(u->heap, (f->param_count + 1) * sizeof *u->ports);
    for (uint32_t i = 0; i < f->param_count; i++)
        start_parameter(u, f->params[i]);
}

/* -- what callers have to know -- */

static struct uniform_flow summarise_flow(struct uniformity *u, struct uniform_node *node) {
    uint32_t count = u->function->param_count;
    struct uniform_flow f = {.values = heap_alloc(u->kept, count + 1),
                             .contents = heap_alloc(u->kept, count + 1)};
    graph_mark(&u->graph, node);
    uint32_t mark = u->graph.mark;
    for (int scope = 0; scope < SCOPE_COUNT; scope++)
        f.different[scope] = u->graph.different[scope]->mark == mark;
    for (uint32_t i = 0; i < count; i++) {
        f.values[i] = u->ports[i].value->mark == mark;
        f.contents[i] = u->ports[i].contents && u->ports[i].contents->mark == mark;
    }
    return f;
}

static void summarise(struct uniformity *u, struct uniform_summary *s) {
    uint32_t count = u->function->param_count;
    s->params = heap_alloc(u->kept, (count + 1) * sizeof *s->params);
    s->result = summarise_flow(u, u->result);
    for (int scope = 0; scope < SCOPE_COUNT; scope++) {
        s->control[scope] = u->start->demand[scope];
        for (uint32_t i = 0; i < count; i++) {
            s->params[i].value[scope] = u->ports[i].value->demand[scope];
            if (u->ports[i].contents)
                s->params[i].contents[scope] = u->ports[i].contents->demand[scope];
        }
    }
    for (uint32_t i = 0; i < count; i++)
        if (u->ports[i].after)
            s->params[i].after = summarise_flow(u, u->ports[i].after);
}

/* -- one function -- */

/* A demand that is met leaves something to the callers; one that is not is reported, once for each
 * call. */
static void check_demands(struct uniformity *u) {
    const struct wgsl_expr *reported = NULL;
    graph_find_blame(&u->graph);
    for (const struct uniform_demand *d = u->demands; d; d = d->next)
        if (d->node->blame[d->scope] && d->call != reported) {
            uniform_report(u, d);
            reported = d->call;
        }
    for (enum wgsl_severity severity = WGSL_ERROR; severity > WGSL_OFF; severity--)
        for (const struct uniform_demand *d = u->demands; d; d = d->next)
            if (d->severity == severity && !d->node->blame[d->scope])
                graph_spread_demand(d);
}

static void check_function(struct uniformity *u, const struct wgsl_function *f) {
    u->function = f;
    start(u);
    uniform_walk(u);
    check_demands(u);
    summarise(u, &u->summaries[f->index]);
}

/* -- all functions -- */

/* What the analysis makes, none of which outlives it. */
struct memory {
    struct arena kept_arena, arena; /* of all functions, of one */
    struct wgsl_heap kept, heap;
};

static void check_functions(const struct wgsl_module *module, enum wgsl_severity worst,
                            struct wgsl_diagnostics *diagnostics, struct memory *m) {
    struct uniform_summary *summaries =
        heap_alloc(&m->kept, (module->function_count + 1) * sizeof *summaries);
    for (uint32_t i = 0; i < module->function_count; i++) {
        struct uniformity u = {.diagnostics = diagnostics,
                               .worst = worst,
                               .kept = &m->kept,
                               .heap = &m->heap,
                               .summaries = summaries};
        check_function(&u, module->functions[i]);
        arena_release(&m->arena);
        m->heap.used_bytes = 0;
    }
}

/* Running out of memory comes back here. */
static void check_guarded(const struct wgsl_module *module, enum wgsl_severity worst,
                          struct wgsl_diagnostics *diagnostics, struct memory *m) {
    jmp_buf full;
    m->kept.full = m->heap.full = &full;
    if (setjmp(full) == 0)
        check_functions(module, worst, diagnostics, m);
    else
        wgsl_diagnose(diagnostics, WGSL_ERROR, (struct wgsl_span){0},
                      "out of memory for the uniformity of this shader");
    m->kept.full = m->heap.full = NULL;
}

void wgsl_check_uniformity(const struct wgsl_module *module, enum wgsl_severity worst,
                           struct wgsl_diagnostics *diagnostics) {
    struct memory m = {0};
    arena_init(&m.kept_arena);
    arena_init(&m.arena);
    m.kept.arena = &m.kept_arena;
    m.heap.arena = &m.arena;
    check_guarded(module, worst, diagnostics, &m);
    arena_release(&m.arena);
    arena_release(&m.kept_arena);
}
