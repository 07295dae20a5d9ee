/* Composing a device job from a simulator's. */
#include "sim/webgpu/twin.h"

#include <string.h>

#include "sim/error.h"

/* Long enough for every wait that can end; on a CPU below the 65,535 turns at which lavapipe of
 * Mesa 22 cuts loops. */
enum { SPIN_LIMIT = 1000000, SPIN_LIMIT_ON_CPU = 60000 };

static const struct wg_var *find_var(const struct job *job, const struct scanned_binding *binding) {
    for (size_t i = 0; i < job->kernel->var_limit; i++) {
        const struct wg_var *var = job->kernel->vars[i];
        if (var && var->space != WG_SPACE_WORKGROUP && var->group == binding->group &&
            var->binding == binding->binding)
            return var;
    }
    return NULL;
}

/* A binding that the kernel does not have is left out: if it is used, the device says so. */
static int compose_bindings(struct twin *twin, const struct job *job,
                            const struct job_dispatch *from, struct device_dispatch *to,
                            struct arena *arena, struct wgsim_error *err) {
    const struct shader_scan *scan = &twin->scan;
    to->bindings = arena_alloc(arena, scan->binding_count * sizeof *to->bindings);
    if (!to->bindings)
        return error_set(err, "out of memory");
    for (size_t i = 0; i < scan->binding_count; i++) {
        const struct scanned_binding *declared = &scan->bindings[i];
        const struct wg_var *var = find_var(job, declared);
        if (!var || from->bound[var->id] == JOB_UNBOUND)
            continue;
        uint32_t buffer = from->bound[var->id];
        to->bindings[to->binding_count++] =
            (struct device_binding){declared->group, declared->binding, declared->kind, buffer};
        twin->job.buffers[buffer].read |= declared->kind == BINDING_STORAGE;
    }
    return 0;
}

static double override_number(const struct wg_override *override, union wg_value value) {
    switch (override->type) {
    case WG_I32:
        return value.i;
    case WG_F32:
        return value.f;
    default:
        return value.u;
    }
}

static void add_constant(struct device_dispatch *to, const char *name, double value) {
    to->constants[to->constant_count++] = (struct device_constant){name, value, value};
}

/* The kernel's overrides, if the shader has them; one with @id is named by its number. */
static int add_overrides(const struct twin *twin, const struct wg_kernel *desc,
                         const struct job_dispatch *from, struct device_dispatch *to,
                         struct arena *arena, struct wgsim_error *err) {
    for (const struct wg_override *o = desc->overrides; o < desc->overrides_end; o++) {
        const char *name = o->name;
        if (!shader_scan_has_override(&twin->scan, name))
            continue;
        if (o->pipeline_id)
            name = arena_printf(arena, "%u", o->pipeline_id - 1u);
        if (!name)
            return error_set(err, "out of memory");
        add_constant(to, name, override_number(o, from->overrides[o->id]));
    }
    return 0;
}

/* Bounds the waits of a shader that can be bounded, unless they already are. */
static void bound_waits(struct twin *twin, struct device_dispatch *to) {
    size_t i = 0;
    if (!shader_scan_has_override(&twin->scan, TWIN_SPIN_LIMIT))
        return;
    while (i < to->constant_count && strcmp(to->constants[i].name, TWIN_SPIN_LIMIT) != 0)
        i++;
    if (i == to->constant_count)
        add_constant(to, TWIN_SPIN_LIMIT, 0);
    if (to->constants[i].value != 0)
        return;
    to->constants[i].value = SPIN_LIMIT;
    to->constants[i].value_on_cpu = SPIN_LIMIT_ON_CPU;
    twin->bounds_waits = true;
}

static int compose_constants(struct twin *twin, const struct job *job,
                             const struct job_dispatch *from, const struct twin_source *source,
                             struct device_dispatch *to, struct arena *arena,
                             struct wgsim_error *err) {
    const struct wg_kernel *desc = job->kernel->desc;
    size_t count = (size_t)(desc->overrides_end - desc->overrides) + source->setting_count + 1;
    to->constants = arena_alloc(arena, count * sizeof *to->constants);
    if (!to->constants)
        return error_set(err, "out of memory");
    if (add_overrides(twin, desc, from, to, arena, err) != 0)
        return -1;
    for (size_t i = 0; i < source->setting_count; i++)
        add_constant(to, source->settings[i].name, source->settings[i].value);
    bound_waits(twin, to);
    return 0;
}

static int compose_dispatch(struct twin *twin, const struct job *job,
                            const struct job_dispatch *from, const struct twin_source *source,
                            struct device_dispatch *to, struct arena *arena,
                            struct wgsim_error *err) {
    to->entry = from->entry->name;
    memcpy(to->groups, from->groups, sizeof to->groups);
    if (compose_bindings(twin, job, from, to, arena, err) != 0)
        return -1;
    return compose_constants(twin, job, from, source, to, arena, err);
}

static int compose_buffers(struct twin *twin, const struct job *job, struct arena *arena,
                           struct wgsim_error *err) {
    struct device_buffer *buffers = arena_alloc(arena, job->buffer_count * sizeof *buffers);
    if (!buffers)
        return error_set(err, "out of memory");
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *from = &job->buffers[i];
        buffers[i] = (struct device_buffer){from->name, from->bytes, from->initial, false};
    }
    twin->job.buffers = buffers;
    twin->job.buffer_count = job->buffer_count;
    return 0;
}

int twin_compose(struct twin *twin, const struct job *job, const struct twin_source *source,
                 struct arena *arena, struct wgsim_error *err) {
    memset(twin, 0, sizeof *twin);
    twin->job.shader = source->text;
    twin->job.label = source->label;
    twin->job.dispatches = arena_alloc(arena, job->dispatch_count * sizeof *twin->job.dispatches);
    if (!twin->job.dispatches)
        return error_set(err, "out of memory");
    twin->job.dispatch_count = job->dispatch_count;
    if (shader_scan(source->text, arena, &twin->scan, err) != 0 ||
        compose_buffers(twin, job, arena, err) != 0)
        return -1;
    for (size_t i = 0; i < job->dispatch_count; i++)
        if (compose_dispatch(twin, job, &job->dispatches[i], source, &twin->job.dispatches[i],
                             arena, err) != 0)
            return -1;
    return 0;
}
