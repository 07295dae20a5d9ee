/* Running a cross-check. */
#include "sim/webgpu/cross_run.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/webgpu/cross_rule.h"

/* On a CPU the workgroup that is waited for may not get its turn in time. */
enum { CPU_TRIES = 3 };

/* --- Setting up --- */

static struct element_type type_of(const struct wg_var *var) {
    static const enum element_scalar scalars[] = {
        [WG_U32] = ELEMENT_U32, [WG_I32] = ELEMENT_I32,  [WG_F32] = ELEMENT_F32,
        [WG_F16] = ELEMENT_F16, [WG_BOOL] = ELEMENT_U32, [WG_STRUCT] = ELEMENT_U32};
    if (var->scalar == WG_STRUCT || var->components == 0)
        return (struct element_type){ELEMENT_U32, 1, 4};
    return (struct element_type){scalars[var->scalar], var->components, var->stride};
}

static int add_buffer(struct crosscheck *check, const struct cross_request *request, size_t index,
                      struct arena *arena, struct wgsim_error *err) {
    const struct job *job = request->simulated.job;
    const struct job_buffer *from = &job->buffers[index];
    struct crosscheck_buffer *to = &check->buffers[check->buffer_count++];
    *to = (struct crosscheck_buffer){.name = from->name, .index = index};
    to->type = type_of(job->kernel->vars[from->like]);
    to->elements = from->bytes / to->type.stride;
    return cross_rule(check->kernel, to->name, &to->type, check->context.scan->accuracy,
                      request->rules, request->rule_count, from->rule, arena, &to->rule, err);
}

static int add_buffers(struct crosscheck *check, const struct cross_request *request,
                       const struct twin *twin, struct arena *arena, struct wgsim_error *err) {
    check->buffers = arena_alloc(arena, twin->job.buffer_count * sizeof *check->buffers);
    if (!check->buffers)
        return error_set(err, "out of memory");
    for (size_t i = 0; i < twin->job.buffer_count; i++)
        if (twin->job.buffers[i].read && add_buffer(check, request, i, arena, err) != 0)
            return -1;
    return 0;
}

static int run_simulator(struct crosscheck *check, const struct cross_request *request,
                         struct simulation *simulation, struct arena *arena,
                         struct wgsim_error *err) {
    const struct wg_kernel *desc = request->simulated.job->kernel->desc;
    if (simulate(simulation, &request->simulated, arena, err) != 0)
        return -1;
    check->simulator = request->simulated.device->name;
    check->verdict = simulation->verdict;
    check->end = simulation->end;
    check->race = simulation->race;
    check->open = simulation->open;
    check->outcomes = simulation->outcomes;
    check->outcome_count = simulation->outcome_count;
    check->waits = simulation->waits || (desc->flags & WG_KERNEL_WAITS);
    check->result_free = desc->flags & WG_KERNEL_RESULT_FREE;
    check->context.reads_unwritten = simulation->reads_unwritten;
    check->context.loops_long = simulation->loops_long;
    check->context.exceeds_memory = simulation->exceeds_memory;
    return 0;
}

/* --- What the device's results tell --- */

/* By convention "gave_up" holds not 0, or "seen" 0, for each wait that ended in vain. */
static uint64_t count_given_up(const struct crosscheck *check) {
    uint64_t count = 0;
    for (size_t i = 0; i < check->buffer_count; i++) {
        const struct crosscheck_buffer *buffer = &check->buffers[i];
        const uint32_t *words = check->device->outputs[buffer->index];
        bool gave_up = strcmp(buffer->name, "gave_up") == 0,
             seen = strcmp(buffer->name, "seen") == 0;
        if (buffer->type.stride != 4 || !(gave_up || seen))
            continue;
        for (uint64_t k = 0; k < buffer->elements; k++)
            count += gave_up ? words[k] != 0 : words[k] == 0;
    }
    return count;
}

/* Lets the kernel's own check judge the device's results in place of the simulator's. */
static int ask_own_check(struct crosscheck *check, const struct cross_request *request,
                         struct arena *arena, struct wgsim_error *err) {
    struct job *job = request->simulated.job;
    struct plan_check answer = {0};
    for (size_t i = 0; i < job->buffer_count; i++) {
        const void *from =
            check->device->outputs[i] ? check->device->outputs[i] : job->buffers[i].initial;
        memcpy(job->buffers[i].data, from, job->buffers[i].bytes);
    }
    if (request->simulated.plan && plan_check(job, request->simulated.plan, &answer, err) != 0)
        return -1;
    check->own_check = !answer.checked  ? OWN_CHECK_NONE
                       : answer.differs ? OWN_CHECK_REFUSES
                                        : OWN_CHECK_ACCEPTS;
    check->own_check_text = arena_strdup(arena, answer.text);
    return check->own_check_text ? 0 : error_set(err, "out of memory");
}

static int run_device(struct crosscheck *check, const struct cross_request *request,
                      const struct twin *twin, struct arena *arena, struct wgsim_error *err) {
    cross_run_release(check);
    check->device = arena_alloc(arena, sizeof *check->device);
    if (!check->device)
        return error_set(err, "out of memory");
    if (driver_run(&twin->job, arena, check->device, err) != 0)
        return -1;
    if (check->device->status != DEVICE_RAN)
        return 0;
    check->gave_up = check->waits && check->bounded ? count_given_up(check) : 0;
    return ask_own_check(check, request, arena, err);
}

static bool is_cpu(const struct crosscheck *check) {
    const char *type = json_string_value(json_object_get(check->device->device, "type"));
    return type && strcmp(type, "cpu") == 0;
}

int cross_run(struct crosscheck *check, const struct cross_request *request, struct arena *arena,
              struct wgsim_error *err) {
    const struct job *job = request->simulated.job;
    struct twin *twin = arena_alloc(arena, sizeof *twin);
    struct simulation *simulation = arena_alloc(arena, sizeof *simulation);
    memset(check, 0, sizeof *check);
    if (!twin || !simulation)
        return error_set(err, "out of memory");
    check->kernel = job->kernel->desc->name;
    check->models_this_device = request->models_this_device;
    check->context.scan = &twin->scan;
    if (twin_compose(twin, job, &request->source, arena, err) != 0 ||
        add_buffers(check, request, twin, arena, err) != 0 ||
        run_simulator(check, request, simulation, arena, err) != 0)
        return -1;
    check->bounded = twin->bounds_waits;
    twin->job.target = request->target;
    twin->job.spins_unbounded = check->waits && !check->bounded;
    int tries = check->waits && check->bounded ? CPU_TRIES : 1;
    for (int i = 0; i < tries; i++) {
        if (run_device(check, request, twin, arena, err) != 0 ||
            crosscheck_judge(check, arena, err) != 0)
            return -1;
        if (check->result == CROSSCHECK_AGREE || !is_cpu(check))
            break;
    }
    return 0;
}

void cross_run_release(struct crosscheck *check) {
    if (check->device)
        device_answer_release(check->device);
    check->device = NULL;
}
