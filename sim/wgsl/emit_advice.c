/* Float sums that depend on how they are grouped or in which order invocations add to them, which
 * is worth a word at run time. */
#include "sim/wgsl/emit_impl.h"

/* -- sums of floats ---------------------------------------------------------------------------- */

static bool is_sum(struct emit *e, const struct wgsl_expr *expr) {
    return expr->kind == EX_BINARY && (expr->op == OP_ADD || expr->op == OP_SUB) &&
           expr->type->kind == TY_F32 && !emit_constant(e, expr);
}

static const char *sign(enum wgsl_op op) {
    return op == OP_SUB ? "true" : "false";
}

/* (x + y) + z or x + (y + z). */
static bool grouped_sum(struct emit *e, const struct wgsl_expr *expr, struct emit_text *text) {
    bool left = is_sum(e, expr->lhs);
    if (!left && !is_sum(e, expr->rhs)) {
        return false;
    }
    const struct wgsl_expr *inner = left ? expr->lhs : expr->rhs;
    struct wgsl_expr *operands[3] = {left ? inner->lhs : expr->lhs, left ? inner->rhs : inner->lhs,
                                     left ? expr->rhs : inner->rhs};
    enum wgsl_op first = left ? inner->op : expr->op, second = left ? expr->op : inner->op;
    struct emit_text texts[3];
    emit_operands(e, operands, 3, texts);
    uint32_t site = emit_site(e, expr->span, (struct emit_site_info){.op = "WG_OP_ARITHMETIC"});
    *text = (struct emit_text){
        emit_format(e, "f32_%s_at(wg, %u, %s, %s, %s, %s, %s)", left ? "left" : "right", site,
                    texts[0].c, texts[1].c, texts[2].c, sign(first), sign(second)),
        LEVEL_PRIMARY, texts[0].stable && texts[1].stable && texts[2].stable};
    return true;
}

/* The terms of a sum of sums. */
enum { TERMS_MIN = 4, TERMS_MAX = 8 };

struct terms {
    struct wgsl_expr *terms[TERMS_MAX];
    uint32_t count;
    unsigned minus; /* bits of those that are taken off */
};

static bool collect(struct emit *e, struct wgsl_expr *expr, bool minus, struct terms *terms) {
    if (is_sum(e, expr)) {
        return collect(e, expr->lhs, minus, terms) &&
               collect(e, expr->rhs, minus != (expr->op == OP_SUB), terms);
    }
    if (terms->count == TERMS_MAX) {
        return false;
    }
    terms->minus |= (unsigned)minus << terms->count;
    terms->terms[terms->count++] = expr;
    return true;
}

/* The sum as it is written, of the texts of its terms. */
static const char *grouping(struct emit *e, const struct wgsl_expr *expr,
                            const struct emit_text **next) {
    if (!is_sum(e, expr)) {
        return emit_wrap(e, *(*next)++, LEVEL_PRIMARY);
    }
    const char *lhs = grouping(e, expr->lhs, next);
    return emit_format(e, "(%s %s %s)", lhs, expr->op == OP_SUB ? "-" : "+",
                       grouping(e, expr->rhs, next));
}

/* More than three terms, some of them taken off. */
static bool long_sum(struct emit *e, const struct wgsl_expr *expr, struct emit_text *text) {
    struct terms terms = {.count = 0};
    if (!collect(e, (struct wgsl_expr *)expr, false, &terms) || terms.count < TERMS_MIN ||
        !terms.minus) {
        return false;
    }
    struct emit_text texts[TERMS_MAX];
    const struct emit_text *next = texts;
    const char *list = "";
    emit_operands(e, terms.terms, terms.count, texts);
    for (uint32_t k = 0; k < terms.count; k++) {
        texts[k] = emit_keep(e, expr->type, texts[k]);
        list = emit_format(e, "%s%s%s", list, k ? ", " : "", texts[k].c);
        emit_add_temporary(e, expr->type);
    }
    uint32_t site = emit_site(e, expr->span, (struct emit_site_info){.op = "WG_OP_ARITHMETIC"});
    *text = (struct emit_text){
        emit_format(e, "f32_terms_at(wg, %u, %s, 0x%xu, %u, (const f32[]){%s})", site,
                    grouping(e, expr, &next), terms.minus, terms.count, list),
        LEVEL_PRIMARY, true};
    return true;
}

static bool same_variable(const struct wgsl_expr *a, const struct wgsl_expr *b) {
    return a->kind == EX_VARIABLE && b->kind == EX_VARIABLE && a->variable == b->variable;
}

/* s - x of let s = x + rest: what rounding took from the rest. */
static bool rest_of_sum(struct emit *e, const struct wgsl_expr *expr, struct emit_text *text) {
    const struct wgsl_expr *sum = emit_origin(expr->lhs);
    if (expr->op != OP_SUB || expr->lhs->kind != EX_VARIABLE || !is_sum(e, sum) ||
        sum->op != OP_ADD) {
        return false;
    }
    struct wgsl_expr *rest = same_variable(sum->lhs, expr->rhs)   ? sum->rhs
                             : same_variable(sum->rhs, expr->rhs) ? sum->lhs
                                                                  : NULL;
    if (!rest || rest->kind != EX_VARIABLE) {
        return false;
    }
    struct wgsl_expr *operands[3] = {expr->lhs, expr->rhs, rest};
    struct emit_text texts[3];
    emit_operands(e, operands, 3, texts);
    uint32_t site = emit_site(e, expr->span, (struct emit_site_info){.op = "WG_OP_ARITHMETIC"});
    *text = (struct emit_text){
        emit_format(e, "f32_rest_at(wg, %u, %s, %s, %s)", site, texts[0].c, texts[1].c, texts[2].c),
        LEVEL_PRIMARY, true};
    return true;
}

bool emit_sum(struct emit *e, const struct wgsl_expr *expr, struct emit_text *text) {
    return is_sum(e, expr) &&
           (long_sum(e, expr, text) || grouped_sum(e, expr, text) || rest_of_sum(e, expr, text));
}

/* -- floats in atomics ------------------------------------------------------------------------- */

static bool is_float_bits(struct wgsl_expr *expr) {
    expr = emit_origin(expr);
    return expr && expr->kind == EX_BUILTIN && expr->builtin == BI_bitcast &&
           expr->args[0]->type->kind == TY_F32;
}

void emit_advise_exchange(struct emit *e, const struct wgsl_expr *call, bool used) {
    bool tries = call->builtin == BI_atomicCompareExchangeWeak && is_float_bits(call->args[2]);
    if (!tries && !(call->adds_float && used)) {
        return;
    }
    uint32_t site = emit_site(e, call->span, (struct emit_site_info){.op = "WG_OP_ARITHMETIC"});
    emit_line(e, "wgsl_advise(wg, %u, WG_ARITHMETIC_FLOAT_ATOMIC, true);", site);
}
