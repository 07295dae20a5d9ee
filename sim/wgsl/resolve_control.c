/* Branches and loops. */
#include <inttypes.h>
#include <string.h>

#include "sim/wgsl/overload.h"
#include "sim/wgsl/resolve.h"

/* -- branches -- */

static void resolve_condition(struct wgsl_resolver *r, struct wgsl_expr **e, const char *what) {
    if (!*e || !resolve_value(r, e))
        return;
    if ((*e)->type->kind != TY_BOOL)
        RESOLVE_ERROR(r, (*e)->span, "the condition of '%s' must be a bool, not '%s'", what,
                      (*e)->type->name);
}

void resolve_if(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    unsigned behaviours = 0;
    struct wgsl_stmt *s = stmt;
    for (; s && s->kind == ST_IF; s = s->else_) {
        resolve_condition(r, &s->condition, "if");
        behaviours |= resolve_block(r, s->body);
    }
    if (s) {
        s->behaviours = resolve_block(r, s->block);
        behaviours |= s->behaviours;
    } else {
        behaviours |= BEHAVE_NEXT;
    }
    for (s = stmt; s && s->kind == ST_IF; s = s->else_)
        s->behaviours = behaviours;
}

/* The type that the selector and all case values share. */
static const struct wgsl_type *selector_type(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    const struct wgsl_type **types = NULL;
    uint32_t count = 0;
    bool ok = resolve_value(r, &stmt->condition);
    if (ok) {
        if (!type_is_integer(stmt->condition->type)) {
            RESOLVE_ERROR(r, stmt->condition->span,
                          "the selector of 'switch' must be an i32 or u32, not '%s'",
                          stmt->condition->type->name);
            ok = false;
        }
        HEAP_PUSH(r->heap, types, count, stmt->condition->type);
    }
    for (uint32_t i = 0; i < stmt->case_count; i++)
        for (uint32_t k = 0; k < stmt->cases[i].selector_count; k++) {
            struct wgsl_expr **e = &stmt->cases[i].selectors[k];
            if (!*e)
                continue;
            if (!resolve_value(r, e) || !resolve_stage(r, *e, STAGE_CONST, "the value of a case"))
                ok = false;
            else
                HEAP_PUSH(r->heap, types, count, (*e)->type);
        }
    if (!ok)
        return NULL;
    const struct wgsl_type *type =
        overload_common(r->types, types, count, SCALAR_BIT(TY_I32) | SCALAR_BIT(TY_U32), false);
    if (!type)
        RESOLVE_ERROR(r, stmt->condition->span,
                      "the selector and the values of all cases must have one type");
    return type;
}

struct case_value {
    int64_t value;
    struct wgsl_span span;
};

/* Keeps the values sorted, to find one that occurs twice. */
static void add_case_value(struct wgsl_resolver *r, struct case_value **values, uint32_t *count,
                           struct case_value added) {
    uint32_t low = 0, high = *count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        int64_t here = (*values)[middle].value;
        if (added.value == here) {
            wgsl_note(r->diagnostics,
                      RESOLVE_ERROR(r, added.span, "case %" PRId64 " occurs twice", added.value),
                      (*values)[middle].span, "first here");
            return;
        }
        if (added.value > here)
            low = middle + 1;
        else
            high = middle;
    }
    HEAP_PUSH(r->heap, *values, *count, added);
    memmove(&(*values)[low + 1], &(*values)[low], (*count - 1 - low) * sizeof added);
    (*values)[low] = added;
}

static void check_cases(struct wgsl_resolver *r, struct wgsl_stmt *stmt,
                        const struct wgsl_type *type) {
    uint32_t defaults = 0, count = 0;
    struct case_value *values = NULL;
    if (type && !resolve_convert(r, stmt->condition, type))
        type = NULL;
    for (uint32_t i = 0; i < stmt->case_count; i++)
        for (uint32_t k = 0; k < stmt->cases[i].selector_count; k++) {
            struct wgsl_expr *e = stmt->cases[i].selectors[k];
            defaults += !e;
            if (!e && defaults > 1)
                RESOLVE_ERROR(r, stmt->cases[i].span, "'switch' has more than one default");
            if (e && type && e->value && resolve_convert(r, e, type) && e->value) {
                struct case_value v = {value_leaf(e->value, 0).i, e->span};
                add_case_value(r, &values, &count, v);
            }
        }
    if (defaults == 0)
        RESOLVE_ERROR(r, stmt->span, "'switch' has no default");
}

void resolve_switch(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    attributes_check(r, stmt->body_attributes, PLACE_STATEMENT, "the body of 'switch'");
    check_cases(r, stmt, selector_type(r, stmt));
    const struct wgsl_filter *filters = attributes_push_filters(r, stmt->body_attributes);
    struct wgsl_jumps outer = r->jumps;
    r->jumps.in_switch = true;
    r->jumps.leaves_continuing = false;
    unsigned behaviours = 0;
    for (uint32_t i = 0; i < stmt->case_count; i++)
        behaviours |= resolve_block(r, stmt->cases[i].body);
    outer.continue_locals = r->jumps.continue_locals;
    outer.continue_span = r->jumps.continue_span;
    r->jumps = outer;
    r->filters = filters;
    if (behaviours & BEHAVE_BREAK)
        behaviours = (behaviours & ~(unsigned)BEHAVE_BREAK) | BEHAVE_NEXT;
    stmt->behaviours = behaviours;
}

/* -- loops -- */

static struct wgsl_jumps enter_loop(struct wgsl_resolver *r) {
    struct wgsl_jumps outer = r->jumps;
    r->jumps = (struct wgsl_jumps){.in_loop = true, .no_return = outer.no_return};
    r->jumps.continue_locals = UINT32_MAX;
    return outer;
}

/* What a loop does, its parts doing behaviours; reports a loop that never ends. */
static void finish_loop(struct wgsl_resolver *r, struct wgsl_stmt *stmt, unsigned behaviours) {
    stmt->behaviours = behaviours & BEHAVE_RETURN;
    if (behaviours & BEHAVE_BREAK)
        stmt->behaviours |= BEHAVE_NEXT;
    if (!stmt->behaviours)
        wgsl_diagnose(r->diagnostics, resolve_beyond_standard(r), stmt->span,
                      "this loop never ends");
}

/* The continuing block and its 'break if', in the scope of the body. */
static unsigned resolve_continuing(struct wgsl_resolver *r, struct wgsl_stmt *loop) {
    struct wgsl_block *block = loop->continuing;
    struct wgsl_jumps body = r->jumps;
    uint32_t from = r->bypass_from, to = r->bypass_to;
    if (body.continue_locals < r->local_count) {
        r->bypass_from = body.continue_locals;
        r->bypass_to = r->local_count;
        r->bypass_span = body.continue_span;
    }
    r->jumps.in_continuing = r->jumps.leaves_continuing = r->jumps.no_return = true;
    attributes_check(r, block->attributes, PLACE_STATEMENT, "a continuing block");
    const struct wgsl_filter *filters = attributes_push_filters(r, block->attributes);
    uint32_t locals = resolve_open_scope(r);
    unsigned behaviours = resolve_statements(r, block->first);
    resolve_condition(r, &loop->break_if, "break if");
    resolve_close_scope(r, locals);
    r->filters = filters;
    r->jumps = body;
    r->bypass_from = from;
    r->bypass_to = to;
    return behaviours | (loop->break_if ? BEHAVE_BREAK : 0);
}

void resolve_loop(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    struct wgsl_jumps outer = enter_loop(r);
    attributes_check(r, stmt->body->attributes, PLACE_STATEMENT, "the body of 'loop'");
    const struct wgsl_filter *filters = attributes_push_filters(r, stmt->body->attributes);
    uint32_t locals = resolve_open_scope(r);
    unsigned behaviours = resolve_statements(r, stmt->body->first);
    if (stmt->continuing)
        behaviours |= resolve_continuing(r, stmt);
    resolve_close_scope(r, locals);
    r->filters = filters;
    r->jumps = outer;
    finish_loop(r, stmt, behaviours);
}

void resolve_for(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    uint32_t locals = resolve_open_scope(r);
    if (stmt->init)
        resolve_stmt(r, stmt->init);
    resolve_condition(r, &stmt->condition, "for");
    struct wgsl_jumps outer = enter_loop(r);
    if (stmt->update)
        resolve_stmt(r, stmt->update);
    unsigned behaviours = resolve_block(r, stmt->body);
    r->jumps = outer;
    resolve_close_scope(r, locals);
    finish_loop(r, stmt, behaviours | (stmt->condition ? BEHAVE_BREAK : 0));
}

void resolve_while(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    resolve_condition(r, &stmt->condition, "while");
    struct wgsl_jumps outer = enter_loop(r);
    unsigned behaviours = resolve_block(r, stmt->body);
    r->jumps = outer;
    finish_loop(r, stmt, behaviours | BEHAVE_BREAK);
}

void resolve_break(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    stmt->behaviours = BEHAVE_BREAK;
    if (!r->jumps.in_loop && !r->jumps.in_switch)
        RESOLVE_ERROR(r, stmt->span, "'break' is allowed in loops and switches only");
    else if (r->jumps.leaves_continuing)
        RESOLVE_ERROR(r, stmt->span, "a continuing block is left by 'break if' at its end only");
}

void resolve_continue(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    stmt->behaviours = BEHAVE_CONTINUE;
    if (!r->jumps.in_loop)
        RESOLVE_ERROR(r, stmt->span, "'continue' is allowed in loops only");
    else if (r->jumps.in_continuing)
        RESOLVE_ERROR(r, stmt->span, "a continuing block must not continue");
    if (r->local_count < r->jumps.continue_locals) {
        r->jumps.continue_locals = r->local_count;
        r->jumps.continue_span = stmt->span;
    }
}
