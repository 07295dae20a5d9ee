/* What a shader declares, read off its text without the front end: bindings, entry points,
 * overrides.
 *
 * A cross-check must not depend on the front end that it checks, and the device needs to know only
 * this much. Wrong shaders are scanned as far as possible; the device complains about them better.
 */
#ifndef SIM_WEBGPU_SCAN_H
#define SIM_WEBGPU_SCAN_H

#include "sim/arena.h"
#include "sim/webgpu/device_job.h"

/* How far right results of the builtin functions that a shader calls may lie apart, least first. */
enum float_accuracy {
    ACCURACY_ARITHMETIC,   /* only + - * / and what is exact */
    ACCURACY_EXPONENTIAL,  /* exp, log, pow, sqrt and what is made of them: some units in the last
                              place */
    ACCURACY_TRIGONOMETRIC /* sin and its like: an absolute error of 2^-11; inverses: 4096 units */
};

/* type is the declared type as written, without spaces: "array<vec4<f32>,16>". */
struct scanned_binding {
    const char *name, *type;
    uint32_t group, binding;
    enum binding_kind kind;
};

struct shader_scan {
    struct scanned_binding *bindings;
    const char **entries, **overrides;
    size_t binding_count, entry_count, override_count;
    enum float_accuracy accuracy; /* the worst of the functions called */
    bool has_workgroup_atomics, has_workgroup_barrier;
    bool has_uninitialised_loop_variable; /* "var x: T;" in the body of a loop */
};

/* Textures and samplers are left out. Fails when out of memory. */
int shader_scan(const char *text, struct arena *arena, struct shader_scan *scan,
                struct wgsim_error *err);

const struct scanned_binding *shader_scan_find(const struct shader_scan *scan, uint32_t group,
                                               uint32_t binding);
bool shader_scan_has_override(const struct shader_scan *scan, const char *name);

#endif
