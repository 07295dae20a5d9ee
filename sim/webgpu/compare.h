/* Comparing a buffer of the simulator with the device's, element by element, by a rule.
 *
 * Two right implementations may differ: in the rounding of most float functions, in the order of
 * atomics, in what an access out of bounds does. A rule says what of a buffer is promised. */
#ifndef SIM_WEBGPU_COMPARE_H
#define SIM_WEBGPU_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/webgpu/element.h"
#include "wgsim/wgsim.h"

enum compare_kind {
    COMPARE_EXACT,       /* same value; floats: also both NaN, or zeros of any sign */
    COMPARE_ULP,         /* floats: at most `tolerance` units in the last place apart */
    COMPARE_RELATIVE,    /* |device - simulator| <= tolerance * |simulator| */
    COMPARE_NEAR,        /* |device - simulator| <= tolerance * max(1, |simulator|) */
    COMPARE_ACCURACY,    /* within what WGSL promises of a builtin function, see compare_accuracy */
    COMPARE_PERMUTATION, /* the same elements in any order */
    COMPARE_SET,         /* each element of the device is one of `allowed`, or the simulator's */
    COMPARE_IGNORE       /* not compared */
};

/* WGSL's error bound of a function, in terms of its result r: absolute, or
 * (ulp + ulp_per_log * |ln r|) units in the last place of r, whichever is larger. */
struct compare_accuracy {
    const char *function;
    double ulp, ulp_per_log, absolute;
};

struct compare_rule {
    enum compare_kind kind;
    double tolerance;
    const struct compare_accuracy *accuracy;
    const double *allowed;
    size_t allowed_count;
    const char *reason; /* why not exact; NULL for exact */
};

/* "exact", "ulp:N", "relative:X", "near:X", "accuracy:FUNCTION", "permutation", "set:A,B,..." or
 * "ignore"; a set's values are stored in allowed, which has room for room. */
int compare_rule_parse(const char *text, double *allowed, size_t room, struct compare_rule *rule,
                       struct wgsim_error *err);

enum { COMPARE_SHOWN = 8 };

struct compare_result {
    bool compared;
    uint64_t elements, differing;
    uint64_t shown[COMPARE_SHOWN]; /* indices of the first that differ */
    size_t shown_count;
    double worst_ulp, worst_relative; /* over all elements; floats and ordered rules only */
    uint64_t worst_element;
};

/* Compares count elements; -1 when out of memory. For COMPARE_PERMUTATION the elements shown are
 * those of the device that the simulator has not. */
int compare_buffers(const struct element_type *type, const struct compare_rule *rule,
                    const void *simulator, const void *device, uint64_t count,
                    struct compare_result *result, struct wgsim_error *err);

#endif
