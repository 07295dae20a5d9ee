/* Checks of entry points and what they reach. */
#include <stdlib.h>
#include <string.h>

#include "sim/wgsl/resolve.h"
#include "sim/wgsl/walk.h"

/* What a function holds that not all stages allow: the first place of each kind. */
enum restriction { ONLY_FRAGMENT, ONLY_COMPUTE, NOT_VERTEX, RESTRICTION_COUNT };

struct restricted {
    struct {
        const char *what; /* NULL: nothing */
        struct wgsl_span span;
    } uses[RESTRICTION_COUNT];
};

struct stage_check {
    struct wgsl_resolver *r;
    struct restricted *functions; /* by function's index */
    struct restricted *here;
    bool *seen;
};

static void restrict_to(struct stage_check *c, enum restriction kind, const char *what,
                        struct wgsl_span span) {
    if (c->here->uses[kind].what)
        return;
    c->here->uses[kind].what = what;
    c->here->uses[kind].span = span;
}

static void visit_stmt(void *context, struct wgsl_stmt *s) {
    if (s->kind == ST_DISCARD)
        restrict_to(context, ONLY_FRAGMENT, "discard", s->span);
}

static void visit_variable(struct stage_check *c, const struct wgsl_expr *e) {
    const struct wgsl_variable *v = e->variable;
    if (v->kind != VAR_VAR || !v->type)
        return;
    bool writes = (v->space == AS_STORAGE && v->access == AM_READ_WRITE) ||
                  (v->type->kind == TY_TEXTURE && v->type->texture == TEXTURE_STORAGE &&
                   v->type->access != AM_READ);
    if (v->space == AS_WORKGROUP)
        restrict_to(c, ONLY_COMPUTE, v->name, e->span);
    else if (writes)
        restrict_to(c, NOT_VERTEX, v->name, e->span);
}

static void visit_expr(void *context, struct wgsl_expr *e) {
    struct stage_check *c = context;
    if (e->kind == EX_VARIABLE)
        visit_variable(c, e);
    if (e->kind != EX_BUILTIN)
        return;
    unsigned flags = builtin_flags(e->builtin);
    const char *name = builtin_name(e->builtin);
    if (flags & BF_FRAGMENT)
        restrict_to(c, ONLY_FRAGMENT, name, e->span);
    if (flags & BF_COMPUTE)
        restrict_to(c, ONLY_COMPUTE, name, e->span);
    if (flags & (BF_COMPUTE_OR_FRAGMENT | BF_SUBGROUP))
        restrict_to(c, NOT_VERTEX, name, e->span);
}

static void check_function(struct stage_check *c, const struct wgsl_function *entry,
                           const struct wgsl_function *f) {
    static const char *const names[] = {"", "vertex", "fragment", "compute"};
    static const bool allowed[RESTRICTION_COUNT][4] = {
        [ONLY_FRAGMENT][SHADER_FRAGMENT] = true,
        [ONLY_COMPUTE][SHADER_COMPUTE] = true,
        [NOT_VERTEX][SHADER_FRAGMENT] = true,
        [NOT_VERTEX][SHADER_COMPUTE] = true,
    };
    for (int k = 0; k < RESTRICTION_COUNT; k++) {
        const struct restricted *u = &c->functions[f->index];
        if (!u->uses[k].what || allowed[k][entry->stage])
            continue;
        enum wgsl_severity severity = k == NOT_VERTEX ? resolve_beyond_standard(c->r) : WGSL_ERROR;
        struct wgsl_diagnostic *d = wgsl_diagnose(c->r->diagnostics, severity, u->uses[k].span,
                                                  "'%s' cannot be used in a %s shader",
                                                  u->uses[k].what, names[entry->stage]);
        wgsl_note(c->r->diagnostics, d, entry->span, "'%s' gets here", entry->name);
    }
}

/* All functions that an entry point reaches; callees lie before callers in the module, so one
 * pass from it downwards finds them. */
static void check_reachable(struct stage_check *c, const struct wgsl_function *entry) {
    struct wgsl_module *m = c->r->module;
    memset(c->seen, 0, m->function_count * sizeof *c->seen);
    c->seen[entry->index] = true;
    for (uint32_t i = entry->index + 1; i > 0; i--) {
        const struct wgsl_function *f = m->functions[i - 1];
        if (!c->seen[f->index])
            continue;
        check_function(c, entry, f);
        for (uint32_t k = 0; k < f->callee_count; k++)
            c->seen[f->callees[k]->index] = true;
    }
}

static void check_bindings(struct wgsl_resolver *r, const struct wgsl_function *entry) {
    for (uint32_t i = 0; i < entry->global_count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const struct wgsl_variable *a = entry->globals[k], *b = entry->globals[i];
            if (!a->has_binding || !b->has_binding || a->group != b->group ||
                a->binding != b->binding)
                continue;
            struct wgsl_diagnostic *d = RESOLVE_ERROR(
                r, b->span, "'%s' and '%s', both used by '%s', have the same group %u, binding %u",
                a->name, b->name, entry->name, a->group, a->binding);
            wgsl_note(r->diagnostics, d, a->span, "'%s' is declared here", a->name);
        }
}

static void check_override_ids(struct wgsl_resolver *r) {
    struct wgsl_module *m = r->module;
    for (uint32_t i = 0; i < m->override_count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (m->overrides[i]->has_id && m->overrides[k]->has_id &&
                m->overrides[i]->id == m->overrides[k]->id)
                wgsl_note(r->diagnostics,
                          RESOLVE_ERROR(r, m->overrides[i]->span, "@id(%u) is taken",
                                        m->overrides[i]->id),
                          m->overrides[k]->span, "'%s' has it", m->overrides[k]->name);
}

static int compare_globals(const void *a, const void *b) {
    const struct wgsl_variable *const *u = a, *const *v = b;
    return ((*u)->index > (*v)->index) - ((*u)->index < (*v)->index);
}

void wgsl_check_entry_points(struct wgsl_resolver *r) {
    struct wgsl_module *m = r->module;
    struct stage_check c = {.r = r};
    c.functions = heap_alloc(r->heap, (m->function_count + 1) * sizeof *c.functions);
    c.seen = heap_alloc(r->heap, (m->function_count + 1) * sizeof *c.seen);
    struct wgsl_visitor visitor = {visit_stmt, visit_expr, &c};
    for (uint32_t i = 0; i < m->function_count; i++) {
        struct wgsl_function *f = m->functions[i];
        c.here = &c.functions[i];
        wgsl_walk_block(&visitor, f->body);
        if (f->global_count)
            qsort(f->globals, f->global_count, sizeof *f->globals, compare_globals);
        if (f->stage == SHADER_NONE)
            continue;
        check_reachable(&c, f);
        check_bindings(r, f);
    }
    check_override_ids(r);
}
