/* Module-scope declarations. */
#include "sim/wgsl/resolve.h"

#include <string.h>

enum {
    MEMBER_LIMIT = 1023,
    PARAMETER_LIMIT = 255,
    DEPTH_LIMIT = 15, /* of composite types */
    OVERRIDE_ID_LIMIT = 65535,
};

enum wgsl_severity resolve_beyond_standard(const struct wgsl_resolver *r) {
    return r->dialect == WGSL_NAGA ? WGSL_WARNING : WGSL_ERROR;
}

/* -- structs -- */

static bool check_member_type(struct wgsl_resolver *r, const struct wgsl_field *field,
                              const struct wgsl_type *type, bool last) {
    bool plain = type->storable && type->kind != TY_TEXTURE && type->kind != TY_SAMPLER &&
                 type->kind != TY_SAMPLER_COMPARISON;
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

/* -- variables -- */

static bool is_handle(const struct wgsl_type *type) {
    return type->kind == TY_TEXTURE || type->kind == TY_SAMPLER ||
           type->kind == TY_SAMPLER_COMPARISON;
}

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
    if (is_handle(type)) {
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

/* -- functions -- */

static void resolve_stage_attribute(struct wgsl_resolver *r, struct wgsl_function *f) {
    static const struct {
        const char *name;
        enum wgsl_shader_stage stage;
    } stages[] = {
        {"vertex", SHADER_VERTEX}, {"fragment", SHADER_FRAGMENT}, {"compute", SHADER_COMPUTE}};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        struct wgsl_attribute *a = attributes_find(f->attributes, stages[i].name);
        if (!a)
            continue;
        if (f->stage != SHADER_NONE)
            RESOLVE_ERROR(r, a->span, "'%s' is an entry point of another stage already", f->name);
        f->stage = stages[i].stage;
    }
}

/* One dimension; all given ones have to have the same type. */
static bool resolve_workgroup_dimension(struct wgsl_resolver *r, struct wgsl_expr **e,
                                        const struct wgsl_type **type) {
    if (!resolve_value(r, e) || !resolve_stage(r, *e, STAGE_OVERRIDE, "@workgroup_size"))
        return false;
    if (!type_is_integer((*e)->type)) {
        RESOLVE_ERROR(r, (*e)->span, "@workgroup_size must be an i32 or u32, not '%s'",
                      (*e)->type->name);
        return false;
    }
    if ((*e)->value && value_leaf((*e)->value, 0).i < 1) {
        RESOLVE_ERROR(r, (*e)->span, "@workgroup_size must be at least 1");
        return false;
    }
    if (!type_is_abstract((*e)->type)) {
        if (*type && *type != (*e)->type)
            wgsl_diagnose(r->diagnostics, resolve_beyond_standard(r), (*e)->span,
                          "all of @workgroup_size must be i32, or all u32");
        *type = (*e)->type;
    }
    return true;
}

static void resolve_workgroup_size(struct wgsl_resolver *r, struct wgsl_function *f) {
    struct wgsl_attribute *a = attributes_find(f->attributes, "workgroup_size");
    if (f->stage == SHADER_COMPUTE && !a)
        RESOLVE_ERROR(r, f->span, "compute shader '%s' needs '@workgroup_size'", f->name);
    if (!a)
        return;
    if (f->stage != SHADER_COMPUTE)
        RESOLVE_ERROR(r, a->span, "'@workgroup_size' is for compute shaders only");
    const struct wgsl_type *type = NULL;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (resolve_workgroup_dimension(r, &a->args[i], &type))
            f->workgroup_size[i] = a->args[i];
    for (uint32_t i = 0; i < 3; i++)
        if (f->workgroup_size[i])
            resolve_convert(r, f->workgroup_size[i], type ? type : type_basic(r->types, TY_I32));
}

static bool check_param_type(struct wgsl_resolver *r, const struct wgsl_function *f,
                             const struct wgsl_variable *v, const struct wgsl_type *type) {
    bool entry = f->stage != SHADER_NONE;
    if (type->constructible || (!entry && (is_handle(type) || type->kind == TY_PTR)))
        return true;
    RESOLVE_ERROR(r, v->span, "a parameter of %s cannot have type '%s'",
                  entry ? "an entry point" : "a function", type->name);
    return false;
}

static void resolve_param(struct wgsl_resolver *r, struct wgsl_function *f,
                          struct wgsl_variable *v) {
    bool entry = f->stage != SHADER_NONE;
    bool ok = attributes_check(r, v->attributes, entry ? PLACE_PARAM : PLACE_STATEMENT,
                               entry ? "a parameter"
                                     : "parameters of functions that are no entry "
                                       "points");
    const struct wgsl_type *type = resolve_type(r, v->type_expr);
    if (entry)
        ok = attributes_io(r, v->attributes, &v->io) && ok;
    if (!type || !check_param_type(r, f, v, type) || !ok)
        return;
    if (wgsl_check_io_type(r, &v->io, type))
        v->type = type;
}

static void resolve_result(struct wgsl_resolver *r, struct wgsl_function *f) {
    bool entry = f->stage != SHADER_NONE;
    if (!f->result_expr) {
        f->result = type_basic(r->types, TY_VOID);
        return;
    }
    bool ok = attributes_check(r, f->result_attributes, entry ? PLACE_RESULT : PLACE_STATEMENT,
                               entry ? "a result"
                                     : "results of functions that are no entry "
                                       "points");
    const struct wgsl_type *type = resolve_type(r, f->result_expr);
    if (entry)
        ok = attributes_io(r, f->result_attributes, &f->result_io) && ok;
    if (!type || !ok)
        return;
    if (!type->constructible)
        RESOLVE_ERROR(r, f->result_expr->span, "a function cannot return '%s'", type->name);
    else if (wgsl_check_io_type(r, &f->result_io, type))
        f->result = type;
}

static void collect_filters(struct wgsl_resolver *r, struct wgsl_function *f) {
    for (struct wgsl_attribute *a = f->attributes; a; a = a->next)
        if (a->filter) {
            struct wgsl_filter *copy = HEAP_NEW(r->heap, struct wgsl_filter);
            *copy = *a->filter;
            copy->next = f->filters;
            f->filters = copy;
        }
}

static void resolve_header(struct wgsl_resolver *r, struct wgsl_function *f) {
    attributes_check(r, f->attributes, PLACE_FUNCTION, "a function");
    resolve_stage_attribute(r, f);
    resolve_workgroup_size(r, f);
    collect_filters(r, f);
    if (f->param_count > PARAMETER_LIMIT)
        RESOLVE_ERROR(r, f->span, "'%s' has more than %d parameters", f->name, PARAMETER_LIMIT);
    for (uint32_t i = 0; i < f->param_count; i++)
        resolve_param(r, f, f->params[i]);
    resolve_result(r, f);
    struct wgsl_attribute *must_use = attributes_find(f->attributes, "must_use");
    f->must_use = must_use != NULL;
    if (must_use && !f->result_expr)
        RESOLVE_ERROR(r, must_use->span, "'@must_use' needs a function that returns a value");
    if (f->stage != SHADER_NONE)
        wgsl_check_io(r, f);
}

/* Overrides that the workgroup size needs count as used by the function. */
static void use_overrides(struct wgsl_resolver *r, const struct wgsl_expr *e) {
    if (!e)
        return;
    if (e->kind == EX_VARIABLE)
        resolve_use_global(r, e->variable);
    use_overrides(r, e->lhs);
    use_overrides(r, e->rhs);
    for (uint32_t i = 0; i < e->arg_count; i++)
        use_overrides(r, e->args[i]);
}

void resolve_function(struct wgsl_resolver *r, struct wgsl_function *f) {
    resolve_header(r, f);
    const struct wgsl_filter *filters = attributes_push_filters(r, f->attributes);
    r->function = f;
    r->level = r->local_count = r->next_index = 0;
    r->bypass_from = r->bypass_to = 0;
    r->jumps = (struct wgsl_jumps){0};
    for (uint32_t i = 0; i < 3; i++)
        use_overrides(r, f->workgroup_size[i]);
    for (uint32_t i = 0; i < f->param_count; i++)
        resolve_declare_local(r, f->params[i]);
    resolve_body(r, f);
    r->local_count = 0;
    r->function = NULL;
    r->filters = filters;
    f->index = r->module->function_count;
    HEAP_PUSH(r->heap, r->module->functions, r->module->function_count, f);
}

/* -- all -- */

void resolve_decl(struct wgsl_resolver *r, struct wgsl_decl *decl) {
    if (decl->broken)
        return;
    switch (decl->kind) {
    case DECL_VARIABLE:
        resolve_global_variable(r, decl->variable);
        break;
    case DECL_FUNCTION:
        resolve_function(r, decl->function);
        break;
    case DECL_STRUCT:
        resolve_struct(r, decl);
        break;
    case DECL_ALIAS:
        decl->type = resolve_type(r, decl->expr);
        break;
    case DECL_CONST_ASSERT:
        resolve_const_assert(r, &decl->expr, decl->span);
        break;
    }
}

void wgsl_resolve(struct wgsl_module *module, struct wgsl_heap *heap,
                  const struct wgsl_options *options, struct wgsl_diagnostics *diagnostics) {
    struct wgsl_resolver *r = HEAP_NEW(heap, struct wgsl_resolver);
    r->module = module;
    r->types = module->types;
    r->heap = heap;
    r->diagnostics = diagnostics;
    r->dialect = options ? options->dialect : WGSL_STANDARD;
    r->eval = (struct wgsl_eval){heap, module->types, diagnostics};
    attributes_module_filters(r);
    uint32_t count;
    struct wgsl_decl **order = wgsl_sort(module, &r->names, heap, diagnostics, &count);
    for (uint32_t i = 0; i < count; i++)
        resolve_decl(r, order[i]);
    wgsl_check_entry_points(r);
    if (diagnostics->error_count == 0)
        wgsl_check_aliases(r);
}
