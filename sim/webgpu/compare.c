/* Comparing buffers. */
#include "sim/webgpu/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"

/* --- Rules --- */

/* WGSL, "Floating Point Accuracy", for f32. What is inherited from other functions is spelled out:
 * sqrt from 1 / inverseSqrt, pow from exp2(y * log2(x)) as far as its result says. */
static const struct compare_accuracy accuracies[] = {
    {"divide", 2.5, 0, 0},      {"inverseSqrt", 2, 0, 0}, {"sqrt", 5, 0, 0},
    {"exp", 3, 2, 0},           {"exp2", 3, 2.886, 0},    {"log", 3, 0, 0x1p-21},
    {"log2", 3, 0, 0x1p-21},    {"pow", 4, 6.5, 0},       {"sin", 0, 0, 0x1p-11},
    {"cos", 0, 0, 0x1p-11},     {"atan", 4096, 0, 0},     {"asin", 4096, 0, 6.81e-5},
    {"acos", 4096, 0, 6.77e-5},
};

static bool accurate(const struct compare_accuracy *bound, enum element_scalar scalar, double a,
                     double b) {
    if (element_distance_ulp(scalar, a, b) == 0)
        return true;
    if (!isfinite(a) || !isfinite(b))
        return false;
    double log_result = a != 0 ? fabs(log(fabs(a))) : 0;
    double ulp =
        (bound->ulp + bound->ulp_per_log * log_result) * element_unit_in_last_place(scalar, a);
    return fabs(a - b) <= fmax(ulp, bound->absolute);
}

static bool allowed_value(const struct compare_rule *rule, double value) {
    for (size_t i = 0; i < rule->allowed_count; i++)
        if (rule->allowed[i] == value)
            return true;
    return false;
}

static bool scalar_agrees(const struct compare_rule *rule, enum element_scalar scalar, double a,
                          double b) {
    bool same = a == b || (isnan(a) && isnan(b));
    switch (rule->kind) {
    case COMPARE_ULP:
        return element_distance_ulp(scalar, a, b) <= rule->tolerance;
    case COMPARE_RELATIVE:
        return element_distance_relative(a, b) <= rule->tolerance ||
               (element_flushed(scalar, a) && element_flushed(scalar, b));
    case COMPARE_NEAR:
        return same || fabs(a - b) <= rule->tolerance * fmax(1, fabs(a));
    case COMPARE_ACCURACY:
        return accurate(rule->accuracy, scalar, a, b);
    case COMPARE_SET:
        return same || allowed_value(rule, b);
    default:
        return same;
    }
}

static int parse_tolerance(const char *text, double *out, struct wgsim_error *err) {
    char *end;
    *out = strtod(text, &end);
    if (end == text || *end || !(*out >= 0))
        return error_set(err, "'%s' is not a tolerance", text);
    return 0;
}

static int parse_accuracy(const char *text, struct compare_rule *rule, struct wgsim_error *err) {
    for (size_t i = 0; i < sizeof accuracies / sizeof *accuracies; i++)
        if (strcmp(text, accuracies[i].function) == 0) {
            rule->accuracy = &accuracies[i];
            return 0;
        }
    return error_set(err, "no accuracy is known of '%s'", text);
}

static int parse_set(const char *text, double *allowed, size_t room, struct compare_rule *rule,
                     struct wgsim_error *err) {
    const char *at = text;
    for (;;) {
        char *end;
        if (rule->allowed_count == room)
            return error_set(err, "more than %zu allowed values", room);
        allowed[rule->allowed_count++] = strtod(at, &end);
        if (end == at || (*end && *end != ','))
            return error_set(err, "'%s' is no list of values", text);
        if (!*end)
            break;
        at = end + 1;
    }
    rule->allowed = allowed;
    return 0;
}

int compare_rule_parse(const char *text, double *allowed, size_t room, struct compare_rule *rule,
                       struct wgsim_error *err) {
    static const struct {
        const char *word;
        enum compare_kind kind;
    } rows[] = {{"exact", COMPARE_EXACT},        {"permutation", COMPARE_PERMUTATION},
                {"ignore", COMPARE_IGNORE},      {"ulp:", COMPARE_ULP},
                {"relative:", COMPARE_RELATIVE}, {"near:", COMPARE_NEAR},
                {"accuracy:", COMPARE_ACCURACY}, {"set:", COMPARE_SET}};
    memset(rule, 0, sizeof *rule);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length = strlen(rows[i].word);
        bool takes_value = rows[i].word[length - 1] == ':';
        if (strncmp(text, rows[i].word, length) != 0 || (!takes_value && text[length]))
            continue;
        rule->kind = rows[i].kind;
        if (rule->kind == COMPARE_ACCURACY)
            return parse_accuracy(text + length, rule, err);
        if (rule->kind == COMPARE_SET)
            return parse_set(text + length, allowed, room, rule, err);
        return takes_value ? parse_tolerance(text + length, &rule->tolerance, err) : 0;
    }
    return error_set(
        err,
        "'%s' is no rule (exact, ulp:N, relative:X, near:X, accuracy:FUNCTION, permutation, "
        "set:A,B,... or ignore)",
        text);
}

/* --- Buffers --- */

static void note_differing(struct compare_result *result, uint64_t index) {
    result->differing++;
    if (result->shown_count < COMPARE_SHOWN)
        result->shown[result->shown_count++] = index;
}

static void note_error(struct compare_result *result, const struct element_type *type, double a,
                       double b, uint64_t index) {
    double ulp = element_distance_ulp(type->scalar, a, b);
    double relative = element_flushed(type->scalar, a) && element_flushed(type->scalar, b)
                          ? 0
                          : element_distance_relative(a, b);
    if (ulp > result->worst_ulp) {
        result->worst_ulp = ulp;
        result->worst_element = index;
    }
    if (relative > result->worst_relative)
        result->worst_relative = relative;
}

static void compare_ordered(const struct element_type *type, const struct compare_rule *rule,
                            const char *simulator, const char *device,
                            struct compare_result *result) {
    for (uint64_t i = 0; i < result->elements; i++) {
        bool agrees = true;
        for (unsigned c = 0; c < type->components; c++) {
            size_t at = i * type->stride + c * element_scalar_bytes(type->scalar);
            double a = element_scalar_value(type->scalar, simulator + at);
            double b = element_scalar_value(type->scalar, device + at);
            agrees &= scalar_agrees(rule, type->scalar, a, b);
            if (element_is_float(type))
                note_error(result, type, a, b, i);
        }
        if (!agrees)
            note_differing(result, i);
    }
}

/* An element and where it stood, for sorting. */
struct placed {
    const char *at;
    size_t bytes;
    uint64_t index;
};

static int by_bytes(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    return memcmp(x->at, y->at, x->bytes);
}

static int by_index(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static struct placed *sorted(const struct element_type *type, const char *buffer, uint64_t count) {
    struct placed *list = calloc(count ? count : 1, sizeof *list);
    for (uint64_t i = 0; list && i < count; i++)
        list[i] = (struct placed){buffer + i * type->stride,
                                  type->components * element_scalar_bytes(type->scalar), i};
    if (list)
        qsort(list, count, sizeof *list, by_bytes);
    return list;
}

/* Notes, in ascending order, the indices of b's elements that have no partner in a. */
static void match_sorted(const struct placed *a, const struct placed *b, uint64_t *extra,
                         struct compare_result *result) {
    uint64_t i = 0, extra_count = 0, count = result->elements;
    for (uint64_t k = 0; k < count; k++) {
        while (i < count && by_bytes(&a[i], &b[k]) < 0)
            i++;
        if (i < count && by_bytes(&a[i], &b[k]) == 0)
            i++;
        else
            extra[extra_count++] = b[k].index;
    }
    qsort(extra, extra_count, sizeof *extra, by_index);
    for (uint64_t k = 0; k < extra_count; k++)
        note_differing(result, extra[k]);
}

static int compare_permutation(const struct element_type *type, const char *simulator,
                               const char *device, struct compare_result *result,
                               struct wgsim_error *err) {
    struct placed *a = sorted(type, simulator, result->elements);
    struct placed *b = sorted(type, device, result->elements);
    uint64_t *extra = calloc(result->elements ? result->elements : 1, sizeof *extra);
    bool room = a && b && extra;
    if (room)
        match_sorted(a, b, extra, result);
    free(a);
    free(b);
    free(extra);
    return room ? 0 : error_set(err, "out of memory");
}

int compare_buffers(const struct element_type *type, const struct compare_rule *rule,
                    const void *simulator, const void *device, uint64_t count,
                    struct compare_result *result, struct wgsim_error *err) {
    memset(result, 0, sizeof *result);
    result->elements = count;
    result->compared = rule->kind != COMPARE_IGNORE;
    if (!result->compared)
        return 0;
    if (rule->kind == COMPARE_PERMUTATION)
        return compare_permutation(type, simulator, device, result, err);
    compare_ordered(type, rule, simulator, device, result);
    return 0;
}
