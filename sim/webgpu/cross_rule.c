/* Rules of comparison. */
#include "sim/webgpu/cross_rule.h"

#include <string.h>

#include "sim/error.h"

enum { MAX_ALLOWED = 64 };

/* Kernels whose results WGSL leaves more room than their types tell. */
static const struct {
    const char *kernel, *buffer, *rule, *reason;
} rows[] = {
    {"matmul", "c", "relative:1e-5", "sums of products, which a device may fuse"},
};

/* For floats, by the worst of the functions that the shader calls. */
static const struct {
    const char *rule, *reason;
} by_accuracy[] = {
    [ACCURACY_ARITHMETIC] = {"ulp:4", "a device may fuse multiplications and additions"},
    [ACCURACY_EXPONENTIAL] = {"near:1e-5", "exp, sqrt and the like are not exact"},
    [ACCURACY_TRIGONOMETRIC] = {"near:0.002", "sin and the like are good to 2^-11"},
};

/* The user's rule for the buffer: the last that names it, or names none. */
static const char *users_rule(const char *buffer, const char *const *users, size_t count) {
    size_t length = strlen(buffer);
    const char *found = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(users[i], '=');
        if (!equals)
            found = users[i];
        else if ((size_t)(equals - users[i]) == length && memcmp(users[i], buffer, length) == 0)
            found = equals + 1;
    }
    return found;
}

static int parse(const char *text, const char *reason, struct arena *arena,
                 struct compare_rule *rule, struct wgsim_error *err) {
    double *allowed = arena_alloc(arena, MAX_ALLOWED * sizeof *allowed);
    if (!allowed)
        return error_set(err, "out of memory");
    if (compare_rule_parse(text, allowed, MAX_ALLOWED, rule, err) != 0)
        return -1;
    rule->reason = reason;
    return 0;
}

int cross_rule(const char *kernel, const char *buffer, const struct element_type *type,
               enum float_accuracy accuracy, const char *const *users, size_t user_count,
               const char *jobs, struct arena *arena, struct compare_rule *rule,
               struct wgsim_error *err) {
    const char *users_own = users_rule(buffer, users, user_count);
    if (users_own || jobs)
        return parse(users_own ? users_own : jobs, NULL, arena, rule, err);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(kernel, rows[i].kernel) == 0 && strcmp(buffer, rows[i].buffer) == 0)
            return parse(rows[i].rule, rows[i].reason, arena, rule, err);
    if (element_is_float(type))
        return parse(by_accuracy[accuracy].rule, by_accuracy[accuracy].reason, arena, rule, err);
    return parse("exact", NULL, arena, rule, err);
}
