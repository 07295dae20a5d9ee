/* Expressions. */
#include <string.h>

#include "sim/wgsl/overload.h"
#include "sim/wgsl/resolve.h"

static enum wgsl_stage later(enum wgsl_stage a, enum wgsl_stage b) {
    return a > b ? a : b;
}

/* -- conversions -- */

bool resolve_convert(struct wgsl_resolver *r, struct wgsl_expr *e, const struct wgsl_type *type) {
    if (e->type == type)
        return true;
    if (type_conversion_rank(e->type, type) < 0)
        return false;
    const struct wgsl_value *value = e->value;
    if (value && !(value = eval_convert(&r->eval, value, type, e->span)))
        return false;
    e->value = value;
    e->type = type;
    return true;
}

bool resolve_concrete(struct wgsl_resolver *r, struct wgsl_expr *e) {
    return resolve_convert(r, e, type_concrete(r->types, e->type));
}

bool resolve_load(struct wgsl_resolver *r, struct wgsl_expr **e) {
    struct wgsl_expr *ref = *e;
    if (ref->type->kind != TY_REF)
        return true;
    if (ref->type->access == AM_WRITE) {
        RESOLVE_ERROR(r, ref->span, "this memory can only be written");
        return false;
    }
    bool handle = ref->type->space == AS_HANDLE;
    if (!handle && !ref->type->elem->constructible) {
        RESOLVE_ERROR(r, ref->span, "a value of type '%s' cannot be read as a whole",
                      ref->type->elem->name);
        return false;
    }
    struct wgsl_expr *load = HEAP_NEW(r->heap, struct wgsl_expr);
    load->kind = EX_LOAD;
    load->span = load->op_span = ref->span;
    load->lhs = ref;
    load->depth = ref->depth + 1;
    load->type = ref->type->elem;
    load->stage = STAGE_RUNTIME;
    load->parenthesised = ref->parenthesised;
    *e = load;
    return true;
}

static bool check_is_value(struct wgsl_resolver *r, const struct wgsl_expr *e) {
    if (e->type->kind != TY_VOID)
        return true;
    if (e->kind == EX_USER)
        RESOLVE_ERROR(r, e->span, "function '%s' returns no value", e->function->name);
    else
        RESOLVE_ERROR(r, e->span, "function '%s' returns no value", builtin_name(e->builtin));
    return false;
}

bool resolve_value(struct wgsl_resolver *r, struct wgsl_expr **e) {
    return resolve_expr(r, *e) && check_is_value(r, *e) && resolve_load(r, e);
}

bool resolve_value_as(struct wgsl_resolver *r, struct wgsl_expr **e, const struct wgsl_type *type,
                      const char *what) {
    if (!resolve_value(r, e))
        return false;
    struct wgsl_expr *value = *e;
    if (type_conversion_rank(value->type, type) < 0) {
        RESOLVE_ERROR(r, value->span, "%s has type '%s', not '%s'", what, value->type->name,
                      type->name);
        return false;
    }
    return resolve_convert(r, value, type);
}

bool resolve_stage(struct wgsl_resolver *r, const struct wgsl_expr *e, enum wgsl_stage latest,
                   const char *what) {
    if (e->stage <= latest)
        return true;
    RESOLVE_ERROR(r, e->span,
                  latest == STAGE_CONST ? "%s must be known when the shader is compiled; this is %s"
                                        : "%s must be a constant or an override; this is %s",
                  what, e->stage == STAGE_OVERRIDE ? "an override" : "known only as it runs");
    return false;
}

bool resolve_const_integer(struct wgsl_resolver *r, struct wgsl_expr **e, int64_t *value,
                           const char *what) {
    if (!resolve_value(r, e) || !resolve_stage(r, *e, STAGE_CONST, what))
        return false;
    if (!type_is_integer((*e)->type)) {
        RESOLVE_ERROR(r, (*e)->span, "%s must be an i32 or u32, not '%s'", what, (*e)->type->name);
        return false;
    }
    if (!(*e)->value || !resolve_concrete(r, *e))
        return false;
    *value = value_leaf((*e)->value, 0).i;
    return true;
}

/* -- names -- */

struct wgsl_entity resolve_name(const struct wgsl_resolver *r, const char *name) {
    for (uint32_t i = r->local_count; i > 0; i--)
        if (strcmp(r->locals[i - 1].name, name) == 0)
            return (struct wgsl_entity){ENTITY_VARIABLE, r->locals[i - 1].variable, NULL};
    struct wgsl_decl *decl = names_find(&r->names, name);
    if (!decl)
        return (struct wgsl_entity){ENTITY_NONE, NULL, NULL};
    if (decl->kind == DECL_VARIABLE)
        return (struct wgsl_entity){ENTITY_VARIABLE, decl->variable, decl};
    return (struct wgsl_entity){ENTITY_DECL, NULL, decl};
}

void resolve_use_global(struct wgsl_resolver *r, struct wgsl_variable *v) {
    struct wgsl_function *f = r->function;
    if (!f || !v->is_global || v->kind == VAR_CONST)
        return;
    if (r->last_user[v->index] == f)
        return;
    r->last_user[v->index] = f;
    HEAP_PUSH(r->heap, f->globals, f->global_count, v);
}

/* In a continuing block, names declared after a 'continue' of the body may not be used. */
static bool check_bypass(struct wgsl_resolver *r, const struct wgsl_expr *e,
                         const struct wgsl_variable *v) {
    for (uint32_t i = r->bypass_from; i < r->bypass_to; i++) {
        if (r->locals[i].variable != v)
            continue;
        wgsl_note(r->diagnostics,
                  RESOLVE_ERROR(r, e->span, "'%s' may not have been declared here", v->name),
                  r->bypass_span, "this 'continue' jumps over its declaration");
        return false;
    }
    return true;
}

static bool resolve_variable(struct wgsl_resolver *r, struct wgsl_expr *e,
                             struct wgsl_variable *v) {
    if (e->has_template) {
        RESOLVE_ERROR(r, e->span, "'%s' is a variable and takes no template arguments", e->name);
        return false;
    }
    if (!v->type || !check_bypass(r, e, v))
        return false; /* if no type, its declaration had an error */
    e->kind = EX_VARIABLE;
    e->variable = v;
    e->type = v->type;
    e->stage = v->kind == VAR_CONST      ? STAGE_CONST
               : v->kind == VAR_OVERRIDE ? STAGE_OVERRIDE
                                         : STAGE_RUNTIME;
    e->value = v->kind == VAR_CONST ? v->value : NULL;
    if (v->kind == VAR_CONST && !v->value)
        e->stage = STAGE_CONST;
    if (v->kind == VAR_VAR) {
        if (v->is_global && !r->function) {
            RESOLVE_ERROR(r, e->span, "variable '%s' cannot be used at module scope", v->name);
            return false;
        }
        e->root = v;
        e->type = type_ref(r->types, v->space, v->type, v->access);
    } else if (v->type->kind == TY_PTR) {
        e->root = v->kind == VAR_PARAM ? v : v->root;
    }
    resolve_use_global(r, v);
    return true;
}

static bool resolve_ident(struct wgsl_resolver *r, struct wgsl_expr *e) {
    struct wgsl_entity entity = resolve_name(r, e->name);
    if (entity.kind == ENTITY_VARIABLE)
        return resolve_variable(r, e, entity.variable);
    if (entity.kind == ENTITY_DECL) {
        const char *what = entity.decl->function ? "function" : "type";
        wgsl_note(r->diagnostics, RESOLVE_ERROR(r, e->span, "%s '%s' is no value", what, e->name),
                  entity.decl->span, "declared here");
    } else if (resolve_is_type_name(e->name)) {
        RESOLVE_ERROR(r, e->span, "type '%s' is no value", e->name);
    } else if (builtin_find(e->name)) {
        RESOLVE_ERROR(r, e->span, "function '%s' is no value", e->name);
    } else if (resolve_is_enumerant(e->name)) {
        RESOLVE_ERROR(r, e->span, "'%s' is no value", e->name);
    } else {
        RESOLVE_ERROR(r, e->span, "'%s' is not declared", e->name);
    }
    return false;
}

/* -- operators -- */

static bool resolve_unary(struct wgsl_resolver *r, struct wgsl_expr *e) {
    if (!resolve_value(r, &e->lhs))
        return false;
    struct wgsl_match match;
    struct wgsl_candidates use = {r->types, &e->lhs->type, 1, e->lhs->stage == STAGE_CONST};
    if (!overload_operator(&use, e->op, &match)) {
        RESOLVE_ERROR(r, e->span, "there is no operator %s for '%s'", op_name(e->op),
                      e->lhs->type->name);
        return false;
    }
    e->type = match.result;
    e->stage = e->lhs->stage;
    if (!resolve_convert(r, e->lhs, match.params[0]))
        return false;
    if (!e->lhs->value || r->skipped)
        return true;
    e->value = eval_unary(&r->eval, e->op, e->lhs->value);
    return e->value != NULL;
}

/* Operands of && and ||: the right one is not evaluated when the left one decides. */
static bool resolve_operands(struct wgsl_resolver *r, struct wgsl_expr *e) {
    bool ok = resolve_value(r, &e->lhs);
    bool decides = false;
    if (ok && (e->op == OP_LOGICAL_AND || e->op == OP_LOGICAL_OR) && e->lhs->value &&
        e->lhs->type->kind == TY_BOOL)
        decides = value_leaf(e->lhs->value, 0).i == (e->op == OP_LOGICAL_OR);
    r->skipped += decides;
    ok = resolve_value(r, &e->rhs) && ok;
    r->skipped -= decides;
    return ok;
}

static bool evaluate_binary(struct wgsl_resolver *r, struct wgsl_expr *e) {
    const struct wgsl_value *a = e->lhs->value, *b = e->rhs->value;
    if (r->skipped)
        return true;
    bool logical = e->op == OP_LOGICAL_AND || e->op == OP_LOGICAL_OR;
    if (logical && a && e->stage == STAGE_CONST && value_leaf(a, 0).i == (e->op == OP_LOGICAL_OR)) {
        e->value = a;
        return true;
    }
    if (a && b) {
        e->value = eval_binary(&r->eval, e->op, a, b, e->type, e->span);
        return e->value != NULL;
    }
    return !b || eval_check_right(&r->eval, e->op, e->lhs->type, b, e->span);
}

static bool resolve_binary(struct wgsl_resolver *r, struct wgsl_expr *e) {
    if (!resolve_operands(r, e))
        return false;
    e->stage = later(e->lhs->stage, e->rhs->stage);
    const struct wgsl_type *args[] = {e->lhs->type, e->rhs->type};
    struct wgsl_match match;
    struct wgsl_candidates use = {r->types, args, 2, e->stage == STAGE_CONST};
    if (!overload_operator(&use, e->op, &match)) {
        RESOLVE_ERROR(r, e->span, "there is no operator %s for '%s' and '%s'", op_name(e->op),
                      args[0]->name, args[1]->name);
        return false;
    }
    e->type = match.result;
    return resolve_convert(r, e->lhs, match.params[0]) &&
           resolve_convert(r, e->rhs, match.params[1]) && evaluate_binary(r, e);
}

static bool resolve_literal(struct wgsl_resolver *r, struct wgsl_expr *e) {
    e->stage = STAGE_CONST;
    if (!e->type) {
        RESOLVE_ERROR(r, e->span, "strings are for print and debugPrintf only");
        return false;
    }
    if (e->type->kind == TY_F16 && !(r->module->extensions & EXT_F16)) {
        RESOLVE_ERROR(r, e->span, "numbers of type f16 need 'enable f16;'");
        return false;
    }
    return true;
}

bool resolve_expr(struct wgsl_resolver *r, struct wgsl_expr *e) {
    switch (e->kind) {
    case EX_LITERAL:
        return resolve_literal(r, e);
    case EX_IDENT:
        return resolve_ident(r, e);
    case EX_CALL:
        return resolve_call(r, e);
    case EX_MEMBER:
        return resolve_member(r, e);
    case EX_INDEX:
        return resolve_index(r, e);
    case EX_UNARY:
        return resolve_unary(r, e);
    case EX_BINARY:
        return resolve_binary(r, e);
    case EX_ADDRESS:
        return resolve_address(r, e);
    case EX_DEREF:
        return resolve_deref(r, e);
    default:
        return e->type != NULL; /* resolved before */
    }
}
