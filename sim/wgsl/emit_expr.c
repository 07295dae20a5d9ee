/* Expressions as C. */
#include "sim/wgsl/emit_impl.h"

#include <string.h>

static struct emit_text primary(const char *c) {
    return (struct emit_text){.c = c, .level = LEVEL_PRIMARY, .stable = true};
}

const char *emit_wrap(struct emit *e, struct emit_text text, enum emit_level level) {
    return text.level < level ? emit_format(e, "(%s)", text.c) : text.c;
}

const char *emit_at(struct emit *e, const struct wgsl_expr *expr, enum emit_level level) {
    return emit_wrap(e, emit_expr(e, expr), level);
}

void emit_add_temporary(struct emit *e, const struct wgsl_type *type) {
    uint32_t bytes = type->kind == TY_PTR ? 16 : emit_stack_bytes(e, type);
    e->temporary_bytes += bytes < UINT32_MAX / 2 - e->temporary_bytes ? bytes : 0;
}

struct emit_text emit_keep(struct emit *e, const struct wgsl_type *type, struct emit_text text) {
    if (text.stable) {
        return text;
    }
    const char *name = emit_format(e, "t%u", ++e->temp_count);
    const char *c_type = emit_type(e, type);
    emit_add_temporary(e, type);
    emit_line(e, "%s%s %s = %s;", type->kind == TY_PTR ? "" : "const ", c_type, name, text.c);
    return primary(name);
}

/* -- order ------------------------------------------------------------------------------------ */

bool emit_in_memory(const struct wgsl_expr *reference) {
    enum wgsl_space space = reference->type->space;
    return space == AS_WORKGROUP || space == AS_UNIFORM || space == AS_STORAGE;
}

static bool is_pure_builtin(enum wgsl_builtin builtin) {
    return (builtin_flags(builtin) & BF_CONSTANT) || builtin == BI_arrayLength;
}

static bool is_loading_swizzle(const struct wgsl_expr *expr) {
    return expr->kind == EX_SWIZZLE && expr->swizzle_count > 1 &&
           (expr->lhs->type->kind == TY_REF || expr->lhs->type->kind == TY_PTR);
}

bool emit_has_effect(const struct wgsl_expr *expr) {
    if (!expr || expr->value) {
        return false;
    }
    bool loads = expr->kind == EX_LOAD || is_loading_swizzle(expr);
    if (expr->kind == EX_USER || (loads && emit_in_memory(expr->lhs)) ||
        (expr->kind == EX_BUILTIN && !is_pure_builtin(expr->builtin))) {
        return true;
    }
    for (uint32_t k = 0; k < expr->arg_count; k++) {
        if (emit_has_effect(expr->args[k])) {
            return true;
        }
    }
    return emit_has_effect(expr->lhs) || emit_has_effect(expr->rhs);
}

/* -- places in the invocation's own memory ----------------------------------------------------- */

bool emit_is_bool_lane(const struct wgsl_expr *expr) {
    return (expr->kind == EX_SWIZZLE || expr->kind == EX_INDEX) &&
           type_unref(expr->lhs->type)->kind == TY_VEC &&
           type_unref(expr->lhs->type)->elem->kind == TY_BOOL &&
           type_unref(expr->type)->kind == TY_BOOL;
}

static struct emit_text variable_place(struct emit *e, const struct wgsl_variable *variable) {
    if (variable->is_global) {
        return (struct emit_text){emit_format(e, "privates->%s", e->globals[variable->index]),
                                  LEVEL_PRIMARY, false};
    }
    return (struct emit_text){e->locals[variable->index], LEVEL_PRIMARY, !variable->address_taken};
}

/* What a pointer into the invocation's own memory points at. */
static struct emit_text pointee(struct emit *e, const struct wgsl_expr *pointer) {
    if (pointer->kind == EX_ADDRESS) {
        return emit_local_place(e, pointer->lhs);
    }
    return (struct emit_text){emit_format(e, "(*%s)", emit_at(e, pointer, LEVEL_UNARY)),
                              LEVEL_PRIMARY, false};
}

/* The variable that an element is taken of, or NULL. */
static const struct wgsl_variable *root_of(const struct wgsl_expr *expr) {
    while (expr->kind == EX_INDEX || expr->kind == EX_MEMBER || expr->kind == EX_SWIZZLE)
        expr = expr->lhs;
    return expr->kind == EX_VARIABLE ? expr->variable : NULL;
}

/* The index of an element, held inside an array, matrix or vector of a known number of elements.
 * *stable: unset where the index is not. */
static const char *index_text(struct emit *e, const struct wgsl_expr *element, uint64_t count,
                              bool *stable) {
    const struct wgsl_expr *index = element->rhs;
    const struct wgsl_value *value = emit_constant(e, index);
    if (value) {
        return emit_format(e, "%lld", (long long)value_leaf(value, 0).i);
    }
    const struct emit_site_info info = {
        .op = "WG_OP_ARITHMETIC", .root = root_of(element), .own = true};
    struct emit_text text =
        emit_index_wraps(index)
            ? emit_wrapping_index(e, index, emit_site(e, element->span, info), "WG_VAR_DYNAMIC",
                                  emit_format(e, "%llu", (unsigned long long)count))
            : emit_expr(e, index);
    text.stable &= !e->keep_indices || index->kind == EX_VARIABLE;
    if (e->keep_indices || emit_has_effect(index)) {
        text = emit_keep(e, index->type, text);
    }
    *stable &= text.stable;
    uint32_t site = emit_site(e, element->span, info);
    return emit_format(e, "wgsl_own_index(wg, %u, %s, %s%s, %lluu)", site,
                       e->wanted ? e->wanted : "true", index->type->kind == TY_I32 ? "(u32)" : "",
                       emit_wrap(e, text, index->type->kind == TY_I32 ? LEVEL_UNARY : LEVEL_ASSIGN),
                       (unsigned long long)count);
}

/* base[index], base.member or base.xyz of C text for the base. */
static struct emit_text part(struct emit *e, const struct wgsl_expr *expr, struct emit_text base) {
    const struct wgsl_type *whole = type_unref(expr->lhs->type);
    const char *c = emit_wrap(e, base, LEVEL_PRIMARY);
    base.level = LEVEL_PRIMARY;
    if (expr->kind == EX_MEMBER) {
        base.c = emit_format(e, "%s.%s", c, emit_member_name(e, expr->member->name));
    } else if (expr->kind == EX_SWIZZLE && expr->swizzle_count == 1) {
        base.c = emit_format(e, "%s[%u]", c, expr->swizzle[0]);
    } else if (expr->kind == EX_SWIZZLE) {
        const char *lanes = "";
        for (uint32_t k = 0; k < expr->swizzle_count; k++) {
            lanes = emit_format(e, "%s, %u", lanes, expr->swizzle[k]);
        }
        base.c = emit_format(e, "wgsl_swizzle%u(%s%s)", expr->swizzle_count, base.c, lanes);
    } else if (whole->kind == TY_ARRAY) {
        base.c =
            emit_format(e, "%s.e[%s]", c,
                        index_text(e, expr, wgsl_pipeline_count(e->pipeline, whole), &base.stable));
    } else if (whole->kind == TY_MAT) {
        base.c = emit_format(e, "%s.c[%s]", c, index_text(e, expr, whole->columns, &base.stable));
    } else {
        base.c = emit_format(e, "%s[%s]", c, index_text(e, expr, whole->rows, &base.stable));
    }
    return base;
}

struct emit_text emit_local_place(struct emit *e, const struct wgsl_expr *reference) {
    switch (reference->kind) {
    case EX_VARIABLE:
        return variable_place(e, reference->variable);
    case EX_DEREF:
        return pointee(e, reference->lhs);
    default: {
        struct emit_text base = reference->lhs->type->kind == TY_PTR
                                    ? pointee(e, reference->lhs)
                                    : emit_local_place(e, reference->lhs);
        return part(e, reference, base);
    }
    }
}

/* -- operators --------------------------------------------------------------------------------- */

/* a && b and a || b where b must not happen unless it is needed. */
static struct emit_text short_circuit(struct emit *e, const struct wgsl_expr *expr) {
    const char *name = emit_format(e, "t%u", ++e->temp_count);
    emit_line(e, "bool %s = %s;", name, emit_expr(e, expr->lhs).c);
    emit_line(e, "{");
    e->indent++;
    uint32_t site = emit_site(e, expr->span, (struct emit_site_info){.op = "WG_OP_BRANCH"});
    emit_line(e, "WGSL_BRANCH(%u);", site);
    emit_line(e, "if (%s%s) {", expr->op == OP_LOGICAL_AND ? "" : "!", name);
    e->indent++;
    emit_line(e, "%s = %s;", name, emit_expr(e, expr->rhs).c);
    e->indent--;
    emit_line(e, "}");
    e->indent--;
    emit_line(e, "}");
    return primary(name);
}

static struct emit_text binary(struct emit *e, const struct wgsl_expr *expr) {
    if ((expr->op == OP_LOGICAL_AND || expr->op == OP_LOGICAL_OR) && emit_has_effect(expr->rhs)) {
        return short_circuit(e, expr);
    }
    struct wgsl_expr *operands[2] = {expr->lhs, expr->rhs};
    struct emit_text texts[2], advised;
    if (emit_sum(e, expr, &advised)) {
        return advised;
    }
    emit_operands(e, operands, 2, texts);
    return emit_operation(e, &(struct emit_operation){.op = expr->op,
                                                      .span = expr->span,
                                                      .result = expr->type,
                                                      .lhs = texts[0],
                                                      .rhs = texts[1],
                                                      .lhs_type = expr->lhs->type,
                                                      .rhs_type = expr->rhs->type,
                                                      .rhs_value = emit_constant(e, expr->rhs)});
}

static struct emit_text unary(struct emit *e, const struct wgsl_expr *expr) {
    struct emit_text text = emit_expr(e, expr->lhs);
    const char *c = emit_wrap(e, text, LEVEL_UNARY);
    const char *sign = expr->op == OP_NEG                                      ? "-"
                       : expr->op == OP_NOT && expr->lhs->type->kind != TY_VEC ? "!"
                                                                               : "~";
    const char *space = c[0] == '-' && sign[0] == '-' ? " " : "";
    return (struct emit_text){emit_format(e, "%s%s%s", sign, space, c), LEVEL_UNARY, text.stable};
}

/* -- construction ------------------------------------------------------------------------------ */

static struct emit_text convert(struct emit *e, const struct wgsl_type *to,
                                const struct wgsl_type *from, struct emit_text text,
                                struct wgsl_span span) {
    const struct emit_site_info arithmetic = {.op = "WG_OP_ARITHMETIC"};
    if (to == from) {
        return text;
    }
    const char *to_name = emit_family(e, to), *from_name = emit_family(e, from);
    if (to->kind != TY_MAT && to_name != from_name &&
        type_scalar(to)->kind != type_scalar(from)->kind &&
        !(type_is_float(type_scalar(to)) && type_is_float(type_scalar(from)))) {
        const char *site = type_is_integer(to) && type_is_float(from)
                               ? emit_format(e, "_at(wg, %s, ",
                                             emit_site_if_wanted(e, emit_site(e, span, arithmetic)))
                               : "(";
        text.c = emit_format(e, "%s_from_%s%s%s)", to_name, from_name, site, text.c);
        text.level = LEVEL_PRIMARY;
    }
    return type_is_float(type_scalar(to)) ? emit_rounded(e, to, text) : text;
}

/* The sizes of the arguments, as in vec4f_make211; nothing when all are scalars. */
static const char *make_pattern(struct emit *e, const struct wgsl_expr *expr) {
    const char *pattern = "";
    bool vectors = false;
    for (uint32_t k = 0; k < expr->arg_count; k++) {
        const struct wgsl_type *type = expr->args[k]->type;
        vectors |= type->kind == TY_VEC;
        pattern = emit_format(e, "%s%u", pattern, type->kind == TY_VEC ? type->rows : 1);
    }
    return vectors ? pattern : "";
}

static const char *join(struct emit *e, const struct emit_text *texts, uint32_t count) {
    struct buf joined = {0};
    for (uint32_t k = 0; k < count; k++) {
        buf_printf(&joined, "%s%s", k ? ", " : "", texts[k].c);
    }
    const char *copy = emit_format(e, "%s", joined.data ? joined.data : "");
    e->failed |= joined.failed;
    buf_release(&joined);
    return copy;
}

/* A matrix from columns or from its scalars, column by column. */
static const char *matrix_columns(struct emit *e, const struct wgsl_expr *expr,
                                  const struct emit_text *texts) {
    if (expr->args[0]->type->kind == TY_VEC) {
        return join(e, texts, expr->arg_count);
    }
    uint32_t rows = expr->type->rows;
    const char *column = emit_family(e, type_column(e->module->types, expr->type));
    const char *joined = "";
    for (uint32_t k = 0; k < expr->type->columns; k++) {
        joined = emit_format(e, "%s%s%s_make(%s)", joined, k ? ", " : "", column,
                             join(e, texts + k * rows, rows));
    }
    return joined;
}

struct emit_text emit_components(struct emit *e, const struct wgsl_expr *expr,
                                 const struct emit_text *texts) {
    struct emit_text made = primary("");
    for (uint32_t k = 0; k < expr->arg_count; k++) {
        made.stable &= texts[k].stable;
    }
    const char *type = emit_type(e, expr->type);
    emit_add_temporary(e, expr->type);
    switch (expr->type->kind) {
    case TY_VEC:
        made.c = emit_format(e, "%s_make%s(%s)", emit_family(e, expr->type), make_pattern(e, expr),
                             join(e, texts, expr->arg_count));
        break;
    case TY_MAT:
        made.c = emit_format(e, "(%s){{%s}}", type, matrix_columns(e, expr, texts));
        break;
    case TY_ARRAY:
        made.c = emit_format(e, "(%s){{%s}}", type, join(e, texts, expr->arg_count));
        break;
    default:
        made.c = emit_format(e, "(%s){%s}", type, join(e, texts, expr->arg_count));
    }
    return made;
}

static struct emit_text components(struct emit *e, const struct wgsl_expr *expr) {
    struct emit_text *texts = arena_alloc(&e->arena, (expr->arg_count + 1) * sizeof *texts);
    if (!texts) {
        e->failed = true;
        return primary("0");
    }
    emit_operands(e, expr->args, expr->arg_count, texts);
    return emit_components(e, expr, texts);
}

static struct emit_text construct(struct emit *e, const struct wgsl_expr *expr) {
    struct emit_text text;
    switch (expr->construct) {
    case CONSTRUCT_ZERO:
        return primary(emit_zero(e, expr->type));
    case CONSTRUCT_CONVERT:
        text = emit_expr(e, expr->args[0]);
        return convert(e, expr->type, expr->args[0]->type, text, expr->span);
    case CONSTRUCT_SPLAT:
        text = emit_expr(e, expr->args[0]);
        return emit_splat(e, text, expr->args[0]->type, expr->type);
    default:
        return components(e, expr);
    }
}

/* -- calls ------------------------------------------------------------------------------------- */

/* The arguments; beside one that carries both, as a C list, its array. */
static const char *arguments(struct emit *e, const struct wgsl_expr *call) {
    const char *list = "";
    for (uint32_t k = 0; k < call->arg_count; k++) {
        const char *both = NULL;
        bool carries = emit_carries(call->function->params[k]);
        struct emit_text text =
            carries ? emit_both(e, call->args[k], &both) : emit_expr(e, call->args[k]);
        if (emit_must_keep(call->args, call->arg_count, k)) {
            text = emit_keep(e, call->args[k]->type, text);
        }
        list = emit_format(e, "%s, %s%s%s", list, text.c, carries ? ", " : "", carries ? both : "");
    }
    return list;
}

struct emit_text emit_call(struct emit *e, const struct wgsl_expr *expr, const char *both) {
    const char *more = arguments(e, expr);
    if (emit_returns_both(expr->function)) {
        more = emit_format(e, "%s, %s", more, both);
    }
    const char *c = emit_format(e, "%s(wg%s%s)", e->functions[expr->function->index],
                                emit_uses_privates(expr->function) ? ", privates" : "", more);
    if (expr->type->kind != TY_VOID) {
        emit_add_temporary(e, expr->type);
    }
    if (e->function_marks[expr->function->index]) {
        uint32_t site = emit_site(e, expr->span, (struct emit_site_info){.op = "WG_OP_CALL"});
        c = emit_format(e, "WGSL_CALL(%u, %s)", site, c);
    }
    return (struct emit_text){c, LEVEL_PRIMARY, false};
}

/* A call whose result is not made an index. */
static struct emit_text user_call(struct emit *e, const struct wgsl_expr *expr) {
    uint32_t count = (uint32_t)expr->type->leaf_count;
    bool both = emit_returns_both(expr->function);
    e->temporary_bytes += both ? 16 * count : 0;
    return emit_call(e, expr, both ? emit_format(e, "(struct wgsl_exact[%u]){{0}}", count) : NULL);
}

/* -- all --------------------------------------------------------------------------------------- */

struct emit_text emit_lane_value(struct emit *e, const struct wgsl_expr *expr,
                                 struct emit_text text) {
    if (!emit_is_bool_lane(expr)) {
        return text;
    }
    return (struct emit_text){emit_format(e, "%s != 0", text.c), LEVEL_EQUAL, text.stable};
}

static struct emit_text address(struct emit *e, const struct wgsl_expr *reference) {
    if (emit_in_memory(reference)) {
        return emit_pointer(e, reference);
    }
    struct emit_text place = emit_local_place(e, reference);
    return (struct emit_text){emit_format(e, "&%s", place.c), LEVEL_UNARY,
                              !emit_place_may_change(reference)};
}

static struct emit_text load(struct emit *e, const struct wgsl_expr *reference) {
    if (reference->kind == EX_VARIABLE && reference->type->space == AS_HANDLE) {
        return primary(emit_format(e, "wg_var_%s", e->globals[reference->variable->index]));
    }
    if (emit_in_memory(reference)) {
        return emit_load(e, reference);
    }
    bool keep_indices = e->keep_indices;
    e->keep_indices |= emit_calls(reference);
    struct emit_text place = emit_local_place(e, reference);
    e->keep_indices = keep_indices;
    return emit_lane_value(e, reference, place);
}

/* Several components of a vector in memory are a value: the vector is loaded first. */
static struct emit_text loaded_swizzle(struct emit *e, const struct wgsl_expr *expr) {
    struct wgsl_expr deref = {
        .kind = EX_DEREF, .lhs = expr->lhs, .type = expr->lhs->type, .span = expr->lhs->span};
    return part(e, expr, load(e, expr->lhs->type->kind == TY_PTR ? &deref : expr->lhs));
}

static struct emit_text part_of_value(struct emit *e, const struct wgsl_expr *expr) {
    if (is_loading_swizzle(expr)) {
        return loaded_swizzle(e, expr);
    }
    struct emit_text whole = emit_expr(e, expr->lhs);
    if (expr->kind == EX_INDEX &&
        (emit_has_effect(expr->rhs) || (emit_calls(expr->lhs) && emit_may_change(expr->rhs)))) {
        whole = emit_keep(e, expr->lhs->type, whole);
    }
    return emit_lane_value(e, expr, part(e, expr, whole));
}

const struct wgsl_value *emit_constant(struct emit *e, const struct wgsl_expr *expr) {
    return expr->value || expr->stage == STAGE_RUNTIME ? expr->value
                                                       : wgsl_pipeline_value(e->pipeline, expr);
}

struct emit_text emit_expr(struct emit *e, const struct wgsl_expr *expr) {
    const struct wgsl_value *value = emit_constant(e, expr);
    if (value) {
        return emit_value(e, value);
    }
    switch (expr->kind) {
    case EX_LITERAL: /* a string: others have a value */
        return primary(emit_format(e, "\"%s\"", emit_escaped(e, expr->text, strlen(expr->text))));
    case EX_VARIABLE:
        return primary(e->locals[expr->variable->index]);
    case EX_LOAD:
        return load(e, expr->lhs);
    case EX_MEMBER:
    case EX_SWIZZLE:
    case EX_INDEX:
        return part_of_value(e, expr);
    case EX_UNARY:
        return unary(e, expr);
    case EX_BINARY:
        return binary(e, expr);
    case EX_ADDRESS:
        return address(e, expr->lhs);
    case EX_USER:
        return user_call(e, expr);
    case EX_BUILTIN:
        return emit_builtin(e, expr, true);
    case EX_CONSTRUCT:
        return construct(e, expr);
    default:
        emit_unsupported(e, expr->span, "this expression");
        return primary("0");
    }
}
