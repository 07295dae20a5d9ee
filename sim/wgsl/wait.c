/* Finding turns of a loop that change nothing, so that the next one differs only if memory does. A
 * walk along the statements knows by which kinds of way each is reached; what may have an effect
 * ends all of them. Calls and inner loops are taken to have one. */
#include "sim/wgsl/wait.h"

#include "sim/wgsl/walk.h"

/* How a statement is reached in a turn. */
enum {
    WAY_IDLE = 1,   /* without an effect */
    WAY_DECIDED = 2 /* the same, past a branch that an atomic decides */
};

enum { BINDINGS_MAX = 16, ATOMICS_MAX = 8, DEPTH_MAX = 16 };

/* A variable that was given a value in this turn. */
struct binding {
    const struct wgsl_variable *variable;
    struct wgsl_expr *value;
};

struct turn {
    unsigned again; /* ways that came to the end of the turn */
    unsigned left;  /* ways that left the innermost switch */
    bool in_switch;
    struct binding bindings[BINDINGS_MAX];
    uint32_t binding_count;
    struct wgsl_expr *atomics[ATOMICS_MAX]; /* that decided a branch */
    uint32_t atomic_count;
};

/* -- expressions ------------------------------------------------------------------------------- */

static bool is_look(const struct wgsl_expr *expr) {
    return expr->kind == EX_BUILTIN &&
           (expr->builtin == BI_atomicLoad || expr->builtin == BI_atomicCompareExchangeWeak);
}

/* Whether the value is made of what an atomic of storage gave in this turn: then notes it. */
static bool find_atomics(struct turn *turn, struct wgsl_expr *expr, int depth) {
    bool found = false;

    if (!expr || expr->value || depth > DEPTH_MAX)
        return false;
    if (is_look(expr) && expr->args[0]->type->space == AS_STORAGE) {
        if (turn->atomic_count < ATOMICS_MAX)
            turn->atomics[turn->atomic_count++] = expr;
        found = true;
    }
    for (uint32_t i = 0; expr->kind == EX_VARIABLE && i < turn->binding_count; i++)
        if (turn->bindings[i].variable == expr->variable)
            found |= find_atomics(turn, turn->bindings[i].value, depth + 1);
    for (uint32_t i = 0; i < expr->arg_count; i++)
        found |= find_atomics(turn, expr->args[i], depth + 1);
    found |= find_atomics(turn, expr->lhs, depth + 1);
    return find_atomics(turn, expr->rhs, depth + 1) || found;
}

/* Whether the value would be the same in the next turn, if memory were: it is not made of the
 * variable `own`, nor of another that was assigned. */
static bool repeats(const struct turn *turn, const struct wgsl_expr *expr,
                    const struct wgsl_variable *own, int depth) {
    if (!expr || expr->value)
        return true;
    if (depth > DEPTH_MAX || (expr->kind == EX_VARIABLE && expr->variable == own))
        return false;
    for (uint32_t i = 0; expr->kind == EX_VARIABLE && i < turn->binding_count; i++)
        if (turn->bindings[i].variable == expr->variable &&
            (expr->variable->kind != VAR_LET ||
             !repeats(turn, turn->bindings[i].value, own, depth + 1)))
            return false;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (!repeats(turn, expr->args[i], own, depth + 1))
            return false;
    return repeats(turn, expr->lhs, own, depth + 1) && repeats(turn, expr->rhs, own, depth + 1);
}

/* One that loses against another invocation has not waited for it: what it expects is what it has
 * loaded. */
static bool tries_constantly(struct turn *turn, const struct wgsl_expr *exchange) {
    uint32_t count = turn->atomic_count;
    bool loaded =
        find_atomics(turn, exchange->args[1], 0) || find_atomics(turn, exchange->args[2], 0);

    turn->atomic_count = count;
    return !loaded && repeats(turn, exchange->args[1], NULL, 0) &&
           repeats(turn, exchange->args[2], NULL, 0);
}

static bool builtin_is_idle(struct turn *turn, const struct wgsl_expr *expr) {
    switch (expr->builtin) {
    case BI_atomicLoad:
    case BI_workgroupBarrier:
    case BI_storageBarrier:
    case BI_workgroupUniformLoad:
    case BI_arrayLength:
        return true;
    case BI_atomicCompareExchangeWeak:
        return tries_constantly(turn, expr);
    default:
        return builtin_flags(expr->builtin) & BF_CONSTANT;
    }
}

static bool is_idle(struct turn *turn, const struct wgsl_expr *expr) {
    if (!expr || expr->value)
        return true;
    if (expr->kind == EX_USER || (expr->kind == EX_BUILTIN && !builtin_is_idle(turn, expr)))
        return false;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (!is_idle(turn, expr->args[i]))
            return false;
    return is_idle(turn, expr->lhs) && is_idle(turn, expr->rhs);
}

/* The ways behind a branch that a condition decides. */
static unsigned decide(struct turn *turn, struct wgsl_expr *condition, unsigned ways) {
    if (!ways || !condition)
        return ways;
    if (!is_idle(turn, condition))
        return 0;
    return find_atomics(turn, condition, 0) ? WAY_DECIDED : ways;
}

/* -- statements -------------------------------------------------------------------------------- */

static unsigned walk(struct turn *turn, const struct wgsl_stmt *stmt, unsigned ways);

static unsigned bind(struct turn *turn, const struct wgsl_variable *variable,
                     struct wgsl_expr *value, unsigned ways) {
    if (!is_idle(turn, value) || turn->binding_count == BINDINGS_MAX)
        return 0;
    if (value)
        turn->bindings[turn->binding_count++] = (struct binding){variable, value};
    return ways;
}

static unsigned assign(struct turn *turn, const struct wgsl_stmt *stmt, unsigned ways) {
    const struct wgsl_expr *place = stmt->lhs;
    bool own = place->kind == EX_VARIABLE && place->variable->kind == VAR_VAR &&
               place->variable->space == AS_FUNCTION;

    return own && repeats(turn, stmt->rhs, place->variable, 0)
               ? bind(turn, place->variable, stmt->rhs, ways)
               : 0;
}

static unsigned branch(struct turn *turn, const struct wgsl_stmt *stmt, unsigned ways) {
    unsigned in = decide(turn, stmt->condition, ways), out = walk(turn, stmt->body->first, in);

    if (!stmt->else_)
        return out | in;
    return out | (stmt->else_->kind == ST_IF ? branch(turn, stmt->else_, in)
                                             : walk(turn, stmt->else_->block->first, in));
}

static unsigned choose(struct turn *turn, const struct wgsl_stmt *stmt, unsigned ways) {
    unsigned in = decide(turn, stmt->condition, ways), out = 0, outer_left = turn->left;
    bool outer = turn->in_switch;

    turn->in_switch = true;
    turn->left = 0;
    for (uint32_t i = 0; i < stmt->case_count; i++)
        out |= walk(turn, stmt->cases[i].body->first, in);
    out |= turn->left;
    turn->in_switch = outer;
    turn->left = outer_left;
    return out;
}

static unsigned pass(struct turn *turn, const struct wgsl_stmt *stmt, unsigned ways) {
    switch (stmt->kind) {
    case ST_BLOCK:
        return walk(turn, stmt->block->first, ways);
    case ST_DECLARE:
        return bind(turn, stmt->variable, stmt->variable->init, ways);
    case ST_ASSIGN:
        return assign(turn, stmt, ways);
    case ST_PHONY:
    case ST_CALL:
        return is_idle(turn, stmt->rhs) ? ways : 0;
    case ST_IF:
        return branch(turn, stmt, ways);
    case ST_SWITCH:
        return choose(turn, stmt, ways);
    case ST_BREAK:
        if (turn->in_switch)
            turn->left |= ways;
        return 0;
    case ST_CONTINUE:
        turn->again |= ways;
        return 0;
    case ST_CONST_ASSERT:
        return ways;
    default:
        return 0;
    }
}

static unsigned walk(struct turn *turn, const struct wgsl_stmt *stmt, unsigned ways) {
    for (; stmt && ways; stmt = stmt->next)
        ways = pass(turn, stmt, ways);
    return ways;
}

/* -- loops ------------------------------------------------------------------------------------- */

static void mark(void *context, struct wgsl_stmt *stmt) {
    struct turn turn = {0};
    (void)context;

    if (stmt->kind != ST_LOOP && stmt->kind != ST_FOR && stmt->kind != ST_WHILE)
        return;
    unsigned ways = decide(&turn, stmt->condition, WAY_IDLE);
    ways = walk(&turn, stmt->body->first, ways) | turn.again;
    if (stmt->continuing)
        ways = walk(&turn, stmt->continuing->first, ways);
    if (stmt->update)
        ways = walk(&turn, stmt->update, ways);
    ways = decide(&turn, stmt->break_if, ways);
    for (uint32_t i = 0; ways & WAY_DECIDED && i < turn.atomic_count; i++)
        turn.atomics[i]->is_waited_on = true;
}

void wgsl_mark_waits(struct wgsl_function *function) {
    const struct wgsl_visitor visitor = {.stmt = mark};

    wgsl_walk_block(&visitor, function->body);
}
