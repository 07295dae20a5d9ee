/* Operators as C. */
#include "sim/wgsl/emit_impl.h"

static const struct {
    const char *c;
    enum emit_level level;
} operators[] = {
    [OP_ADD] = {"+", LEVEL_SUM},
    [OP_SUB] = {"-", LEVEL_SUM},
    [OP_MUL] = {"*", LEVEL_PRODUCT},
    [OP_DIV] = {"/", LEVEL_PRODUCT},
    [OP_MOD] = {"%", LEVEL_PRODUCT},
    [OP_SHL] = {"<<", LEVEL_SHIFT},
    [OP_SHR] = {">>", LEVEL_SHIFT},
    [OP_AND] = {"&", LEVEL_AND},
    [OP_OR] = {"|", LEVEL_OR},
    [OP_XOR] = {"^", LEVEL_XOR},
    [OP_LOGICAL_AND] = {"&&", LEVEL_LOGICAL_AND},
    [OP_EQ] = {"==", LEVEL_EQUAL},
    [OP_LOGICAL_OR] = {"||", LEVEL_LOGICAL_OR},
    [OP_NE] = {"!=", LEVEL_EQUAL},
    [OP_LT] = {"<", LEVEL_ORDER},
    [OP_LE] = {"<=", LEVEL_ORDER},
    [OP_GT] = {">", LEVEL_ORDER},
    [OP_GE] = {">=", LEVEL_ORDER},
};

/* Parentheses wherever a compiler would advise them: sums and products alone go without. */
static const char *side(struct emit *e, struct emit_text text, enum emit_level level, bool right) {
    if (level >= LEVEL_SUM) {
        return emit_wrap(e, text, right ? level + 1 : level);
    }
    return text.level == level && !right && level != LEVEL_ORDER && level != LEVEL_EQUAL
               ? text.c
               : emit_wrap(e, text, LEVEL_SUM);
}

static struct emit_text infix(struct emit *e, enum wgsl_op op, struct emit_text lhs,
                              struct emit_text rhs) {
    enum emit_level level = operators[op].level;
    const char *c = emit_format(e, "%s %s %s", side(e, lhs, level, false), operators[op].c,
                                side(e, rhs, level, true));
    return (struct emit_text){c, level, lhs.stable && rhs.stable};
}

static struct emit_text function_of_two(struct emit *e, const struct wgsl_type *type,
                                        const char *name, struct emit_text lhs,
                                        struct emit_text rhs) {
    const char *c = emit_format(e, "%s_%s(%s, %s)", emit_family(e, type), name, lhs.c, rhs.c);
    return (struct emit_text){c, LEVEL_PRIMARY, lhs.stable && rhs.stable};
}

static struct emit_text matrix_operator(struct emit *e, enum wgsl_op op, struct emit_text lhs,
                                        const struct wgsl_type *lhs_type, struct emit_text rhs,
                                        const struct wgsl_type *rhs_type) {
    if (op != OP_MUL) {
        return function_of_two(e, lhs_type, op == OP_ADD ? "add" : "sub", lhs, rhs);
    }
    if (lhs_type->kind != TY_MAT) {
        return lhs_type->kind == TY_VEC ? function_of_two(e, rhs_type, "vec_mul", lhs, rhs)
                                        : function_of_two(e, rhs_type, "scale", rhs, lhs);
    }
    if (rhs_type->kind == TY_MAT) {
        const char *name = emit_format(e, "mul_%s", emit_family(e, rhs_type));
        return function_of_two(e, lhs_type, name, lhs, rhs);
    }
    return function_of_two(e, lhs_type, rhs_type->kind == TY_VEC ? "mul_vec" : "scale", lhs, rhs);
}

struct emit_text emit_splat(struct emit *e, struct emit_text text, const struct wgsl_type *type,
                            const struct wgsl_type *other) {
    if (type->kind == TY_VEC || other->kind != TY_VEC) {
        return text;
    }
    return (struct emit_text){emit_format(e, "%s_splat(%s)", emit_family(e, other), text.c),
                              LEVEL_PRIMARY, text.stable};
}

/* -- integers, whose corners are worth a word ----------------------------------------------------
 */

/* The operators of integers that can meet one: a function of wgsl_value.h, the same with advice, or
 * C's own. */
static const struct {
    enum wgsl_op op;
    const char *name;
} corners[] = {
    {OP_ADD, "add"}, {OP_SUB, "sub"}, {OP_MUL, "mul"}, {OP_DIV, "div"},
    {OP_MOD, "rem"}, {OP_SHL, "shl"}, {OP_SHR, "shr"},
};

static const char *corner_name(enum wgsl_op op) {
    for (size_t k = 0; k < sizeof corners / sizeof *corners; k++) {
        if (corners[k].op == op) {
            return corners[k].name;
        }
    }
    return NULL;
}

/* Whether C's own operator means the same, whatever the left operand: by a constant that is no
 * corner, or one that only wraps. */
static bool is_harmless(const struct emit_operation *o, const struct wgsl_type *type) {
    bool wraps = o->op == OP_ADD || o->op == OP_SUB || o->op == OP_MUL;
    if (wraps && (type->kind != TY_I32 || o->quiet)) {
        return true;
    }
    if (!type_is_scalar(type) || !o->rhs_value || wraps) {
        return false;
    }
    int64_t by = value_leaf(o->rhs_value, 0).i;
    return o->op == OP_DIV || o->op == OP_MOD ? by != 0 && by != -1 : by >= 0 && by < 32;
}

static struct emit_text integer_operator(struct emit *e, const struct emit_operation *o,
                                         const struct wgsl_type *type) {
    const char *name = corner_name(o->op);
    if (!name || is_harmless(o, type)) {
        return infix(e, o->op, o->lhs, o->rhs);
    }
    uint32_t site = emit_site(e, o->span, (struct emit_site_info){.op = "WG_OP_ARITHMETIC"});
    const char *c = emit_format(e, "%s_%s_at(wg, %s, %s, %s)", emit_family(e, type), name,
                                emit_site_if_wanted(e, site), o->lhs.c, o->rhs.c);
    return (struct emit_text){c, LEVEL_PRIMARY, o->lhs.stable && o->rhs.stable};
}

/* -- all --------------------------------------------------------------------------------------- */

struct emit_text emit_rounded(struct emit *e, const struct wgsl_type *type, struct emit_text text) {
    if (!emit_is_half(type)) {
        return text;
    }
    return (struct emit_text){emit_format(e, "%s_round(%s)", emit_type(e, type), text.c),
                              LEVEL_PRIMARY, text.stable};
}

static struct emit_text float_operator(struct emit *e, const struct emit_operation *o,
                                       const struct wgsl_type *type) {
    return o->op == OP_MOD ? function_of_two(e, type, "rem", o->lhs, o->rhs)
                           : infix(e, o->op, o->lhs, o->rhs);
}

struct emit_text emit_operation(struct emit *e, const struct emit_operation *operation) {
    struct emit_operation o = *operation;
    if (o.lhs_type->kind == TY_MAT || o.rhs_type->kind == TY_MAT) {
        return emit_rounded(e, o.result,
                            matrix_operator(e, o.op, o.lhs, o.lhs_type, o.rhs, o.rhs_type));
    }
    o.lhs = emit_splat(e, o.lhs, o.lhs_type, o.rhs_type);
    o.rhs = emit_splat(e, o.rhs, o.rhs_type, o.lhs_type);
    const struct wgsl_type *type =
        o.rhs_type->kind == TY_VEC && o.op != OP_SHL && o.op != OP_SHR ? o.rhs_type : o.lhs_type;
    struct emit_text text = type_is_integer(type_scalar(type)) ? integer_operator(e, &o, type)
                                                               : float_operator(e, &o, type);
    return emit_rounded(e, o.result, text);
}
