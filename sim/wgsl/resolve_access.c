/* Parts of values and of memory: members, swizzles, indices, pointers. */
#include <inttypes.h>
#include <string.h>

#include "sim/wgsl/resolve.h"

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

bool resolve_member(struct wgsl_resolver *r, struct wgsl_expr *e) {
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

bool resolve_index(struct wgsl_resolver *r, struct wgsl_expr *e) {
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
    e->stage = e->lhs->stage > e->rhs->stage ? e->lhs->stage : e->rhs->stage;
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

bool resolve_address(struct wgsl_resolver *r, struct wgsl_expr *e) {
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
    if (of->root)
        of->root->address_taken = true;
    e->type = type_ptr(r->types, of->type->space, of->type->elem, of->type->access);
    e->stage = STAGE_RUNTIME;
    e->root = of->root;
    return true;
}

bool resolve_deref(struct wgsl_resolver *r, struct wgsl_expr *e) {
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
