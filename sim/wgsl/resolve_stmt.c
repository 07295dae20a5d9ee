/* Statements. */
#include <string.h>

#include "sim/wgsl/overload.h"
#include "sim/wgsl/resolve.h"

/* -- scopes -- */

uint32_t resolve_open_scope(struct wgsl_resolver *r) {
    r->level++;
    return r->local_count;
}

void resolve_close_scope(struct wgsl_resolver *r, uint32_t locals) {
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

static bool resolve_local_variable(struct wgsl_resolver *r, struct wgsl_variable *v) {
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

unsigned resolve_statements(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
    unsigned behaviours = BEHAVE_NEXT;
    for (; stmt; stmt = stmt->next) {
        resolve_stmt(r, stmt);
        if (behaviours & BEHAVE_NEXT)
            behaviours = (behaviours & ~(unsigned)BEHAVE_NEXT) | stmt->behaviours;
    }
    return behaviours;
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

unsigned resolve_block(struct wgsl_resolver *r, struct wgsl_block *block) {
    attributes_check(r, block->attributes, PLACE_STATEMENT, "a block");
    const struct wgsl_filter *filters = attributes_push_filters(r, block->attributes);
    uint32_t locals = resolve_open_scope(r);
    unsigned behaviours = resolve_statements(r, block->first);
    resolve_close_scope(r, locals);
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

void resolve_stmt(struct wgsl_resolver *r, struct wgsl_stmt *stmt) {
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
