/* The builtin functions of WGSL. */
#include "sim/wgsl/builtin.h"

#include <string.h>

/* So that builtin.def can name flags without their prefix. */
enum {
    CONSTANT = BF_CONSTANT | BF_MUST_USE,
    MUST_USE = BF_MUST_USE,
    FRAGMENT = BF_FRAGMENT,
    COMPUTE = BF_COMPUTE,
    COMPUTE_OR_FRAGMENT = BF_COMPUTE_OR_FRAGMENT,
    DERIVATIVE = BF_DERIVATIVE,
    BARRIER = BF_BARRIER,
    SUBGROUP = BF_SUBGROUP,
    PRINT = BF_PRINT,
};

static const struct {
    const char *name;
    unsigned flags;
} builtins[] = {
    {"", 0},
#define BUILTIN(name, flags) {#name, (unsigned)(flags)},
#include "sim/wgsl/builtin.def"
#undef BUILTIN
};

const char *builtin_name(enum wgsl_builtin builtin) {
    return builtins[builtin].name;
}

unsigned builtin_flags(enum wgsl_builtin builtin) {
    return builtins[builtin].flags;
}

enum wgsl_builtin builtin_find(const char *name) {
    for (enum wgsl_builtin b = 1; b < BI_COUNT; b++)
        if (strcmp(builtins[b].name, name) == 0)
            return b;
    return BI_NONE;
}
