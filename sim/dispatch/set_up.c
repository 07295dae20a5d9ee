/* Making a dispatch, and what it leaves. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/dispatch/parts.h"
#include "sim/error.h"
#include "sim/livelock.h"
#include "sim/lockstep.h"
#include "sim/watch.h"
#include "sim/weak.h"

/* Workgroup variables get their offset in workgroup memory as data; buffers were bound by the
 * caller. */
static int lay_out_variables(struct launch *launch, struct wgsim_error *err) {
    const struct kernel *kernel = launch->kernel;
    uint64_t offset = 0;

    if (kernel_workgroup_bytes(kernel, launch->entry, launch->overrides, &launch->memory_bytes,
                               err) < 0)
        return -1;
    for (size_t id = 0; id < kernel->var_limit; id++) {
        const struct wg_var *var = kernel->vars[id];
        if (!var || var->space != WG_SPACE_WORKGROUP || !kernel_entry_uses(launch->entry, var->id))
            continue;
        uint64_t bytes = kernel_var_count(var, launch->overrides) * var->stride;
        /* an offset now, made a pointer for each workgroup */
        launch->buffers[id] = (struct wg_view){(uint8_t *)(uintptr_t)offset, bytes};
        offset += (bytes + 15) / 16 * 16;
    }
    return 0;
}

static int fill_launch(struct dispatch *d, const struct dispatch_spec *spec,
                       struct wgsim_error *err) {
    struct launch *launch = &d->launch;
    uint64_t invocations;

    launch->kernel = spec->kernel;
    launch->entry = spec->entry;
    launch->overrides = spec->overrides;
    memcpy(launch->groups, spec->groups, sizeof launch->groups);
    memcpy(launch->buffers, spec->buffers, sizeof launch->buffers);
    kernel_workgroup_size(spec->entry, spec->overrides, launch->size);
    invocations = (uint64_t)launch->size[0] * launch->size[1];
    if (invocations == 0 || launch->size[2] == 0 || invocations > 65536 ||
        invocations * launch->size[2] > 65536)
        return error_set(err, "workgroup size %u x %u x %u is not possible", launch->size[0],
                         launch->size[1], launch->size[2]);
    launch->invocations = (uint32_t)invocations * launch->size[2];
    launch->subgroup_size =
        spec->entry->subgroup_size ? spec->entry->subgroup_size : d->device->subgroup_width;
    launch->subgroups = (launch->invocations + launch->subgroup_size - 1) / launch->subgroup_size;
    launch->lockstep = d->options->lockstep;
    launch->ops = spec->ops;
    return lay_out_variables(launch, err);
}

static uint32_t registers_of(const struct dispatch *d) {
    return d->options->registers ? d->options->registers : d->launch.entry->registers;
}

/* Says which resource is not enough for one workgroup. */
static int refuse_size(const struct dispatch *d, struct wgsim_error *err) {
    int r = 0;

    while (r < RESOURCE_COUNT - 1 && d->occupancy[0].rows[r].allows > 0)
        r++;
    uint32_t registers = d->needs.registers_per_lane;
    return error_set(err,
                     "no compute unit of %s can hold one workgroup of %u invocations with %" PRIu64
                     " bytes of workgroup memory and %u registers a lane: not enough %s",
                     d->device->name, d->launch.invocations, d->launch.memory_bytes,
                     registers ? registers : d->device->registers_default_per_lane,
                     resource_words[r]);
}

static int set_up_units(struct dispatch *d, struct wgsim_error *err) {
    uint32_t cus = d->device->cus;

    d->needs = (struct workgroup_needs){.invocations = d->launch.invocations,
                                        .registers_per_lane = registers_of(d),
                                        .workgroup_memory_bytes = d->launch.memory_bytes,
                                        .barrier = d->launch.kernel->barriers};
    d->units = calloc(cus, sizeof *d->units);
    d->occupancy = calloc(cus, sizeof *d->occupancy);
    if (!d->units || !d->occupancy)
        return error_set(err, "out of memory");
    for (uint32_t cu = 0; cu < cus; cu++) {
        d->occupancy[cu] = occupancy_of(d->device, cu, &d->needs);
        uint32_t slots = d->occupancy[cu].workgroups;
        if (d->options->park)
            slots = d->options->park;
        else if (d->options->resident && slots > d->options->resident)
            slots = d->options->resident;
        d->units[cu].next_static = cu;
        d->units[cu].slot_count = slots;
        d->units[cu].slots = calloc((size_t)slots + 1, sizeof *d->units[cu].slots);
        if (!d->units[cu].slots)
            return error_set(err, "out of memory");
        d->max_slots = slots > d->max_slots ? slots : d->max_slots;
    }
    if (d->max_slots == 0)
        return refuse_size(d, err);
    return 0;
}

static int set_up_queue(struct dispatch *d, struct wgsim_error *err) {
    const uint32_t *groups = d->launch.groups;
    uint64_t plane = (uint64_t)groups[0] * groups[1];

    if (groups[2] && plane > UINT64_MAX / 2 / groups[2])
        return error_set(err, "too many workgroups");
    uint64_t total = plane * groups[2];
    uint64_t listed = d->options->order_of > total ? d->options->order_of : total;
    if (d->options->order == ORDER_LIST && total > 0 &&
        queue_read_list(d->options->order_file, listed, total, &d->order_list, err) < 0)
        return -1;
    queue_init(&d->queue, d->options->order, total, d->options->seed, d->order_list);
    return 0;
}

int dispatch_init(struct dispatch *d, const struct device *device,
                  const struct run_options *options, const struct dispatch_spec *spec,
                  struct wgsim_error *err) {
    *d = (struct dispatch){.device = device, .options = options, .before = spec->before};
    if (fill_launch(d, spec, err) < 0 || set_up_units(d, err) < 0 || set_up_queue(d, err) < 0 ||
        lane_log_init(&d->logs[0], err) < 0 || lane_log_init(&d->logs[1], err) < 0 ||
        judge_init(&d->judge, device, spec->kernel, err) < 0)
        goto failed;
    if (options->stress_yield || options->lockstep)
        d->logs[0].row_limit = 0;
    d->watch = watch_new();
    d->livelock = livelock_new();
    d->judge.observers = d->rows;
    d->timing = malloc(timing_bytes(device));
    if (!d->watch || !d->livelock || !d->timing) {
        error_format(err, "out of memory");
        goto failed;
    }
    dispatch_init_timing(d);
    if (options->weak_memory && !(d->weak = weak_new(&d->launch, options->seed, err)))
        goto failed;
    return 0;
failed:
    dispatch_release(d);
    return -1;
}

static void drop(struct workgroup *w) {
    schedule_free(w->schedule, w->launch->subgroups);
    judge_forget(w);
    watch_forget(w);
    lockstep_forget(w);
    weak_forget(w);
    workgroup_free(w);
}

void dispatch_drop_all(struct dispatch *d) {
    for (uint32_t cu = 0; d->units && cu < d->device->cus; cu++) {
        struct unit *unit = &d->units[cu];
        for (uint32_t slot = 0; unit->slots && slot < unit->slot_count; slot++) {
            if (unit->slots[slot])
                drop(unit->slots[slot]);
            unit->slots[slot] = NULL;
        }
    }
    while (d->free) {
        struct workgroup *w = d->free;
        d->free = w->next_free;
        drop(w);
    }
}

void dispatch_release(struct dispatch *d) {
    dispatch_drop_all(d);
    for (uint32_t cu = 0; d->units && cu < d->device->cus; cu++)
        free(d->units[cu].slots);
    runner_release(&d->runner);
    ahead_free(d->threads);
    free(d->units);
    free(d->occupancy);
    free(d->order_list);
    free(d->parked.ids);
    free(d->returning.ids);
    events_release(&d->events);
    lane_log_release(&d->logs[0]);
    lane_log_release(&d->logs[1]);
    judge_release(&d->judge);
    free(d->timing);
    watch_free(d->watch);
    weak_free(d->weak);
    livelock_free(d->livelock);
    *d = (struct dispatch){0};
}
