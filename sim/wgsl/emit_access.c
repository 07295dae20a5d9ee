/* Accesses to memory that the simulator watches: places, loads, stores, pointers and their sites.
 */
#include "sim/wgsl/emit_impl.h"

#include <string.h>

/* -- sites ------------------------------------------------------------------------------------ */

/* Where a line starts, or NULL. Spans mostly come in the order of lines, so that the last one is
 * near. */
static const char *line_text(struct emit *e, uint32_t file, uint32_t line) {
    if (e->near.file != file || e->near.line > line || !e->near.text)
        e->near = (struct emit_near){file, 1, e->module->files[file].text};
    while (e->near.line < line && e->near.text) {
        const char *end = strchr(e->near.text, '\n');
        e->near.text = end ? end + 1 : NULL;
        e->near.line++;
    }
    return e->near.text;
}

/* The text at a span, as a C string without its quotes. */
static const char *span_text(struct emit *e, struct wgsl_span span) {
    if (!span.line || span.file >= e->module->file_count) {
        return "";
    }
    const char *text = line_text(e, span.file, span.line);
    if (!text || strnlen(text, span.column + span.length) < span.column - 1 + span.length) {
        return "";
    }
    return emit_escaped(e, text + span.column - 1, span.length);
}

/* The simulator has 16 bits for the number of a site. */
enum { SITE_LIMIT = 65535 };

uint32_t emit_site(struct emit *e, struct wgsl_span span, struct emit_site_info info) {
    if (e->site_count == SITE_LIMIT) {
        emit_unsupported(e, span, "the 65536th access to memory");
        return 0;
    }
    const char *file = span.file < e->module->file_count ? e->module->files[span.file].name : "";
    const char *var = info.root && info.root->kind == VAR_VAR && !info.own
                          ? emit_format(e, "wg_var_%s", e->globals[info.root->index])
                          : "WG_VAR_DYNAMIC";
    buf_printf(&e->sites,
               "    {.file = \"%s\", .line = %u, .column = %u, .length = %u, .text = \"%s\",\n",
               emit_escaped(e, file, strlen(file)), span.line, span.column, span.length,
               span_text(e, span));
    buf_printf(&e->sites, "     .id = %u, .op = %s, .var = %s, .variable = \"%s\"", e->site_count,
               info.op, var, info.root ? info.root->name : "");
    if (info.flags) {
        buf_printf(&e->sites, ", .flags = %s", info.flags);
    }
    if (info.bytes) {
        e->access_count++;
        buf_printf(&e->sites, ", .bytes = %u, .space = %s", info.bytes,
                   emit_space(info.space, info.access));
    }
    if (info.vector_bytes) {
        buf_printf(&e->sites, ", .vector_bytes = %u", info.vector_bytes);
    }
    buf_puts(&e->sites, "},\n");
    e->advice_count += strcmp(info.op, "WG_OP_ARITHMETIC") == 0;
    return e->site_count++;
}

const char *emit_site_if_wanted(struct emit *e, uint32_t site) {
    return e->wanted ? emit_format(e, "wgsl_site_if(%s, %u)", e->wanted, site)
                     : emit_format(e, "%u", site);
}

/* -- layout ------------------------------------------------------------------------------------ */

static uint64_t matrix_stride(struct emit *e, const struct wgsl_type *matrix) {
    return type_column(e->module->types, matrix)->align;
}

static uint64_t element_stride(struct emit *e, const struct wgsl_type *whole) {
    return whole->kind == TY_ARRAY ? whole->stride
           : whole->kind == TY_MAT ? matrix_stride(e, whole)
                                   : whole->elem->size;
}

/* 0: as many as the buffer holds */
static uint64_t element_count(struct emit *e, const struct wgsl_type *whole) {
    return whole->kind == TY_ARRAY ? wgsl_pipeline_count(e->pipeline, whole)
           : whole->kind == TY_MAT ? whole->columns
                                   : whole->rows;
}

/* -- places ------------------------------------------------------------------------------------ */

static void add_term(struct emit *e, struct emit_place *place, const char *term) {
    place->dynamic = place->dynamic ? emit_format(e, "%s + %s", place->dynamic, term) : term;
}

static const char *place_count(struct emit *e, const struct emit_place *place,
                               const struct wgsl_type *whole) {
    uint64_t count = element_count(e, whole);
    if (count) {
        return emit_format(e, "%llu", (unsigned long long)count);
    }
    return emit_format(e, "wgsl_array_length(wg, %s, %s, %llu)", place->var, emit_byte(e, place),
                       (unsigned long long)element_stride(e, whole));
}

/* Is this the outermost index of a variable that is an array and as large as its memory? */
static bool spans_variable(struct emit *e, const struct emit_place *place,
                           const struct wgsl_expr *expr) {
    return expr->lhs->kind == EX_VARIABLE && expr->lhs->type->elem->kind == TY_ARRAY &&
           place->root &&
           (place->root->space == AS_WORKGROUP || element_count(e, expr->lhs->type->elem) == 0);
}

/* The offset of an element, of an index that is checked. */
static const char *checked_index(struct emit *e, uint32_t site, const char *var, const char *index,
                                 const char *wanted, const char *count, uint64_t stride) {
    return emit_format(e, "%s(wg, %u, %s, %s, %s%s%s) * %llu",
                       wanted ? "wgsl_wanted_index" : "wg_index_", site, var, index, count,
                       wanted ? ", " : "", wanted ? wanted : "", (unsigned long long)stride);
}

/* The site of an index that is checked by itself. */
static uint32_t index_site(struct emit *e, struct wgsl_span span, const struct wgsl_variable *root,
                           const char *flags) {
    return emit_site(e, span,
                     (struct emit_site_info){
                         .op = e->reach ? e->reach : "WG_OP_LOAD", .root = root, .flags = flags});
}

const char *emit_reach(struct emit *e, const char *op) {
    const char *before = e->reach;
    e->reach = op;
    return before;
}

static void place_index(struct emit *e, struct emit_place *place, const struct wgsl_expr *expr) {
    const struct wgsl_type *whole = type_unref(expr->lhs->type);
    uint64_t stride = element_stride(e, whole), count = element_count(e, whole);
    const struct wgsl_value *constant = emit_constant(e, expr->rhs);
    if (constant && (uint64_t)value_leaf(constant, 0).i < count) {
        place->constant += (uint64_t)value_leaf(constant, 0).i * stride;
        return;
    }
    struct emit_text index;
    const char *reach = e->reach;
    if (emit_calls(expr->rhs)) {
        emit_place_keep(e, place);
    }
    if (emit_index_wraps(expr->rhs)) {
        uint32_t site = index_site(e, expr->span, place->root, NULL);
        const char *within = place_count(e, place, whole);
        emit_reach(e, NULL);
        index = emit_wrapping_index(e, expr->rhs, site, place->var, within);
    } else {
        emit_reach(e, NULL);
        index = emit_expr(e, expr->rhs);
    }
    if (emit_has_effect(expr->rhs)) {
        index = emit_keep(e, expr->rhs->type, index);
    }
    emit_reach(e, reach);
    place->stable &= index.stable;
    if (spans_variable(e, place, expr)) {
        place->index = index.c;
        place->wanted = e->wanted;
        place->stride = stride;
        place->whole = whole;
        place->index_span = expr->span;
        return;
    }
    uint32_t site = index_site(e, expr->span, place->root, count ? NULL : "WG_SITE_RUNTIME");
    add_term(e, place,
             checked_index(e, site, place->var, index.c, e->wanted, place_count(e, place, whole),
                           stride));
}

static struct emit_place pointer_place(struct emit *e, const struct wgsl_expr *pointer) {
    if (pointer->kind == EX_ADDRESS) {
        return emit_place(e, pointer->lhs);
    }
    const char *reach = emit_reach(e, NULL);
    struct emit_text text = emit_keep(e, pointer->type, emit_expr(e, pointer));
    emit_reach(e, reach);
    const struct wgsl_variable *root =
        pointer->root && pointer->root->kind == VAR_VAR ? pointer->root : NULL;
    return (struct emit_place){
        .root = root,
        .var = root ? emit_format(e, "wg_var_%s", e->globals[root->index])
                    : emit_format(e, "%s.var", text.c),
        .dynamic = emit_format(e, "%s.byte", text.c),
        .stable = true,
    };
}

struct emit_place emit_place(struct emit *e, const struct wgsl_expr *reference) {
    if (reference->kind == EX_VARIABLE) {
        const struct wgsl_variable *root = reference->variable;
        return (struct emit_place){.root = root,
                                   .var = emit_format(e, "wg_var_%s", e->globals[root->index]),
                                   .stable = true};
    }
    if (reference->kind == EX_DEREF) {
        return pointer_place(e, reference->lhs);
    }
    struct emit_place place = reference->lhs->type->kind == TY_PTR
                                  ? pointer_place(e, reference->lhs)
                                  : emit_place(e, reference->lhs);
    if (reference->kind == EX_MEMBER) {
        place.constant += reference->member->offset;
    } else if (reference->kind == EX_SWIZZLE) {
        place.constant += reference->swizzle[0] * type_unref(reference->type)->size;
        place.vector_bytes = (uint32_t)type_unref(reference->lhs->type)->size;
    } else {
        const struct wgsl_type *whole = type_unref(reference->lhs->type);
        place.vector_bytes = whole->kind == TY_VEC ? (uint32_t)whole->size : 0;
        place_index(e, &place, reference);
    }
    return place;
}

/* The byte offset; an index that spans the variable is checked here. */
const char *emit_byte(struct emit *e, const struct emit_place *place) {
    struct emit_place flat = *place;
    if (flat.index) {
        uint32_t site = index_site(e, flat.index_span, flat.root, NULL);
        struct emit_place base = {.root = flat.root, .var = flat.var};
        const char *checked = checked_index(e, site, flat.var, flat.index, flat.wanted,
                                            place_count(e, &base, flat.whole), flat.stride);
        flat.dynamic = flat.dynamic ? emit_format(e, "%s + %s", checked, flat.dynamic) : checked;
    }
    if (!flat.dynamic) {
        return emit_format(e, "%llu", (unsigned long long)flat.constant);
    }
    return flat.constant
               ? emit_format(e, "%s + %llu", flat.dynamic, (unsigned long long)flat.constant)
               : flat.dynamic;
}

void emit_place_keep(struct emit *e, struct emit_place *place) {
    if (place->stable) {
        return;
    }
    if (place->index) {
        const char *name = emit_format(e, "t%u", ++e->temp_count);
        emit_line(e, "const int64_t %s = %s;", name, place->index);
        place->index = name;
    }
    if (place->dynamic) {
        const char *name = emit_format(e, "t%u", ++e->temp_count);
        emit_line(e, "const uint64_t %s = %s;", name, place->dynamic);
        place->dynamic = name;
    }
    place->stable = true;
}

struct emit_text emit_pointer(struct emit *e, const struct wgsl_expr *reference) {
    struct emit_place place = emit_place(e, reference);
    const char *c =
        emit_format(e, "(struct wgsl_pointer){%s, %s}", place.var, emit_byte(e, &place));
    return (struct emit_text){c, LEVEL_PRIMARY, place.stable};
}

/* -- loads and stores of composites: functions of their own --------------------------------------
 */

static bool is_leaf(const struct wgsl_type *type) {
    return type_is_scalar(type) || type->kind == TY_VEC;
}

/* How many sites one access of the type has: each scalar and vector, and each loop over an array.
 */
static uint32_t site_count(const struct wgsl_type *type) {
    switch (type->kind) {
    case TY_MAT:
        return type->columns;
    case TY_ARRAY:
        return 1 + site_count(type->elem);
    case TY_STRUCT: {
        uint32_t count = 0;
        for (uint32_t k = 0; k < type->member_count; k++) {
            count += site_count(type->members[k].type);
        }
        return count;
    }
    default:
        return 1;
    }
}

/* v.part = T_load(...) or T_store(..., v.part) of one part. */
static void part_line(struct emit *e, struct buf *body, bool store, const struct wgsl_type *type,
                      const char *part, uint32_t site, const char *offset) {
    const char *name = emit_access_name(e, type, store);
    const char *more = site ? emit_format(e, " + %u", site) : "";
    if (store) {
        buf_printf(body, "    %s(wg, site%s, var, byte%s, v.%s);\n", name, more, offset, part);
    } else {
        buf_printf(body, "    v.%s = %s(wg, site%s, var, byte%s);\n", part, name, more, offset);
    }
}

static const char *plus(struct emit *e, uint64_t offset) {
    return offset ? emit_format(e, " + %llu", (unsigned long long)offset) : "";
}

static void parts(struct emit *e, struct buf *body, const struct wgsl_type *type, bool store) {
    if (type->kind == TY_MAT) {
        const struct wgsl_type *column = type_column(e->module->types, type);
        for (uint32_t k = 0; k < type->columns; k++) {
            part_line(e, body, store, column, emit_format(e, "c[%u]", k), k,
                      plus(e, k * column->align));
        }
    } else if (type->kind == TY_ARRAY) {
        buf_printf(body, "    WGSL_LOOP(site, for (u32 k = 0; k < %lluu; k++)) {\n    ",
                   (unsigned long long)wgsl_pipeline_count(e->pipeline, type));
        part_line(e, body, store, type->elem, "e[k]", 1,
                  emit_format(e, " + k * %lluu", (unsigned long long)type->stride));
        buf_puts(body, "    }\n");
    } else {
        uint32_t site = 0;
        for (uint32_t k = 0; k < type->member_count; k++) {
            const struct wgsl_member *member = &type->members[k];
            part_line(e, body, store, member->type, emit_member_name(e, member->name), site,
                      plus(e, member->offset));
            site += site_count(member->type);
        }
    }
}

/* The function that loads or stores a type. */
const char *emit_access_name(struct emit *e, const struct wgsl_type *type, bool store) {
    const char *c_type = emit_type(e, type);
    const char *space = strrchr(c_type, ' ');
    const char *name =
        emit_format(e, "%s_%s", space ? space + 1 : c_type, store ? "store" : "load");
    if (is_leaf(type)) {
        return name;
    }
    const char **known = emit_declared(e, type, store ? DECLARED_STORE : DECLARED_LOAD);
    if (known && !*known) {
        struct buf body = {0};
        *known = name;
        parts(e, &body, type, store);
        const char *text = body.data ? body.data : "";
        if (store) {
            buf_printf(
                &e->types,
                "static void %s(struct wg *wg, u32 site, u32 var, uint64_t byte, %s v) {\n%s}\n\n",
                name, c_type, text);
        } else {
            buf_printf(&e->types,
                       "static %s %s(struct wg *wg, u32 site, u32 var, uint64_t byte) {\n    %s v "
                       "= {0};\n%s"
                       "    return v;\n}\n\n",
                       c_type, name, c_type, text);
        }
        buf_release(&body);
    }
    return name;
}

/* Sites of an access to all parts of a type, in the order that the functions above count on. */
static uint32_t access_sites(struct emit *e, const struct wgsl_expr *reference,
                             const struct emit_place *place, const struct wgsl_type *type,
                             const char *op) {
    struct emit_site_info info = {.op = op,
                                  .root = place->root,
                                  .space = reference->type->space,
                                  .access = reference->type->access,
                                  .bytes = (uint32_t)type->size,
                                  .vector_bytes = place->vector_bytes};
    uint32_t first = e->site_count;
    if (type->kind == TY_MAT) {
        for (uint32_t k = 0; k < type->columns; k++) {
            access_sites(e, reference, place, type_column(e->module->types, type), op);
        }
    } else if (type->kind == TY_ARRAY) {
        emit_site(e, reference->span, (struct emit_site_info){.op = "WG_OP_LOOP"});
        access_sites(e, reference, place, type->elem, op);
    } else if (type->kind == TY_STRUCT) {
        for (uint32_t k = 0; k < type->member_count; k++) {
            access_sites(e, reference, place, type->members[k].type, op);
        }
    } else {
        emit_site(e, reference->span, info);
    }
    return first;
}

struct emit_text emit_load_place(struct emit *e, const struct wgsl_expr *reference,
                                 const struct emit_place *place) {
    const struct wgsl_type *type = type_unref(reference->type);
    const char *name = emit_access_name(e, type, false);
    emit_add_temporary(e, type);
    if (is_leaf(type) && place->index && !place->dynamic) {
        uint32_t site = access_sites(e, reference, place, type, "WG_OP_LOAD");
        struct emit_place base = {.root = place->root, .var = place->var};
        const char *index = !place->wanted
                                ? place->index
                                : emit_format(e, "wgsl_unless_left(%s, %s, %s)", place->index,
                                              place_count(e, &base, place->whole), place->wanted);
        const char *c =
            emit_format(e, "%s_element(wg, %u, %s, %s, %llu, %llu)", name, site, place->var, index,
                        (unsigned long long)place->stride, (unsigned long long)place->constant);
        return (struct emit_text){c, LEVEL_PRIMARY, false};
    }
    const char *byte = emit_byte(e, place);
    uint32_t site = access_sites(e, reference, place, type, "WG_OP_LOAD");
    return (struct emit_text){emit_format(e, "%s(wg, %u, %s, %s)", name, site, place->var, byte),
                              LEVEL_PRIMARY, false};
}

struct emit_text emit_load(struct emit *e, const struct wgsl_expr *reference) {
    struct emit_place place = emit_place(e, reference);
    return emit_load_place(e, reference, &place);
}

void emit_store(struct emit *e, const struct emit_place *place, const struct wgsl_expr *reference,
                const char *value) {
    const struct wgsl_type *type = type_unref(reference->type);
    const char *name = emit_access_name(e, type, true);
    if (is_leaf(type) && place->index && !place->dynamic) {
        uint32_t site = access_sites(e, reference, place, type, "WG_OP_STORE");
        emit_line(e, "%s_element(wg, %u, %s, %s, %llu, %llu, %s);", name, site, place->var,
                  place->index, (unsigned long long)place->stride,
                  (unsigned long long)place->constant, value);
        return;
    }
    const char *reach = emit_reach(e, "WG_OP_STORE"), *byte = emit_byte(e, place);
    emit_reach(e, reach);
    uint32_t site = access_sites(e, reference, place, type, "WG_OP_STORE");
    emit_line(e, "%s(wg, %u, %s, %s, %s);", name, site, place->var, byte, value);
}
