/* The builtin functions of WGSL. */
#ifndef WGSIM_WGSL_BUILTIN_H
#define WGSIM_WGSL_BUILTIN_H

#include <stddef.h>

/* BI_abs, BI_atomicAdd, ... */
enum wgsl_builtin {
    BI_NONE,
#define BUILTIN(name, flags) BI_##name,
#include "sim/wgsl/builtin.def"
#undef BUILTIN
    BI_COUNT,
};

enum wgsl_builtin_flags {
    BF_CONSTANT = 1 << 0, /* constant when its arguments are */
    BF_MUST_USE = 1 << 1, /* cannot be a statement by itself; all of BF_CONSTANT have this too */
    BF_FRAGMENT = 1 << 2, /* only in fragment shaders */
    BF_COMPUTE = 1 << 3,  /* only in compute shaders */
    BF_COMPUTE_OR_FRAGMENT = 1 << 4,
    BF_DERIVATIVE = 1 << 5, /* needs uniform control flow, rule derivative_uniformity */
    BF_BARRIER = 1 << 6,    /* needs uniform control flow, always an error */
    BF_SUBGROUP = 1 << 7,   /* needs uniform control flow, rule subgroup_uniformity */
    BF_PRINT = 1 << 8,      /* any arguments; prints */
};

const char *builtin_name(enum wgsl_builtin builtin);
unsigned builtin_flags(enum wgsl_builtin builtin);
/* BI_NONE when there is no such function. */
enum wgsl_builtin builtin_find(const char *name);

#endif
