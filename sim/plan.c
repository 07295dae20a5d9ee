/* The calls that a kernel's plan and check make. */
#include "sim/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/error.h"
#include "sim/occupancy.h"

struct plan {
    struct wg_plan base; /* first: kernels see only this */
    struct job *job;
    const struct plan_options *options;
    union wg_value overrides[WG_MAX_OVERRIDES];
    union wg_value no_override; /* of what is named and is none */
    bool given[WG_MAX_OVERRIDES];
    uint32_t bound[WG_MAX_VARS];
    struct plan_check *check;
    struct wgsim_error *err;
    bool asked_groups; /* for --groups */
    bool failed;
};

static struct plan *own(const struct wg_plan *base) {
    return (struct plan *)base;
}

static uint64_t size_of(const struct wg_plan *base) {
    const struct plan *plan = own(base);

    return plan->options->size_given ? plan->options->size : plan->job->kernel->desc->default_size;
}

static int fail(struct plan *plan, const char *message) {
    if (!plan->failed)
        error_format(plan->err, "%s: %s", plan->job->kernel->desc->name, message);
    plan->failed = true;
    return -1;
}

/* Where a call says what is wrong: nowhere after the first. */
static struct wgsim_error *first_error(const struct plan *plan) {
    return plan->failed ? NULL : plan->err;
}

/* The place of an override's value; one of no use where there is no such override. */
static union wg_value *override_at(struct plan *plan, uint32_t id) {
    const struct wg_kernel *desc = plan->job->kernel->desc;

    for (const struct wg_override *o = desc->overrides; o < desc->overrides_end; o++)
        if (o->id == id)
            return &plan->overrides[id];
    fail(plan, "its plan or check names an override that it does not have");
    return &plan->no_override;
}

static union wg_value override_of(const struct wg_plan *base, uint32_t id) {
    return *override_at(own(base), id);
}

static void step_override(struct wg_plan *base, uint32_t id, union wg_value value) {
    *override_at(own(base), id) = value;
}

static void set_override(struct wg_plan *base, uint32_t id, union wg_value value) {
    if (id >= WG_MAX_OVERRIDES || !own(base)->given[id])
        step_override(base, id, value);
}

static bool is_binding(const struct plan *plan, uint32_t var) {
    const struct wg_var *found = var < WG_MAX_VARS ? plan->job->kernel->vars[var] : NULL;

    return found && found->space != WG_SPACE_WORKGROUP;
}

/* Elements of a variable's type, one at least so that the binding is valid. */
static struct job_buffer *add_buffer(struct plan *plan, const char *name, uint32_t var,
                                     uint64_t elements) {
    if (!is_binding(plan, var)) {
        fail(plan, "its plan asks for a buffer of a variable that is no binding");
        return NULL;
    }
    const struct wg_var *like = plan->job->kernel->vars[var];
    if (elements == 0)
        elements = 1;
    uint64_t bytes;
    if (__builtin_mul_overflow(elements, (uint64_t)like->stride, &bytes))
        bytes = UINT64_MAX;
    struct job_buffer *buffer =
        job_add_buffer(plan->job, name ? name : like->name, var, bytes, first_error(plan));
    if (!buffer)
        plan->failed = true;
    return buffer;
}

static void *buffer(struct wg_plan *base, uint32_t var, uint64_t elements) {
    struct plan *plan = own(base);
    struct job_buffer *added = add_buffer(plan, NULL, var, elements);

    if (!added)
        return NULL;
    plan->bound[var] = (uint32_t)plan->job->buffer_count - 1;
    return added->data;
}

static uint32_t spare(struct wg_plan *base, const char *name, uint32_t like_var,
                      uint64_t elements) {
    struct plan *plan = own(base);

    if (!add_buffer(plan, name, like_var, elements))
        return WG_SPARE;
    return WG_SPARE + (uint32_t)plan->job->buffer_count - 1;
}

/* The index of a buffer by the id of the variable it was made for, or by a spare's number;
 * JOB_UNBOUND: there is none. */
static uint32_t find_buffer(const struct plan *plan, uint32_t buffer_of) {
    const struct job *job = plan->job;

    if (buffer_of >= WG_SPARE)
        return buffer_of - WG_SPARE < job->buffer_count ? buffer_of - WG_SPARE : JOB_UNBOUND;
    for (uint32_t i = 0; i < job->buffer_count; i++)
        if (job->buffers[i].like == buffer_of)
            return i;
    return JOB_UNBOUND;
}

static void bind(struct wg_plan *base, uint32_t var, uint32_t buffer_of) {
    struct plan *plan = own(base);
    uint32_t index = find_buffer(plan, buffer_of);

    if (!is_binding(plan, var))
        fail(plan, "its plan binds a buffer to a variable that is no binding");
    else if (index == JOB_UNBOUND)
        fail(plan, "its plan binds a buffer that it has not made");
    else
        plan->bound[var] = index;
}

static void dispatch(struct wg_plan *base, const char *entry, uint32_t x, uint32_t y, uint32_t z) {
    struct plan *plan = own(base);
    const struct wg_entry *found = kernel_entry(plan->job->kernel, entry, first_error(plan));

    if (!found) {
        plan->failed = true;
        return;
    }
    struct job_dispatch *added = job_add_dispatch(plan->job, found);
    if (!added) {
        fail(plan, "out of memory");
        return;
    }
    added->groups[0] = x;
    added->groups[1] = y;
    added->groups[2] = z;
    memcpy(added->overrides, plan->overrides, sizeof added->overrides);
    memcpy(added->bound, plan->bound, sizeof added->bound);
}

static void groups(const struct wg_plan *base, uint32_t out[3]) {
    own(base)->asked_groups = true;
    memcpy(out, own(base)->options->groups, 3 * sizeof out[0]);
}

static uint64_t residents(const struct wg_plan *base, const char *entry_name) {
    const struct plan *plan = own(base);
    const struct kernel *kernel = plan->job->kernel;
    const struct wg_entry *entry = kernel_entry(kernel, entry_name, NULL);
    struct workgroup_needs needs = {.barrier = kernel->barriers};
    uint32_t size[3];

    if (!entry || kernel_workgroup_bytes(kernel, entry, plan->overrides,
                                         &needs.workgroup_memory_bytes, NULL) < 0)
        return 0;
    kernel_workgroup_size(entry, plan->overrides, size);
    needs.invocations = size[0] * size[1] * size[2];
    needs.registers_per_lane =
        plan->options->registers ? plan->options->registers : entry->registers;
    return occupancy_residents(plan->options->device, &needs);
}

static const struct job_buffer *buffer_of(const struct plan *plan, uint32_t var) {
    for (size_t i = 0; i < plan->job->buffer_count; i++)
        if (plan->job->buffers[i].like == var)
            return &plan->job->buffers[i];
    return NULL;
}

static const void *result(const struct wg_plan *base, uint32_t var, uint64_t *elements) {
    const struct plan *plan = own(base);
    const struct job_buffer *found = buffer_of(plan, var);

    if (plan->check && var < WG_MAX_VARS)
        plan->check->looked[var] = true;
    if (elements)
        *elements = found ? job_elements(plan->job, found) : 0;
    return found ? found->data : NULL;
}

static const void *initial(const struct wg_plan *base, uint32_t var, uint64_t *elements) {
    const struct plan *plan = own(base);
    const struct job_buffer *found = buffer_of(plan, var);

    if (elements)
        *elements = found ? job_elements(plan->job, found) : 0;
    return found ? found->initial : NULL;
}

static int differs(struct wg_plan *base, uint32_t var, uint64_t element, const char *format, ...) {
    struct plan *plan = own(base);
    va_list args;

    if (!plan->check || plan->check->differs)
        return -1;
    plan->check->differs = true;
    plan->check->var = var;
    plan->check->element = element;
    va_start(args, format);
    vsnprintf(plan->check->text, sizeof plan->check->text, format, args);
    va_end(args);
    return -1;
}

static int refuse(struct wg_plan *base, const char *format, ...) {
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return fail(own(base), text);
}

static const struct wg_plan_ops ops = {
    .size = size_of,
    .override = override_of,
    .set_override = set_override,
    .buffer = buffer,
    .spare = spare,
    .bind = bind,
    .dispatch = dispatch,
    .step_override = step_override,
    .groups = groups,
    .residents = residents,
    .result = result,
    .initial = initial,
    .differs = differs,
    .refuse = refuse,
};

int plan_set(const struct kernel *kernel, const char *assignment, union wg_value *overrides,
             bool *given, struct wgsim_error *err) {
    const char *equals = strchr(assignment, '=');
    char name[128];

    if (!equals || equals == assignment || (size_t)(equals - assignment) >= sizeof name)
        return error_set(err, "--set takes NAME=VALUE, not '%s'", assignment);
    memcpy(name, assignment, (size_t)(equals - assignment));
    name[equals - assignment] = 0;
    const struct wg_override *override = kernel_override(kernel, name);
    if (!override)
        return error_set(err, "%s has no override '%s'", kernel->desc->name, name);
    if (kernel_parse_override(override, equals + 1, &overrides[override->id], err) < 0)
        return -1;
    given[override->id] = true;
    return 0;
}

static int begin(struct plan *plan, struct job *job, const struct plan_options *options,
                 struct wgsim_error *err) {
    *plan = (struct plan){.base = {&ops}, .job = job, .options = options, .err = err};
    kernel_defaults(job->kernel, plan->overrides);
    for (size_t i = 0; i < WG_MAX_VARS; i++)
        plan->bound[i] = JOB_UNBOUND;
    for (size_t i = 0; i < options->set_count; i++)
        if (plan_set(job->kernel, options->set[i], plan->overrides, plan->given, err) < 0)
            return -1;
    return 0;
}

/* A plan that does not ask for --groups, or knows one dimension, must not leave them out in
 * silence.
 */
static int check_groups(struct plan *plan) {
    const uint32_t *asked = plan->options->groups;
    const struct job *job = plan->job;
    bool row = asked[1] == 1 && asked[2] == 1;

    if (asked[0] == 0 || (row && (plan->asked_groups || plan->options->groups_offered)) ||
        job->dispatch_count == 0 ||
        memcmp(asked, job->dispatches[0].groups, sizeof job->dispatches[0].groups) == 0)
        return 0;
    const uint32_t *given = job->dispatches[0].groups;
    error_format(plan->err, "%s: its plan dispatches %u x %u x %u workgroups, not %u x %u x %u%s",
                 job->kernel->desc->name, given[0], given[1], given[2], asked[0], asked[1],
                 asked[2], plan->asked_groups ? "" : ": it does not follow --groups");
    plan->failed = true;
    return -1;
}

static int call(struct plan *plan, int (*function)(struct wg_plan *), const char *name) {
    const char *volatile *running = plan->options->running;

    if (running)
        *running = name;
    int result = function(&plan->base);
    if (running)
        *running = NULL;
    return result;
}

int plan_job(struct job *job, const struct plan_options *options, struct wgsim_error *err) {
    struct plan plan;
    const struct wg_kernel *desc = job->kernel->desc;

    if (begin(&plan, job, options, err) < 0)
        return -1;
    if (!desc->plan)
        return error_set(err, "%s does not say what buffers it needs: give them in a job file",
                         desc->name);
    if (options->size_given && desc->default_size == 0)
        return error_set(err, "%s has no size (--size)", desc->name);
    if (call(&plan, desc->plan, "plan") < 0 || plan.failed || check_groups(&plan) < 0) {
        if (!plan.failed)
            fail(&plan, "its plan failed");
        return -1;
    }
    return job_seal(job, err);
}

int plan_check(struct job *job, const struct plan_options *options, struct plan_check *check,
               struct wgsim_error *err) {
    struct plan plan;

    *check = (struct plan_check){0};
    if (!job->kernel->desc->check)
        return 0;
    if (begin(&plan, job, options, err) < 0)
        return -1;
    plan.check = check;
    /* what the plan itself set is in the dispatches */
    if (job->dispatch_count)
        memcpy(plan.overrides, job->dispatches[0].overrides, sizeof plan.overrides);
    check->checked = true;
    int result = call(&plan, job->kernel->desc->check, "check");
    if (result < 0 && !plan.failed && !check->differs)
        differs(&plan.base, PLAN_CHECK_ANY, 0, "the kernel's check fails and does not say where");
    return plan.failed ? -1 : 0;
}
