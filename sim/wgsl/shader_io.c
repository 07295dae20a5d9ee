/* Inputs and outputs of entry points. */
#include <string.h>

#include "sim/wgsl/resolve.h"

enum direction { INPUT, OUTPUT };

/* Which stages have a builtin value as input or output; bits 1 << enum wgsl_shader_stage. */
enum { V = 1 << SHADER_VERTEX, F = 1 << SHADER_FRAGMENT, C = 1 << SHADER_COMPUTE };

static const struct {
    enum wgsl_builtin_value value;
    unsigned input, output;
    enum wgsl_type_kind kind; /* scalar type */
    uint32_t rows;            /* 1: a scalar; 0: an array of them */
} builtins[] = {
    {BV_vertex_index, V, 0, TY_U32, 1},
    {BV_instance_index, V, 0, TY_U32, 1},
    {BV_clip_distances, 0, V, TY_F32, 0},
    {BV_position, F, V, TY_F32, 4},
    {BV_front_facing, F, 0, TY_BOOL, 1},
    {BV_frag_depth, 0, F, TY_F32, 1},
    {BV_primitive_index, F, 0, TY_U32, 1},
    {BV_sample_index, F, 0, TY_U32, 1},
    {BV_sample_mask, F, F, TY_U32, 1},
    {BV_local_invocation_id, C, 0, TY_U32, 3},
    {BV_local_invocation_index, C, 0, TY_U32, 1},
    {BV_global_invocation_id, C, 0, TY_U32, 3},
    {BV_global_invocation_index, C, 0, TY_U32, 1},
    {BV_workgroup_id, C, 0, TY_U32, 3},
    {BV_workgroup_index, C, 0, TY_U32, 1},
    {BV_num_workgroups, C, 0, TY_U32, 3},
    {BV_subgroup_invocation_id, C | F, 0, TY_U32, 1},
    {BV_subgroup_size, C | F, 0, TY_U32, 1},
    {BV_subgroup_id, C, 0, TY_U32, 1},
    {BV_num_subgroups, C, 0, TY_U32, 1},
};

/* One side of an entry point, and what it has so far. */
struct interface {
    struct wgsl_resolver *r;
    const struct wgsl_function *function;
    enum direction direction;
    uint32_t builtins; /* bits by enum wgsl_builtin_value */
    struct location {
        uint32_t number, blend_src;
        bool blends;
        struct wgsl_span span;
        const struct wgsl_type *type;
    } * locations;
    uint32_t location_count;
};

static const char *const stage_names[] = {"", "vertex", "fragment", "compute"};
static const char *const direction_names[] = {"input", "output"};

static size_t find_builtin(enum wgsl_builtin_value value) {
    size_t i = 0;
    while (builtins[i].value != value)
        i++;
    return i;
}

/* -- types: at each declaration -- */

bool wgsl_check_io_type(struct wgsl_resolver *r, const struct wgsl_io *io,
                        const struct wgsl_type *type) {
    const struct wgsl_type *scalar = type_scalar(type);
    if (io->builtin) {
        size_t i = find_builtin(io->builtin);
        uint32_t rows = builtins[i].rows;
        bool fits = rows == 0 ? type->kind == TY_ARRAY && type->count && type->count <= 8 &&
                                    type->elem->kind == builtins[i].kind
                    : rows == 1 ? type->kind == builtins[i].kind
                                : type->kind == TY_VEC && type->rows == rows &&
                                      type->elem->kind == builtins[i].kind;
        if (!fits)
            RESOLVE_ERROR(r, io->span, "'@builtin(%s)' does not have type '%s'",
                          builtin_value_name(io->builtin), type->name);
        return fits;
    }
    if (!io->has_location)
        return true;
    if (!type_is_numeric(scalar) || type->kind == TY_MAT) {
        RESOLVE_ERROR(r, io->span, "'@location' is for numbers and vectors of them, not '%s'",
                      type->name);
        return false;
    }
    if (type_is_integer(scalar) && io->interpolation && io->interpolation != INTERPOLATE_FLAT) {
        RESOLVE_ERROR(r, io->span, "integers are interpolated 'flat' only");
        return false;
    }
    return true;
}

/* -- one item -- */

static void check_builtin(struct interface *in, const struct wgsl_io *io) {
    size_t i = find_builtin(io->builtin);
    unsigned stages = in->direction == INPUT ? builtins[i].input : builtins[i].output;
    const char *name = builtin_value_name(io->builtin);
    if (!(stages >> in->function->stage & 1))
        RESOLVE_ERROR(in->r, io->span, "'@builtin(%s)' is no %s of a %s shader", name,
                      direction_names[in->direction], stage_names[in->function->stage]);
    else if (in->builtins >> io->builtin & 1)
        RESOLVE_ERROR(in->r, io->span, "'@builtin(%s)' occurs twice as %s", name,
                      direction_names[in->direction]);
    in->builtins |= 1u << io->builtin;
}

static void add_location(struct interface *in, const struct wgsl_io *io,
                         const struct wgsl_type *type) {
    struct location added = {io->location, io->blend_src, io->has_blend_src, io->span, type};
    for (uint32_t i = 0; i < in->location_count; i++) {
        const struct location *before = &in->locations[i];
        if (before->number != added.number || before->blend_src != added.blend_src ||
            before->blends != added.blends)
            continue;
        wgsl_note(in->r->diagnostics,
                  RESOLVE_ERROR(in->r, io->span, "'@location(%u)' occurs twice as %s", io->location,
                                direction_names[in->direction]),
                  before->span, "first here");
        return;
    }
    HEAP_PUSH(in->r->heap, in->locations, in->location_count, added);
}

static void check_location(struct interface *in, const struct wgsl_io *io,
                           const struct wgsl_type *type) {
    enum wgsl_shader_stage stage = in->function->stage;
    bool interpolated = (stage == SHADER_VERTEX && in->direction == OUTPUT) ||
                        (stage == SHADER_FRAGMENT && in->direction == INPUT);
    if (stage == SHADER_COMPUTE)
        RESOLVE_ERROR(in->r, io->span, "compute shaders have no '@location'");
    else if (interpolated && type_is_integer(type_scalar(type)) &&
             io->interpolation != INTERPOLATE_FLAT)
        RESOLVE_ERROR(in->r, io->span, "integers need '@interpolate(flat)' here");
    else if (io->has_blend_src && (stage != SHADER_FRAGMENT || in->direction != OUTPUT))
        RESOLVE_ERROR(in->r, io->span, "'@blend_src' is for outputs of fragment shaders only");
    else if (io->has_blend_src && io->location != 0)
        RESOLVE_ERROR(in->r, io->span, "'@blend_src' needs '@location(0)'");
    else
        add_location(in, io, type);
}

static void check_item(struct interface *in, const struct wgsl_io *io, const struct wgsl_type *type,
                       struct wgsl_span place) {
    if (io->builtin)
        check_builtin(in, io);
    else if (io->has_location)
        check_location(in, io, type);
    else
        RESOLVE_ERROR(in->r, place, "an %s of an entry point needs '@builtin' or '@location'",
                      direction_names[in->direction]);
    if (io->invariant && in->function->stage == SHADER_COMPUTE)
        RESOLVE_ERROR(in->r, io->span, "compute shaders have no '@invariant'");
}

/* A parameter or result: one item, or a struct of them. */
static void check_part(struct interface *in, const struct wgsl_io *io, const struct wgsl_type *type,
                       struct wgsl_span place) {
    if (type->kind != TY_STRUCT || io->builtin || io->has_location) {
        check_item(in, io, type, place);
        return;
    }
    for (uint32_t i = 0; i < type->member_count; i++) {
        const struct wgsl_member *m = &type->members[i];
        if (m->type->kind == TY_STRUCT && !m->io.builtin && !m->io.has_location)
            RESOLVE_ERROR(in->r, m->span, "a struct within a struct is no %s",
                          direction_names[in->direction]);
        else
            check_item(in, &m->io, m->type, m->span);
    }
}

/* -- the whole -- */

/* Outputs with @blend_src: two, at one location, of one type, and no others. */
static void check_blending(struct interface *in) {
    uint32_t blending = 0;
    for (uint32_t i = 0; i < in->location_count; i++)
        blending += in->locations[i].blends;
    if (!blending)
        return;
    if (blending != 2 || in->location_count != 2)
        RESOLVE_ERROR(in->r, in->function->span,
                      "'@blend_src' needs exactly two outputs, with 0 and with 1");
    else if (in->locations[0].type != in->locations[1].type)
        RESOLVE_ERROR(in->r, in->locations[1].span, "both '@blend_src' need the same type");
}

void wgsl_check_io(struct wgsl_resolver *r, struct wgsl_function *f) {
    struct interface in = {.r = r, .function = f, .direction = INPUT};
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i]->type)
            check_part(&in, &f->params[i]->io, f->params[i]->type, f->params[i]->span);
    struct interface out = {.r = r, .function = f, .direction = OUTPUT};
    if (f->result && f->result->kind != TY_VOID)
        check_part(&out, &f->result_io, f->result, f->result_expr->span);
    check_blending(&out);
    if (f->stage == SHADER_VERTEX && !(out.builtins >> BV_position & 1))
        RESOLVE_ERROR(r, f->span, "a vertex shader must return '@builtin(position)'");
}
