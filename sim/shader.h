/* A WGSL shader on its way to a kernel: checked, its overrides given values, translated, compiled.
 */
#ifndef SIM_SHADER_H
#define SIM_SHADER_H

#include <jansson.h>

#include "sim/arena.h"
#include "sim/buf.h"
#include "sim/wgsl/front.h"
#include "wgsim/wgsim.h"

struct shader_options {
    struct wgsl_options front;
    const char *const *entries; /* entry points that are wanted; none: all compute entry points */
    uint32_t entry_count;
    const struct wgsl_setting *settings; /* values of overrides */
    uint32_t setting_count;
    bool partial; /* to describe: overrides may lack values, and there may be no entry point */
};

struct shader {
    struct wgsl_module *module;
    struct wgsl_pipeline *
        *pipelines; /* one an entry point; partial: one without if none is there */
    uint32_t pipeline_count;
    struct arena arena;
};

/* Checks a shader and makes its pipelines. On failure -1: what is wrong with the shader is in
 * diagnostics, anything else in err. Must be released either way. */
int shader_open(struct shader *shader, const char *name, const char *text, size_t length,
                const struct shader_options *options, struct wgsl_diagnostics *diagnostics,
                struct wgsim_error *err);
void shader_release(struct shader *shader);

/* Path of the compiled kernel, which lives as long as the shader. `include` holds wgsim/wgsl.h. */
const char *shader_object(struct shader *shader, const char *include, struct wgsim_error *err);

/* An array with an object for each: severity, file, line, column, length, message, note. */
json_t *shader_diagnostics_json(const struct wgsl_diagnostics *diagnostics);

/* The whole text of a file, ended by a NUL beyond its length; the caller frees it. */
char *shader_read(const char *path, size_t *length, struct wgsim_error *err);

#endif
