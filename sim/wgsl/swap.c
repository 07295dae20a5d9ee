/* Finding additions by atomicExchange. What a variable of the function may hold is followed without
 * regard to the order of statements, since that of turns of a loop is any. */
#include "sim/wgsl/swap.h"

#include "sim/wgsl/walk.h"

/* What a value may be. */
enum {
    TAKEN = 1, /* what an exchange gave */
    SUM = 2    /* such, and more added */
};

enum { VARIABLES_MAX = 16, EXCHANGES_MAX = 8 };

struct known {
    const struct wgsl_variable *variable;
    unsigned holds;
};

struct swaps {
    const struct wgsl_variable *memory; /* in which something is exchanged */
    struct known known[VARIABLES_MAX];
    uint32_t known_count;
    bool changed;
};

static bool is_exchange(const struct wgsl_expr *expr) {
    return expr->kind == EX_BUILTIN && expr->builtin == BI_atomicExchange && expr->args[0]->root;
}

static unsigned of_variable(const struct swaps *swaps, const struct wgsl_variable *variable) {
    for (uint32_t i = 0; i < swaps->known_count; i++)
        if (swaps->known[i].variable == variable)
            return swaps->known[i].holds;
    return 0;
}

static bool adds_floats(enum wgsl_op op, const struct wgsl_type *type) {
    return (op == OP_ADD || op == OP_SUB) && type->kind == TY_F32;
}

static unsigned of_value(const struct swaps *swaps, const struct wgsl_expr *expr) {
    if (expr->value)
        return 0;
    switch (expr->kind) {
    case EX_VARIABLE:
        return of_variable(swaps, expr->variable);
    case EX_LOAD:
        return of_value(swaps, expr->lhs);
    case EX_BINARY:
        return adds_floats(expr->op, expr->type) &&
                       (of_value(swaps, expr->lhs) || of_value(swaps, expr->rhs))
                   ? SUM
                   : 0;
    case EX_BUILTIN:
        if (expr->builtin == BI_bitcast)
            return of_value(swaps, expr->args[0]);
        return is_exchange(expr) && expr->args[0]->root == swaps->memory ? TAKEN : 0;
    default:
        return 0;
    }
}

static void note(struct swaps *swaps, const struct wgsl_variable *variable, unsigned holds) {
    uint32_t i = 0;

    while (i < swaps->known_count && swaps->known[i].variable != variable)
        i++;
    if (i == VARIABLES_MAX || !holds ||
        (of_variable(swaps, variable) | holds) == of_variable(swaps, variable))
        return;
    if (i == swaps->known_count)
        swaps->known[swaps->known_count++] = (struct known){variable, 0};
    swaps->known[i].holds |= holds;
    swaps->changed = true;
}

static void see_stmt(void *context, struct wgsl_stmt *stmt) {
    struct swaps *swaps = context;
    const struct wgsl_variable *to =
        stmt->lhs && stmt->lhs->kind == EX_VARIABLE ? stmt->lhs->variable : NULL;

    if (stmt->kind == ST_DECLARE && stmt->variable->init)
        note(swaps, stmt->variable, of_value(swaps, stmt->variable->init));
    else if (stmt->kind == ST_ASSIGN && to)
        note(swaps, to, of_value(swaps, stmt->rhs));
    else if (stmt->kind == ST_COMPOUND && to && adds_floats(stmt->op, to->type) &&
             (of_value(swaps, stmt->rhs) || of_variable(swaps, to)))
        note(swaps, to, SUM);
}

/* Of one variable, or parameter, in which something is exchanged. */
static void mark(struct wgsl_function *function, struct wgsl_expr *exchange) {
    struct swaps swaps = {.memory = exchange->args[0]->root, .changed = true};
    const struct wgsl_visitor visitor = {.stmt = see_stmt, .context = &swaps};

    while (swaps.changed) {
        swaps.changed = false;
        wgsl_walk_block(&visitor, function->body);
    }
    exchange->adds_float = (of_value(&swaps, exchange->args[1]) & SUM) != 0;
}

struct exchanges {
    struct wgsl_expr *items[EXCHANGES_MAX];
    uint32_t count;
};

static void collect(void *context, struct wgsl_expr *expr) {
    struct exchanges *exchanges = context;

    if (is_exchange(expr) && exchanges->count < EXCHANGES_MAX)
        exchanges->items[exchanges->count++] = expr;
}

void wgsl_mark_swaps(struct wgsl_function *function) {
    struct exchanges exchanges = {.count = 0};
    const struct wgsl_visitor visitor = {.expr = collect, .context = &exchanges};

    wgsl_walk_block(&visitor, function->body);
    for (uint32_t i = 0; i < exchanges.count; i++)
        mark(function, exchanges.items[i]);
}
