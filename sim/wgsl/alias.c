/* Alias analysis. */
#include "sim/wgsl/resolve.h"
#include "sim/wgsl/walk.h"

enum { USE_READ = 1, USE_WRITE = 2 };

/* How a function uses memory that its callers can name too, itself or in callees: bits of USE_. */
struct uses {
    uint8_t *globals; /* by index */
    uint8_t *params;  /* what pointer parameters point at */
};

struct alias_check {
    struct wgsl_resolver *r;
    struct uses *functions; /* by index */
    struct uses *here;      /* of the function in hand */
};

static void add_use(struct alias_check *a, struct wgsl_variable *v, unsigned how) {
    if (!v)
        return;
    if (how & USE_WRITE)
        v->written = true;
    if (v->is_global)
        a->here->globals[v->index] |= (uint8_t)how;
    else if (v->kind == VAR_PARAM)
        a->here->params[v->index] |= (uint8_t)how;
}

static void visit_stmt(void *context, struct wgsl_stmt *s) {
    struct alias_check *a = context;
    if (s->kind == ST_ASSIGN)
        add_use(a, s->lhs->root, USE_WRITE);
    if (s->kind == ST_COMPOUND || s->kind == ST_INCREMENT)
        add_use(a, s->lhs->root, USE_READ | USE_WRITE);
}

static bool conflict(unsigned a, unsigned b) {
    return a && b && (a | b) & USE_WRITE;
}

static struct wgsl_diagnostic *report(struct alias_check *a, const struct wgsl_expr *arg) {
    return wgsl_diagnose(a->r->diagnostics, resolve_beyond_standard(a->r), arg->span,
                         "this call uses '%s' by two names, and writes to it", arg->root->name);
}

static void check_argument(struct alias_check *a, const struct wgsl_expr *call, uint32_t i) {
    const struct uses *callee = &a->functions[call->function->index];
    const struct wgsl_variable *root = call->args[i]->root;
    for (uint32_t k = 0; k < i; k++)
        if (call->args[k]->root == root && conflict(callee->params[i], callee->params[k])) {
            wgsl_note(a->r->diagnostics, report(a, call->args[i]), call->args[k]->span,
                      "passed here too");
            return;
        }
    if (root->is_global && conflict(callee->params[i], callee->globals[root->index]))
        wgsl_note(a->r->diagnostics, report(a, call->args[i]), call->function->span,
                  "'%s' uses '%s' by its name", call->function->name, root->name);
}

static void visit_call(struct alias_check *a, const struct wgsl_expr *call) {
    const struct wgsl_function *f = call->function;
    const struct uses *callee = &a->functions[f->index];
    for (uint32_t i = 0; i < call->arg_count; i++)
        if (call->args[i]->type->kind == TY_PTR && call->args[i]->root) {
            check_argument(a, call, i);
            add_use(a, call->args[i]->root, callee->params[i]);
        }
    for (uint32_t i = 0; i < f->global_count; i++)
        add_use(a, f->globals[i], callee->globals[f->globals[i]->index]);
}

static void visit_builtin(struct alias_check *a, const struct wgsl_expr *call) {
    struct wgsl_variable *root = call->arg_count ? call->args[0]->root : NULL;
    if (call->builtin == BI_atomicLoad || call->builtin == BI_workgroupUniformLoad)
        add_use(a, root, USE_READ);
    else if (call->builtin == BI_atomicStore)
        add_use(a, root, USE_WRITE);
    else if (call->builtin >= BI_atomicAdd && call->builtin <= BI_atomicCompareExchangeWeak)
        add_use(a, root, USE_READ | USE_WRITE);
}

static void visit_expr(void *context, struct wgsl_expr *e) {
    struct alias_check *a = context;
    bool reads =
        e->kind == EX_LOAD || (e->kind == EX_SWIZZLE && e->swizzle_count > 1 &&
                               (e->lhs->type->kind == TY_REF || e->lhs->type->kind == TY_PTR));
    if (reads)
        add_use(a, e->lhs->root, USE_READ);
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
        a.here->globals = heap_alloc(r->heap, m->global_count + 1);
        a.here->params = heap_alloc(r->heap, m->functions[i]->param_count + 1);
        wgsl_walk_block(&visitor, m->functions[i]->body);
    }
}
