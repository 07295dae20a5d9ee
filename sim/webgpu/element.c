/* Elements of buffers. */
#include "sim/webgpu/element.h"

#include <math.h>
#include <string.h>

/* --- Types --- */

size_t element_scalar_bytes(enum element_scalar scalar) {
    return scalar == ELEMENT_F16 ? 2 : 4;
}

bool element_is_float(const struct element_type *type) {
    return type->scalar == ELEMENT_F32 || type->scalar == ELEMENT_F16;
}

static bool starts(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool scalar_parse(const char *text, size_t length, enum element_scalar *scalar) {
    static const struct {
        const char *name, *suffix;
        enum element_scalar scalar;
    } rows[] = {{"u32", "u", ELEMENT_U32},
                {"i32", "i", ELEMENT_I32},
                {"f32", "f", ELEMENT_F32},
                {"f16", "h", ELEMENT_F16}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool named = length == 3 && memcmp(text, rows[i].name, 3) == 0;
        if (named || (length == 1 && *text == *rows[i].suffix)) {
            *scalar = rows[i].scalar;
            return true;
        }
    }
    return false;
}

/* vec3 has the stride of a vec4. */
static void set_components(struct element_type *type, unsigned components) {
    type->components = components;
    type->stride = element_scalar_bytes(type->scalar) * (components == 3 ? 4 : components);
}

bool element_type_parse(const char *text, struct element_type *type) {
    while (starts(text, "array<") || starts(text, "atomic<"))
        text = strchr(text, '<') + 1;
    unsigned components = 1;
    if (starts(text, "vec") && text[3] >= '2' && text[3] <= '4') {
        components = (unsigned)(text[3] - '0');
        text += text[4] == '<' ? 5 : 4;
    }
    if (!scalar_parse(text, strcspn(text, ">,; "), &type->scalar))
        return false;
    set_components(type, components);
    return true;
}

/* --- Scalars as numbers --- */

static double half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    double value = exponent == 31  ? (mantissa ? NAN : INFINITY)
                   : exponent == 0 ? ldexp(mantissa, -24)
                                   : ldexp(1024 + mantissa, exponent - 25);
    return bits & 0x8000 ? -value : value;
}

double element_scalar_value(enum element_scalar scalar, const char *at) {
    uint32_t word = 0;
    float real;
    memcpy(&word, at, element_scalar_bytes(scalar));
    switch (scalar) {
    case ELEMENT_U32:
        return word;
    case ELEMENT_I32:
        return (int32_t)word;
    case ELEMENT_F16:
        return half_value((uint16_t)word);
    default:
        memcpy(&real, &word, sizeof real);
        return real;
    }
}

/* The distance of neighbouring numbers at value: of precision bits, none finer than the least
 * normal one, below which WGSL lets everything be flushed to zero. */
double element_unit_in_last_place(enum element_scalar scalar, double value) {
    int precision = scalar == ELEMENT_F16 ? 11 : 24;
    int least = scalar == ELEMENT_F16 ? -13 : -125;
    int exponent;
    frexp(value, &exponent);
    if (value == 0 || exponent < least)
        exponent = least;
    return ldexp(1, exponent - precision);
}

bool element_flushed(enum element_scalar scalar, double value) {
    return fabs(value) < ldexp(1, scalar == ELEMENT_F16 ? -14 : -126);
}

double element_distance_ulp(enum element_scalar scalar, double a, double b) {
    if (a == b || (isnan(a) && isnan(b)) ||
        (element_flushed(scalar, a) && element_flushed(scalar, b)))
        return 0;
    if (!isfinite(a) || !isfinite(b))
        return INFINITY;
    return fabs(a - b) / element_unit_in_last_place(scalar, a);
}

double element_distance_relative(double a, double b) {
    if (a == b || (isnan(a) && isnan(b)))
        return 0;
    return isfinite(a) && isfinite(b) && a != 0 ? fabs(a - b) / fabs(a) : INFINITY;
}

/* --- Text --- */

static void print_scalar(enum element_scalar scalar, const char *at, struct buf *out) {
    double value = element_scalar_value(scalar, at);
    if (scalar == ELEMENT_U32 || scalar == ELEMENT_I32)
        buf_printf(out, "%.0f", value);
    else
        buf_printf(out, "%.*g", scalar == ELEMENT_F16 ? 5 : 9, value);
}

void element_print(const struct element_type *type, const void *buffer, uint64_t index,
                   struct buf *out) {
    const char *at = (const char *)buffer + index * type->stride;
    if (type->components == 1) {
        print_scalar(type->scalar, at, out);
        return;
    }
    for (unsigned c = 0; c < type->components; c++) {
        buf_puts(out, c == 0 ? "(" : ", ");
        print_scalar(type->scalar, at + c * element_scalar_bytes(type->scalar), out);
    }
    buf_puts(out, ")");
}
