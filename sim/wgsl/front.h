/* The WGSL front end: shader text in, checked tree out. */
#ifndef WGSIM_WGSL_FRONT_H
#define WGSIM_WGSL_FRONT_H

#include <stddef.h>

#include "sim/wgsl/ast.h"

enum wgsl_dialect {
    WGSL_STANDARD, /* what the specification and Tint accept */
    WGSL_NAGA,     /* what naga accepts beyond it becomes a warning */
};

struct wgsl_options {
    enum wgsl_dialect dialect;
    const char *const *defines; /* "NAME" or "NAME=VALUE" */
    uint32_t define_count;
    const char *const *include_dirs;
    uint32_t include_dir_count;
};

/* Reads and checks a shader. name stands in diagnostics and is where #include starts to look;
 * text is copied. Returns NULL when there was an error (all are in diagnostics, which then keeps
 * copies of the files they are about), else a module for wgsl_free. options may be NULL. */
struct wgsl_module *wgsl_front(const char *name, const char *text, size_t length,
                               const struct wgsl_options *options,
                               struct wgsl_diagnostics *diagnostics);
void wgsl_free(struct wgsl_module *module);

/* How a value from outside was written. WebGPU's API has numbers only, and converts them: it drops
 * fractions for integers and takes all but 0 for true. What a person wrote must fit as it is. */
enum wgsl_written { WRITTEN_FOR_API, WRITTEN_AS_NUMBER, WRITTEN_AS_TRUTH };

/* An override given a value from outside: by name, or by number if it has an @id. */
struct wgsl_setting {
    const char *key;
    double value;
    enum wgsl_written written;
};

/* What is known once overrides have values. */
struct wgsl_pipeline {
    struct wgsl_module *module; /* borrowed */
    struct wgsl_function *entry;
    uint32_t workgroup_size[3];          /* 0: unknown */
    uint64_t workgroup_bytes;            /* sizes rounded up to 16, summed */
    const struct wgsl_value **overrides; /* by override_index; NULL: without value or unused */
    /* Of a partial one: */
    bool partial, bytes_unknown;
    bool *missing; /* by override_index: used, without default and given no value */
    struct arena arena;
};

/* Gives overrides their values, evaluates what depends on them for one entry point and checks it:
 * override-expressions in the code it can reach, array sizes, workgroup size, limits. entry NULL:
 * the only entry point. Returns NULL with errors in diagnostics. */
struct wgsl_pipeline *wgsl_pipeline(struct wgsl_module *module, const char *entry,
                                    const struct wgsl_setting *settings, uint32_t setting_count,
                                    struct wgsl_diagnostics *diagnostics);
/* A partial one, to describe: what depends on an override without value is left unknown. entry
 * NULL: none, all overrides are evaluated. */
struct wgsl_pipeline *wgsl_pipeline_partial(struct wgsl_module *module, const char *entry,
                                            const struct wgsl_setting *settings,
                                            uint32_t setting_count,
                                            struct wgsl_diagnostics *diagnostics);
void wgsl_pipeline_free(struct wgsl_pipeline *pipeline);

/* Value of a const- or override-expression; NULL when there is none. Lives as long as the pipeline.
 */
const struct wgsl_value *wgsl_pipeline_value(struct wgsl_pipeline *pipeline,
                                             const struct wgsl_expr *expr);
/* Elements of an array type, override-sized or not; 0: runtime-sized, or unknown. */
uint64_t wgsl_pipeline_count(struct wgsl_pipeline *pipeline, const struct wgsl_type *array);
/* Size in bytes of a type that may hold an override-sized array. */
uint64_t wgsl_pipeline_size(struct wgsl_pipeline *pipeline, const struct wgsl_type *type);

#endif
