/* Statements. */
#include <inttypes.h>
#include <string.h>

#include "sim/wgsl/overload.h"
#include "sim/wgsl/resolve.h"

/* Each of these sets stmt->behaviours too: what the statement may do to control flow. */
static void resolve_stmt(struct wgsl_resolver *r, struct wgsl_stmt *stmt);
static unsigned resolve_block(struct wgsl_resolver *r, struct wgsl_block *block);

/* -- scopes -- */

static uint32_t open_scope(struct wgsl_resolver *r) {
    r->level++;
    return r->local_count;
}

static void close_scope(struct wgsl_resolver *r, uint32_t locals) {
    r->level--;
    r->local_count = locals;
}

void resolve_declare_local(struct wgsl_resolver *r, struct wgsl_variable *v) {
    for (uint32_t i = r->local_count; i > 0 && r->locals[i - 1].level == r->level; i--)
        if (strcmp(r->locals[i - 1].name, v->name) == 0) {
            wgsl_note(r->diagnostics,
                      RESOLVE_ERROR(r, v->span, "'%s' is declared twice in this scope", v->name),
                      r->locals[i - 1].variable->span, "first declared here");
            break;
        }
    v->index = r->next_index++;
    struct wgsl_local local = {v->name, v, r->level};
    HEAP_PUSH(r->heap, r->locals, r->local_count, local);
}

/* -- declarations -- */

static bool check_local_type(struct wgsl_resolver *r, const struct wgsl_variable *v,
                             const struct wgsl_type *type) {
    bool handle =
        type->kind == TY_TEXTURE || type->kind == TY_SAMPLER || type->kind == TY_SAMPLER_COMPARISON;
    if (v->kind == VAR_LET && (type->kind == TY_PTR || handle))
        return true;
    if (type->constructible)
        return true;
    RESOLVE_ERROR(r, v->span, "'%s' cannot have type '%s'", v->name, type->name);
    return false;
}

/* var<function>: the only thing that may be written there. */
static bool check_local_template(struct wgsl_resolver *r, const struct wgsl_variable *v) {
    enum wgsl_space space;
    if (!v->has_template)
        return true;
    if (!resolve_space(r, v->template_args[0], &space))
        return false;
    if (space == AS_FUNCTION && v->template_count == 1)
        return true;
    RESOLVE_ERROR(r, v->template_args[0]->span,
                  space != AS_FUNCTION
                      ? "a variable in a function can only be in address space 'function'"
                      : "an access mode can be given for storage only");
    return false;
}

/* The type of a variable: as written, or else that of its initializer. */
static const struct wgsl_type *variable_type(struct wgsl_resolver *r, struct wgsl_variable *v) {
    const struct wgsl_type *type = NULL;
    if (v->type_expr && !(type = resolve_type(r, v->type_expr)))
        return NULL;
    if (!v->init) {
        if (!type)
            RESOLVE_ERROR(r, v->span, "'%s' needs a type or an initializer", v->name);
        return type;
    }
    if (type && type->kind != TY_PTR && !check_local_type(r, v, type))
        return NULL;
    if (!(type ? resolve_value_as(r, &v->init, type, "the initializer")
               : resolve_value(r, &v->init)))
        return NULL;
    if (v->kind == VAR_CONST && !resolve_stage(r, v->init, STAGE_CONST, "the value of a const"))
        return NULL;
    if (!type && v->kind != VAR_CONST && !resolve_concrete(r, v->init))
        return NULL;
    return v->init->type;
}

bool resolve_local_variable(struct wgsl_resolver *r, struct wgsl_variable *v) {
    const struct wgsl_type *type = variable_type(r, v);
    bool ok = type && check_local_type(r, v, type);
    if (v->kind == VAR_VAR) {
        ok = check_local_template(r, v) && ok;
        v->space = AS_FUNCTION;
        v->access = AM_READ_WRITE;
    }
    if (!ok)
        return false;
    v->type = type;
    if (v->init) {
        v->stage = v->init->stage;
        v->value = v->kind == VAR_CONST ? v->init->value : NULL;
        v->root = type->kind == TY_PTR ? v->init->root : NULL;
    }
    return true;
}

static void resolve_declaration(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    struct wgsl_variable *v = stmt->variable;
    resolve_local_variable(r, v);
    resolve_declare_local(r, v);
    HEAP_PUSH(r->heap, r->function->locals, r->function->local_count, v);
}

/* -- assignments and calls -- */

/* The left side of an assignment: memory that can be written. */
static bool resolve_target(struct wgsl_resolver *r, struct wgsl_expr *e) {
    if (!resolve_expr(r, e))
        return false;
    if (e->type->kind != TY_REF) {
        struct wgsl_diagnostic *d =
            RESOLVE_ERROR(r, e->span, "this is a value and cannot be assigned to");
        if (e->kind == EX_VARIABLE)
            wgsl_note(r->diagnostics, d, e->variable->span, "'%s' is no 'var'", e->variable->name);
        return false;
    }
    if (e->type->access == AM_READ) {
        RESOLVE_ERROR(r, e->span, "this memory can only be read");
        return false;
    }
    if (!e->type->elem->constructible) {
        RESOLVE_ERROR(r, e->span, "a value of type '%s' cannot be assigned as a whole",
                      e->type->elem->name);
        return false;
    }
    return true;
}

static void resolve_assign(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    if (resolve_target(r, stmt->lhs))
        resolve_value_as(r, &stmt->rhs, stmt->lhs->type->elem, "the assigned value");
    else
        resolve_value(r, &stmt->rhs);
}

static void resolve_compound(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    bool ok = resolve_target(r, stmt->lhs);
    if (!resolve_value(r, &stmt->rhs) || !ok)
        return;
    const struct wgsl_type *type = stmt->lhs->type->elem;
    const struct wgsl_type *args[] = {type, stmt->rhs->type};
    struct wgsl_candidates use = {r->types, args, 2, false};
    struct wgsl_match match;
    if (!overload_operator(&use, stmt->op, &match)) {
        RESOLVE_ERROR(r, stmt->span, "there is no operator %s= for '%s' and '%s'",
                      op_name(stmt->op), args[0]->name, args[1]->name);
        return;
    }
    if (match.result != type) {
        RESOLVE_ERROR(r, stmt->span, "the result of type '%s' cannot be assigned to '%s'",
                      match.result->name, type->name);
        return;
    }
    if (resolve_convert(r, stmt->rhs, match.params[1]) && stmt->rhs->value)
        eval_check_right(&r->eval, stmt->op, type, stmt->rhs->value, stmt->span);
}

static void resolve_increment(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    if (!resolve_target(r, stmt->lhs))
        return;
    const struct wgsl_type *type = stmt->lhs->type->elem;
    if (type->kind != TY_I32 && type->kind != TY_U32)
        RESOLVE_ERROR(r, stmt->span, "'%s%s' is for i32 and u32, not '%s'", op_name(stmt->op),
                      op_name(stmt->op), type->name);
}

static void resolve_phony(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    if (resolve_value(r, &stmt->rhs))
        resolve_concrete(r, stmt->rhs);
}

static void resolve_call_statement(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    struct wgsl_expr *e = stmt->rhs;
    if (!resolve_expr(r, e))
        return;
    if (e->kind == EX_CONSTRUCT)
        RESOLVE_ERROR(r, e->span, "this value is not used");
    else if (e->kind == EX_USER && e->function->must_use)
        wgsl_note(r->diagnostics,
                  RESOLVE_ERROR(r, e->span, "the result of '%s' must be used", e->function->name),
                  e->function->span, "it is declared with @must_use");
    else if (e->kind == EX_BUILTIN && builtin_flags(e->builtin) & BF_MUST_USE)
        RESOLVE_ERROR(r, e->span, "the result of '%s' must be used", builtin_name(e->builtin));
}

static void resolve_return(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    const struct wgsl_type *result = r->function->result;
    if (r->jumps.no_return)
        RESOLVE_ERROR(r, stmt->span, "a continuing block must not return");
    if (!stmt->rhs) {
        if (result && result->kind != TY_VOID)
            RESOLVE_ERROR(r, stmt->span, "this function returns '%s'; a value is missing here",
                          result->name);
        return;
    }
    if (!result || result->kind == TY_VOID) {
        if (resolve_value(r, &stmt->rhs) && result)
            RESOLVE_ERROR(r, stmt->rhs->span, "this function returns no value");
        return;
    }
    resolve_value_as(r, &stmt->rhs, result, "the returned value");
}

/* -- branches -- */

static void resolve_condition(struct wgsl_resolver *r, struct wgsl_expr **e, const char *what) {
    if (!*e || !resolve_value(r, e))
        return;
    if ((*e)->type->kind != TY_BOOL)
        RESOLVE_ERROR(r, (*e)->span, "the condition of '%s' must be a bool, not '%s'", what,
                      (*e)->type->name);
}

static void resolve_if(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
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

static void resolve_switch(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
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

static unsigned resolve_statements(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    unsigned behaviours = BEHAVE_NEXT;
    for (; stmt; stmt = stmt->next) {
        resolve_stmt(r, stmt);
        if (behaviours & BEHAVE_NEXT)
            behaviours = (behaviours & ~(unsigned)BEHAVE_NEXT) | stmt->behaviours;
    }
    return behaviours;
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
    uint32_t locals = open_scope(r);
    unsigned behaviours = resolve_statements(r, block->first);
    resolve_condition(r, &loop->break_if, "break if");
    close_scope(r, locals);
    r->filters = filters;
    r->jumps = body;
    r->bypass_from = from;
    r->bypass_to = to;
    return behaviours | (loop->break_if ? BEHAVE_BREAK : 0);
}

static void resolve_loop(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    struct wgsl_jumps outer = enter_loop(r);
    attributes_check(r, stmt->body->attributes, PLACE_STATEMENT, "the body of 'loop'");
    const struct wgsl_filter *filters = attributes_push_filters(r, stmt->body->attributes);
    uint32_t locals = open_scope(r);
    unsigned behaviours = resolve_statements(r, stmt->body->first);
    if (stmt->continuing)
        behaviours |= resolve_continuing(r, stmt);
    close_scope(r, locals);
    r->filters = filters;
    r->jumps = outer;
    finish_loop(r, stmt, behaviours);
}

static void resolve_for(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    uint32_t locals = open_scope(r);
    if (stmt->init)
        resolve_stmt(r, stmt->init);
    resolve_condition(r, &stmt->condition, "for");
    struct wgsl_jumps outer = enter_loop(r);
    if (stmt->update)
        resolve_stmt(r, stmt->update);
    unsigned behaviours = resolve_block(r, stmt->body);
    r->jumps = outer;
    close_scope(r, locals);
    finish_loop(r, stmt, behaviours | (stmt->condition ? BEHAVE_BREAK : 0));
}

static void resolve_while(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    resolve_condition(r, &stmt->condition, "while");
    struct wgsl_jumps outer = enter_loop(r);
    unsigned behaviours = resolve_block(r, stmt->body);
    r->jumps = outer;
    finish_loop(r, stmt, behaviours | BEHAVE_BREAK);
}

static void resolve_break(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    stmt->behaviours = BEHAVE_BREAK;
    if (!r->jumps.in_loop && !r->jumps.in_switch)
        RESOLVE_ERROR(r, stmt->span, "'break' is allowed in loops and switches only");
    else if (r->jumps.leaves_continuing)
        RESOLVE_ERROR(r, stmt->span, "a continuing block is left by 'break if' at its end only");
}

static void resolve_continue(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
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

/* -- all statements -- */

bool resolve_const_assert(struct wgsl_resolver *r, struct wgsl_expr **condition,
                          struct wgsl_span span) {
    if (!resolve_value(r, condition) ||
        !resolve_stage(r, *condition, STAGE_CONST, "the condition of const_assert"))
        return false;
    if ((*condition)->type->kind != TY_BOOL) {
        RESOLVE_ERROR(r, (*condition)->span,
                      "the condition of const_assert must be a bool, not '%s'",
                      (*condition)->type->name);
        return false;
    }
    if ((*condition)->value && !value_leaf((*condition)->value, 0).i) {
        RESOLVE_ERROR(r, span, "const_assert failed");
        return false;
    }
    return true;
}

static unsigned resolve_block(struct wgsl_resolver *r, struct wgsl_block *block) {
    attributes_check(r, block->attributes, PLACE_STATEMENT, "a block");
    const struct wgsl_filter *filters = attributes_push_filters(r, block->attributes);
    uint32_t locals = open_scope(r);
    unsigned behaviours = resolve_statements(r, block->first);
    close_scope(r, locals);
    r->filters = filters;
    return behaviours;
}

static void resolve_kind(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    switch (stmt->kind) {
    case ST_BLOCK:
        stmt->behaviours = resolve_block(r, stmt->block);
        break;
    case ST_DECLARE:
        resolve_declaration(r, stmt);
        break;
    case ST_ASSIGN:
        resolve_assign(r, stmt);
        break;
    case ST_COMPOUND:
        resolve_compound(r, stmt);
        break;
    case ST_INCREMENT:
        resolve_increment(r, stmt);
        break;
    case ST_PHONY:
        resolve_phony(r, stmt);
        break;
    case ST_CALL:
        resolve_call_statement(r, stmt);
        break;
    case ST_IF:
        resolve_if(r, stmt);
        break;
    case ST_SWITCH:
        resolve_switch(r, stmt);
        break;
    case ST_LOOP:
        resolve_loop(r, stmt);
        break;
    case ST_FOR:
        resolve_for(r, stmt);
        break;
    case ST_WHILE:
        resolve_while(r, stmt);
        break;
    case ST_BREAK:
        resolve_break(r, stmt);
        break;
    case ST_CONTINUE:
        resolve_continue(r, stmt);
        break;
    case ST_RETURN:
        stmt->behaviours = BEHAVE_RETURN;
        resolve_return(r, stmt);
        break;
    case ST_DISCARD:
        break;
    case ST_CONST_ASSERT:
        resolve_const_assert(r, &stmt->condition, stmt->span);
        break;
    }
}

static void resolve_stmt(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    attributes_check(r, stmt->attributes, PLACE_STATEMENT, "this statement");
    const struct wgsl_filter *filters = attributes_push_filters(r, stmt->attributes);
    stmt->behaviours = BEHAVE_NEXT;
    resolve_kind(r, stmt);
    r->filters = filters;
}

void resolve_body(struct wgsl_resolver *r, struct wgsl_function *f) {
    attributes_check(r, f->body->attributes, PLACE_STATEMENT, "a function's body");
    const struct wgsl_filter *filters = attributes_push_filters(r, f->body->attributes);
    unsigned behaviours = resolve_statements(r, f->body->first);
    r->filters = filters;
    if (f->result && f->result->kind != TY_VOID && behaviours & BEHAVE_NEXT)
        RESOLVE_ERROR(r, f->body->end, "'%s' can get to its end without returning a value",
                      f->name);
}
