/* Values of constant expressions. */
#include "sim/wgsl/value.h"

#include <math.h>

union wgsl_scalar value_leaf(const struct wgsl_value *value, uint64_t index) {
    if (!value->leaves || index >= value->type->leaf_count)
        return (union wgsl_scalar){.i = 0};
    return value->leaves[index];
}

const struct wgsl_type *value_leaf_type(const struct wgsl_type *type, uint64_t index) {
    for (;;) {
        switch (type->kind) {
        case TY_VEC:
        case TY_MAT:
            return type->elem;
        case TY_ARRAY:
            type = type->elem;
            index = type->leaf_count ? index % type->leaf_count : 0;
            break;
        case TY_STRUCT: {
            uint32_t m = 0;
            for (; m + 1 < type->member_count && index >= type->members[m].type->leaf_count; m++)
                index -= type->members[m].type->leaf_count;
            type = type->members[m].type;
            break;
        }
        default:
            return type;
        }
    }
}

const struct wgsl_value *value_part(struct arena *arena, const struct wgsl_value *value,
                                    const struct wgsl_type *type, uint64_t first) {
    struct wgsl_value *part = arena_alloc(arena, sizeof *part);
    if (!part)
        return NULL;
    part->type = type;
    part->leaves = value->leaves ? value->leaves + first : NULL;
    return part;
}

uint64_t value_member_leaf(const struct wgsl_type *structure, uint32_t member) {
    uint64_t first = 0;
    for (uint32_t i = 0; i < member; i++)
        first += structure->members[i].type->leaf_count;
    return first;
}

double value_round_f32(double x) {
    return (double)(float)x;
}

double value_round_f16(double x) {
    if (isnan(x) || isinf(x) || x == 0)
        return x;
    int exponent;
    frexp(x, &exponent); /* |x| in [2^(exponent-1), 2^exponent) */
    int quantum = (exponent - 1 < -14 ? -14 : exponent - 1) - 10;
    double rounded = ldexp(nearbyint(ldexp(x, -quantum)), quantum);
    return fabs(rounded) > 65504 ? copysign(INFINITY, x) : rounded;
}
