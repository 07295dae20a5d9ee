/* Values of constant expressions. */
#ifndef WGSIM_WGSL_VALUE_H
#define WGSIM_WGSL_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/arena.h"
#include "sim/wgsl/type.h"

/* bool: i is 0 or 1. i32, u32 and abstract integers: i is the number. f32, f16 and abstract
 * floats: f is the number, exactly (an f32 is rounded to f32 before it gets here). */
union wgsl_scalar {
    int64_t i;
    double f;
};

/* A value is its scalars in order: components of a vector, columns of a matrix one after the
 * other, elements of an array, members of a struct. leaves NULL: all zero. There are
 * type->leaf_count of them. */
struct wgsl_value {
    const struct wgsl_type *type;
    const union wgsl_scalar *leaves;
};

/* The scalar at a leaf; 0 if there is none. */
union wgsl_scalar value_leaf(const struct wgsl_value *value, uint64_t index);
/* Type of the scalar at a leaf. */
const struct wgsl_type *value_leaf_type(const struct wgsl_type *type, uint64_t index);
/* The part of a value that begins at leaf first; shares its leaves. NULL without memory. */
const struct wgsl_value *value_part(struct arena *arena, const struct wgsl_value *value,
                                    const struct wgsl_type *type, uint64_t first);
/* First leaf of a struct's member. */
uint64_t value_member_leaf(const struct wgsl_type *structure, uint32_t member);

/* Rounding as WGSL stores numbers, to nearest even; overflow gives infinity. */
double value_round_f32(double x);
double value_round_f16(double x);

#endif
