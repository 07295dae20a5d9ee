/* Expressions. */
#include <inttypes.h>
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
    if (e->value) {
        e->value = eval_convert(&r->eval, e->value, type, e->span);
        if (!e->value)
            e->stage = STAGE_RUNTIME; /* reported: nobody should ask for the value again */
    }
    e->type = type;
    return true;
}

bool resolve_concrete(struct wgsl_resolver *r, struct wgsl_expr *e) {
    bool had_value = e->value != NULL;
    return resolve_convert(r, e, type_concrete(r->types, e->type)) &&
           (!had_value || e->value != NULL);
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
    bool had_value = value->value != NULL;
    return resolve_convert(r, value, type) && (!had_value || value->value != NULL);
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
    for (uint32_t i = 0; i < f->global_count; i++)
        if (f->globals[i] == v)
            return;
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

/* -- member, swizzle and index -- */

/* The operand of '.' or '[': an expression of reference, pointer or value type. *base is what it
 * is, or points at. */
static bool resolve_base(struct wgsl_resolver *r, struct wgsl_expr *e,
                         const struct wgsl_type **base) {
    if (!resolve_expr(r, e->lhs))
        return false;
    *base = type_unref(e->lhs->type);
    e->stage = e->lhs->stage;
    e->root = e->lhs->root;
    return true;
}

/* The type of a part: a reference if the whole is memory. */
static const struct wgsl_type *part_type(struct wgsl_resolver *r, const struct wgsl_type *whole,
                                         const struct wgsl_type *part) {
    if (whole->kind != TY_REF && whole->kind != TY_PTR)
        return part;
    return type_ref(r->types, whole->space, part, whole->access);
}

static int component_number(char c, const char *set) {
    const char *at = strchr(set, c);
    return c && at ? (int)(at - set) : -1;
}

/* Reads the swizzle; reports and returns false when it is none. */
static bool parse_swizzle(struct wgsl_resolver *r, struct wgsl_expr *e,
                          const struct wgsl_type *vector) {
    size_t length = strlen(e->name);
    const char *set = component_number(e->name[0], "xyzw") >= 0 ? "xyzw" : "rgba";
    bool ok = length >= 1 && length <= 4;
    for (size_t i = 0; ok && i < length; i++) {
        int n = component_number(e->name[i], set);
        ok = n >= 0 && (uint32_t)n < vector->rows;
        e->swizzle[i] = (uint8_t)n;
    }
    e->swizzle_count = (uint8_t)length;
    if (!ok)
        RESOLVE_ERROR(r, e->op_span, "'%s' names no components of '%s'", e->name, vector->name);
    return ok;
}

static bool resolve_swizzle(struct wgsl_resolver *r, struct wgsl_expr *e,
                            const struct wgsl_type *vector) {
    e->kind = EX_SWIZZLE;
    if (!parse_swizzle(r, e, vector))
        return false;
    const struct wgsl_type *scalar = vector->elem;
    if (e->swizzle_count == 1) {
        e->type = part_type(r, e->lhs->type, scalar);
    } else {
        e->type = type_vec(r->types, scalar, e->swizzle_count);
        e->root = NULL;
        if (type_unref(e->lhs->type) != e->lhs->type && e->lhs->type->access == AM_WRITE) {
            RESOLVE_ERROR(r, e->span, "this memory can only be written");
            return false;
        }
    }
    if (e->lhs->value)
        e->value = eval_swizzle(&r->eval, e->lhs->value, e->swizzle, e->type);
    return true;
}

static bool resolve_member(struct wgsl_resolver *r, struct wgsl_expr *e) {
    const struct wgsl_type *base;
    if (!resolve_base(r, e, &base))
        return false;
    if (base->kind == TY_VEC)
        return resolve_swizzle(r, e, base);
    if (base->kind != TY_STRUCT) {
        RESOLVE_ERROR(r, e->op_span, "'%s' has no members", base->name);
        return false;
    }
    for (uint32_t i = 0; i < base->member_count; i++)
        if (strcmp(base->members[i].name, e->name) == 0)
            e->member = &base->members[i];
    if (!e->member) {
        struct wgsl_diagnostic *d =
            RESOLVE_ERROR(r, e->op_span, "'%s' has no member '%s'", base->name, e->name);
        if (base->span.line)
            wgsl_note(r->diagnostics, d, base->span, "'%s' is declared here", base->name);
        return false;
    }
    e->type = part_type(r, e->lhs->type, e->member->type);
    if (e->lhs->value)
        e->value = eval_member(&r->eval, e->lhs->value, e->member->index);
    return true;
}

/* Elements of an array, vector or matrix; 0: not known. */
static uint64_t element_count(const struct wgsl_type *t) {
    return t->kind == TY_ARRAY ? t->count : t->kind == TY_MAT ? t->columns : t->rows;
}

static bool check_index(struct wgsl_resolver *r, const struct wgsl_expr *e,
                        const struct wgsl_type *base) {
    if (!e->rhs->value || r->skipped)
        return true;
    int64_t index = value_leaf(e->rhs->value, 0).i;
    uint64_t count = element_count(base);
    if (index >= 0 && (count == 0 || (uint64_t)index < count))
        return true;
    if (count)
        RESOLVE_ERROR(r, e->rhs->span,
                      "index %" PRId64 " is out of bounds; '%s' has elements 0 to %" PRIu64, index,
                      base->name, count - 1);
    else
        RESOLVE_ERROR(r, e->rhs->span, "index %" PRId64 " is negative", index);
    return false;
}

static bool resolve_index(struct wgsl_resolver *r, struct wgsl_expr *e) {
    const struct wgsl_type *base;
    bool ok = resolve_base(r, e, &base);
    if (!resolve_value(r, &e->rhs) || !ok)
        return false;
    if (base->kind != TY_ARRAY && base->kind != TY_VEC && base->kind != TY_MAT) {
        RESOLVE_ERROR(r, e->lhs->span, "'%s' cannot be indexed", base->name);
        return false;
    }
    if (e->rhs->type->kind != TY_I32 && e->rhs->type->kind != TY_U32 &&
        e->rhs->type->kind != TY_ABSTRACT_INT) {
        RESOLVE_ERROR(r, e->rhs->span, "an index is an i32 or u32, not '%s'", e->rhs->type->name);
        return false;
    }
    if (!resolve_concrete(r, e->rhs))
        return false;
    e->stage = later(e->lhs->stage, e->rhs->stage);
    if (e->stage != STAGE_CONST && !resolve_concrete(r, e->lhs))
        return false;
    if (!check_index(r, e, base))
        return false;
    base = type_unref(e->lhs->type);
    e->type = part_type(r, e->lhs->type, type_element(r->types, base));
    if (e->lhs->value && e->rhs->value && !r->skipped)
        e->value = eval_index(&r->eval, e->lhs->value, (uint64_t)value_leaf(e->rhs->value, 0).i);
    return true;
}

/* -- pointers -- */

static bool resolve_address(struct wgsl_resolver *r, struct wgsl_expr *e) {
    if (!resolve_expr(r, e->lhs))
        return false;
    const struct wgsl_expr *of = e->lhs;
    if (of->type->kind != TY_REF) {
        RESOLVE_ERROR(r, e->span, "only memory has an address; this is a value of type '%s'",
                      of->type->name);
        return false;
    }
    bool component = (of->kind == EX_SWIZZLE || of->kind == EX_INDEX) &&
                     type_unref(of->lhs->type)->kind == TY_VEC;
    if (component || of->type->space == AS_HANDLE) {
        RESOLVE_ERROR(r, e->span,
                      component ? "a component of a vector has no address of its own"
                                : "a texture or sampler has no address");
        return false;
    }
    if (of->kind == EX_VARIABLE)
        of->variable->address_taken = true;
    e->type = type_ptr(r->types, of->type->space, of->type->elem, of->type->access);
    e->stage = STAGE_RUNTIME;
    e->root = of->root;
    return true;
}

static bool resolve_deref(struct wgsl_resolver *r, struct wgsl_expr *e) {
    if (!resolve_value(r, &e->lhs))
        return false;
    const struct wgsl_type *p = e->lhs->type;
    if (p->kind != TY_PTR) {
        RESOLVE_ERROR(r, e->span, "'*' needs a pointer; this is a value of type '%s'", p->name);
        return false;
    }
    e->type = type_ref(r->types, p->space, p->elem, p->access);
    e->stage = STAGE_RUNTIME;
    e->root = e->lhs->root;
    return true;
}

/* -- operators -- */

static bool convert_operand(struct wgsl_resolver *r, struct wgsl_expr *e,
                            const struct wgsl_type *type) {
    bool had_value = e->value != NULL;
    return resolve_convert(r, e, type) && (!had_value || e->value);
}

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
    if (!convert_operand(r, e->lhs, match.params[0]))
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
    return convert_operand(r, e->lhs, match.params[0]) &&
           convert_operand(r, e->rhs, match.params[1]) && evaluate_binary(r, e);
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
