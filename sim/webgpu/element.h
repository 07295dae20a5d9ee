/* Elements of buffers as a comparison sees them: their types, their values, and how far apart two
 * are. */
#ifndef SIM_WEBGPU_ELEMENT_H
#define SIM_WEBGPU_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/buf.h"

enum element_scalar { ELEMENT_U32, ELEMENT_I32, ELEMENT_F32, ELEMENT_F16 };

/* components scalars, then padding up to stride bytes, which is not compared. */
struct element_type {
    enum element_scalar scalar;
    unsigned components;
    size_t stride;
};

/* Reads a WGSL type: of an element, an atomic or an array of either. False for structs and the
 * like, which are then best compared as words. */
bool element_type_parse(const char *text, struct element_type *type);

size_t element_scalar_bytes(enum element_scalar scalar);
bool element_is_float(const struct element_type *type);
double element_scalar_value(enum element_scalar scalar, const char *at);

/* The distance of neighbouring numbers at value; below the least normal number it is that one's,
 * since WGSL lets everything there be flushed to zero. */
double element_unit_in_last_place(enum element_scalar scalar, double value);

/* Whether WGSL lets the value be taken for zero. */
bool element_flushed(enum element_scalar scalar, double value);

/* From a, the right value, to b; 0 for two NaNs and for two flushed values, infinite to what is not
 * a number. */
double element_distance_ulp(enum element_scalar scalar, double a, double b);
double element_distance_relative(double a, double b);

/* An element as text: "7", "-1.5", "(1, 2, 3)"; floats so that they read back exactly. */
void element_print(const struct element_type *type, const void *buffer, uint64_t index,
                   struct buf *out);

#endif
