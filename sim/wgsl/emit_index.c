/* Indices that wrap around 2^32 on the way, which is worth a word at run time. */
#include "sim/wgsl/emit_impl.h"
#include "sim/wgsl/walk.h"

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

/* -- what indices are made of ------------------------------------------------------------------ */

struct marking {
    struct wgsl_function *function; /* that is walked over */
    bool changed;
};

static bool is_integer(const struct wgsl_type *type) {
    return type->kind == TY_U32 || type->kind == TY_I32;
}

static bool is_binary(const struct wgsl_expr *expr, enum wgsl_op op) {
    return expr && expr->kind == EX_BINARY && expr->op == op;
}

/* A division by at most so much makes words of bytes; hashes take bits from further up. */
enum { DIVISOR_MAX = 16, SHIFT_MAX = 4 };

static bool is_division(const struct wgsl_expr *expr) {
    if ((!is_binary(expr, OP_DIV) && !is_binary(expr, OP_SHR)) || !expr->rhs->value ||
        !expr->rhs->type || !is_integer(expr->type)) {
        return false;
    }
    int64_t by = value_leaf(expr->rhs->value, 0).i;
    return by <= (expr->op == OP_DIV ? DIVISOR_MAX : SHIFT_MAX);
}

/* u32(x) and i32(x) */
static bool is_conversion(const struct wgsl_expr *expr) {
    return expr && expr->kind == EX_CONSTRUCT && expr->arg_count == 1 && is_integer(expr->type);
}

/* What an index is made of by conversions and by divisions. */
static struct wgsl_expr *undivided(struct wgsl_expr *index) {
    struct wgsl_expr *expr = emit_origin(index);
    while (is_division(expr) || is_conversion(expr)) {
        expr = emit_origin(is_division(expr) ? expr->lhs : expr->args[0]);
    }
    return expr;
}

static void mark(struct marking *marking, bool *flag) {
    marking->changed |= !*flag;
    *flag = true;
}

/* A difference below zero is far above any bound, where a check of the access sees it; not so when
 * it is held inside before. Only where it stands in the index itself: what has a name may be
 * computed in vain. */
static void mark_held(struct marking *marking, struct wgsl_expr *index) {
    bool least =
        index->kind == EX_BUILTIN && (index->builtin == BI_min || index->builtin == BI_clamp);
    for (uint32_t k = 0; least && k < (index->builtin == BI_min ? 2u : 1u); k++) {
        if (is_binary(index->args[k], OP_SUB) && index->args[k]->type->kind == TY_U32) {
            mark(marking, &index->args[k]->feeds_index);
        }
    }
    if (is_binary(index, OP_MOD) && is_binary(index->lhs, OP_SUB) && index->type->kind == TY_U32) {
        mark(marking, &index->feeds_index);
    }
}

static void mark_index(struct marking *marking, struct wgsl_expr *index) {
    struct wgsl_expr *expr = undivided(index);
    if (expr == index) {
        mark_held(marking, index);
    }
    if (!expr || !is_integer(expr->type)) {
        return;
    }
    if (expr->kind == EX_VARIABLE && expr->variable->kind == VAR_PARAM) {
        mark(marking, &expr->variable->feeds_index);
    } else if (expr->kind == EX_USER) {
        mark(marking, &expr->function->makes_index);
    } else if (is_binary(expr, OP_ADD) || is_binary(expr, OP_MUL) || is_binary(expr, OP_SHL)) {
        mark(marking, &expr->feeds_index);
        mark_index(marking, expr->lhs);
        mark_index(marking, expr->rhs);
    }
}

static void visit_expr(void *context, struct wgsl_expr *expr) {
    if (expr->kind == EX_INDEX) {
        mark_index(context, expr->rhs);
    }
    for (uint32_t k = 0; expr->kind == EX_USER && k < expr->arg_count; k++) {
        if (expr->function->params[k]->feeds_index) {
            mark_index(context, expr->args[k]);
        }
    }
}

static void visit_stmt(void *context, struct wgsl_stmt *stmt) {
    struct marking *marking = context;
    if (stmt->kind == ST_RETURN && stmt->rhs && marking->function->makes_index) {
        mark_index(marking, stmt->rhs);
    }
}

void emit_mark_indices(struct wgsl_module *module) {
    struct marking marking;
    const struct wgsl_visitor visitor = {
        .stmt = visit_stmt, .expr = visit_expr, .context = &marking};
    do {
        marking.changed = false;
        for (uint32_t k = 0; k < module->function_count; k++) {
            marking.function = module->functions[k];
            wgsl_walk_block(&visitor, marking.function->body);
        }
    } while (marking.changed);
}

/* -- operations -------------------------------------------------------------------------------- */

/* Adding 0xffffffff is how one is taken off. */
static bool takes_off(struct emit *e, const struct wgsl_expr *expr) {
    const struct wgsl_value *value = emit_constant(e, expr);
    return value && expr->type->kind == TY_U32 && value_leaf(value, 0).i >= INT64_C(0x80000000);
}

/* The function of wgsl.h that computes it and says where it wraps. */
static const char *function_of(enum wgsl_op op) {
    switch (op) {
    case OP_ADD:
        return "add";
    case OP_SUB:
        return "sub";
    case OP_MUL:
        return "mul";
    case OP_MOD:
        return "rem";
    default:
        return "shl";
    }
}

bool emit_index_operation(struct emit *e, const struct wgsl_expr *expr, struct emit_text *text) {
    if (!expr->feeds_index || takes_off(e, expr->lhs) || takes_off(e, expr->rhs)) {
        return false;
    }
    struct wgsl_expr *operands[2] = {expr->lhs, expr->rhs};
    struct emit_text texts[2];
    emit_operands(e, operands, 2, texts);
    uint32_t site = emit_site(e, expr->span, (struct emit_site_info){.op = "WG_OP_ARITHMETIC"});
    *text = (struct emit_text){emit_format(e, "%s_%s_index_at(wg, %u, %s, %s, %s)",
                                           emit_family(e, expr->type), function_of(expr->op), site,
                                           e->wanted ? e->wanted : "true", texts[0].c, texts[1].c),
                               LEVEL_PRIMARY, texts[0].stable && texts[1].stable};
    return true;
}
