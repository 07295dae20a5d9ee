/* Alias analysis. */
#include "sim/wgsl/resolve.h"
#include "sim/wgsl/walk.h"

enum { USE_READ = 1, USE_WRITE = 2 };

/* How a function uses the memory of one variable or pointer parameter, itself or in callees. */
struct use {
    struct wgsl_variable *variable;
    unsigned how;
    struct wgsl_span span; /* of the first such use */
};

struct uses {
    struct use *items;
    uint32_t count;
};

struct alias_check {
    struct wgsl_resolver *r;
    struct uses *functions; /* by function's index */
    struct uses *here;      /* of the function in hand */
};

static struct use *find_use(const struct uses *uses, const struct wgsl_variable *v) {
    for (uint32_t i = 0; i < uses->count; i++)
        if (uses->items[i].variable == v)
            return &uses->items[i];
    return NULL;
}

static void add_use(struct alias_check *a, struct wgsl_variable *v, unsigned how,
                    struct wgsl_span span) {
    if (!v || !how)
        return;
    if (how & USE_WRITE)
        v->written = true;
    struct use *use = find_use(a->here, v);
    if (use) {
        use->how |= how;
        return;
    }
    struct use added = {v, how, span};
    HEAP_PUSH(a->r->heap, a->here->items, a->here->count, added);
}

static void visit_stmt(void *context, struct wgsl_stmt *s) {
    struct alias_check *a = context;
    if (s->kind == ST_ASSIGN)
        add_use(a, s->lhs->root, USE_WRITE, s->lhs->span);
    if (s->kind == ST_COMPOUND || s->kind == ST_INCREMENT)
        add_use(a, s->lhs->root, USE_READ | USE_WRITE, s->lhs->span);
}

/* What a call does to the memory behind argument i. */
static unsigned argument_use(const struct alias_check *a, const struct wgsl_expr *call,
                             uint32_t i) {
    const struct use *use =
        find_use(&a->functions[call->function->index], call->function->params[i]);
    return use ? use->how : 0;
}

static bool conflict(unsigned a, unsigned b) {
    return a && b && (a | b) & USE_WRITE;
}

static void report(struct alias_check *a, struct wgsl_span span, const char *name,
                   struct wgsl_span other, const char *how) {
    wgsl_note(a->r->diagnostics,
              wgsl_diagnose(a->r->diagnostics, resolve_beyond_standard(a->r), span,
                            "this call uses '%s' by two names, and writes to it", name),
              other, "%s", how);
}

static void check_argument(struct alias_check *a, const struct wgsl_expr *call, uint32_t i) {
    const struct wgsl_variable *root = call->args[i]->root;
    unsigned how = argument_use(a, call, i);
    for (uint32_t k = 0; k < i; k++)
        if (call->args[k]->root == root && conflict(how, argument_use(a, call, k))) {
            report(a, call->args[i]->span, root->name, call->args[k]->span, "passed here too");
            return;
        }
    const struct use *global =
        root->is_global ? find_use(&a->functions[call->function->index], root) : NULL;
    if (global && conflict(how, global->how))
        report(a, call->args[i]->span, root->name, global->span, "used here by its name");
}

static void visit_call(struct alias_check *a, const struct wgsl_expr *call) {
    const struct uses *callee = &a->functions[call->function->index];
    for (uint32_t i = 0; i < call->arg_count; i++)
        if (call->args[i]->type->kind == TY_PTR && call->args[i]->root) {
            check_argument(a, call, i);
            add_use(a, call->args[i]->root, argument_use(a, call, i), call->args[i]->span);
        }
    for (uint32_t i = 0; i < callee->count; i++)
        if (callee->items[i].variable->is_global)
            add_use(a, callee->items[i].variable, callee->items[i].how, callee->items[i].span);
}

static void visit_builtin(struct alias_check *a, const struct wgsl_expr *call) {
    struct wgsl_variable *root = call->arg_count ? call->args[0]->root : NULL;
    if (call->builtin == BI_atomicLoad || call->builtin == BI_workgroupUniformLoad)
        add_use(a, root, USE_READ, call->span);
    else if (call->builtin == BI_atomicStore)
        add_use(a, root, USE_WRITE, call->span);
    else if (call->builtin >= BI_atomicAdd && call->builtin <= BI_atomicCompareExchangeWeak)
        add_use(a, root, USE_READ | USE_WRITE, call->span);
}

static void visit_expr(void *context, struct wgsl_expr *e) {
    struct alias_check *a = context;
    bool reads =
        e->kind == EX_LOAD || (e->kind == EX_SWIZZLE && e->swizzle_count > 1 &&
                               (e->lhs->type->kind == TY_REF || e->lhs->type->kind == TY_PTR));
    if (reads)
        add_use(a, e->lhs->root, USE_READ, e->span);
    else if (e->kind == EX_USER)
        visit_call(a, e);
    else if (e->kind == EX_BUILTIN)
        visit_builtin(a, e);
}

void wgsl_check_aliases(struct wgsl_resolver *r) {
    struct wgsl_module *m = r->module;
    struct alias_check a = {.r = r};
    a.functions = heap_alloc(r->heap, (m->function_count + 1) * sizeof *a.functions);
    struct wgsl_visitor visitor = {visit_stmt, visit_expr, &a};
    for (uint32_t i = 0; i < m->function_count; i++) {
        a.here = &a.functions[i];
        wgsl_walk_block(&visitor, m->functions[i]->body);
    }
}
