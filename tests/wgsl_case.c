/* Runs shaders of the conformance data. */
#include "tests/wgsl_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/error.h"
#include "sim/preset.h"
#include "sim/run.h"
#include "sim/shader.h"

/* -- data -------------------------------------------------------------------------------------- */

const char *case_data(void) {
    static char path[4096];
    const char *given = getenv("WGSIM_DATA"), *top = getenv("srcdir");
    if (given)
        snprintf(path, sizeof path, "%s", given);
    else
        snprintf(path, sizeof path, "%s/../shared", top ? top : ".");
    return access(path, R_OK) == 0 ? path : NULL;
}

size_t case_step(size_t usual) {
    const char *text = getenv("WGSIM_CTS");
    if (text && strcmp(text, "all") == 0)
        return 1;
    size_t step = text ? strtoul(text, NULL, 10) : 0;
    return step ? step : usual;
}

bool case_each_line(const char *file, void (*each)(json_t *line, size_t index, void *self),
                    void *self) {
    char command[8192];
    char *line = NULL;
    size_t capacity = 0;
    const char *data = case_data();
    snprintf(command, sizeof command, "gzip -dc '%s/wgsl/cts/%s'", data ? data : "", file);
    FILE *lines = data ? popen(command, "r") : NULL;
    if (!lines)
        return false;
    size_t index = 0;
    for (; getline(&line, &capacity, lines) > 0; index++) {
        json_t *object = json_loads(line, 0, NULL);
        each(object, index, self);
        json_decref(object);
    }
    free(line);
    return pclose(lines) == 0 && index;
}

uint8_t *case_bytes(const char *hex, uint64_t *count) {
    *count = strlen(hex) / 2;
    uint8_t *bytes = calloc(1, *count + 1);
    for (uint64_t k = 0; bytes && k < *count; k++) {
        unsigned byte;
        sscanf(hex + 2 * k, "%2x", &byte);
        bytes[k] = (uint8_t)byte;
    }
    return bytes;
}

/* -- one run ----------------------------------------------------------------------------------- */

static const struct wg_var *var_at(const struct kernel *kernel, uint32_t group, uint32_t binding) {
    for (const struct wg_var *var = kernel->desc->vars; var < kernel->desc->vars_end; var++) {
        if (var->space != WG_SPACE_WORKGROUP && var->group == group && var->binding == binding)
            return var;
    }
    return NULL;
}

/* Buffers for the bindings that the kernel has; in the same order. */
static int add_buffers(struct job *job, const struct case_run *run, struct wgsim_error *err) {
    for (size_t k = 0; k < run->binding_count; k++) {
        const struct case_binding *binding = &run->bindings[k];
        const struct wg_var *var = var_at(job->kernel, binding->group, binding->binding);
        if (!var)
            continue;
        struct job_buffer *buffer = job_add_buffer(job, var->name, var->id, binding->bytes, err);
        if (!buffer)
            return -1;
        memcpy(buffer->data, binding->data, binding->bytes);
    }
    return 0;
}

static void read_back(const struct job *job, const struct case_run *run) {
    size_t next = 0;
    for (size_t k = 0; k < run->binding_count; k++) {
        struct case_binding *binding = &run->bindings[k];
        if (var_at(job->kernel, binding->group, binding->binding))
            memcpy(binding->data, job->buffers[next++].data, binding->bytes);
    }
}

static int run_on_device(struct job *job, const struct case_run *run, struct wgsim_error *err) {
    struct device device;
    struct run_options options = {0};
    struct run result;
    if (preset_find(&device, "default", err))
        return -1;
    device.subgroup_width = run->subgroup;
    const struct limits limits = limits_of_device(&device);
    int status = run_job(&result, job, &device, &options, &limits, NULL, err);
    if (status == 0 && result.verdict != VERDICT_FINISHED)
        status = error_set(err, "verdict %s", verdict_names[result.verdict]);
    run_release(&result);
    return status;
}

static int run_kernel(const struct kernel *kernel, const struct case_run *run,
                      struct wgsim_error *err) {
    struct job job;
    job_init(&job, kernel);
    int status = add_buffers(&job, run, err);
    struct job_dispatch *dispatch =
        status ? NULL : job_add_dispatch(&job, &kernel->desc->entries[0]);
    if (dispatch) {
        memcpy(dispatch->groups, run->groups, sizeof run->groups);
        for (uint32_t k = 0; k < job.buffer_count; k++)
            dispatch->bound[job.buffers[k].like] = k;
        status = job_seal(&job, err);
    }
    if (status == 0)
        status = run_on_device(&job, run, err);
    if (status == 0)
        read_back(&job, run);
    job_release(&job);
    return status;
}

static int run_shader(struct shader *shader, const struct case_run *run, struct wgsim_error *err) {
    struct kernel kernel;
    const char *top = getenv("srcdir");
    char include[4096];
    snprintf(include, sizeof include, "%s/include", top ? top : ".");
    const char *object = shader_object(shader, include, err);
    if (!object || kernel_load(&kernel, object, err))
        return -1;
    int status = run_kernel(&kernel, run, err);
    kernel_release(&kernel);
    return status;
}

int case_run(const struct case_run *run, struct wgsim_error *err) {
    struct wgsl_diagnostics diagnostics;
    struct shader shader;
    struct shader_options options = {.entries = &run->entry,
                                     .entry_count = run->entry != NULL,
                                     .settings = run->settings,
                                     .setting_count = run->setting_count};
    wgsl_diagnostics_init(&diagnostics);
    int status =
        shader_open(&shader, run->name, run->wgsl, strlen(run->wgsl), &options, &diagnostics, err);
    if (status && diagnostics.first)
        error_format(err, "%u:%u: %s", diagnostics.first->span.line, diagnostics.first->span.column,
                     diagnostics.first->message);
    if (status == 0)
        status = run_shader(&shader, run, err);
    shader_release(&shader);
    wgsl_diagnostics_release(&diagnostics);
    return status;
}
