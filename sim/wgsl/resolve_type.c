/* Types as they are written. */
#include <string.h>

#include "sim/wgsl/resolve.h"

enum { SUFFIX_LENGTH_LIMIT = 24 };

/* -- enumerants -- */

static const struct {
    const char *name;
    enum wgsl_space space;
} spaces[] = {
    {"function", AS_FUNCTION}, {"private", AS_PRIVATE}, {"workgroup", AS_WORKGROUP},
    {"uniform", AS_UNIFORM},   {"storage", AS_STORAGE},
};

static const struct {
    const char *name;
    enum wgsl_access access;
} accesses[] = {
    {"read", AM_READ},
    {"write", AM_WRITE},
    {"read_write", AM_READ_WRITE},
};

static int find_space(const char *name) {
    for (int i = 0; i < (int)(sizeof spaces / sizeof spaces[0]); i++)
        if (strcmp(spaces[i].name, name) == 0)
            return i;
    return -1;
}

static int find_access(const char *name) {
    for (int i = 0; i < (int)(sizeof accesses / sizeof accesses[0]); i++)
        if (strcmp(accesses[i].name, name) == 0)
            return i;
    return -1;
}

static int find_format(const char *name) {
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (strcmp(format_name((enum wgsl_texel_format)i), name) == 0)
            return i;
    return -1;
}

bool resolve_is_enumerant(const char *name) {
    return find_space(name) >= 0 || find_access(name) >= 0 || find_format(name) >= 0;
}

/* The index that find gives for the name that e is; -1 after reporting. */
static int enumerant(struct wgsl_resolver *r, const struct wgsl_expr *e, int (*find)(const char *),
                     const char *what) {
    int index = -1;
    if (e->kind == EX_IDENT && !e->has_template && resolve_name(r, e->name).kind == ENTITY_NONE)
        index = find(e->name);
    if (index < 0)
        RESOLVE_ERROR(r, e->span, "expected %s", what);
    return index;
}

bool resolve_space(struct wgsl_resolver *r, const struct wgsl_expr *e, enum wgsl_space *space) {
    int i = enumerant(r, e, find_space, "an address space");
    if (i >= 0)
        *space = spaces[i].space;
    return i >= 0;
}

bool resolve_access(struct wgsl_resolver *r, const struct wgsl_expr *e, enum wgsl_access *access) {
    int i = enumerant(r, e, find_access, "an access mode ('read', 'write' or 'read_write')");
    if (i >= 0)
        *access = accesses[i].access;
    return i >= 0;
}

enum wgsl_access resolve_default_access(enum wgsl_space space) {
    return space == AS_UNIFORM || space == AS_STORAGE || space == AS_HANDLE ? AM_READ
                                                                            : AM_READ_WRITE;
}

/* -- names of types -- */

static const struct {
    const char *name;
    enum wgsl_type_kind kind;
} simple[] = {
    {"bool", TY_BOOL},
    {"i32", TY_I32},
    {"u32", TY_U32},
    {"f32", TY_F32},
    {"f16", TY_F16},
    {"sampler", TY_SAMPLER},
    {"sampler_comparison", TY_SAMPLER_COMPARISON},
};

static const struct {
    const char *name;
    enum wgsl_texture_kind kind;
    enum wgsl_texture_dim dim;
} textures[] = {
    {"texture_1d", TEXTURE_SAMPLED, DIM_1D},
    {"texture_2d", TEXTURE_SAMPLED, DIM_2D},
    {"texture_2d_array", TEXTURE_SAMPLED, DIM_2D_ARRAY},
    {"texture_3d", TEXTURE_SAMPLED, DIM_3D},
    {"texture_cube", TEXTURE_SAMPLED, DIM_CUBE},
    {"texture_cube_array", TEXTURE_SAMPLED, DIM_CUBE_ARRAY},
    {"texture_multisampled_2d", TEXTURE_MULTISAMPLED, DIM_2D},
    {"texture_depth_2d", TEXTURE_DEPTH, DIM_2D},
    {"texture_depth_2d_array", TEXTURE_DEPTH, DIM_2D_ARRAY},
    {"texture_depth_cube", TEXTURE_DEPTH, DIM_CUBE},
    {"texture_depth_cube_array", TEXTURE_DEPTH, DIM_CUBE_ARRAY},
    {"texture_depth_multisampled_2d", TEXTURE_DEPTH_MULTISAMPLED, DIM_2D},
    {"texture_storage_1d", TEXTURE_STORAGE, DIM_1D},
    {"texture_storage_2d", TEXTURE_STORAGE, DIM_2D},
    {"texture_storage_2d_array", TEXTURE_STORAGE, DIM_2D_ARRAY},
    {"texture_storage_3d", TEXTURE_STORAGE, DIM_3D},
    {"texture_external", TEXTURE_EXTERNAL, DIM_2D},
};

/* What a predeclared name stands for. */
struct type_name {
    enum {
        NAME_NONE,
        NAME_SIMPLE,
        NAME_VEC,
        NAME_MAT,
        NAME_ARRAY,
        NAME_ATOMIC,
        NAME_PTR,
        NAME_TEXTURE,
    } what;
    enum wgsl_type_kind kind; /* NAME_SIMPLE; scalar of vec2f and mat2x2h; TY_VOID: generic */
    uint32_t columns, rows;
    size_t index; /* of textures */
};

static enum wgsl_type_kind suffix_kind(char suffix) {
    return suffix == 'i'   ? TY_I32
           : suffix == 'u' ? TY_U32
           : suffix == 'f' ? TY_F32
           : suffix == 'h' ? TY_F16
                           : TY_VOID;
}

static bool is_size(char c) {
    return c >= '2' && c <= '4';
}

/* vecN, vecNs, matCxR and matCxRs */
static bool parse_sized(const char *name, struct type_name *out) {
    bool vec = strncmp(name, "vec", 3) == 0 && is_size(name[3]);
    bool mat =
        strncmp(name, "mat", 3) == 0 && is_size(name[3]) && name[4] == 'x' && is_size(name[5]);
    if (!vec && !mat)
        return false;
    const char *suffix = name + (vec ? 4 : 6);
    out->what = vec ? NAME_VEC : NAME_MAT;
    out->columns = (uint32_t)(name[3] - '0');
    out->rows = (uint32_t)(name[vec ? 3 : 5] - '0');
    out->kind = suffix_kind(suffix[0]);
    bool allowed = out->kind == TY_F32 || out->kind == TY_F16 || (vec && out->kind != TY_VOID);
    return suffix[0] == '\0' || (allowed && suffix[1] == '\0');
}

static struct type_name find_type_name(const char *name) {
    struct type_name out = {.what = NAME_NONE};
    if (strlen(name) > SUFFIX_LENGTH_LIMIT + 8 || parse_sized(name, &out))
        return out;
    out.what = strcmp(name, "array") == 0    ? NAME_ARRAY
               : strcmp(name, "atomic") == 0 ? NAME_ATOMIC
               : strcmp(name, "ptr") == 0    ? NAME_PTR
                                             : NAME_NONE;
    for (size_t i = 0; i < sizeof simple / sizeof simple[0]; i++)
        if (strcmp(simple[i].name, name) == 0) {
            out.what = NAME_SIMPLE;
            out.kind = simple[i].kind;
        }
    for (size_t i = 0; i < sizeof textures / sizeof textures[0]; i++)
        if (strcmp(textures[i].name, name) == 0) {
            out.what = NAME_TEXTURE;
            out.index = i;
        }
    return out;
}

bool resolve_is_type_name(const char *name) {
    return find_type_name(name).what != NAME_NONE;
}

/* -- making types -- */

static bool check_template(struct wgsl_resolver *r, const struct wgsl_expr *e, uint32_t least,
                           uint32_t most) {
    if (most == 0 ? !e->has_template : e->arg_count >= least && e->arg_count <= most)
        return true;
    if (most == 0)
        RESOLVE_ERROR(r, e->span, "'%s' takes no template arguments", e->name);
    else
        RESOLVE_ERROR(r, e->span, "'%s' needs %u template argument%s, has %u", e->name,
                      e->arg_count < least ? least : most,
                      (e->arg_count < least ? least : most) == 1 ? "" : "s", e->arg_count);
    return false;
}

static const struct wgsl_type *simple_type(struct wgsl_resolver *r, const struct wgsl_expr *e,
                                           enum wgsl_type_kind kind) {
    if (kind == TY_F16 && !(r->module->extensions & EXT_F16)) {
        RESOLVE_ERROR(r, e->span, "'%s' needs 'enable f16;'", e->name);
        return NULL;
    }
    return type_basic(r->types, kind);
}

static const struct wgsl_type *sized_type(struct wgsl_resolver *r, struct wgsl_expr *e,
                                          const struct type_name *name) {
    const struct wgsl_type *elem;
    if (name->kind != TY_VOID) {
        if (!check_template(r, e, 0, 0))
            return NULL;
        elem = simple_type(r, e, name->kind);
    } else {
        if (!check_template(r, e, 1, 1))
            return NULL;
        elem = resolve_type(r, e->args[0]);
    }
    if (!elem)
        return NULL;
    bool vec = name->what == NAME_VEC;
    if (vec ? !type_is_scalar(elem) : !type_is_float(elem)) {
        RESOLVE_ERROR(r, e->args[0]->span, "a %s holds %s, not '%s'", vec ? "vector" : "matrix",
                      vec ? "bool, i32, u32, f32 or f16" : "f32 or f16", elem->name);
        return NULL;
    }
    return vec ? type_vec(r->types, elem, name->rows)
               : type_mat(r->types, elem, name->columns, name->rows);
}

static bool check_array_element(struct wgsl_resolver *r, const struct wgsl_expr *e,
                                const struct wgsl_type *elem) {
    bool plain = elem->storable && !type_is_handle(elem);
    if (plain && elem->creation_fixed)
        return true;
    if (elem->kind == TY_ARRAY && elem->count_expr)
        RESOLVE_ERROR(r, e->span, "an array whose size is an override cannot be an element");
    else if (plain)
        RESOLVE_ERROR(r, e->span, "an element of an array needs a fixed size; '%s' has none",
                      elem->name);
    else
        RESOLVE_ERROR(r, e->span, "'%s' cannot be the element of an array", elem->name);
    return false;
}

/* The number of elements, if it is constant; sets *count 0 if it is an override-expression. */
static bool array_count(struct wgsl_resolver *r, struct wgsl_expr **e, uint64_t *count) {
    uint32_t skipped = r->skipped;
    r->skipped = 0; /* types count even where values don't */
    bool ok = resolve_value(r, e) && resolve_stage(r, *e, STAGE_OVERRIDE, "the number of elements");
    r->skipped = skipped;
    if (!ok)
        return false;
    if (!type_is_integer((*e)->type)) {
        RESOLVE_ERROR(r, (*e)->span, "the number of elements is an i32 or u32, not '%s'",
                      (*e)->type->name);
        return false;
    }
    if (!resolve_concrete(r, *e))
        return false;
    *count = 0;
    if (!(*e)->value)
        return (*e)->stage == STAGE_OVERRIDE;
    int64_t n = value_leaf((*e)->value, 0).i;
    if (n <= 0) {
        RESOLVE_ERROR(r, (*e)->span, "an array needs at least 1 element, not %lld", (long long)n);
        return false;
    }
    *count = (uint64_t)n;
    return true;
}

static const struct wgsl_type *array_type(struct wgsl_resolver *r, struct wgsl_expr *e) {
    if (!check_template(r, e, 1, 2))
        return NULL;
    const struct wgsl_type *elem = resolve_type(r, e->args[0]);
    if (!elem || !check_array_element(r, e->args[0], elem))
        return NULL;
    if (e->arg_count == 1)
        return type_array(r->types, elem, 0, NULL, NULL);
    uint64_t count;
    if (!array_count(r, &e->args[1], &count))
        return NULL;
    struct wgsl_expr *n = e->args[1];
    const struct wgsl_variable *key = n->kind == EX_VARIABLE ? n->variable : NULL;
    const struct wgsl_type *type = count ? type_array(r->types, elem, count, NULL, NULL)
                                         : type_array(r->types, elem, 0, n, key);
    if (type->size > UINT32_MAX) {
        RESOLVE_ERROR(r, e->span, "this array has %llu bytes; at most %u are allowed",
                      (unsigned long long)type->size, UINT32_MAX);
        return NULL;
    }
    return type;
}

static const struct wgsl_type *atomic_type(struct wgsl_resolver *r, struct wgsl_expr *e) {
    if (!check_template(r, e, 1, 1))
        return NULL;
    const struct wgsl_type *elem = resolve_type(r, e->args[0]);
    if (!elem)
        return NULL;
    if (elem->kind != TY_I32 && elem->kind != TY_U32) {
        RESOLVE_ERROR(r, e->args[0]->span, "an atomic holds i32 or u32, not '%s'", elem->name);
        return NULL;
    }
    return type_atomic(r->types, elem);
}

static bool check_access(struct wgsl_resolver *r, struct wgsl_span span, enum wgsl_space space,
                         enum wgsl_access access) {
    if (space == AS_STORAGE && access != AM_WRITE)
        return true;
    if (space == AS_STORAGE)
        RESOLVE_ERROR(r, span, "memory in storage is 'read' or 'read_write', never 'write'");
    else
        RESOLVE_ERROR(r, span, "an access mode can be given for storage only");
    return false;
}

static const struct wgsl_type *ptr_type(struct wgsl_resolver *r, struct wgsl_expr *e) {
    enum wgsl_space space;
    if (!check_template(r, e, 2, 3) || !resolve_space(r, e->args[0], &space))
        return NULL;
    const struct wgsl_type *elem = resolve_type(r, e->args[1]);
    if (!elem)
        return NULL;
    enum wgsl_access access = resolve_default_access(space);
    if (e->arg_count == 3 && (!resolve_access(r, e->args[2], &access) ||
                              !check_access(r, e->args[2]->span, space, access)))
        return NULL;
    if (!elem->storable || type_is_handle(elem)) {
        RESOLVE_ERROR(r, e->args[1]->span, "there are no pointers to '%s'", elem->name);
        return NULL;
    }
    if (elem->has_atomic && space == AS_STORAGE && access == AM_READ) {
        RESOLVE_ERROR(r, e->span, "atomics in storage need access mode 'read_write'");
        return NULL;
    }
    if (!resolve_check_store_type(r, elem, space, e->args[1]->span))
        return NULL;
    return type_ptr(r->types, space, elem, access);
}

static const struct wgsl_type *storage_texture(struct wgsl_resolver *r, struct wgsl_expr *e,
                                               enum wgsl_texture_dim dim) {
    enum wgsl_access access;
    if (!check_template(r, e, 2, 2))
        return NULL;
    int format = enumerant(r, e->args[0], find_format, "a texel format");
    if (format < 0 || !resolve_access(r, e->args[1], &access))
        return NULL;
    return type_texture(r->types, TEXTURE_STORAGE, dim, NULL, (enum wgsl_texel_format)format,
                        access);
}

static const struct wgsl_type *texture_type(struct wgsl_resolver *r, struct wgsl_expr *e,
                                            size_t index) {
    enum wgsl_texture_kind kind = textures[index].kind;
    enum wgsl_texture_dim dim = textures[index].dim;
    if (kind == TEXTURE_STORAGE)
        return storage_texture(r, e, dim);
    bool sampled = kind == TEXTURE_SAMPLED || kind == TEXTURE_MULTISAMPLED;
    if (!check_template(r, e, sampled, sampled))
        return NULL;
    if (!sampled)
        return type_texture(r->types, kind, dim, NULL, FORMAT_rgba8unorm, AM_READ);
    const struct wgsl_type *elem = resolve_type(r, e->args[0]);
    if (!elem)
        return NULL;
    if (elem->kind != TY_F32 && elem->kind != TY_I32 && elem->kind != TY_U32) {
        RESOLVE_ERROR(r, e->args[0]->span, "a texture is sampled as f32, i32 or u32, not '%s'",
                      elem->name);
        return NULL;
    }
    return type_texture(r->types, kind, dim, elem, FORMAT_rgba8unorm, AM_READ);
}

static const struct wgsl_type *predeclared_type(struct wgsl_resolver *r, struct wgsl_expr *e) {
    struct type_name name = find_type_name(e->name);
    switch (name.what) {
    case NAME_SIMPLE:
        return check_template(r, e, 0, 0) ? simple_type(r, e, name.kind) : NULL;
    case NAME_VEC:
    case NAME_MAT:
        return sized_type(r, e, &name);
    case NAME_ARRAY:
        return array_type(r, e);
    case NAME_ATOMIC:
        return atomic_type(r, e);
    case NAME_PTR:
        return ptr_type(r, e);
    case NAME_TEXTURE:
        return texture_type(r, e, name.index);
    default:
        break;
    }
    if (resolve_is_enumerant(e->name) || builtin_find(e->name))
        RESOLVE_ERROR(r, e->span, "'%s' is not a type", e->name);
    else
        RESOLVE_ERROR(r, e->span, "unknown type '%s'", e->name);
    return NULL;
}

const struct wgsl_type *resolve_type(struct wgsl_resolver *r, struct wgsl_expr *e) {
    if (e->kind != EX_IDENT) {
        RESOLVE_ERROR(r, e->span, "expected a type");
        return NULL;
    }
    struct wgsl_entity entity = resolve_name(r, e->name);
    if (entity.kind == ENTITY_NONE)
        return predeclared_type(r, e);
    if (entity.kind == ENTITY_VARIABLE || entity.decl->function) {
        struct wgsl_span place =
            entity.kind == ENTITY_VARIABLE ? entity.variable->span : entity.decl->span;
        wgsl_note(r->diagnostics, RESOLVE_ERROR(r, e->span, "'%s' is not a type", e->name), place,
                  "declared here");
        return NULL;
    }
    if (!check_template(r, e, 0, 0))
        return NULL;
    return entity.decl->type;
}
