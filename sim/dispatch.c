/* Running one dispatch. The main loop is dispatch_run. */
#include "sim/dispatch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/livelock.h"
#include "sim/lockstep.h"
#include "sim/mix.h"
#include "sim/stand.h"
#include "sim/watch.h"
#include "sim/weak.h"

const char *const verdict_names[] = {"finished",  "deadlock", "livelock", "divergence",
                                     "suspected", "rejected", "trapped",  NULL};

const char *const refill_names[] = {"eager", "lazy", NULL};
const char *const pace_names[] = {"modelled", "even", "random", NULL};
const char *const placement_names[] = {"fewest", "fill", "round-robin", "static", NULL};

void dispatch_tell(const struct dispatch *d, const struct record *record) {
    bool frequent = RECORDS_FREQUENT >> record->type & 1;

    for (size_t i = 0; i < d->listener_count; i++)
        if (!frequent || !d->listeners[i].sparse)
            d->listeners[i].hear(d->listeners[i].self, record);
}

void dispatch_tell_now(const struct dispatch *d, struct record *record) {
    record->cycle = record->until = d->cycle;
    record->dispatch = d;
    dispatch_tell(d, record);
}

/* Makes a record only where somebody hears it: there may be one for each step. */
static bool is_heard(const struct dispatch *d, enum record_type type) {
    return d->heard >> type & 1;
}

static void tell(struct dispatch *d, enum record_type type, uint64_t cycle,
                 const struct workgroup *w, const struct subgroup *s, const struct wg_site *site) {
    d->told = true;
    if (!is_heard(d, type))
        return;
    struct record record = {.type = type,
                            .cycle = cycle,
                            .until = cycle,
                            .dispatch = d,
                            .workgroup = w,
                            .subgroup = s,
                            .site = site};

    dispatch_tell(d, &record);
}

/* ---- Setting up ---- */

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

/* Where steps take as long as the pace says, nothing else takes time. */
static void init_timing(struct dispatch *d) {
    timing_init(d->timing, d->device);
    if (d->options->pace != PACE_MODELLED)
        timing_free_of_charge(d->timing);
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
    init_timing(d);
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

void dispatch_release(struct dispatch *d) {
    for (uint32_t cu = 0; d->units && cu < d->device->cus; cu++) {
        for (uint32_t slot = 0; d->units[cu].slots && slot < d->units[cu].slot_count; slot++)
            if (d->units[cu].slots[slot])
                drop(d->units[cu].slots[slot]);
        free(d->units[cu].slots);
    }
    while (d->free) {
        struct workgroup *w = d->free;
        d->free = w->next_free;
        drop(w);
    }
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

/* ---- Admission ---- */

static int run_ahead(struct dispatch *d, struct workgroup *resident);

/* Whether unit `cu` has room for one more: all workgroups of a dispatch need the same. */
static bool has_room(const struct dispatch *d, uint32_t cu) {
    return d->units[cu].budget.residents < d->occupancy[cu].workgroups &&
           d->units[cu].budget.residents < d->units[cu].slot_count;
}

uint64_t dispatch_first_pending(const struct dispatch *d) {
    uint64_t first = d->options->placement == PLACE_STATIC ? d->queue.total : d->queue.next;

    for (uint32_t cu = 0; d->options->placement == PLACE_STATIC && cu < d->device->cus; cu++)
        if (d->units[cu].next_static < first)
            first = d->units[cu].next_static;
    return first;
}

static uint32_t fewest_residents(const struct dispatch *d) {
    uint32_t best = UINT32_MAX;

    for (uint32_t cu = 0; cu < d->device->cus; cu++)
        if (has_room(d, cu) &&
            (best == UINT32_MAX || d->units[cu].budget.residents < d->units[best].budget.residents))
            best = cu;
    return best;
}

static uint32_t first_with_room(const struct dispatch *d, uint32_t from) {
    for (uint32_t i = 0; i < d->device->cus; i++)
        if (has_room(d, (from + i) % d->device->cus))
            return (from + i) % d->device->cus;
    return UINT32_MAX;
}

/* The next workgroup to admit and where, or false while nothing fits. With `static`, each unit has
 * a queue of its own: every cus-th position of the order. */
static bool next_admission(struct dispatch *d, uint64_t *id, uint32_t *cu) {
    if (d->draining || (d->options->resident && d->resident >= d->options->resident))
        return false;
    if (d->options->placement == PLACE_STATIC) {
        for (*cu = 0; *cu < d->device->cus; ++*cu) {
            struct unit *unit = &d->units[*cu];
            if (unit->next_static < d->queue.total && has_room(d, *cu)) {
                *id = queue_at(&d->queue, unit->next_static);
                unit->next_static += d->device->cus;
                return true;
            }
        }
        return false;
    }
    if (d->queue.next == d->queue.total)
        return false;
    if (d->options->placement == PLACE_FEWEST)
        *cu = fewest_residents(d);
    else
        *cu = first_with_room(d, d->options->placement == PLACE_FILL ? 0 : d->next_unit);
    if (*cu == UINT32_MAX)
        return false;
    d->next_unit = (*cu + 1) % d->device->cus;
    *id = queue_at(&d->queue, d->queue.next++);
    return true;
}

static struct workgroup *take_workgroup(struct dispatch *d) {
    struct workgroup *w = d->free;

    if (w) {
        d->free = w->next_free;
        return w;
    }
    w = workgroup_new(&d->launch, !d->ahead, d->err);
    if (w && !(w->schedule = schedule_new(d->launch.subgroups))) {
        error_format(d->err, "out of memory");
        workgroup_free(w);
        return NULL;
    }
    return w;
}

static uint32_t free_slot(const struct dispatch *d, uint32_t cu) {
    uint32_t slot = 0;

    while (d->units[cu].slots[slot])
        slot++;
    return slot;
}

static int push(struct dispatch *d, struct workgroup *w, uint32_t subgroup, uint64_t cycle) {
    struct event event = {cycle, event_place(w->cu, w->slot, subgroup), w, false};

    if (events_push(&d->events, event) < 0)
        return error_set(d->err, "out of memory");
    if (subgroup == EVENT_END) {
        d->ending++;
    } else {
        d->stepping++;
        w->schedule->running++;
    }
    return 0;
}

/* One event for all subgroups in schedule->starting: they are neighbours in the order of events. */
static int push_starting(struct dispatch *d, struct workgroup *w, uint64_t cycle) {
    struct schedule *schedule = w->schedule;
    struct event event = {cycle, event_place(w->cu, w->slot, schedule->starting_first), w, true};

    d->stepping += schedule->starting_count;
    schedule->running += schedule->starting_count;
    return events_push(&d->events, event) < 0 ? error_set(d->err, "out of memory") : 0;
}

static int start(struct dispatch *d, struct workgroup *w, uint64_t id) {
    workgroup_start(w, id);
    judge_start(&d->judge, w);
    for (uint32_t i = 0; d->options->lockstep && i < d->launch.subgroups; i++)
        if (lockstep_start(&w->subgroups[i]) < 0)
            return error_set(d->err, "out of memory");
    if (d->weak && weak_start(d->weak, w) < 0)
        return error_set(d->err, "not enough memory for --memory=weak: each resident workgroup has "
                                 "copies of the buffers that are written");
    return 0;
}

/* A workgroup started or ended. */
static void residents_changed(struct dispatch *d) {
    watch_change(d->watch);
    livelock_restart(d->livelock, d->steps);
}

/* The cycle at which a step ends that began at the present one. */
static uint64_t end_of_step(struct dispatch *d) {
    uint64_t cycles = 1;

    if (d->options->pace == PACE_RANDOM)
        cycles += mix(mix(d->options->seed) + d->draws++) % PACE_CYCLES_MAX;
    return d->cycle + cycles;
}

/* Gives workgroup `id` a slot of a unit, and starts it. */
static int place(struct dispatch *d, uint64_t id, uint32_t cu, uint64_t cycle) {
    struct workgroup *w = take_workgroup(d);

    if (!w)
        return -1;
    d->held++;
    cu_budget_take(&d->units[cu].budget, &d->occupancy[cu]);
    w->user = d;
    w->cu = cu;
    w->slot = free_slot(d, cu);
    d->units[cu].slots[w->slot] = w;
    if (d->ahead)
        workgroup_name(w, id);
    else if (start(d, w, id) < 0)
        return -1;
    residents_changed(d);
    uint64_t begin = timing_launch(d->timing, cu, cycle);
    if (d->options->pace == PACE_RANDOM)
        begin = end_of_step(d);
    schedule_start(w->schedule, d->launch.subgroups, begin);
    tell(d, RECORD_ADMIT, begin, w, NULL, NULL);
    if (d->ahead && run_ahead(d, w) < 0)
        return -1;
    schedule_all_start(w->schedule, d->launch.subgroups);
    return push_starting(d, w, begin);
}

static int admit(struct dispatch *d, uint64_t cycle) {
    uint64_t id;
    uint32_t cu;

    while (d->returning.count && (cu = fewest_residents(d)) != UINT32_MAX)
        if (place(d, d->returning.ids[--d->returning.count], cu, cycle) < 0)
            return -1;
    while (next_admission(d, &id, &cu)) {
        d->admitted++;
        d->batch++;
        if (++d->resident > d->peak_resident)
            d->peak_resident = d->resident;
        if (place(d, id, cu, cycle) < 0)
            return -1;
    }
    return 0;
}

static void leave_slot(struct dispatch *d, struct workgroup *w) {
    cu_budget_give(&d->units[w->cu].budget, &d->occupancy[w->cu]);
    d->units[w->cu].slots[w->slot] = NULL;
    d->held--;
    w->next_free = d->free;
    d->free = w;
}

/* ---- Barriers and ends ---- */

/* The parties at a barrier that opens stand apart. */
static void tell_apart(void *self, const struct workgroup *w, const struct wg_site *site,
                       bool different_calls) {
    struct dispatch *d = self;

    d->diverged |= different_calls;
    tell(d, RECORD_DIVERGENCE, d->cycle, w, NULL, site);
}

/* Lets the invocations of a workgroup past their barrier. */
static void release(struct dispatch *d, struct workgroup *w) {
    const struct wg_site *site;
    bool different_calls;

    if (stands_apart(w, &different_calls, &site))
        tell_apart(d, w, site, different_calls);
    judge_barrier(&d->judge, w, site);
    workgroup_release(w);
    watch_change(d->watch);
    d->barriers++;
}

/* All subgroups of the workgroup that have not returned have arrived at its barrier. */
static int open_barrier(struct dispatch *d, struct workgroup *w) {
    struct record record = {.type = RECORD_BARRIER_OPEN, .dispatch = d, .workgroup = w};
    bool heard = is_heard(d, RECORD_BARRIER_OPEN);

    if (!d->ahead)
        release(d, w);
    if (heard) {
        struct arrivals arrivals = schedule_arrivals(w->schedule, d->launch.subgroups);
        record.since = arrivals.first;
        record.arrivals = arrivals.hash;
    }
    record.cycle = record.until = schedule_open(w->schedule, d->launch.subgroups, d->timing);
    d->told = true;
    if (heard)
        dispatch_tell(d, &record);
    return push_starting(d, w, record.cycle);
}

/* Where residents are parked, those that would fit have not all been admitted at first. */
static void note_place_freed(struct dispatch *d) {
    const struct run_options *options = d->options;

    if (d->resident == 0)
        d->batch = 0;
    d->draining = options->refill == REFILL_LAZY && d->resident > 0 &&
                  (!options->park || d->batch >= options->resident);
}

static int end_workgroup(struct dispatch *d, struct workgroup *w, uint64_t cycle) {
    if (!d->ahead && runner_check_stacks(w, d->err) < 0)
        return -1;
    if (d->weak && weak_end(d->weak, w) < 0)
        return error_set(d->err, "out of memory");
    timing_finish(d->timing, w->cu, d->launch.subgroups, w->schedule->start, cycle);
    tell(d, RECORD_FINISH, cycle, w, NULL, NULL);
    leave_slot(d, w);
    d->resident--;
    d->finished++;
    note_place_freed(d);
    residents_changed(d);
    return admit(d, cycle);
}

/* No subgroup of the workgroup can run: its barrier opens, or it ends when its last subgroup does.
 */
static int settle_workgroup(struct dispatch *d, struct workgroup *w) {
    uint64_t end = 0;

    for (uint32_t i = 0; i < d->launch.subgroups; i++) {
        const struct subgroup_schedule *s = &w->schedule->subgroups[i];
        if (s->at_barrier)
            return open_barrier(d, w);
        if (timing_cycle(&s->clock) > end)
            end = timing_cycle(&s->clock);
    }
    return push(d, w, EVENT_END, end);
}

/* ---- Parking ---- */

static int append(struct dispatch *d, struct id_list *list, uint64_t id) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 64;
        uint64_t *ids = realloc(list->ids, capacity * sizeof *ids);
        if (!ids)
            return error_set(d->err, "out of memory");
        list->ids = ids;
        list->capacity = capacity;
    }
    list->ids[list->count++] = id;
    return 0;
}

/* Storage has changed: those that were parked start again as room is found, the first parked first.
 */
static int unpark(struct dispatch *d) {
    while (d->parked.count)
        if (append(d, &d->returning, d->parked.ids[--d->parked.count]) < 0)
            return -1;
    return admit(d, d->cycle);
}

static bool grow_slots(struct dispatch *d) {
    uint64_t most = PARK_INVOCATIONS_MAX / d->launch.invocations;

    for (uint32_t cu = 0; cu < d->device->cus; cu++) {
        struct unit *unit = &d->units[cu];
        if (d->held + d->device->cus > most)
            return false;
        struct workgroup **slots =
            realloc(unit->slots, ((size_t)unit->slot_count * 2 + 1) * sizeof *slots);
        if (!slots)
            return false;
        memset(slots + unit->slot_count, 0, (unit->slot_count + 1) * sizeof *slots);
        unit->slots = slots;
        unit->slot_count *= 2;
        d->max_slots = unit->slot_count > d->max_slots ? unit->slot_count : d->max_slots;
    }
    return true;
}

/* Takes the invocations of all that only wait. */
static int park_waiting(struct dispatch *d) {
    size_t kept = 0;

    events_settle(&d->events);
    for (size_t i = 0; i < d->events.count; i++)
        if (d->events.heap[i].workgroup->stored)
            d->events.heap[kept++] = d->events.heap[i];
    d->events.count = kept;
    events_restore(&d->events);
    for (uint32_t cu = 0; cu < d->device->cus; cu++)
        for (uint32_t slot = 0; slot < d->units[cu].slot_count; slot++) {
            struct workgroup *w = d->units[cu].slots[slot];
            if (!w || w->stored)
                continue;
            if (append(d, &d->parked, w->id) < 0)
                return -1;
            d->stepping -= w->schedule->running;
            timing_finish(d->timing, cu, d->launch.subgroups, w->schedule->start,
                          d->cycle > w->schedule->start ? d->cycle : w->schedule->start);
            leave_slot(d, w);
        }
    return 0;
}

/* The residents that have invocations are proved to wait for ever: parks those that can be, and
 * admits others. Where that is possible the verdict is taken back. */
static int try_park(struct dispatch *d) {
    bool more = d->queue.next < d->queue.total && d->resident < d->options->resident;
    uint64_t held = d->held;

    if (!more && !d->returning.count)
        return 0;
    if (park_waiting(d) < 0)
        return -1;
    if (d->held == held && !grow_slots(d))
        return 0;
    held = d->held;
    watch_change(d->watch);
    if (admit(d, d->cycle) < 0)
        return -1;
    if (d->held > held)
        d->verdict = VERDICT_FINISHED;
    return 0;
}

/* ---- Steps ---- */

/* What a step changed. */
struct changes {
    bool memory, storage;
};

/* Runs lanes of a subgroup to their next suspensions, judges what they did, and leaves the charge
 * for it in its schedule. */
static int run_lanes(struct dispatch *d, struct workgroup *w, struct subgroup *s,
                     struct lanes lanes) {
    workgroup_step(w, s, lanes, &d->logs[0]);
    judge_step(&d->judge, w, s, &d->logs[0], lanes, &w->schedule->subgroups[s->index].requests);
    return d->judge.failed ? error_set(d->err, "out of memory") : 0;
}

/* Performs the subgroup operation that lanes wait for. One without all that live tells of the
 * schedule, not of the kernel: nothing is proved by what came before. */
static void collect(struct dispatch *d, struct workgroup *w, struct subgroup *s) {
    if (!lanes_equal(s->collective, s->live))
        watch_change(d->watch);
    workgroup_collect(w, s);
}

static void note_changes(const struct dispatch *d, struct changes *changes) {
    changes->memory |= d->judge.changed;
    changes->storage |= d->judge.changed_storage;
}

/* A loop without an atomic gives up control after so many meetings of its lanes. */
enum { LOCKSTEP_MEETINGS = 1024 };

/* A step in lockstep: from meeting to meeting, up to an atomic, or until all wait or have returned.
 */
static int run_in_lockstep(struct dispatch *d, struct workgroup *w, struct subgroup *s,
                           struct changes *changes) {
    bool failed = false;

    for (int i = 0; i < LOCKSTEP_MEETINGS; i++) {
        struct lanes lanes = lockstep_next(s, &failed);
        if (failed)
            return error_set(d->err, "out of memory");
        if (lanes_empty(lanes))
            return 0;
        if (run_lanes(d, w, s, lanes) < 0)
            return -1;
        note_changes(d, changes);
        if (!lanes_empty(s->collective))
            collect(d, w, s);
        if (stop_event(subgroup_stop(s, lanes_lowest(lanes))) == WG_EVENT_ATOMIC)
            return 0;
    }
    return 0;
}

/* Nobody can go on by what is visible: whatever was not yet becomes so. */
static bool become_visible(struct dispatch *d) {
    if (!d->weak || !weak_publish(d->weak))
        return false;
    watch_change(d->watch);
    return true;
}

/* Runs the ready lanes of a subgroup, each to its next suspension. */
static int execute(struct dispatch *d, struct workgroup *w, struct subgroup *s) {
    struct changes changes = {false, false};
    uint32_t live = w->live;

    if ((d->options->lockstep ? run_in_lockstep(d, w, s, &changes) : run_lanes(d, w, s, s->ready)) <
        0)
        return -1;
    note_changes(d, &changes);
    d->steps++;
    if (lanes_empty(s->ready) && !lanes_empty(s->collective))
        collect(d, w, s);
    enum step_end how = schedule_how(s);
    w->stored |= changes.storage;
    changes.memory |= d->weak && weak_step(d->weak, w);
    if (changes.memory || w->live != live) {
        watch_change(d->watch);
    } else if (how == STEP_GOES_ON && d->ending == 0 &&
               watch_quiet_step(d->watch, w, s, d->stepping + 1) && !become_visible(d)) {
        d->verdict = VERDICT_DEADLOCK;
        d->period_steps = watch_period(d->watch);
    }
    if (changes.storage && d->parked.count && unpark(d) < 0)
        return -1;
    if (schedule_end_step(&w->schedule->subgroups[s->index], how) < 0)
        return error_set(d->err, "out of memory");
    return 0;
}

/* ---- Running ahead ---- */

/* A run with a lower limit is made in steps, for it is to end close to that. */
enum { AHEAD_LEAST_STEPS = 1 << 20 };

/* Takes what another thread has done. */
static int take_ahead(struct dispatch *d, struct workgroup *resident) {
    const struct ahead_work *work = ahead_take(d->threads, d->queue.next - 1, resident);

    d->is_void = !work;
    if (!work)
        return 0;
    schedule_take(resident->schedule, work->schedule, d->launch.subgroups);
    d->steps += work->steps;
    d->barriers += work->barriers;
    return 0;
}

/* Runs a workgroup to its end, on the runner. The charge goes to the schedule of the resident. */
static int run_ahead(struct dispatch *d, struct workgroup *resident) {
    struct workgroup *w = d->runner.workgroup;

    if (d->threads)
        return take_ahead(d, resident);
    w->cu = resident->cu;
    w->slot = resident->slot;
    int result = runner_run(&d->runner, resident->id, resident->schedule, d->err);
    d->is_void = d->runner.guard.conflict;
    return result;
}

/* Where nothing in the kernel tells in which order workgroups run, they may be run ahead; the guard
 * finds what the kernel's text does not show. */
static bool may_run_ahead(const struct dispatch *d) {
    const struct run_options *options = d->options;

    return !d->launch.kernel->order_matters && !options->stress_yield && !options->lockstep &&
           !options->weak_memory && !options->park &&
           (!options->max_steps || options->max_steps >= AHEAD_LEAST_STEPS) &&
           dispatch_total(d) < GUARD_SEVERAL - 1;
}

static void tell_report(void *self, struct record *record) {
    dispatch_tell_now(self, record);
}

/* Whether workgroups may run on several threads: the order of admission must not depend on when
 * there is room. */
static bool may_run_together(const struct dispatch *d) {
    for (size_t i = 0; i < d->judge.observer_count; i++)
        if (!d->rows[i].later)
            return false;
    return d->options->threads > 1 && d->options->placement != PLACE_STATIC &&
           ahead_possible(d->launch.kernel);
}

static void start_threads(struct dispatch *d) {
    struct ahead_spec spec = {.launch = &d->launch,
                              .device = d->device,
                              .queue = &d->queue,
                              .judge = &d->judge,
                              .threads = d->options->threads,
                              .report = tell_report,
                              .self = d};

    d->threads = may_run_together(d) ? ahead_new(&spec) : NULL;
    d->ahead = d->threads != NULL;
}

static int start_runner(struct dispatch *d) {
    if (runner_init(&d->runner, &d->launch, d->err) < 0)
        return -1;
    d->runner.judge = &d->judge;
    d->runner.logs = d->logs;
    d->runner.at_once = d->judge.observer_count > 0;
    d->runner.apart = tell_apart;
    d->runner.self = d;
    d->runner.steps = &d->steps;
    d->runner.barriers = &d->barriers;
    d->runner.workgroup->user = d;
    d->ahead = d->judge.ignore_changes = true;
    d->rows[d->judge.observer_count++] = runner_guard(&d->runner);
    return 0;
}

static void empty_units(struct dispatch *d) {
    for (uint32_t cu = 0; cu < d->device->cus; cu++) {
        struct unit *unit = &d->units[cu];
        for (uint32_t slot = 0; slot < unit->slot_count; slot++) {
            if (unit->slots[slot])
                drop(unit->slots[slot]);
            unit->slots[slot] = NULL;
        }
        memset(&unit->budget, 0, sizeof unit->budget);
        unit->next_static = cu;
    }
    while (d->free) {
        struct workgroup *w = d->free;
        d->free = w->next_free;
        drop(w);
    }
}

/* All that was done ahead is void. */
static void begin_again(struct dispatch *d) {
    empty_units(d);
    saved_restore(d->before);
    d->ahead = d->is_void = d->judge.ignore_changes = d->diverged = d->trapped = false;
    d->verdict = VERDICT_FINISHED;
    d->queue.next = d->admitted = d->finished = d->steps = d->barriers = 0;
    d->next_unit = d->resident = d->peak_resident = d->stepping = d->ending = 0;
    events_settle(&d->events);
    d->events.count = 0;
    judge_reset(&d->judge);
    d->draining = false;
    d->draws = d->batch = d->cycle = 0;
    init_timing(d);
}

static void tell_step(struct dispatch *d, const struct workgroup *w, const struct subgroup *s,
                      uint64_t until) {
    d->told |= !d->ahead;
    if (!is_heard(d, RECORD_STEP) || (d->ahead && !d->steps_heard))
        return;
    struct record record = {.type = RECORD_STEP,
                            .cycle = d->cycle,
                            .until = until,
                            .dispatch = d,
                            .workgroup = w,
                            .subgroup = s};

    dispatch_tell(d, &record);
}

static bool stands_before(const struct subgroup *s, const struct wg_site *site) {
    uint32_t lane;

    for (LANES_EACH(lane, s->ready))
        if (stop_site(subgroup_stop(s, lane)) == site->id)
            return true;
    return false;
}

/* When the subgroup that steps makes its next step, where time is not modelled. */
static uint64_t next_step(struct dispatch *d, const struct subgroup *s) {
    const struct wg_site *late = d->options->late;

    return end_of_step(d) + (late && stands_before(s, late) ? LATE_CYCLES : 0);
}

/* The event of a subgroup: charges what it has done, or runs it first. */
static int advance(struct dispatch *d, struct workgroup *w, struct subgroup *s) {
    struct subgroup_schedule *schedule = &w->schedule->subgroups[s->index];
    enum step_end how;

    d->told = false;
    d->stepping--;
    w->schedule->running--;
    if (!schedule_has_step(schedule) && execute(d, w, s) < 0)
        return -1;
    bool done = true;
    if (d->options->pace == PACE_MODELLED)
        done = schedule_play(schedule, d->timing, w->cu, &how);
    else
        how = schedule_skip(schedule, next_step(d, s));
    uint64_t cycle = timing_cycle(&schedule->clock);
    tell_step(d, w, s, cycle);
    if (!done || how == STEP_GOES_ON)
        return push(d, w, s->index, cycle);
    if (how == STEP_BARRIER && !d->ahead)
        tell(d, RECORD_BARRIER_WAIT, cycle, w, s, NULL);
    return w->schedule->running == 0 ? settle_workgroup(d, w) : 0;
}

/* From outside, and only behind a record: so a run can be made to end there again. What threads
 * have begun is counted, and must be admitted before. */
static bool is_stopped(const struct dispatch *d) {
    return d->options->stop && *d->options->stop && d->told &&
           (!d->threads || d->is_void || ahead_is_level(d->threads, d->queue.next));
}

/* Nothing ran out and nothing was proved yet. */
static bool goes_on(const struct dispatch *d) {
    uint64_t max_steps = d->options->max_steps;

    return d->verdict == VERDICT_FINISHED && !d->trapped && !(max_steps && d->steps >= max_steps) &&
           !is_stopped(d);
}

static void close_residents(struct dispatch *d) {
    for (uint32_t cu = 0; cu < d->device->cus; cu++)
        for (uint32_t slot = 0; slot < d->units[cu].slot_count; slot++)
            if (d->units[cu].slots[slot])
                judge_close(&d->judge, d->units[cu].slots[slot]);
}

static void conclude(struct dispatch *d) {
    if (d->weak)
        weak_publish(d->weak);
    if (d->verdict == VERDICT_FINISHED && d->finished < d->queue.total && !d->trapped)
        d->verdict = VERDICT_SUSPECTED;
    if (d->verdict == VERDICT_FINISHED && d->diverged)
        d->verdict = VERDICT_DIVERGENCE;
    if (d->verdict == VERDICT_FINISHED && d->trapped)
        d->verdict = VERDICT_TRAPPED;
    if (d->finished == d->queue.total)
        d->cycle = timing_complete(d->timing, d->cycle);
    struct record record = {.type = RECORD_VERDICT,
                            .kind = d->verdict,
                            .cycle = d->cycle,
                            .until = d->cycle,
                            .dispatch = d};
    dispatch_tell(d, &record);
    close_residents(d);
    judge_finish(&d->judge);
    tell(d, RECORD_DISPATCH_END, d->cycle, NULL, NULL, NULL);
}

/* Advances a subgroup whose step, made ahead, takes no time and is not told of. */
static bool pass(struct dispatch *d, struct workgroup *w, uint32_t subgroup) {
    if (!d->ahead || d->steps_heard || d->options->pace != PACE_MODELLED ||
        !schedule_pass(&w->schedule->subgroups[subgroup]))
        return false;
    d->stepping--;
    w->schedule->running--;
    return true;
}

static int advance_starting(struct dispatch *d, struct workgroup *w) {
    struct schedule *schedule = w->schedule;
    bool *starting = schedule->starting;

    for (uint32_t i = schedule->starting_first; i < d->launch.subgroups && goes_on(d); i++) {
        if (!starting[i])
            continue;
        starting[i] = false;
        if (!pass(d, w, i)) {
            if (advance(d, w, &w->subgroups[i]) < 0)
                return -1;
        } else if (schedule->running == 0) {
            return settle_workgroup(d, w);
        }
    }
    return 0;
}

static int handle(struct dispatch *d, const struct event *event) {
    struct workgroup *w = event->workgroup;

    d->cycle = event->cycle;
    d->told = false;
    if (event_subgroup(event) == EVENT_END) {
        d->ending--;
        return end_workgroup(d, w, event->cycle);
    }
    if (event->together)
        return advance_starting(d, w);
    return advance(d, w, &w->subgroups[event_subgroup(event)]);
}

static int add_residents(struct dispatch *d) {
    for (uint32_t cu = 0; cu < d->device->cus; cu++)
        for (uint32_t slot = 0; slot < d->units[cu].slot_count; slot++)
            if (d->units[cu].slots[slot] && livelock_add(d->livelock, d->units[cu].slots[slot]) < 0)
                return error_set(d->err, "out of memory");
    return 0;
}

/* Whether the run goes round in a circle. What it does next must depend on nothing that is not
 * looked at. */
static int look_for_livelock(struct dispatch *d) {
    struct livelock_view view = {&d->launch, d->device, &d->events,
                                 d->timing,  d->steps,  watch_changes(d->watch)};

    if (d->ahead || d->options->weak_memory || d->options->park || d->options->pace == PACE_RANDOM)
        return 0;
    if (!livelock_knows_residents(d->livelock) && add_residents(d) < 0)
        return -1;
    events_settle(&d->events);
    if (d->verdict == VERDICT_FINISHED && livelock_look(d->livelock, &view)) {
        d->verdict = VERDICT_LIVELOCK;
        d->period_steps = livelock_period(d->livelock);
    }
    return 0;
}

static int run_events(struct dispatch *d) {
    struct event event;

    tell(d, RECORD_DISPATCH_BEGIN, 0, NULL, NULL, NULL);
    if (admit(d, timing_dispatch(d->timing, 0)) < 0)
        return -1;
    while (goes_on(d) && !d->is_void && events_pop(&d->events, &event)) {
        if (handle(d, &event) < 0 ||
            (livelock_due(d->livelock, d->steps) && look_for_livelock(d) < 0))
            return -1;
        if (d->options->park && d->verdict == VERDICT_DEADLOCK && try_park(d) < 0)
            return -1;
    }
    return 0;
}

static void ask_listeners(struct dispatch *d) {
    for (size_t i = 0; i < d->listener_count; i++) {
        d->heard |= d->listeners[i].sparse ? ~RECORDS_FREQUENT : UINT32_MAX;
        d->steps_heard |= d->listeners[i].steps_ahead;
    }
}

/* Workgroups run ahead on several threads, or one after the other, or all in steps. What was done
 * in one way may be void: *how says in which it is to be done again. */

static int run_by_threads(struct dispatch *d, enum ahead_end *how) {
    start_threads(d);
    if (!d->threads)
        return 0;
    if (run_events(d) < 0)
        return -1;
    *how = ahead_finish(d->threads, &d->judge);
    /* it ended early, and more was done than was admitted */
    if (*how == AHEAD_GOOD && d->queue.next < d->queue.total && !is_stopped(d))
        *how = AHEAD_VOID;
    if (*how == AHEAD_GOOD)
        return 0;
    ahead_free(d->threads);
    d->threads = NULL;
    begin_again(d);
    return 0;
}

static int run_by_runner(struct dispatch *d, enum ahead_end *how) {
    if (start_runner(d) < 0 || run_events(d) < 0)
        return -1;
    *how = d->is_void ? AHEAD_CONFLICT : AHEAD_GOOD;
    if (*how == AHEAD_GOOD)
        return runner_check_stacks(d->runner.workgroup, d->err);
    runner_release(&d->runner);
    d->judge.observer_count--;
    begin_again(d);
    return 0;
}

int dispatch_run(struct dispatch *d, struct wgsim_error *err) {
    enum ahead_end how = may_run_ahead(d) ? AHEAD_VOID : AHEAD_CONFLICT;

    d->err = err;
    ask_listeners(d);
    if ((how == AHEAD_VOID && run_by_threads(d, &how) < 0) ||
        (how == AHEAD_VOID && run_by_runner(d, &how) < 0) ||
        (how == AHEAD_CONFLICT && run_events(d) < 0))
        return -1;
    conclude(d);
    return 0;
}

void dispatch_observe_rows(struct dispatch *d, const struct row_observer *observer) {
    if (d->judge.observer_count < DISPATCH_ROW_OBSERVERS - 1)
        d->rows[d->judge.observer_count++] = *observer;
}
