/* Calls. */
#include <string.h>

#include "sim/wgsl/overload.h"
#include "sim/wgsl/resolve.h"

static bool resolve_args(struct wgsl_resolver *r, struct wgsl_expr *e) {
    bool ok = true;
    for (uint32_t i = 0; i < e->arg_count; i++)
        ok = resolve_value(r, &e->args[i]) && ok;
    return ok;
}

static enum wgsl_stage latest_stage(const struct wgsl_expr *e) {
    enum wgsl_stage stage = STAGE_CONST;
    for (uint32_t i = 0; i < e->arg_count; i++)
        stage = e->args[i]->stage > stage ? e->args[i]->stage : stage;
    return stage;
}

/* Converts the arguments to what was matched; false after reporting what does not fit. */
static bool convert_args(struct wgsl_resolver *r, struct wgsl_expr *e,
                         const struct wgsl_match *match) {
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!resolve_convert(r, e->args[i], match->params[i]))
            return false;
    return true;
}

/* -- user functions -- */

static void add_callee(struct wgsl_resolver *r, struct wgsl_function *callee) {
    struct wgsl_function *f = r->function;
    for (uint32_t i = 0; i < callee->global_count; i++)
        resolve_use_global(r, callee->globals[i]);
    for (uint32_t i = 0; i < f->callee_count; i++)
        if (f->callees[i] == callee)
            return;
    HEAP_PUSH(r->heap, f->callees, f->callee_count, callee);
}

static bool check_parameter(struct wgsl_resolver *r, struct wgsl_expr *arg,
                            const struct wgsl_variable *param, const char *function) {
    if (!param->type)
        return false;
    if (type_conversion_rank(arg->type, param->type) < 0) {
        wgsl_note(r->diagnostics,
                  RESOLVE_ERROR(r, arg->span, "'%s' takes '%s' for '%s', not '%s'", function,
                                param->type->name, param->name, arg->type->name),
                  param->span, "the parameter is declared here");
        return false;
    }
    return resolve_convert(r, arg, param->type);
}

static bool resolve_user_call(struct wgsl_resolver *r, struct wgsl_expr *e,
                              struct wgsl_function *f) {
    if (!resolve_args(r, e))
        return false;
    if (!r->function) {
        RESOLVE_ERROR(r, e->span, "'%s' cannot be called at module scope", f->name);
        return false;
    }
    if (!f->result)
        return false; /* its declaration had an error */
    if (f->stage != SHADER_NONE) {
        wgsl_note(r->diagnostics,
                  RESOLVE_ERROR(r, e->span, "'%s' is an entry point and cannot be called", f->name),
                  f->span, "declared here");
        return false;
    }
    if (e->arg_count != f->param_count) {
        wgsl_note(r->diagnostics,
                  RESOLVE_ERROR(r, e->span, "'%s' takes %u argument%s, not %u", f->name,
                                f->param_count, f->param_count == 1 ? "" : "s", e->arg_count),
                  f->span, "declared here");
        return false;
    }
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!check_parameter(r, e->args[i], f->params[i], f->name))
            return false;
    e->kind = EX_USER;
    e->function = f;
    e->type = f->result;
    e->stage = STAGE_RUNTIME;
    add_callee(r, f);
    return true;
}

/* -- builtin functions that overload tables cannot describe -- */

static const struct wgsl_type *pointee(const struct wgsl_expr *e) {
    return e->arg_count && e->args[0]->type->kind == TY_PTR ? e->args[0]->type->elem : NULL;
}

static bool match_array_length(struct wgsl_resolver *r, const struct wgsl_expr *e,
                               struct wgsl_match *match) {
    const struct wgsl_type *t = pointee(e);
    match->result = type_basic(r->types, TY_U32);
    return e->arg_count == 1 && t && t->kind == TY_ARRAY && !t->count && !t->count_expr &&
           e->args[0]->type->space == AS_STORAGE;
}

static bool match_atomic(struct wgsl_resolver *r, const struct wgsl_expr *e,
                         struct wgsl_match *match) {
    const struct wgsl_type *t = pointee(e);
    if (!t || t->kind != TY_ATOMIC || e->args[0]->type->access != AM_READ_WRITE)
        return false;
    uint32_t operands = e->builtin == BI_atomicLoad                  ? 0
                        : e->builtin == BI_atomicCompareExchangeWeak ? 2
                                                                     : 1;
    if (e->arg_count != 1 + operands)
        return false;
    for (uint32_t i = 1; i < e->arg_count; i++) {
        if (type_conversion_rank(e->args[i]->type, t->elem) < 0)
            return false;
        match->params[i] = t->elem;
    }
    match->result = t->elem;
    if (e->builtin == BI_atomicStore)
        match->result = type_basic(r->types, TY_VOID);
    if (e->builtin == BI_atomicCompareExchangeWeak)
        match->result = type_exchange_result(r->types, t->elem);
    return true;
}

static bool match_uniform_load(const struct wgsl_expr *e, struct wgsl_match *match) {
    const struct wgsl_type *t = pointee(e);
    if (e->arg_count != 1 || !t || e->args[0]->type->space != AS_WORKGROUP)
        return false;
    match->result = t->kind == TY_ATOMIC ? t->elem : t;
    return t->kind == TY_ATOMIC || t->constructible;
}

/* Bits in all of a concrete number or vector of them. */
static uint32_t bit_count(const struct wgsl_type *t) {
    return (type_scalar(t)->kind == TY_F16 ? 16 : 32) * (t->kind == TY_VEC ? t->rows : 1);
}

static bool match_bitcast(struct wgsl_resolver *r, const struct wgsl_expr *e,
                          const struct wgsl_type *to, struct wgsl_match *match) {
    if (e->arg_count != 1)
        return false;
    const struct wgsl_type *from = e->args[0]->type;
    if (type_scalar(from)->kind == TY_ABSTRACT_INT && type_scalar(to)->kind == TY_U32)
        from = type_with_scalar(r->types, from, type_scalar(to));
    from = type_concrete(r->types, from);
    bool numbers = type_is_numeric(type_scalar(from)) && type_is_numeric(type_scalar(to)) &&
                   from->kind != TY_MAT && to->kind != TY_MAT;
    match->params[0] = from;
    match->result = to;
    if (!numbers)
        return false;
    bool same_width = (type_scalar(from)->kind == TY_F16) == (type_scalar(to)->kind == TY_F16);
    if (same_width)
        return from->rows == to->rows;
    return bit_count(from) == bit_count(to);
}

static bool is_atomic(enum wgsl_builtin b) {
    return b >= BI_atomicLoad && b <= BI_atomicCompareExchangeWeak;
}

static bool is_texture(enum wgsl_builtin b) {
    return b >= BI_textureDimensions && b <= BI_textureStore;
}

static bool match_builtin(struct wgsl_resolver *r, struct wgsl_expr *e,
                          const struct wgsl_type *template_type, struct wgsl_match *match) {
    const struct wgsl_type *types[OVERLOAD_ARGUMENTS] = {0};
    if (e->arg_count > OVERLOAD_ARGUMENTS)
        return false;
    for (uint32_t i = 0; i < e->arg_count; i++)
        types[i] = match->params[i] = e->args[i]->type;
    struct wgsl_candidates use = {r->types, types, e->arg_count, latest_stage(e) == STAGE_CONST};
    use.constant &= (builtin_flags(e->builtin) & BF_CONSTANT) != 0;
    if (e->builtin == BI_bitcast)
        return match_bitcast(r, e, template_type, match);
    if (e->builtin == BI_arrayLength)
        return match_array_length(r, e, match);
    if (e->builtin == BI_workgroupUniformLoad)
        return match_uniform_load(e, match);
    if (is_atomic(e->builtin))
        return match_atomic(r, e, match);
    if (is_texture(e->builtin))
        return overload_texture(&use, e->builtin, match);
    return overload_builtin(&use, e->builtin, match);
}

/* -- constant arguments -- */

static bool check_range(struct wgsl_resolver *r, const struct wgsl_expr *arg, bool required,
                        int64_t least, int64_t most, const char *what) {
    if (required && !resolve_stage(r, arg, STAGE_CONST, what))
        return false;
    for (uint64_t i = 0; arg->value && i < arg->value->type->leaf_count; i++) {
        int64_t n = value_leaf(arg->value, i).i;
        if (n < least || n > most) {
            RESOLVE_ERROR(r, arg->span, "%s must lie between %lld and %lld, not %lld", what,
                          (long long)least, (long long)most, (long long)n);
            return false;
        }
    }
    return true;
}

/* Arguments that have to be constants of a certain range. */
static bool check_special_args(struct wgsl_resolver *r, const struct wgsl_expr *e) {
    struct wgsl_expr *last = e->arg_count ? e->args[e->arg_count - 1] : NULL;
    enum { WIDEST_SUBGROUP = 128 };
    switch (e->builtin) {
    case BI_subgroupBroadcast:
        return check_range(r, last, true, 0, WIDEST_SUBGROUP - 1, "the lane of subgroupBroadcast");
    case BI_quadBroadcast:
        return check_range(r, last, true, 0, 3, "the lane of quadBroadcast");
    case BI_subgroupShuffle:
    case BI_subgroupShuffleDown:
    case BI_subgroupShuffleUp:
    case BI_subgroupShuffleXor:
        return check_range(r, last, false, 0, WIDEST_SUBGROUP - 1, "the lane of a shuffle");
    case BI_textureGather:
        if (e->args[0]->type->kind != TY_TEXTURE &&
            !check_range(r, e->args[0], true, 0, 3, "the component of textureGather"))
            return false;
        break;
    default:
        break;
    }
    bool samples = (e->builtin >= BI_textureSample && e->builtin <= BI_textureSampleLevel) ||
                   e->builtin == BI_textureGather || e->builtin == BI_textureGatherCompare;
    bool offset = last && samples && last->type->kind == TY_VEC && last->type->elem->kind == TY_I32;
    return !offset || check_range(r, last, true, -8, 7, "an offset");
}

/* -- builtin functions -- */

static bool no_overload(struct wgsl_resolver *r, const struct wgsl_expr *e) {
    struct buf text = {0};
    for (uint32_t i = 0; i < e->arg_count && text.len < 400; i++)
        buf_printf(&text, "%s%s", i ? ", " : "", e->args[i]->type->name);
    RESOLVE_ERROR(r, e->span, "there is no %s(%s)", e->lhs->name, text.data ? text.data : "");
    buf_release(&text);
    return false;
}

static bool evaluate(struct wgsl_resolver *r, struct wgsl_expr *e) {
    const struct wgsl_value *values[OVERLOAD_ARGUMENTS] = {0};
    bool all = true;
    if (r->skipped)
        return true;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        values[i] = e->args[i]->value;
        all &= values[i] != NULL;
    }
    if (!all)
        return eval_check_builtin(&r->eval, e->builtin, values, e->arg_count, e->type, e->span);
    e->value = eval_builtin(&r->eval, e->builtin, values, e->arg_count, e->type, e->span);
    return e->value != NULL;
}

/* print(...) and debugPrintf("...", ...): any scalars and vectors. */
static bool resolve_print(struct wgsl_resolver *r, struct wgsl_expr *e) {
    for (uint32_t i = 0; i < e->arg_count; i++) {
        struct wgsl_expr *arg = e->args[i];
        if (arg->kind == EX_LITERAL && arg->text)
            continue;
        if (!resolve_value(r, &e->args[i]) || !resolve_concrete(r, e->args[i]))
            return false;
        if (!type_is_scalar(type_scalar(e->args[i]->type)) || e->args[i]->type->kind == TY_MAT) {
            RESOLVE_ERROR(r, e->args[i]->span, "'%s' cannot be printed", e->args[i]->type->name);
            return false;
        }
    }
    e->kind = EX_BUILTIN;
    e->type = type_basic(r->types, TY_VOID);
    e->stage = STAGE_RUNTIME;
    return true;
}

static bool check_extension(struct wgsl_resolver *r, const struct wgsl_expr *e) {
    if (!(builtin_flags(e->builtin) & BF_SUBGROUP) || r->module->extensions & EXT_SUBGROUPS)
        return true;
    wgsl_diagnose(r->diagnostics, resolve_beyond_standard(r), e->span,
                  "'%s' needs 'enable subgroups;'", e->lhs->name);
    return r->dialect == WGSL_NAGA;
}

/* The T of bitcast<T>; *type stays NULL for other functions. */
static bool template_type(struct wgsl_resolver *r, struct wgsl_expr *e,
                          const struct wgsl_type **type) {
    *type = NULL;
    if (e->builtin != BI_bitcast ? !e->lhs->has_template : e->lhs->arg_count == 1) {
        if (e->builtin == BI_bitcast)
            *type = resolve_type(r, e->lhs->args[0]);
        return e->builtin != BI_bitcast || *type;
    }
    RESOLVE_ERROR(r, e->lhs->span, "'%s' takes %s", e->lhs->name,
                  e->builtin == BI_bitcast ? "one type as template argument"
                                           : "no template arguments");
    return false;
}

static bool resolve_builtin_call(struct wgsl_resolver *r, struct wgsl_expr *e,
                                 enum wgsl_builtin builtin) {
    unsigned flags = builtin_flags(builtin);
    const struct wgsl_type *type;
    struct wgsl_match match;
    e->builtin = builtin;
    e->severity = attributes_severity(r, builtin);
    if (flags & BF_PRINT)
        return resolve_print(r, e);
    bool ok = template_type(r, e, &type);
    if (!resolve_args(r, e) || !ok || !check_extension(r, e))
        return false;
    if (!match_builtin(r, e, type, &match))
        return no_overload(r, e);
    if (!convert_args(r, e, &match))
        return false;
    e->kind = EX_BUILTIN;
    e->type = match.result;
    e->stage = flags & BF_CONSTANT ? latest_stage(e) : STAGE_RUNTIME;
    if (!check_special_args(r, e))
        return false;
    return !(flags & BF_CONSTANT) || evaluate(r, e);
}

/* -- all calls -- */

static bool resolve_predeclared_call(struct wgsl_resolver *r, struct wgsl_expr *e) {
    const char *name = e->lhs->name;
    enum wgsl_builtin builtin = builtin_find(name);
    if (builtin)
        return resolve_builtin_call(r, e, builtin);
    if (!resolve_is_type_name(name)) {
        if (resolve_args(r, e))
            RESOLVE_ERROR(r, e->lhs->span, "there is no function '%s'", name);
        return false;
    }
    if (!resolve_args(r, e))
        return false;
    if (!e->lhs->has_template) {
        bool known;
        bool ok = resolve_inferred_construct(r, e, &known);
        if (known)
            return ok;
    }
    const struct wgsl_type *type = resolve_type(r, e->lhs);
    return type && resolve_construct(r, e, type);
}

static bool resolve_callee(struct wgsl_resolver *r, struct wgsl_expr *e) {
    struct wgsl_entity entity = resolve_name(r, e->lhs->name);
    e->op_span = e->lhs->span;
    if (entity.kind == ENTITY_NONE)
        return resolve_predeclared_call(r, e);
    if (entity.kind == ENTITY_VARIABLE) {
        wgsl_note(r->diagnostics,
                  RESOLVE_ERROR(r, e->lhs->span, "'%s' is no function", e->lhs->name),
                  entity.variable->span, "declared here");
        return false;
    }
    if (entity.decl->broken)
        return false;
    if (e->lhs->has_template) {
        RESOLVE_ERROR(r, e->lhs->span, "'%s' takes no template arguments", e->lhs->name);
        return false;
    }
    if (entity.decl->function)
        return resolve_user_call(r, e, entity.decl->function);
    return resolve_args(r, e) && entity.decl->type && resolve_construct(r, e, entity.decl->type);
}

bool resolve_call(struct wgsl_resolver *r, struct wgsl_expr *e) {
    if (!resolve_callee(r, e))
        return false;
    e->lhs = NULL; /* the name has done its duty */
    return true;
}
