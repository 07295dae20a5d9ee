/* What becomes known at pipeline creation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/wgsl/eval.h"
#include "sim/wgsl/front.h"
#include "sim/wgsl/walk.h"

/* One evaluation for a pipeline. */
struct evaluation {
    struct wgsl_pipeline *pipeline;
    struct wgsl_heap heap;
    struct wgsl_eval eval;
    const struct wgsl_setting *settings; /* while the pipeline is made */
    uint32_t setting_count;
    bool *pending; /* by override_index: being evaluated or failed */
};

static const struct wgsl_value *evaluate(struct evaluation *v, const struct wgsl_expr *e);
static uint64_t array_count(struct evaluation *v, const struct wgsl_type *array);

#define PIPELINE_ERROR(v, span, ...)                                                               \
    wgsl_diagnose((v)->eval.diagnostics, WGSL_ERROR, (span), __VA_ARGS__)

/* -- expressions -- */

static const struct wgsl_value *evaluate_binary(struct evaluation *v, const struct wgsl_expr *e) {
    const struct wgsl_value *a = evaluate(v, e->lhs);
    if (!a)
        return NULL;
    bool logical = e->op == OP_LOGICAL_AND || e->op == OP_LOGICAL_OR;
    if (logical && value_leaf(a, 0).i == (e->op == OP_LOGICAL_OR))
        return a;
    const struct wgsl_value *b = evaluate(v, e->rhs);
    return b ? eval_binary(&v->eval, e->op, a, b, e->type, e->span) : NULL;
}

/* Constructors and builtin functions. */
static const struct wgsl_value *evaluate_call(struct evaluation *v, const struct wgsl_expr *e) {
    const struct wgsl_value **args = heap_alloc(&v->heap, (e->arg_count + 1) * sizeof *args);
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!(args[i] = evaluate(v, e->args[i])))
            return NULL;
    if (e->kind == EX_CONSTRUCT)
        return eval_construct(&v->eval, e->construct, args, e->arg_count, e->type, e->span);
    return eval_builtin(&v->eval, e->builtin, args, e->arg_count, e->type, e->span);
}

static bool check_index(struct evaluation *v, const struct wgsl_expr *e, int64_t index) {
    const struct wgsl_type *base = type_unref(e->lhs->type);
    uint64_t count = base->kind == TY_ARRAY ? array_count(v, base)
                     : base->kind == TY_MAT ? base->columns
                                            : base->rows;
    if (index >= 0 && (count == 0 || (uint64_t)index < count))
        return true;
    PIPELINE_ERROR(v, e->rhs->span, "index %lld is out of bounds of '%s'", (long long)index,
                   base->name);
    return false;
}

static const struct wgsl_value *evaluate_index(struct evaluation *v, const struct wgsl_expr *e) {
    const struct wgsl_value *base = evaluate(v, e->lhs), *index = evaluate(v, e->rhs);
    if (!base || !index || !check_index(v, e, value_leaf(index, 0).i))
        return NULL;
    return eval_index(&v->eval, base, (uint64_t)value_leaf(index, 0).i);
}

/* Whether a setting needs no conversion that changes what a person wrote. */
static bool is_exact(const struct wgsl_setting *setting, enum wgsl_type_kind kind) {
    if (setting->written == WRITTEN_FOR_API)
        return true;
    if (kind == TY_BOOL)
        return setting->value == 0 || setting->value == 1;
    return setting->written == WRITTEN_AS_NUMBER &&
           (kind == TY_F32 || kind == TY_F16 || setting->value == trunc(setting->value));
}

/* The value given for an override from outside in its type, or NULL after reporting. */
static const struct wgsl_value *setting_value(struct evaluation *v,
                                              const struct wgsl_variable *override,
                                              const struct wgsl_setting *setting) {
    enum wgsl_type_kind kind = override->type->kind;
    union wgsl_scalar *leaf = HEAP_NEW(&v->heap, union wgsl_scalar);
    double x = setting->value;
    bool fits = isfinite(x) && is_exact(setting, kind);
    if (kind == TY_F32 || kind == TY_F16) {
        leaf->f = kind == TY_F32 ? value_round_f32(x) : value_round_f16(x);
        fits = fits && isfinite(leaf->f);
    } else if (kind == TY_BOOL) {
        leaf->i = x != 0;
    } else {
        double least = kind == TY_I32 ? INT32_MIN : 0,
               most = kind == TY_I32 ? INT32_MAX : UINT32_MAX;
        fits = fits && trunc(x) >= least && trunc(x) <= most;
        leaf->i = fits ? (int64_t)x : 0;
    }
    if (!fits) {
        char number[32];
        snprintf(number, sizeof number, "%.12g", x);
        PIPELINE_ERROR(v, override->span, "the value given for '%s', %s, does not fit in '%s'",
                       override->name,
                       setting->written != WRITTEN_AS_TRUTH ? number
                       : x != 0                             ? "true"
                                                            : "false",
                       override->type->name);
        return NULL;
    }
    return eval_value(&v->eval, override->type, leaf);
}

static bool names(const struct wgsl_setting *setting, const struct wgsl_variable *override) {
    char number[16];
    snprintf(number, sizeof number, "%u", override->id);
    return strcmp(setting->key, override->name) == 0 ||
           (override->has_id && strcmp(setting->key, number) == 0);
}

static const struct wgsl_value *evaluate_override(struct evaluation *v,
                                                  const struct wgsl_variable *override) {
    const struct wgsl_value **value = &v->pipeline->overrides[override->override_index];
    if (*value || !v->pending || v->pending[override->override_index])
        return *value;
    v->pending[override->override_index] = true;
    for (uint32_t i = 0; i < v->setting_count; i++)
        if (names(&v->settings[i], override))
            return *value = setting_value(v, override, &v->settings[i]);
    if (override->init)
        return *value = evaluate(v, override->init);
    if (v->pipeline->partial)
        v->pipeline->missing[override->override_index] = true;
    else
        PIPELINE_ERROR(v, override->span, "'%s' has no default and was given no value",
                       override->name);
    return NULL;
}

/* The value of a const- or override-expression; NULL after reporting. */
static const struct wgsl_value *evaluate(struct evaluation *v, const struct wgsl_expr *e) {
    const struct wgsl_value *of;
    if (e->value)
        return e->value;
    switch (e->kind) {
    case EX_VARIABLE:
        return e->variable->kind == VAR_OVERRIDE ? evaluate_override(v, e->variable) : NULL;
    case EX_UNARY:
        of = evaluate(v, e->lhs);
        return of ? eval_unary(&v->eval, e->op, of) : NULL;
    case EX_BINARY:
        return evaluate_binary(v, e);
    case EX_CONSTRUCT:
    case EX_BUILTIN:
        return evaluate_call(v, e);
    case EX_INDEX:
        return evaluate_index(v, e);
    case EX_MEMBER:
        of = evaluate(v, e->lhs);
        return of ? eval_member(&v->eval, of, e->member->index) : NULL;
    case EX_SWIZZLE:
        of = evaluate(v, e->lhs);
        return of ? eval_swizzle(&v->eval, of, e->swizzle, e->type) : NULL;
    default:
        return NULL;
    }
}

/* -- code -- */

/* The value of an operand that is known by now, or NULL. */
static const struct wgsl_value *known(struct evaluation *v, const struct wgsl_expr *e) {
    return e->stage <= STAGE_OVERRIDE ? evaluate(v, e) : NULL;
}

/* A builtin function with some arguments that are overrides. */
static void check_builtin(struct evaluation *v, const struct wgsl_expr *e) {
    const struct wgsl_value **args = heap_alloc(&v->heap, (e->arg_count + 1) * sizeof *args);
    for (uint32_t i = 0; i < e->arg_count; i++)
        args[i] = known(v, e->args[i]);
    eval_check_builtin(&v->eval, e->builtin, args, e->arg_count, e->type, e->span);
}

/* Expressions that run later, with an operand that is known now. */
static void check_runtime(struct evaluation *v, const struct wgsl_expr *e) {
    const struct wgsl_value *right = NULL;
    if ((e->kind == EX_BINARY || e->kind == EX_INDEX) && e->rhs->stage == STAGE_OVERRIDE)
        right = evaluate(v, e->rhs);
    if (right && e->kind == EX_BINARY)
        eval_check_right(&v->eval, e->op, e->lhs->type, right, e->span);
    else if (right)
        check_index(v, e, value_leaf(right, 0).i);
    else if (e->kind == EX_INDEX && e->rhs->value)
        check_index(v, e, value_leaf(e->rhs->value, 0).i); /* of an override-sized array */
    else if (e->kind == EX_BUILTIN && builtin_flags(e->builtin) & BF_CONSTANT)
        check_builtin(v, e);
}

/* Checks what an expression holds; what && and || leave out is not looked at. */
static void check_expr(struct evaluation *v, const struct wgsl_expr *e) {
    if (!e || e->stage == STAGE_CONST)
        return;
    if (e->stage == STAGE_OVERRIDE) {
        evaluate(v, e);
        return;
    }
    check_expr(v, e->lhs);
    const struct wgsl_value *left =
        e->kind == EX_BINARY && (e->op == OP_LOGICAL_AND || e->op == OP_LOGICAL_OR)
            ? known(v, e->lhs)
            : NULL;
    if (left && value_leaf(left, 0).i == (e->op == OP_LOGICAL_OR))
        return;
    check_expr(v, e->rhs);
    for (uint32_t i = 0; i < e->arg_count; i++)
        check_expr(v, e->args[i]);
    check_runtime(v, e);
}

static void check_stmt(void *context, struct wgsl_stmt *s) {
    struct evaluation *v = context;
    const struct wgsl_value *right = NULL;
    if (s->variable)
        check_expr(v, s->variable->init);
    check_expr(v, s->lhs);
    check_expr(v, s->rhs);
    check_expr(v, s->condition);
    check_expr(v, s->break_if);
    if (s->kind == ST_COMPOUND && s->rhs->stage == STAGE_OVERRIDE)
        right = evaluate(v, s->rhs);
    if (right)
        eval_check_right(&v->eval, s->op, s->lhs->type->elem, right, s->span);
}

/* All functions that the entry point reaches; callees lie before callers. */
static void check_code(struct evaluation *v) {
    struct wgsl_module *m = v->pipeline->module;
    bool *reached = heap_alloc(&v->heap, m->function_count * sizeof *reached);
    struct wgsl_visitor visitor = {check_stmt, NULL, v};
    reached[v->pipeline->entry->index] = true;
    for (uint32_t i = v->pipeline->entry->index + 1; i > 0; i--) {
        struct wgsl_function *f = m->functions[i - 1];
        if (!reached[f->index])
            continue;
        wgsl_walk_block(&visitor, f->body);
        for (uint32_t k = 0; k < f->callee_count; k++)
            reached[f->callees[k]->index] = true;
    }
}

/* -- the pipeline -- */

static void evaluate_workgroup_size(struct evaluation *v) {
    struct wgsl_pipeline *p = v->pipeline;
    for (int i = 0; i < 3; i++) {
        const struct wgsl_expr *e = p->entry->workgroup_size[i];
        const struct wgsl_value *value = e ? evaluate(v, e) : NULL;
        int64_t size = value ? value_leaf(value, 0).i : 1;
        p->workgroup_size[i] = e && !value ? 0 : size < 1 ? 1 : (uint32_t)size;
        if (size < 1)
            PIPELINE_ERROR(v, e->span, "@workgroup_size must be at least 1, not %lld",
                           (long long)size);
    }
}

/* The number of elements of an override-sized array; 0 after reporting. */
static uint64_t array_count(struct evaluation *v, const struct wgsl_type *array) {
    if (array->count || !array->count_expr)
        return array->count;
    const struct wgsl_value *value = evaluate(v, array->count_expr);
    int64_t count = value ? value_leaf(value, 0).i : 0;
    if (value && count < 1)
        PIPELINE_ERROR(v, array->count_expr->span, "an array needs at least 1 element, not %lld",
                       (long long)count);
    return count < 1 ? 0 : (uint64_t)count;
}

static uint64_t type_bytes(struct evaluation *v, const struct wgsl_type *type) {
    if (type->kind != TY_ARRAY || type->count || !type->count_expr)
        return type->size;
    return array_count(v, type) * type->stride; /* below 2^31 * 2^32 */
}

static void add_workgroup_bytes(struct evaluation *v, const struct wgsl_type *type) {
    uint64_t bytes = type_bytes(v, type);
    v->pipeline->bytes_unknown |= bytes == 0;
    v->pipeline->workgroup_bytes += (bytes + 15) / 16 * 16;
}

static void evaluate_globals(struct evaluation *v) {
    const struct wgsl_function *entry = v->pipeline->entry;
    for (uint32_t i = 0; i < entry->global_count; i++) {
        const struct wgsl_variable *g = entry->globals[i];
        if (g->kind == VAR_OVERRIDE)
            evaluate_override(v, g);
        else if (g->space == AS_WORKGROUP)
            add_workgroup_bytes(v, g->type);
        else if (g->init)
            check_expr(v, g->init);
    }
}

/* The override that a setting is for, or NULL. */
static const struct wgsl_variable *named(const struct wgsl_module *m,
                                         const struct wgsl_setting *setting) {
    for (uint32_t k = 0; k < m->override_count; k++)
        if (names(setting, m->overrides[k]))
            return m->overrides[k];
    return NULL;
}

static void check_settings(struct evaluation *v) {
    const struct wgsl_module *m = v->pipeline->module;
    for (uint32_t i = 0; i < v->setting_count; i++) {
        const struct wgsl_variable *override = named(m, &v->settings[i]);
        uint32_t k = 0;
        if (!override)
            PIPELINE_ERROR(v, (struct wgsl_span){0}, "there is no override '%s'",
                           v->settings[i].key);
        while (k < i && named(m, &v->settings[k]) != override)
            k++;
        if (override && k < i)
            PIPELINE_ERROR(v, override->span, "two values are given for '%s'", override->name);
    }
}

static bool is_compute(const struct wgsl_function *f) {
    return f->stage == SHADER_COMPUTE;
}

/* name: NULL, or what no entry point is called. */
static void report_no_entry(struct evaluation *v, const char *name) {
    struct wgsl_module *m = v->pipeline->module;
    const char *names = "";
    for (uint32_t i = 0; i < m->function_count; i++)
        if (is_compute(m->functions[i]))
            names =
                heap_printf(&v->heap, "%s%s%s", names, *names ? ", " : "", m->functions[i]->name);
    if (name && *names)
        PIPELINE_ERROR(v, (struct wgsl_span){0}, "entry point '%s' is none of %s", name, names);
    else
        PIPELINE_ERROR(v, (struct wgsl_span){0}, "there is no compute entry point");
}

static struct wgsl_function *find_entry(struct evaluation *v, const char *name) {
    struct wgsl_module *m = v->pipeline->module;
    struct wgsl_function *found = NULL;
    for (uint32_t i = 0; i < m->function_count; i++) {
        struct wgsl_function *f = m->functions[i];
        if (!is_compute(f) || (name && strcmp(f->name, name) != 0))
            continue;
        if (found) {
            PIPELINE_ERROR(v, f->span,
                           "there are several compute entry points: say which one to run");
            return NULL;
        }
        found = f;
    }
    if (!found)
        report_no_entry(v, name);
    return found;
}

static void make(struct evaluation *v, void *entry) {
    struct wgsl_pipeline *p = v->pipeline;
    struct wgsl_module *m = p->module;
    p->overrides = heap_alloc(&v->heap, (m->override_count + 1) * sizeof *p->overrides);
    p->missing = heap_alloc(&v->heap, (m->override_count + 1) * sizeof *p->missing);
    v->pending = heap_alloc(&v->heap, (m->override_count + 1) * sizeof *v->pending);
    if (entry || !p->partial)
        p->entry = find_entry(v, entry);
    check_settings(v);
    if (!p->entry) {
        for (uint32_t k = 0; p->partial && k < m->override_count; k++)
            evaluate_override(v, m->overrides[k]);
        return;
    }
    evaluate_workgroup_size(v);
    evaluate_globals(v);
    check_code(v);
}

/* What to do with memory running out guarded against. */
typedef void action(struct evaluation *v, void *context);

static bool guarded(struct evaluation *v, action *act, void *context) {
    jmp_buf full;
    struct wgsl_heap *types = v->pipeline->module->heap;
    v->heap = (struct wgsl_heap){&v->pipeline->arena, &full, 0};
    v->eval.heap = &v->heap;
    v->eval.types = v->pipeline->module->types;
    types->full = &full;
    bool ok = setjmp(full) == 0;
    if (ok)
        act(v, context);
    types->full = NULL;
    return ok;
}

static struct wgsl_pipeline *new_pipeline(struct wgsl_module *module, const char *entry,
                                          const struct wgsl_setting *settings,
                                          uint32_t setting_count, bool partial,
                                          struct wgsl_diagnostics *diagnostics) {
    struct wgsl_pipeline *p = calloc(1, sizeof *p);
    uint32_t errors_before = diagnostics->error_count;
    if (p) {
        arena_init(&p->arena);
        p->module = module;
        p->partial = partial;
    }
    struct evaluation v = {.pipeline = p, .settings = settings, .setting_count = setting_count};
    v.eval.diagnostics = diagnostics;
    if (!p || !guarded(&v, make, (void *)entry))
        wgsl_diagnose(diagnostics, WGSL_ERROR, (struct wgsl_span){0}, "out of memory");
    if (diagnostics->error_count == errors_before)
        return p;
    wgsl_pipeline_free(p);
    return NULL;
}

struct wgsl_pipeline *wgsl_pipeline(struct wgsl_module *module, const char *entry,
                                    const struct wgsl_setting *settings, uint32_t setting_count,
                                    struct wgsl_diagnostics *diagnostics) {
    return new_pipeline(module, entry, settings, setting_count, false, diagnostics);
}

struct wgsl_pipeline *wgsl_pipeline_partial(struct wgsl_module *module, const char *entry,
                                            const struct wgsl_setting *settings,
                                            uint32_t setting_count,
                                            struct wgsl_diagnostics *diagnostics) {
    return new_pipeline(module, entry, settings, setting_count, true, diagnostics);
}

void wgsl_pipeline_free(struct wgsl_pipeline *pipeline) {
    if (!pipeline)
        return;
    arena_release(&pipeline->arena);
    free(pipeline);
}

/* -- questions afterwards; all errors were found when the pipeline was made -- */

/* One question and its answer. */
struct question {
    const struct wgsl_expr *expr;
    const struct wgsl_type *type;
    const struct wgsl_value *value;
    uint64_t number;
};

static void ask(struct wgsl_pipeline *pipeline, struct question *q, action *act) {
    struct wgsl_diagnostics unheard;
    struct evaluation v = {.pipeline = pipeline};
    wgsl_diagnostics_init(&unheard);
    v.eval.diagnostics = &unheard;
    guarded(&v, act, q);
    wgsl_diagnostics_release(&unheard);
}

static void answer_value(struct evaluation *v, void *context) {
    struct question *q = context;
    q->value = evaluate(v, q->expr);
}

static void answer_count(struct evaluation *v, void *context) {
    struct question *q = context;
    q->number = array_count(v, q->type);
}

static void answer_bytes(struct evaluation *v, void *context) {
    struct question *q = context;
    q->number = type_bytes(v, q->type);
}

const struct wgsl_value *wgsl_pipeline_value(struct wgsl_pipeline *pipeline,
                                             const struct wgsl_expr *expr) {
    struct question q = {.expr = expr};
    if (expr->stage <= STAGE_OVERRIDE)
        ask(pipeline, &q, answer_value);
    return q.value;
}

uint64_t wgsl_pipeline_count(struct wgsl_pipeline *pipeline, const struct wgsl_type *array) {
    struct question q = {.type = array};
    ask(pipeline, &q, answer_count);
    return q.number;
}

uint64_t wgsl_pipeline_size(struct wgsl_pipeline *pipeline, const struct wgsl_type *type) {
    struct question q = {.type = type};
    ask(pipeline, &q, answer_bytes);
    return q.number;
}
