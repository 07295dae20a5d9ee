/* Function declarations. */
#include "sim/wgsl/resolve.h"

enum { PARAMETER_LIMIT = 255 };

static void resolve_stage_attribute(struct wgsl_resolver *r, struct wgsl_function *f) {
    static const struct {
        const char *name;
        enum wgsl_shader_stage stage;
    } stages[] = {
        {"vertex", SHADER_VERTEX}, {"fragment", SHADER_FRAGMENT}, {"compute", SHADER_COMPUTE}};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        struct wgsl_attribute *a = attributes_find(f->attributes, stages[i].name);
        if (!a)
            continue;
        if (f->stage != SHADER_NONE)
            RESOLVE_ERROR(r, a->span, "'%s' is an entry point of another stage already", f->name);
        f->stage = stages[i].stage;
    }
}

/* One dimension; all given ones have to have the same type. */
static bool resolve_workgroup_dimension(struct wgsl_resolver *r, struct wgsl_expr **e,
                                        const struct wgsl_type **type) {
    if (!resolve_value(r, e) || !resolve_stage(r, *e, STAGE_OVERRIDE, "@workgroup_size"))
        return false;
    if (!type_is_integer((*e)->type)) {
        RESOLVE_ERROR(r, (*e)->span, "@workgroup_size must be an i32 or u32, not '%s'",
                      (*e)->type->name);
        return false;
    }
    if ((*e)->value && value_leaf((*e)->value, 0).i < 1) {
        RESOLVE_ERROR(r, (*e)->span, "@workgroup_size must be at least 1");
        return false;
    }
    if (!type_is_abstract((*e)->type)) {
        if (*type && *type != (*e)->type)
            wgsl_diagnose(r->diagnostics, resolve_beyond_standard(r), (*e)->span,
                          "all of @workgroup_size must be i32, or all u32");
        *type = (*e)->type;
    }
    return true;
}

static void resolve_workgroup_size(struct wgsl_resolver *r, struct wgsl_function *f) {
    struct wgsl_attribute *a = attributes_find(f->attributes, "workgroup_size");
    if (f->stage == SHADER_COMPUTE && !a)
        RESOLVE_ERROR(r, f->span, "compute shader '%s' needs '@workgroup_size'", f->name);
    if (!a)
        return;
    if (f->stage != SHADER_COMPUTE)
        RESOLVE_ERROR(r, a->span, "'@workgroup_size' is for compute shaders only");
    const struct wgsl_type *type = NULL;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (resolve_workgroup_dimension(r, &a->args[i], &type))
            f->workgroup_size[i] = a->args[i];
    for (uint32_t i = 0; i < 3; i++)
        if (f->workgroup_size[i])
            resolve_convert(r, f->workgroup_size[i], type ? type : type_basic(r->types, TY_I32));
}

static bool check_param_type(struct wgsl_resolver *r, const struct wgsl_function *f,
                             const struct wgsl_variable *v, const struct wgsl_type *type) {
    bool entry = f->stage != SHADER_NONE;
    if (type->constructible || (!entry && (type_is_handle(type) || type->kind == TY_PTR)))
        return true;
    RESOLVE_ERROR(r, v->span, "a parameter of %s cannot have type '%s'",
                  entry ? "an entry point" : "a function", type->name);
    return false;
}

static void resolve_param(struct wgsl_resolver *r, struct wgsl_function *f,
                          struct wgsl_variable *v) {
    bool entry = f->stage != SHADER_NONE;
    bool ok = attributes_check(r, v->attributes, entry ? PLACE_PARAM : PLACE_STATEMENT,
                               entry ? "a parameter"
                                     : "parameters of functions that are no entry "
                                       "points");
    const struct wgsl_type *type = resolve_type(r, v->type_expr);
    if (entry)
        ok = attributes_io(r, v->attributes, &v->io) && ok;
    if (!type || !check_param_type(r, f, v, type) || !ok)
        return;
    if (wgsl_check_io_type(r, &v->io, type))
        v->type = type;
}

static void resolve_result(struct wgsl_resolver *r, struct wgsl_function *f) {
    bool entry = f->stage != SHADER_NONE;
    if (!f->result_expr) {
        f->result = type_basic(r->types, TY_VOID);
        return;
    }
    bool ok = attributes_check(r, f->result_attributes, entry ? PLACE_RESULT : PLACE_STATEMENT,
                               entry ? "a result"
                                     : "results of functions that are no entry "
                                       "points");
    const struct wgsl_type *type = resolve_type(r, f->result_expr);
    if (entry)
        ok = attributes_io(r, f->result_attributes, &f->result_io) && ok;
    if (!type || !ok)
        return;
    if (!type->constructible)
        RESOLVE_ERROR(r, f->result_expr->span, "a function cannot return '%s'", type->name);
    else if (wgsl_check_io_type(r, &f->result_io, type))
        f->result = type;
}

static void collect_filters(struct wgsl_resolver *r, struct wgsl_function *f) {
    for (struct wgsl_attribute *a = f->attributes; a; a = a->next)
        if (a->filter) {
            struct wgsl_filter *copy = HEAP_NEW(r->heap, struct wgsl_filter);
            *copy = *a->filter;
            copy->next = f->filters;
            f->filters = copy;
        }
}

static void resolve_header(struct wgsl_resolver *r, struct wgsl_function *f) {
    attributes_check(r, f->attributes, PLACE_FUNCTION, "a function");
    resolve_stage_attribute(r, f);
    resolve_workgroup_size(r, f);
    collect_filters(r, f);
    if (f->param_count > PARAMETER_LIMIT)
        RESOLVE_ERROR(r, f->span, "'%s' has more than %d parameters", f->name, PARAMETER_LIMIT);
    for (uint32_t i = 0; i < f->param_count; i++)
        resolve_param(r, f, f->params[i]);
    resolve_result(r, f);
    struct wgsl_attribute *must_use = attributes_find(f->attributes, "must_use");
    f->must_use = must_use != NULL;
    if (must_use && !f->result_expr)
        RESOLVE_ERROR(r, must_use->span, "'@must_use' needs a function that returns a value");
    if (f->stage != SHADER_NONE)
        wgsl_check_io(r, f);
}

/* Overrides that the workgroup size needs count as used by the function. */
static void use_overrides(struct wgsl_resolver *r, const struct wgsl_expr *e) {
    if (!e)
        return;
    if (e->kind == EX_VARIABLE)
        resolve_use_global(r, e->variable);
    use_overrides(r, e->lhs);
    use_overrides(r, e->rhs);
    for (uint32_t i = 0; i < e->arg_count; i++)
        use_overrides(r, e->args[i]);
}

void resolve_function(struct wgsl_resolver *r, struct wgsl_function *f) {
    resolve_header(r, f);
    const struct wgsl_filter *filters = attributes_push_filters(r, f->attributes);
    r->function = f;
    r->level = r->local_count = r->next_index = 0;
    r->bypass_from = r->bypass_to = 0;
    r->jumps = (struct wgsl_jumps){0};
    for (uint32_t i = 0; i < 3; i++)
        use_overrides(r, f->workgroup_size[i]);
    for (uint32_t i = 0; i < f->param_count; i++)
        resolve_declare_local(r, f->params[i]);
    resolve_body(r, f);
    r->local_count = 0;
    r->function = NULL;
    r->filters = filters;
    f->index = r->module->function_count;
    HEAP_PUSH(r->heap, r->module->functions, r->module->function_count, f);
}
