/* Struct declarations. */
#include "sim/wgsl/resolve.h"

#include <string.h>

enum {
    MEMBER_LIMIT = 1023,
    DEPTH_LIMIT = 15, /* of composite types */
};

static bool check_member_type(struct wgsl_resolver *r, const struct wgsl_field *field,
                              const struct wgsl_type *type, bool last) {
    bool plain = type->storable && !type_is_handle(type);
    bool runtime_sized = plain && !type->fixed_footprint;
    if (!plain)
        RESOLVE_ERROR(r, field->span, "'%s' cannot be a member of a struct", type->name);
    else if (type->fixed_footprint && !type->creation_fixed)
        RESOLVE_ERROR(r, field->span, "an array whose size is an override cannot be a member");
    else if (runtime_sized && type->kind == TY_STRUCT)
        RESOLVE_ERROR(r, field->span,
                      "a struct that ends in a runtime-sized array cannot be a "
                      "member");
    else if (runtime_sized && !last)
        RESOLVE_ERROR(r, field->span, "a runtime-sized array can only be the last member");
    else
        return true;
    return false;
}

static bool resolve_align(struct wgsl_resolver *r, const struct wgsl_field *field,
                          struct wgsl_member *m) {
    int64_t align;
    struct wgsl_attribute *a = attributes_find(field->attributes, "align");
    if (!a)
        return true;
    if (!attributes_integer(r, field->attributes, "align", 1, &align))
        return false;
    if (align & (align - 1))
        RESOLVE_ERROR(r, a->args[0]->span, "@align must be a power of two, not %lld",
                      (long long)align);
    else if ((uint64_t)align % m->type->align)
        RESOLVE_ERROR(r, a->args[0]->span, "@align must be a multiple of %llu for '%s'",
                      (unsigned long long)m->type->align, m->type->name);
    else
        m->align = (uint64_t)align;
    return m->align != 0;
}

static bool resolve_size(struct wgsl_resolver *r, const struct wgsl_field *field,
                         struct wgsl_member *m) {
    int64_t size;
    struct wgsl_attribute *a = attributes_find(field->attributes, "size");
    if (!a)
        return true;
    if (!attributes_integer(r, field->attributes, "size", 1, &size))
        return false;
    if (!m->type->creation_fixed)
        RESOLVE_ERROR(r, a->span, "@size needs a member of fixed size");
    else if ((uint64_t)size < m->type->size)
        RESOLVE_ERROR(r, a->args[0]->span, "@size must be at least %llu, the size of '%s'",
                      (unsigned long long)m->type->size, m->type->name);
    else
        m->size = (uint64_t)size;
    return m->size != 0;
}

static bool resolve_field(struct wgsl_resolver *r, const struct wgsl_field *field,
                          struct wgsl_member *m, bool last) {
    bool ok = attributes_check(r, field->attributes, PLACE_MEMBER, "a member of a struct");
    m->name = field->name;
    m->span = field->span;
    m->type = resolve_type(r, field->type_expr);
    ok = attributes_io(r, field->attributes, &m->io) && ok;
    if (!m->type || !check_member_type(r, field, m->type, last) || !ok)
        return false;
    ok = wgsl_check_io_type(r, &m->io, m->type);
    ok = resolve_align(r, field, m) && ok;
    return resolve_size(r, field, m) && ok;
}

static bool check_member_names(struct wgsl_resolver *r, const struct wgsl_decl *decl) {
    bool ok = true;
    for (uint32_t i = 0; i < decl->field_count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(decl->fields[i].name, decl->fields[k].name) == 0) {
                wgsl_note(r->diagnostics,
                          RESOLVE_ERROR(r, decl->fields[i].span, "member '%s' is declared twice",
                                        decl->fields[i].name),
                          decl->fields[k].span, "first declared here");
                ok = false;
            }
    return ok;
}

void resolve_struct(struct wgsl_resolver *r, struct wgsl_decl *decl) {
    if (decl->field_count > MEMBER_LIMIT) {
        RESOLVE_ERROR(r, decl->span, "'%s' has more than %d members", decl->name, MEMBER_LIMIT);
        return;
    }
    bool ok = check_member_names(r, decl);
    struct wgsl_member *members = heap_alloc(r->heap, decl->field_count * sizeof *members);
    for (uint32_t i = 0; i < decl->field_count; i++)
        ok = resolve_field(r, &decl->fields[i], &members[i], i + 1 == decl->field_count) && ok;
    if (!ok)
        return;
    const struct wgsl_type *type =
        type_struct(r->types, decl->name, decl->span, members, decl->field_count);
    if (type->depth > DEPTH_LIMIT)
        RESOLVE_ERROR(r, decl->span, "'%s' is nested deeper than %d levels", decl->name,
                      DEPTH_LIMIT);
    else if (type->size > UINT32_MAX)
        RESOLVE_ERROR(r, decl->span, "'%s' is larger than %u bytes", decl->name, UINT32_MAX);
    else
        decl->type = type;
    if (decl->type)
        HEAP_PUSH(r->heap, r->module->structs, r->module->struct_count, type);
}
