/* Indices that wrap around 2^32 on the way, which is worth a word at run time. What such an index
 * is made of is computed twice over, as it is and as it would be if nothing wrapped (struct
 * wgsl_exact), and the two are held against each other where an element is accessed: what wraps in
 * vain, or wraps back, is nobody's fault. Variables, parameters and results on the way carry both:
 * beside the C variable of each stands an array of its scalars. */
#include "sim/wgsl/emit_impl.h"
#include "sim/wgsl/walk.h"

#include <string.h>

static bool keeps_its_value(const struct wgsl_variable *variable) {
    return variable->init &&
           (variable->kind == VAR_LET ||
            (variable->kind == VAR_VAR && !variable->is_global && !variable->written));
}

struct wgsl_expr *emit_origin(struct wgsl_expr *expr) {
    while (expr) {
        struct wgsl_expr *named = expr->kind == EX_LOAD ? expr->lhs : expr;
        if (named->kind != EX_VARIABLE || !keeps_its_value(named->variable)) {
            break;
        }
        expr = named->variable->init;
    }
    return expr;
}

/* -- what is looked at ------------------------------------------------------------------------- */

static bool is_integer(const struct wgsl_type *type) {
    return type->kind == TY_U32 || type->kind == TY_I32;
}

static bool is_made_of_scalars(const struct wgsl_type *type) {
    for (uint32_t k = 0; type->kind == TY_STRUCT && k < type->member_count; k++) {
        if (!is_made_of_scalars(type->members[k].type)) {
            return false;
        }
    }
    return type->kind == TY_STRUCT || type->kind == TY_VEC || type_is_scalar(type);
}

/* What holds more is a table rather than an index. */
enum { SCALARS_MAX = 16 };

static bool can_be_exact(const struct wgsl_type *type) {
    return type->leaf_count <= SCALARS_MAX && is_made_of_scalars(type);
}

static bool can_carry(const struct wgsl_variable *variable) {
    bool own = variable->kind == VAR_LET || variable->kind == VAR_PARAM ||
               (variable->kind == VAR_VAR && !variable->is_global && !variable->address_taken);
    return own && can_be_exact(variable->type);
}

static bool is_binary(const struct wgsl_expr *expr, enum wgsl_op op) {
    return expr->kind == EX_BINARY && expr->op == op;
}

/* A division by at most so much makes words of bytes; hashes take bits from further up. */
enum { DIVISOR_MAX = 16, SHIFT_MAX = 4 };

static bool is_division(const struct wgsl_expr *expr) {
    if ((!is_binary(expr, OP_DIV) && !is_binary(expr, OP_SHR)) || !expr->rhs->value ||
        !is_integer(expr->type) || !is_integer(expr->rhs->type)) {
        return false;
    }
    int64_t by = value_leaf(expr->rhs->value, 0).i;
    return by > 0 && by <= (expr->op == OP_DIV ? DIVISOR_MAX : SHIFT_MAX);
}

/* + - * << of integers, or of vectors of them */
static bool is_ring(const struct wgsl_expr *expr) {
    return (is_binary(expr, OP_ADD) || is_binary(expr, OP_SUB) || is_binary(expr, OP_MUL) ||
            is_binary(expr, OP_SHL)) &&
           expr->type->kind != TY_MAT && is_integer(type_scalar(expr->type));
}

/* x % y of u32: how a difference below zero gets inside */
static bool is_remainder(const struct wgsl_expr *expr) {
    return is_binary(expr, OP_MOD) && type_scalar(expr->type)->kind == TY_U32;
}

static bool is_kept_builtin(const struct wgsl_expr *expr) {
    if (expr->kind != EX_BUILTIN || !is_integer(type_scalar(expr->type))) {
        return false;
    }
    return expr->builtin == BI_min || expr->builtin == BI_max || expr->builtin == BI_clamp ||
           (expr->builtin == BI_select && expr->args[2]->type->kind == TY_BOOL);
}

/* u32(x), i32(x), vectors of these, and bitcast to them */
static bool is_conversion(const struct wgsl_expr *expr) {
    bool converts = (expr->kind == EX_CONSTRUCT && expr->construct == CONSTRUCT_CONVERT) ||
                    (expr->kind == EX_BUILTIN && expr->builtin == BI_bitcast);
    return converts && can_be_exact(expr->type) && is_integer(type_scalar(expr->type)) &&
           can_be_exact(expr->args[0]->type) && is_integer(type_scalar(expr->args[0]->type));
}

static bool is_kept_construct(const struct wgsl_expr *expr) {
    return expr->kind == EX_CONSTRUCT && can_be_exact(expr->type) &&
           (expr->construct == CONSTRUCT_COMPONENTS || expr->construct == CONSTRUCT_SPLAT);
}

static bool is_negation(const struct wgsl_expr *expr) {
    return expr->kind == EX_UNARY && expr->op == OP_NEG && expr->type->kind == TY_I32;
}

/* Member or component of a value. */
static bool is_part(const struct wgsl_expr *expr) {
    return (expr->kind == EX_MEMBER || expr->kind == EX_SWIZZLE) &&
           expr->lhs->type->kind != TY_PTR && can_be_exact(type_unref(expr->lhs->type));
}

/* The operands that a value is made of so that both its values follow from theirs. */
struct operands {
    struct wgsl_expr *const *first;
    uint32_t count;
};

static struct operands operands_of(const struct wgsl_expr *expr) {
    if (is_kept_builtin(expr)) {
        return (struct operands){expr->args, expr->builtin == BI_select ? 2 : expr->arg_count};
    }
    if (is_kept_construct(expr) || is_conversion(expr)) {
        return (struct operands){expr->args, expr->arg_count};
    }
    if (is_division(expr) || is_remainder(expr) || is_negation(expr) || is_part(expr)) {
        return (struct operands){&expr->lhs, 1};
    }
    return (struct operands){0};
}

/* The variable that carries a value or a place, and which of its scalars comes first; NULL: none */
static struct wgsl_variable *carrier(const struct wgsl_expr *expr, uint64_t *leaf) {
    for (*leaf = 0;; expr = expr->lhs) {
        if (expr->kind == EX_VARIABLE) {
            return can_carry(expr->variable) ? expr->variable : NULL;
        }
        if (expr->kind == EX_MEMBER && is_part(expr)) {
            *leaf += value_member_leaf(type_unref(expr->lhs->type), expr->member->index);
        } else if (expr->kind == EX_SWIZZLE && expr->swizzle_count == 1 && is_part(expr)) {
            *leaf += expr->swizzle[0];
        } else if (expr->kind != EX_LOAD) {
            return NULL;
        }
    }
}

/* -- marking: what feeds an index, and what of that may wrap ----------------------------------- */

struct marking {
    struct wgsl_function *function; /* that is walked over */
    bool changed;
    bool wraps; /* the second pass */
};

static void mark(struct marking *marking, bool *flag) {
    marking->changed |= !*flag;
    *flag = true;
}

static void mark_feeds(struct marking *marking, struct wgsl_expr *expr) {
    uint64_t leaf;
    struct wgsl_variable *variable = carrier(expr, &leaf);
    if (expr->value) {
        return;
    }
    if (variable) {
        mark(marking, &variable->feeds_index);
    } else if (expr->kind == EX_USER && can_be_exact(expr->type)) {
        mark(marking, &expr->function->makes_index);
    } else if (is_ring(expr)) {
        mark_feeds(marking, expr->lhs);
        mark_feeds(marking, expr->rhs);
    }
    struct operands operands = operands_of(expr);
    for (uint32_t k = 0; k < operands.count; k++) {
        mark_feeds(marking, operands.first[k]);
    }
}

/* A sum with a constant does not come as far as 2^32 by itself. */
static bool may_wrap_here(const struct wgsl_expr *expr) {
    bool is_unsigned = type_scalar(expr->type)->kind == TY_U32;
    switch (expr->op) {
    case OP_ADD:
        return is_unsigned && !expr->lhs->value && !expr->rhs->value;
    case OP_SUB:
        return is_unsigned;
    default:
        return true;
    }
}

/* A number below zero becomes a u32. What is loaded from memory may stand for something else. */
static bool may_wrap_converted(const struct wgsl_expr *expr) {
    const struct wgsl_expr *operand = emit_origin(expr->args[0]);
    uint64_t leaf;
    return type_scalar(expr->type)->kind == TY_U32 && type_scalar(operand->type)->kind == TY_I32 &&
           (operand->kind != EX_LOAD || carrier(operand, &leaf));
}

static bool may_wrap(const struct wgsl_expr *expr) {
    uint64_t leaf;
    const struct wgsl_variable *variable = carrier(expr, &leaf);
    if (expr->value) {
        return false;
    }
    if (variable) {
        return variable->wraps;
    }
    if (expr->kind == EX_USER) {
        return expr->function->wraps;
    }
    if (is_ring(expr)) {
        return may_wrap_here(expr) || may_wrap(expr->lhs) || may_wrap(expr->rhs);
    }
    if (is_conversion(expr) && may_wrap_converted(expr)) {
        return true;
    }
    struct operands operands = operands_of(expr);
    for (uint32_t k = 0; k < operands.count; k++) {
        if (may_wrap(operands.first[k])) {
            return true;
        }
    }
    return false;
}

/* A value comes to something that feeds an index. */
static void mark_source(struct marking *marking, struct wgsl_expr *expr, bool feeds, bool *wraps) {
    if (feeds && !marking->wraps) {
        mark_feeds(marking, expr);
    } else if (feeds && may_wrap(expr)) {
        mark(marking, wraps);
    }
}

static void visit_expr(void *context, struct wgsl_expr *expr) {
    struct marking *marking = context;
    if (expr->kind == EX_INDEX && !marking->wraps) {
        mark_feeds(marking, expr->rhs);
    }
    for (uint32_t k = 0; expr->kind == EX_USER && k < expr->arg_count; k++) {
        struct wgsl_variable *param = expr->function->params[k];
        mark_source(marking, expr->args[k], param->feeds_index, &param->wraps);
    }
}

/* lhs op= rhs, lhs++ and lhs-- as a binary expression; rhs is one where there is none. */
static struct wgsl_expr combined(const struct wgsl_stmt *stmt, struct wgsl_expr *old,
                                 struct wgsl_expr *one, struct wgsl_value *value) {
    static const union wgsl_scalar number = {.i = 1};
    const struct wgsl_type *type = type_unref(stmt->lhs->type);
    *value = (struct wgsl_value){type, &number};
    *one = (struct wgsl_expr){.kind = EX_LITERAL, .type = type, .value = value};
    *old = (struct wgsl_expr){.kind = EX_LOAD,
                              .type = type,
                              .span = stmt->lhs->span,
                              .stage = STAGE_RUNTIME,
                              .lhs = stmt->lhs};
    return (struct wgsl_expr){.kind = EX_BINARY,
                              .span = stmt->span,
                              .type = type,
                              .stage = STAGE_RUNTIME,
                              .op = stmt->op,
                              .lhs = old,
                              .rhs = stmt->rhs ? stmt->rhs : one};
}

static void visit_stmt(void *context, struct wgsl_stmt *stmt) {
    struct marking *marking = context;
    struct wgsl_function *function = marking->function;
    uint64_t leaf;
    if (stmt->kind == ST_RETURN && stmt->rhs) {
        mark_source(marking, stmt->rhs, function->makes_index, &function->wraps);
    } else if (stmt->kind == ST_DECLARE && stmt->variable->init) {
        struct wgsl_variable *variable = stmt->variable;
        mark_source(marking, variable->init, variable->feeds_index, &variable->wraps);
    } else if (stmt->kind == ST_ASSIGN || stmt->kind == ST_COMPOUND || stmt->kind == ST_INCREMENT) {
        struct wgsl_variable *variable = carrier(stmt->lhs, &leaf);
        struct wgsl_expr old, one, both;
        struct wgsl_value value;
        if (variable && stmt->kind == ST_ASSIGN) {
            mark_source(marking, stmt->rhs, variable->feeds_index, &variable->wraps);
        } else if (variable) {
            both = combined(stmt, &old, &one, &value);
            mark_source(marking, &both, variable->feeds_index, &variable->wraps);
        }
    }
}

void emit_mark_indices(struct wgsl_module *module) {
    struct marking marking = {.wraps = false};
    const struct wgsl_visitor visitor = {
        .stmt = visit_stmt, .expr = visit_expr, .context = &marking};
    for (int pass = 0; pass < 2; pass++) {
        marking.wraps = pass > 0;
        do {
            marking.changed = false;
            for (uint32_t k = 0; k < module->function_count; k++) {
                marking.function = module->functions[k];
                wgsl_walk_block(&visitor, marking.function->body);
            }
        } while (marking.changed);
    }
}

bool emit_index_wraps(const struct wgsl_expr *index) {
    return may_wrap(index);
}

/* -- expressions ------------------------------------------------------------------------------- */

#define EXACT "struct wgsl_exact"

/* The name of the scalar's type in functions of wgsl.h, or NULL where it is no integer. */
static const char *family(const struct wgsl_type *scalar) {
    return scalar->kind == TY_U32 ? "u32" : scalar->kind == TY_I32 ? "i32" : NULL;
}

/* One scalar of a C value. */
static const char *part_path(struct emit *e, const struct wgsl_type *type, uint64_t leaf) {
    if (type->kind == TY_VEC) {
        return emit_format(e, "[%u]", (unsigned)leaf);
    }
    for (uint32_t k = type->kind == TY_STRUCT ? type->member_count : 0; k-- > 0;) {
        uint64_t first = value_member_leaf(type, k);
        if (leaf >= first) {
            return emit_format(e, ".%s%s", emit_member_name(e, type->members[k].name),
                               part_path(e, type->members[k].type, leaf - first));
        }
    }
    return "";
}

/* What a scalar of a C value is, taken as exact. */
static const char *taken(struct emit *e, const struct wgsl_type *type, const char *c,
                         uint64_t leaf) {
    const char *name = family(value_leaf_type(type, leaf));
    return name ? emit_format(e, "wgsl_exact_%s(%s%s)", name, c, part_path(e, type, leaf))
                : "(" EXACT "){0}";
}

static const char *keep_exact(struct emit *e, const char *text) {
    const char *name = emit_format(e, "t%u", ++e->temp_count);
    e->temporary_bytes += 16;
    emit_line(e, "const " EXACT " %s = %s;", name, text);
    return name;
}

static const char *exact(struct emit *e, const struct wgsl_expr *expr, uint64_t leaf);

static const char *exact_value(struct emit *e, const struct wgsl_expr *expr, uint64_t leaf) {
    struct emit_text text = emit_expr(e, expr);
    if (emit_has_effect(expr)) {
        text = emit_keep(e, expr->type, text);
    }
    return taken(e, expr->type,
                 type_is_scalar(expr->type) ? text.c : emit_wrap(e, text, LEVEL_PRIMARY), leaf);
}

/* Scalars stand beside vectors for each component. */
static const char *exact_operand(struct emit *e, const struct wgsl_expr *operand, uint64_t leaf) {
    return exact(e, operand, type_is_scalar(operand->type) ? 0 : leaf);
}

static const char *exact_ring(struct emit *e, const struct wgsl_expr *expr, uint64_t leaf) {
    const char *op = expr->op == OP_ADD   ? "add"
                     : expr->op == OP_SUB ? "sub"
                     : expr->op == OP_MUL ? "mul"
                                          : "shl";
    const char *left = exact_operand(e, expr->lhs, leaf);
    if (emit_has_effect(expr->rhs)) {
        left = keep_exact(e, left);
    }
    const char *right = exact_operand(e, expr->rhs, leaf);
    uint32_t site = emit_site(e, expr->span, (struct emit_site_info){.op = "WG_OP_ARITHMETIC"});
    return emit_format(e, "wgsl_exact_%s_%s(%s%u, %s, %s)", op, family(type_scalar(expr->type)),
                       expr->op == OP_SHL ? "" : "wg, ", site, left, right);
}

static const char *exact_remainder(struct emit *e, const struct wgsl_expr *expr, uint64_t leaf) {
    const char *left = exact_operand(e, expr->lhs, leaf);
    if (emit_has_effect(expr->rhs)) {
        left = keep_exact(e, left);
    }
    const char *right = exact_operand(e, expr->rhs, leaf);
    uint32_t site = emit_site(e, expr->span, (struct emit_site_info){.op = "WG_OP_ARITHMETIC"});
    return emit_format(e, "wgsl_exact_rem_u32(wg, %s, %s, %s)", emit_site_if_wanted(e, site), left,
                       right);
}

static const char *exact_division(struct emit *e, const struct wgsl_expr *expr) {
    int64_t by = value_leaf(expr->rhs->value, 0).i;
    return emit_format(e, "wgsl_exact_%s_%s(%s, %lld)", expr->op == OP_DIV ? "div" : "shr",
                       family(expr->type), exact(e, expr->lhs, 0), (long long)by);
}

/* A value that is used only where the condition holds, see emit.wanted. */
static const char *exact_if(struct emit *e, const struct wgsl_expr *expr, uint64_t leaf,
                            const char *wanted) {
    const char *outer = e->wanted;
    e->wanted = outer ? emit_format(e, "(%s && %s)", outer, wanted) : wanted;
    const char *text = exact(e, expr, leaf);
    e->wanted = outer;
    return keep_exact(e, text);
}

static const char *exact_select(struct emit *e, const struct wgsl_expr *expr, uint64_t leaf) {
    if (!emit_has_effect(expr)) {
        return emit_format(e, "(%s ? %s : %s)", emit_at(e, expr->args[2], LEVEL_UNARY),
                           exact(e, expr->args[1], leaf), exact(e, expr->args[0], leaf));
    }
    if (!emit_condition_may_lead(expr)) {
        const char *no = keep_exact(e, exact(e, expr->args[0], leaf));
        const char *yes = keep_exact(e, exact(e, expr->args[1], leaf));
        return emit_format(e, "(%s ? %s : %s)", emit_at(e, expr->args[2], LEVEL_UNARY), yes, no);
    }
    struct emit_text condition = emit_expr(e, expr->args[2]);
    condition.stable = false;
    condition = emit_keep(e, expr->args[2]->type, condition);
    const char *no = exact_if(e, expr->args[0], leaf, emit_format(e, "!%s", condition.c));
    const char *yes = exact_if(e, expr->args[1], leaf, condition.c);
    return emit_format(e, "(%s ? %s : %s)", condition.c, yes, no);
}

static const char *exact_builtin(struct emit *e, const struct wgsl_expr *expr, uint64_t leaf) {
    const char *args = "";
    for (uint32_t k = 0; k < expr->arg_count; k++) {
        bool later = false;
        for (uint32_t i = k + 1; i < expr->arg_count; i++) {
            later |= emit_has_effect(expr->args[i]);
        }
        const char *arg = exact(e, expr->args[k], leaf);
        args = emit_format(e, "%s%s%s", args, k ? ", " : "", later ? keep_exact(e, arg) : arg);
    }
    return emit_format(e, "wgsl_exact_%s_%s(%s)", builtin_name(expr->builtin),
                       family(type_scalar(expr->type)), args);
}

static const char *exact_conversion(struct emit *e, const struct wgsl_expr *expr, uint64_t leaf) {
    const char *arg = exact(e, expr->args[0], leaf);
    uint32_t site = emit_site(e, expr->span, (struct emit_site_info){.op = "WG_OP_ARITHMETIC"});
    return emit_format(e, "wgsl_exact_to_%s(%u, %s)", family(type_scalar(expr->type)), site, arg);
}

static const char *exact_construct(struct emit *e, const struct wgsl_expr *expr, uint64_t leaf) {
    if (emit_has_effect(expr)) {
        return exact_value(e, expr, leaf);
    }
    if (expr->construct == CONSTRUCT_SPLAT) {
        return exact(e, expr->args[0], 0);
    }
    uint32_t k = 0;
    while (k + 1 < expr->arg_count && leaf >= expr->args[k]->type->leaf_count) {
        leaf -= expr->args[k++]->type->leaf_count;
    }
    return exact(e, expr->args[k], leaf);
}

static const char *exact_part(struct emit *e, const struct wgsl_expr *expr, uint64_t leaf) {
    if (expr->kind == EX_MEMBER) {
        leaf += value_member_leaf(type_unref(expr->lhs->type), expr->member->index);
    } else {
        leaf = expr->swizzle[leaf];
    }
    return exact(e, expr->lhs, leaf);
}

static const char *exact_call(struct emit *e, const struct wgsl_expr *expr, uint64_t leaf) {
    const char *name = emit_format(e, "t%u", ++e->temp_count);
    e->temporary_bytes += 16 * (uint32_t)expr->type->leaf_count;
    emit_line(e, EXACT " %s[%u];", name, (unsigned)expr->type->leaf_count);
    emit_line(e, "(void)%s;", emit_call(e, expr, name).c);
    return emit_format(e, "%s[%u]", name, (unsigned)leaf);
}

/* A scalar of a value, both ways. */
static const char *exact(struct emit *e, const struct wgsl_expr *expr, uint64_t leaf) {
    uint64_t first;
    const struct wgsl_variable *variable = carrier(expr, &first);
    const char *name = family(value_leaf_type(type_unref(expr->type), leaf));
    if (!name || emit_constant(e, expr) || !may_wrap(expr)) {
        return exact_value(e, expr, leaf);
    }
    e->exact_count++;
    if (variable) {
        return emit_format(e, "%s[%u]", e->exacts[variable->index], (unsigned)(first + leaf));
    }
    if (expr->kind == EX_USER) {
        return exact_call(e, expr, leaf);
    }
    if (is_ring(expr)) {
        return exact_ring(e, expr, leaf);
    }
    if (is_remainder(expr)) {
        return exact_remainder(e, expr, leaf);
    }
    if (is_division(expr)) {
        return exact_division(e, expr);
    }
    if (is_negation(expr)) {
        uint32_t site = emit_site(e, expr->span, (struct emit_site_info){.op = "WG_OP_ARITHMETIC"});
        return emit_format(e, "wgsl_exact_sub_i32(wg, %u, wgsl_exact_i32(0), %s)", site,
                           exact(e, expr->lhs, 0));
    }
    if (is_conversion(expr)) {
        return exact_conversion(e, expr, leaf);
    }
    if (expr->kind == EX_BUILTIN) {
        return expr->builtin == BI_select ? exact_select(e, expr, leaf)
                                          : exact_builtin(e, expr, leaf);
    }
    return expr->kind == EX_CONSTRUCT ? exact_construct(e, expr, leaf) : exact_part(e, expr, leaf);
}

struct emit_text emit_wrapping_index(struct emit *e, const struct wgsl_expr *index, uint32_t site,
                                     const char *var, const char *count) {
    const char *text =
        emit_format(e, "wgsl_index_%s(wg, %u, %s, %s, %s, %s)", family(index->type), site,
                    e->wanted ? e->wanted : "true", var, exact(e, index, 0), count);
    return (struct emit_text){text, LEVEL_PRIMARY, false};
}

/* -- what carries both ------------------------------------------------------------------------- */

bool emit_carries(const struct wgsl_variable *variable) {
    return variable->feeds_index && variable->wraps;
}

bool emit_returns_both(const struct wgsl_function *function) {
    return function->makes_index && function->wraps;
}

/* {one, for, each, scalar} of a value without effects */
static const char *all_exact(struct emit *e, const struct wgsl_expr *value) {
    const char *list = "";
    for (uint64_t k = 0; k < value->type->leaf_count; k++) {
        list = emit_format(e, "%s%s%s", list, k ? ", " : "", exact(e, value, k));
    }
    return emit_format(e, "{%s}", list);
}

static const char *all_taken(struct emit *e, const struct wgsl_type *type, const char *c) {
    const char *list = "";
    for (uint64_t k = 0; k < type->leaf_count; k++) {
        list = emit_format(e, "%s%s%s", list, k ? ", " : "", taken(e, type, c, k));
    }
    return emit_format(e, "{%s}", list);
}

static const char *new_array(struct emit *e, const struct wgsl_type *type) {
    const char *name = emit_format(e, "t%u", ++e->temp_count);
    e->temporary_bytes += 16 * (uint32_t)type->leaf_count;
    return name;
}

/* A vector or struct, part by part. */
static struct emit_text both_of_parts(struct emit *e, const struct wgsl_expr *value,
                                      const char *both) {
    struct emit_text texts[SCALARS_MAX];
    const char *list = "";
    for (uint32_t k = 0; k < value->arg_count; k++) {
        const struct wgsl_type *type = value->args[k]->type;
        const char *part;
        texts[k] = emit_both(e, value->args[k], &part);
        for (uint64_t leaf = 0; leaf < type->leaf_count; leaf++) {
            list = emit_format(e, "%s%s%s[%u]", list, *list ? ", " : "", part, (unsigned)leaf);
        }
    }
    emit_line(e, EXACT " %s[] = {%s};", both, list);
    return emit_keep(e, value->type, emit_components(e, value, texts));
}

struct emit_text emit_both(struct emit *e, const struct wgsl_expr *value, const char **both) {
    const struct wgsl_type *type = value->type;
    *both = new_array(e, type);
    if (type_is_scalar(type) && !family(type)) {
        emit_line(e, EXACT " %s[1] = {{0}};", *both);
        return emit_keep(e, type, emit_expr(e, value));
    }
    if (type_is_scalar(type)) {
        emit_line(e, EXACT " %s[1] = {%s};", *both, exact(e, value, 0));
        const char *c = emit_format(e, "(%s)%s->value", family(type), *both);
        return (struct emit_text){c, LEVEL_UNARY, true};
    }
    if (value->kind == EX_USER && emit_returns_both(value->function)) {
        emit_line(e, EXACT " %s[%u];", *both, (unsigned)type->leaf_count);
        return emit_keep(e, type, emit_call(e, value, *both));
    }
    if (is_kept_construct(value) && value->construct == CONSTRUCT_COMPONENTS &&
        emit_has_effect(value)) {
        return both_of_parts(e, value, *both);
    }
    if (!emit_has_effect(value)) {
        emit_line(e, EXACT " %s[] = %s;", *both, all_exact(e, value));
        struct emit_text text = emit_expr(e, value);
        text.stable = false;
        return emit_keep(e, type, text);
    }
    struct emit_text text = emit_keep(e, type, emit_expr(e, value));
    emit_line(e, EXACT " %s[] = %s;", *both, all_taken(e, type, emit_wrap(e, text, LEVEL_PRIMARY)));
    return text;
}

/* What beside the variable stands is known before it, without a call. */
static bool is_told_at_once(const struct wgsl_expr *init) {
    return init && (type_is_scalar(init->type) || !emit_has_effect(init));
}

void emit_declare_both(struct emit *e, const struct wgsl_variable *variable) {
    const struct wgsl_type *type = variable->type;
    const char *both = NULL, *list = "{{0}}", *init;
    bool at_once = is_told_at_once(variable->init);
    if (at_once) {
        list = all_exact(e, variable->init);
    }
    init = !variable->init        ? emit_zero(e, type)
           : !at_once             ? emit_both(e, variable->init, &both).c
           : type_is_scalar(type) ? NULL
                                  : emit_expr(e, variable->init).c;
    const char *name = e->locals[variable->index] = emit_local_name(e, variable->name);
    const char *array = e->exacts[variable->index] =
        emit_local_name(e, emit_format(e, "%s_both", variable->name));
    e->temporary_bytes += 32 * (uint32_t)type->leaf_count;
    emit_line(e, EXACT " %s[%u] = %s;", array, (unsigned)type->leaf_count, list);
    if (!init) {
        init = emit_format(e, "(%s)%s->value", family(type), array);
    }
    emit_line(e, "%s%s %s = %s;", variable->kind == VAR_LET ? "const " : "", emit_type(e, type),
              name, init);
    if (both) {
        emit_line(e, "memcpy(%s, %s, sizeof %s);", array, both, array);
    }
}

/* The variable that an element is a part of. */
static const struct wgsl_variable *variable_of(const struct wgsl_expr *reference) {
    while (reference->kind == EX_INDEX || reference->kind == EX_MEMBER ||
           reference->kind == EX_SWIZZLE) {
        reference = reference->lhs;
    }
    return reference->kind == EX_VARIABLE && can_carry(reference->variable) ? reference->variable
                                                                            : NULL;
}

/* Something is stored to a part that is known at run time only: what is there counts as exact. */
static void forget(struct emit *e, const struct wgsl_variable *variable) {
    const char *array = e->exacts[variable->index];
    for (uint64_t k = 0; k < variable->type->leaf_count; k++) {
        emit_line(e, "%s[%u] = %s;", array, (unsigned)k,
                  taken(e, variable->type, e->locals[variable->index], k));
    }
}

bool emit_assign_both(struct emit *e, const struct wgsl_stmt *stmt) {
    uint64_t first;
    const struct wgsl_variable *variable = carrier(stmt->lhs, &first);
    struct wgsl_expr old, one, both_sides;
    struct wgsl_value value;
    if (!variable || !emit_carries(variable)) {
        return false;
    }
    both_sides = combined(stmt, &old, &one, &value);
    const char *both;
    const char *text = emit_both(e, stmt->kind == ST_ASSIGN ? stmt->rhs : &both_sides, &both).c;
    emit_line(e, "%s = %s;", emit_local_place(e, stmt->lhs).c, text);
    emit_line(e, "memcpy(%s + %u, %s, sizeof %s);", e->exacts[variable->index], (unsigned)first,
              both, both);
    return true;
}

void emit_assigned(struct emit *e, const struct wgsl_stmt *stmt) {
    const struct wgsl_variable *variable = variable_of(stmt->lhs);
    if (variable && emit_carries(variable)) {
        forget(e, variable);
    }
}
