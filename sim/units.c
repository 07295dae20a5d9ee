/* Numbers as people write them. */
#include "sim/units.h"

#include <string.h>

#include "sim/error.h"

static int digit_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

/* Reads digits up to the first character that is none; returns where that is, or NULL if there are
 * no digits. A value over the maximum is told apart by *overflow. */
static const char *scan_number(const char *text, uint64_t *value, int *overflow) {
    int base = 10;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    }
    const char *at = text;
    *value = 0;
    *overflow = 0;
    for (int digit; (digit = digit_value(*at)) < base; at++) {
        *overflow |= __builtin_mul_overflow(*value, (uint64_t)base, value);
        *overflow |= __builtin_add_overflow(*value, (uint64_t)digit, value);
    }
    return at == text ? NULL : at;
}

static int parse_up_to(const char *text, uint64_t max, uint64_t *out, struct wgsim_error *err) {
    uint64_t value;
    int overflow;
    const char *end = scan_number(text, &value, &overflow);
    if (!end || *end)
        return error_set(err, "'%s' is not a whole number", text);
    if (overflow || value > max)
        return error_set(err, "'%s' is over %llu", text, (unsigned long long)max);
    *out = value;
    return 0;
}

int parse_u64(const char *text, uint64_t *out, struct wgsim_error *err) {
    return parse_up_to(text, UINT64_MAX, out, err);
}

int parse_u32(const char *text, uint32_t *out, struct wgsim_error *err) {
    uint64_t value;
    if (parse_up_to(text, UINT32_MAX, &value, err) != 0)
        return -1;
    *out = (uint32_t)value;
    return 0;
}

int parse_size(const char *text, uint64_t *out, struct wgsim_error *err) {
    uint64_t value;
    int overflow;
    unsigned shift = 0;
    const char *end = scan_number(text, &value, &overflow);
    if (end && *end) {
        const char *const units = "kMG";
        const char *unit = strchr(units, *end);
        shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
        end += unit ? 1 : 0;
    }
    if (!end || *end)
        return error_set(err, "'%s' is not a size (a whole number, then k, M, G or nothing)", text);
    if (overflow || value > UINT64_MAX >> shift)
        return error_set(err, "size '%s' does not fit 64 bits", text);
    *out = value << shift;
    return 0;
}

int parse_groups(const char *text, uint32_t out[3], struct wgsim_error *err) {
    uint32_t groups[3] = {1, 1, 1};
    const char *at = text;
    for (int axis = 0; axis < 3; axis++) {
        uint64_t value;
        int overflow;
        at = scan_number(at, &value, &overflow);
        if (!at)
            break;
        if (overflow || value > UINT32_MAX)
            return error_set(err, "a count in '%s' is over %u", text, UINT32_MAX);
        groups[axis] = (uint32_t)value;
        if (!*at) {
            memcpy(out, groups, sizeof groups);
            return 0;
        }
        if (*at++ != ',')
            break;
    }
    return error_set(err, "'%s' is not X, X,Y or X,Y,Z", text);
}
