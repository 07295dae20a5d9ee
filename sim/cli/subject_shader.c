/* Subjects that are shaders or job files. */
#include "sim/cli/subject_shader.h"

#include <string.h>

#include "sim/cli/paths.h"
#include "sim/cli/trial.h"
#include "sim/error.h"
#include "sim/job_build.h"

/* -- shaders ----------------------------------------------------------------------------------- */

static int keep_bindings(struct subject *subject, const struct wgsl_module *module,
                         struct wgsim_error *err) {
    subject->bindings =
        arena_alloc(&subject->arena, (module->global_count + 1) * sizeof *subject->bindings);
    for (uint32_t k = 0; subject->bindings && k < module->global_count; k++) {
        const struct wgsl_variable *variable = module->globals[k];
        if (!variable->has_binding)
            continue;
        struct subject_binding *binding = &subject->bindings[subject->binding_count++];
        *binding = (struct subject_binding){variable->group, variable->binding,
                                            arena_strdup(&subject->arena, variable->name)};
        if (!binding->name)
            return error_set(err, "out of memory");
    }
    return subject->bindings ? 0 : error_set(err, "out of memory");
}

static int load_shader(struct subject *subject, const char *path,
                       const struct shader_wanted *wanted, struct wgsim_error *err) {
    struct shader shader;
    const char *include = paths_include(&subject->arena);
    if (!include)
        return error_set(err, "out of memory");
    if (shader_cli_open(&shader, path, &subject->options->shader, wanted, &subject->diagnostics,
                        err)) {
        subject->rejected = true;
        return -1;
    }
    const char *object = shader_object(&shader, include, err);
    int status = object ? kernel_load_compiled(&subject->kernel, object, path, err) : -1;
    subject->text = arena_strdup(&subject->arena, shader.module->text);
    if (status == 0 && !subject->text)
        status = error_set(err, "out of memory");
    if (status == 0)
        status = keep_bindings(subject, shader.module, err);
    shader_release(&shader);
    return status;
}

int subject_shader_open(struct subject *subject, const struct setup *setup,
                        struct wgsim_error *err) {
    struct wgsl_setting *settings =
        shader_settings(&subject->arena, setup->plan.set, setup->plan.set_count, err);
    struct shader_wanted wanted = {.settings = settings,
                                   .setting_count = (uint32_t)setup->plan.set_count};
    return settings ? load_shader(subject, subject->operand, &wanted, err) : -1;
}

/* Says of each buffer what the shader declares there. */
static void find_declared(const struct subject *subject, struct job_spec *spec) {
    for (size_t k = 0; k < spec->buffer_count; k++) {
        const struct buffer_spec *contents = &spec->buffers[k].contents;
        for (size_t i = 0; spec->buffers[k].bound && i < subject->binding_count; i++) {
            const struct subject_binding *binding = &subject->bindings[i];
            if (binding->group == contents->group && binding->binding == contents->binding)
                spec->buffers[k].declared = binding->name;
        }
    }
}

/* A job, and warnings of numbers in it that are others to the kernel. */
static int build(const struct subject *subject, struct job *job, const struct job_spec *spec,
                 struct wgsim_error *err) {
    struct wgsim_error line;
    if (job_build(job, spec, err))
        return -1;
    for (size_t k = 0; k < spec->buffer_count; k++) {
        if ((!subject->options || !subject->options->shader.unwarned) &&
            job_build_doubts(job->kernel, spec, &spec->buffers[k], &line))
            cli_warn(&line);
    }
    return 0;
}

static int parse_buffer(struct job_spec *spec, const char *text, struct job_spec_buffer *buffer,
                        struct wgsim_error *err) {
    struct wgsim_error why;
    buffer->bound = true;
    if (buffer_spec_parse(&spec->arena, text, &buffer->contents, &why))
        return error_set(err, "--buffer: %s", why.message);
    return 0;
}

/* One dispatch, over the buffers of the options. */
int subject_shader_fill(const struct subject *subject, struct job *job, const struct setup *setup,
                        struct wgsim_error *err) {
    const struct cli_list *buffers = &subject->options->buffers;
    struct job_spec spec = {.entry = subject->options->shader.entry};
    struct job_spec_dispatch dispatch = {.groups = {1, 1, 1}};
    arena_init(&spec.arena);
    if (setup->plan.groups[0])
        memcpy(dispatch.groups, setup->plan.groups, sizeof dispatch.groups);
    spec.dispatches = &dispatch;
    spec.dispatch_count = 1;
    spec.buffers = arena_alloc(&spec.arena, (buffers->count + 1) * sizeof *spec.buffers);
    int status = spec.buffers ? 0 : error_set(err, "out of memory");
    for (size_t k = 0; status == 0 && k < buffers->count; k++) {
        status = parse_buffer(&spec, buffers->items[k], &spec.buffers[k], err);
    }
    spec.buffer_count = buffers->count;
    find_declared(subject, &spec);
    if (status == 0)
        status = build(subject, job, &spec, err);
    arena_release(&spec.arena);
    return status;
}

/* -- job files --------------------------------------------------------------------------------- */

static bool is_listed(const char *const *names, uint32_t count, const char *name) {
    for (uint32_t k = 0; k < count; k++) {
        if (strcmp(names[k], name) == 0)
            return true;
    }
    return false;
}

/* The entry points that the job's dispatches name, each once. */
static int wanted_entries(struct subject *subject, struct shader_wanted *wanted,
                          struct wgsim_error *err) {
    const struct job_spec *spec = &subject->spec;
    const char **names = arena_alloc(&subject->arena, spec->dispatch_count * sizeof *names);
    if (!names)
        return error_set(err, "out of memory");
    wanted->entries = names;
    for (size_t k = 0; k < spec->dispatch_count; k++) {
        const char *name = spec->dispatches[k].entry ? spec->dispatches[k].entry : spec->entry;
        if (name && !is_listed(names, wanted->entry_count, name))
            names[wanted->entry_count++] = name;
    }
    return 0;
}

static int open_job_shader(struct subject *subject, struct wgsim_error *err) {
    const struct job_spec *spec = &subject->spec;
    struct shader_wanted wanted = {0};
    struct wgsl_setting *settings =
        arena_alloc(&subject->arena, (spec->override_count + 1) * sizeof *settings);
    if (!settings)
        return error_set(err, "out of memory");
    for (size_t k = 0; k < spec->override_count; k++)
        settings[k] =
            (struct wgsl_setting){spec->overrides[k].name, spec->overrides[k].value,
                                  spec->overrides[k].truth ? WRITTEN_AS_TRUTH : WRITTEN_AS_NUMBER};
    wanted.settings = settings;
    wanted.setting_count = (uint32_t)spec->override_count;
    return wanted_entries(subject, &wanted, err) ? -1
                                                 : load_shader(subject, spec->shader, &wanted, err);
}

static int open_job_kernel(struct subject *subject, struct wgsim_error *err) {
    const char *path = subject->spec.shader, *end = strrchr(path, '.');
    if (end && strcmp(end, ".wgsl") == 0)
        return open_job_shader(subject, err);
    const char *include = paths_include(&subject->arena);
    return include ? trial_open(&subject->kernel, path, include, err)
                   : error_set(err, "out of memory");
}

int subject_job_open(struct subject *subject, const struct setup *setup, struct wgsim_error *err) {
    (void)setup;
    if (job_spec_read(&subject->spec, subject->operand, err) || open_job_kernel(subject, err)) {
        job_spec_release(&subject->spec);
        return -1;
    }
    find_declared(subject, &subject->spec);
    return 0;
}

int subject_job_fill(const struct subject *subject, struct job *job, const struct setup *setup,
                     struct wgsim_error *err) {
    (void)setup;
    return build(subject, job, &subject->spec, err);
}
