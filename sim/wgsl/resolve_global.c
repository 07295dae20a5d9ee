/* Module-scope variables, constants and overrides. */
#include "sim/wgsl/resolve.h"

enum { OVERRIDE_ID_LIMIT = 65535 };

bool resolve_check_store_type(struct wgsl_resolver *r, const struct wgsl_type *type,
                              enum wgsl_space space, struct wgsl_span span) {
    bool ok = true;
    const char *why = "";
    switch (space) {
    case AS_FUNCTION:
    case AS_PRIVATE:
        ok = type->constructible;
        why = type->has_atomic         ? "atomics lie in workgroup or storage memory"
              : !type->fixed_footprint ? "it has no fixed size"
                                       : "its size is an override";
        break;
    case AS_WORKGROUP:
        ok = type->fixed_footprint;
        why = "it has no fixed size";
        break;
    case AS_UNIFORM:
        ok = type->constructible && type->host_shareable;
        why = type->has_atomic         ? "atomics lie in workgroup or storage memory"
              : !type->fixed_footprint ? "it has no fixed size"
              : !type->creation_fixed  ? "its size is an override"
                                       : "it cannot be shared with the host";
        break;
    case AS_STORAGE:
        ok = type->host_shareable && (type->creation_fixed || !type->fixed_footprint);
        why =
            !type->host_shareable ? "it cannot be shared with the host" : "its size is an override";
        break;
    default:
        break;
    }
    if (!ok)
        RESOLVE_ERROR(r, span, "'%s' cannot lie in address space '%s': %s", type->name,
                      space_name(space), why);
    return ok;
}

/* var<space, access> */
static bool resolve_memory(struct wgsl_resolver *r, struct wgsl_variable *v,
                           const struct wgsl_type *type) {
    if (type_is_handle(type)) {
        if (v->has_template)
            RESOLVE_ERROR(r, v->template_args[0]->span,
                          "textures and samplers are in no address space that can be named");
        v->space = AS_HANDLE;
        v->access = AM_READ;
        return !v->has_template;
    }
    if (!v->has_template) {
        RESOLVE_ERROR(r, v->span, "'%s' needs an address space, as in 'var<private>'", v->name);
        return false;
    }
    if (v->template_count > 2) {
        RESOLVE_ERROR(r, v->template_args[2]->span, "'var' takes at most 2 template arguments");
        return false;
    }
    if (!resolve_space(r, v->template_args[0], &v->space))
        return false;
    v->access = resolve_default_access(v->space);
    if (v->template_count == 1)
        return true;
    if (!resolve_access(r, v->template_args[1], &v->access))
        return false;
    if (v->space != AS_STORAGE)
        RESOLVE_ERROR(r, v->template_args[1]->span, "an access mode can be given for storage only");
    else if (v->access == AM_WRITE)
        RESOLVE_ERROR(r, v->template_args[1]->span, "storage is 'read' or 'read_write'");
    else
        return true;
    return false;
}

static bool check_memory(struct wgsl_resolver *r, const struct wgsl_variable *v,
                         const struct wgsl_type *type) {
    if (v->space == AS_HANDLE)
        return true;
    if (v->space == AS_FUNCTION) {
        RESOLVE_ERROR(r, v->template_args[0]->span,
                      "address space 'function' is for variables in functions");
        return false;
    }
    if (!type->storable) {
        RESOLVE_ERROR(r, v->span, "a variable cannot have type '%s'", type->name);
        return false;
    }
    if (type->has_atomic && v->space == AS_STORAGE && v->access == AM_READ) {
        RESOLVE_ERROR(r, v->span, "atomics in storage need 'var<storage, read_write>'");
        return false;
    }
    if (v->init && v->space != AS_PRIVATE) {
        RESOLVE_ERROR(r, v->init->span, "a variable in address space '%s' has no initializer",
                      space_name(v->space));
        return false;
    }
    return resolve_check_store_type(r, type, v->space, v->span);
}

static bool resolve_binding(struct wgsl_resolver *r, struct wgsl_variable *v) {
    int64_t group = 0, binding = 0;
    struct wgsl_attribute *g = attributes_find(v->attributes, "group");
    struct wgsl_attribute *b = attributes_find(v->attributes, "binding");
    bool ok = !g || attributes_integer(r, v->attributes, "group", 0, &group);
    ok = (!b || attributes_integer(r, v->attributes, "binding", 0, &binding)) && ok;
    bool resource = v->space == AS_UNIFORM || v->space == AS_STORAGE || v->space == AS_HANDLE;
    if (v->space != AS_NONE && resource && !(g && b))
        RESOLVE_ERROR(r, v->span, "'%s' needs '@group' and '@binding'", v->name);
    else if (v->space != AS_NONE && !resource && (g || b))
        RESOLVE_ERROR(r, v->span, "'@group' and '@binding' are for buffers, textures and samplers");
    else if (ok) {
        v->has_binding = resource;
        v->group = (uint32_t)group;
        v->binding = (uint32_t)binding;
        return true;
    }
    return false;
}

/* The type of a module-scope declaration, its initializer being resolved. */
static const struct wgsl_type *global_type(struct wgsl_resolver *r, struct wgsl_variable *v,
                                           enum wgsl_stage latest, const char *what) {
    const struct wgsl_type *type = NULL;
    if (v->type_expr && !(type = resolve_type(r, v->type_expr)))
        return NULL;
    if (!v->init) {
        if (!type)
            RESOLVE_ERROR(r, v->span, "'%s' needs a type or an initializer", v->name);
        return type;
    }
    if (type && !type->constructible) {
        RESOLVE_ERROR(r, v->span, "'%s' cannot have an initializer with type '%s'", v->name,
                      type->name);
        return NULL;
    }
    if (!(type ? resolve_value_as(r, &v->init, type, "the initializer")
               : resolve_value(r, &v->init)) ||
        !resolve_stage(r, v->init, latest, what))
        return NULL;
    if (!type && v->kind != VAR_CONST && !resolve_concrete(r, v->init))
        return NULL;
    return v->init->type;
}

static void resolve_module_var(struct wgsl_resolver *r, struct wgsl_variable *v) {
    bool ok = attributes_check(r, v->attributes, PLACE_VAR, "a variable");
    const struct wgsl_type *type =
        global_type(r, v, STAGE_OVERRIDE, "the initializer of a module-scope variable");
    ok = type && resolve_memory(r, v, type) && check_memory(r, v, type) && ok;
    if (resolve_binding(r, v) && ok)
        v->type = type;
}

static void resolve_module_const(struct wgsl_resolver *r, struct wgsl_variable *v) {
    const struct wgsl_type *type = global_type(r, v, STAGE_CONST, "the value of a const");
    if (!type)
        return;
    if (!type->constructible) {
        RESOLVE_ERROR(r, v->span, "'%s' cannot have type '%s'", v->name, type->name);
        return;
    }
    v->type = type;
    v->value = v->init->value;
}

static void resolve_override(struct wgsl_resolver *r, struct wgsl_variable *v) {
    int64_t id;
    bool ok = attributes_check(r, v->attributes, PLACE_OVERRIDE, "an override");
    const struct wgsl_type *type = global_type(r, v, STAGE_OVERRIDE, "the value of an override");
    struct wgsl_attribute *a = attributes_find(v->attributes, "id");
    if (a && attributes_integer(r, v->attributes, "id", 0, &id)) {
        if (id > OVERRIDE_ID_LIMIT) {
            RESOLVE_ERROR(r, a->args[0]->span, "@id must be at most %d", OVERRIDE_ID_LIMIT);
            ok = false;
        }
        v->has_id = true;
        v->id = (uint32_t)id;
    }
    if (type && !type_is_scalar(type)) {
        RESOLVE_ERROR(r, v->span, "an override is a bool or a number, not '%s'", type->name);
        return;
    }
    if (type && ok)
        v->type = type;
    v->override_index = r->module->override_count;
    HEAP_PUSH(r->heap, r->module->overrides, r->module->override_count, v);
}

void resolve_global_variable(struct wgsl_resolver *r, struct wgsl_variable *v) {
    if (v->kind == VAR_VAR)
        resolve_module_var(r, v);
    else if (v->kind == VAR_CONST)
        resolve_module_const(r, v);
    else
        resolve_override(r, v);
    v->index = r->module->global_count;
    HEAP_PUSH(r->heap, r->module->globals, r->module->global_count, v);
}
