/* From records to events. Workgroup level costs a line a workgroup and one for each of its waits.
 */
#include "sim/trace/recorder.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim/dispatch/dispatch.h"
#include "sim/json_text.h"

/* Fewer turns than these are not called a wait. */
enum { SPIN_TURNS = 3 };

/* Counters are written so often in a dispatch, at most. */
enum { COUNTER_SAMPLES = 1024 };

void recorder_init(struct recorder *r, struct trace_file *file, bool steps) {
    *r = (struct recorder){.file = file,
                           .steps = steps,
                           .residents = {.name = "resident"},
                           .queued = {.name = "queued"}};
}

void recorder_release(struct recorder *r) {
    free(r->slots);
    free(r->used);
    free(r->ends);
}

static struct recorder_slot *slot_of(struct recorder *r, const struct workgroup *w) {
    return &r->slots[(size_t)w->cu * r->stride + w->slot];
}

/* ---- Dispatches ---- */

static bool make_slots(struct recorder *r, const struct dispatch *d) {
    size_t count = (size_t)d->device->cus * d->max_slots;
    struct recorder_slot *slots = calloc(count + 1, sizeof *slots);

    if (!r->used)
        r->used = calloc(d->device->cus, sizeof *r->used);
    free(r->slots);
    r->slots = slots;
    r->cus = d->device->cus;
    r->stride = d->max_slots;
    return slots && r->used;
}

static bool make_ends(struct recorder *r) {
    if (r->dispatches < r->end_capacity)
        return true;
    size_t capacity = r->end_capacity * 2 + 16;
    uint64_t *ends = realloc(r->ends, capacity * sizeof *ends);
    if (!ends)
        return false;
    r->ends = ends;
    r->end_capacity = capacity;
    return true;
}

static void mark(struct recorder *r) {
    r->mark = trace_file_mark(r->file);
    r->end_before = r->end;
    r->residents_before = r->residents.shown;
    r->queued_before = r->queued.shown;
}

static void rewind_to_mark(struct recorder *r) {
    trace_file_rewind(r->file, &r->mark);
    r->end = r->end_before;
    r->residents.shown = r->residents_before;
    r->queued.shown = r->queued_before;
}

static void hear_begin(struct recorder *r, const struct dispatch *d) {
    if (r->in_dispatch)
        rewind_to_mark(r);
    else
        mark(r);
    r->in_dispatch = true;
    if (r->steps && d->launch.subgroups > r->subgroups)
        r->subgroups = d->launch.subgroups;
    r->patience = dispatch_total(d) * 2 / COUNTER_SAMPLES;
    r->quiet = r->patience;
    r->executed = 0;
    r->failed |= !make_slots(r, d) || !make_ends(r);
}

static void hear_end(struct recorder *r, const struct dispatch *d) {
    char name[160];
    json_t *args = json_pack("{s:s, s:s, s:I, s:I, s:I, s:I}", "entry", d->launch.entry->name,
                             "verdict", verdict_names[d->verdict], "workgroups",
                             (json_int_t)dispatch_total(d), "finished", (json_int_t)d->finished,
                             "steps", (json_int_t)d->steps, "barriers", (json_int_t)d->barriers);

    r->in_dispatch = false;
    r->end = r->base + d->cycle > r->end ? r->base + d->cycle : r->end;
    snprintf(name, sizeof name, "dispatch %llu: %.80s", (unsigned long long)r->dispatches + 1,
             d->launch.entry->name);
    events_detailed(r->file, (struct events_track){EVENTS_RUN, EVENTS_DISPATCHES}, r->base, r->end,
                    name, args);
    r->base = r->end;
    r->ends[r->dispatches++] = r->end;
}

/* ---- Counters ---- */

static void count(struct recorder *r, struct recorder_counter *counter, uint64_t cycle,
                  uint64_t value) {
    if (counter->shown == value)
        return;
    counter->shown = value;
    events_counter(r->file, cycle, counter->name, value);
}

static void count_all(struct recorder *r, const struct dispatch *d, uint64_t cycle) {
    r->quiet = 0;
    count(r, &r->residents, cycle, d->resident);
    count(r, &r->queued, cycle, dispatch_pending(d));
}

/* After an admission or an end: so many of a dispatch are left out that the rest gives a picture.
 */
static void count_some(struct recorder *r, const struct dispatch *d, uint64_t cycle) {
    if (++r->quiet > r->patience)
        count_all(r, d, cycle);
}

/* ---- Workgroups ---- */

static void hear_admit(struct recorder *r, const struct record *record) {
    const struct workgroup *w = record->workgroup;
    uint64_t cycle = r->base + record->cycle;

    if (w->slot >= r->used[w->cu])
        r->used[w->cu] = w->slot + 1;
    *slot_of(r, w) = (struct recorder_slot){.taken = true, .start = cycle, .since = cycle};
    count_some(r, record->dispatch, cycle);
}

/* ---- Spinning: seen where workgroups take turns; those that run ahead wait for nobody ---- */

/* The workgroup does something else, or has gone. The slice lies in that of a barrier at which
 * other subgroups wait already. */
static void end_spin(struct recorder *r, const struct workgroup *w, struct recorder_slot *slot,
                     uint64_t cycle) {
    const struct recorder_spin *spin = &slot->spin;
    uint64_t start = slot->waits && slot->wait > spin->start ? slot->wait : spin->start;

    if (spin->turns >= SPIN_TURNS && cycle > start)
        events_numbered(r->file, events_slot(w->cu, w->slot), start, cycle, "spins at line",
                        spin->site->line);
    slot->spin.turns = 0;
}

/* Where the step that a subgroup has just made left it spinning; NULL: it did not. */
static const struct wg_site *spins_at(const struct record *record) {
    const struct workgroup *w = record->workgroup;
    const struct subgroup *s = record->subgroup;

    if (record->dispatch->judge.changed || lanes_empty(s->ready))
        return NULL;
    uint32_t lane = lanes_lowest(s->ready);
    if (stop_event(subgroup_stop(s, lane)) != WG_EVENT_ATOMIC)
        return NULL;
    return w->launch->kernel->sites[stop_site(subgroup_stop(s, lane))];
}

static void hear_spin(struct recorder *r, const struct record *record) {
    const struct workgroup *w = record->workgroup;
    struct recorder_slot *slot = slot_of(r, w);
    uint32_t subgroup = record->subgroup->index;

    if (record->dispatch->ahead || record->dispatch->steps == r->executed)
        return; /* nothing was executed: a step goes on being charged */
    r->executed = record->dispatch->steps;
    const struct wg_site *site = spins_at(record);
    if (slot->spin.turns && slot->spin.subgroup != subgroup)
        return;
    if (!site)
        end_spin(r, w, slot, r->base + record->cycle);
    else if (slot->spin.turns++ == 0)
        slot->spin = (struct recorder_spin){1, subgroup, r->base + record->cycle, site};
}

uint64_t recorder_waits_since(const struct recorder_slot *slot) {
    return slot->spin.turns && slot->spin.start > slot->since ? slot->spin.start : slot->since;
}

static void hear_finish(struct recorder *r, const struct record *record) {
    const struct workgroup *w = record->workgroup;
    struct recorder_slot *slot = slot_of(r, w);
    uint64_t cycle = r->base + record->cycle;

    end_spin(r, w, slot, cycle);
    events_numbered(r->file, events_slot(w->cu, w->slot), slot->start, cycle, "workgroup", w->id);
    slot->taken = false;
    if (cycle > r->end)
        r->end = cycle;
    count_some(r, record->dispatch, cycle);
}

static void hear_wait(struct recorder *r, const struct record *record) {
    struct recorder_slot *slot = slot_of(r, record->workgroup);
    uint64_t cycle = r->base + record->cycle;

    if (!slot->waits || cycle < slot->wait)
        slot->wait = cycle;
    slot->waits = true;
}

static void hear_open(struct recorder *r, const struct record *record) {
    const struct workgroup *w = record->workgroup;
    struct recorder_slot *slot = slot_of(r, w);
    uint64_t cycle = r->base + record->cycle;

    if (record->cycle > record->since)
        events_slice(r->file, events_slot(w->cu, w->slot), r->base + record->since, cycle,
                     "barrier");
    slot->waits = false;
    slot->since = cycle;
}

static void hear_step(struct recorder *r, const struct record *record) {
    const struct workgroup *w = record->workgroup;
    struct events_track track = events_subgroup(w->cu, w->slot, record->subgroup->index);

    events_numbered(r->file, track, r->base + record->cycle, r->base + record->until,
                    "step of workgroup", w->id);
}

/* ---- Those that are there when a dispatch stops ---- */

/* Where the workgroup's lowest invocation stands that does not wait at a barrier; if all do, the
 * lowest. NULL: at its start, or not known. */
static const struct wg_site *stands_at(const struct workgroup *w, bool *barrier) {
    const struct wg_site *site = NULL;

    *barrier = true;
    for (uint32_t i = 0; w->blocks && i < w->launch->invocations && *barrier; i++) {
        wg_stop stop = workgroup_lane(w, i)->stop;
        uint32_t id = stop_site(stop);
        if (id == WG_AT_END || (site && stop_event(stop) == WG_EVENT_BARRIER))
            continue;
        site = id == WG_AT_START ? NULL : w->launch->kernel->sites[id];
        *barrier = site && stop_event(stop) == WG_EVENT_BARRIER;
    }
    return site;
}

static void stand(struct recorder *r, const struct workgroup *w, const struct recorder_slot *slot) {
    bool barrier;
    const struct wg_site *site = stands_at(w, &barrier);

    if (!site || r->end <= recorder_waits_since(slot))
        return;
    events_detailed(r->file, events_slot(w->cu, w->slot), recorder_waits_since(slot), r->end,
                    barrier ? "at a barrier still" : "not past this still",
                    json_pack("{s:o, s:i, s:o}", "file", json_text(site->file), "line",
                              (int)site->line, "text", json_text(site->text)));
}

/* A deadlock's waits are explained later: see waits.h. */
static void hear_verdict(struct recorder *r, const struct record *record) {
    const struct dispatch *d = record->dispatch;
    uint64_t now = r->base + record->cycle + 1;

    if (d->finished == dispatch_total(d))
        return;
    r->end = now > r->end ? now : r->end;
    for (uint32_t cu = 0; cu < r->cus; cu++)
        for (uint32_t i = 0; i < d->units[cu].slot_count; i++) {
            const struct workgroup *w = d->units[cu].slots[i];
            const struct recorder_slot *slot = recorder_slot(r, cu, i);
            if (!w || !slot->taken || slot->start >= r->end)
                continue;
            events_detailed(r->file, events_slot(cu, i), slot->start, r->end,
                            "unfinished workgroup",
                            json_pack("{s:I}", "workgroup", (json_int_t)w->id));
            if (d->verdict != VERDICT_DEADLOCK)
                stand(r, w, slot);
        }
}

/* ---- All ---- */

void recorder_hear(struct recorder *r, const struct record *record) {
    if (r->failed)
        return;
    switch (record->type) {
    case RECORD_DISPATCH_BEGIN:
        hear_begin(r, record->dispatch);
        break;
    case RECORD_ADMIT:
        hear_admit(r, record);
        break;
    case RECORD_STEP:
        hear_spin(r, record);
        if (r->steps)
            hear_step(r, record);
        break;
    case RECORD_BARRIER_WAIT:
        hear_wait(r, record);
        break;
    case RECORD_BARRIER_OPEN:
        hear_open(r, record);
        break;
    case RECORD_FINISH:
        hear_finish(r, record);
        break;
    case RECORD_VERDICT:
        count_all(r, record->dispatch, r->base + record->cycle);
        hear_verdict(r, record);
        break;
    case RECORD_DISPATCH_END:
        hear_end(r, record->dispatch);
        break;
    default:
        break;
    }
}

static void name_subgroups(const struct recorder *r, uint32_t cu, uint32_t slot) {
    char name[64];

    for (uint32_t i = 0; i < r->subgroups; i++) {
        struct events_track track = events_subgroup(cu, slot, i);
        snprintf(name, sizeof name, "slot %u, subgroup %u", slot, i);
        events_name(r->file, track, name, track.thread);
    }
}

static void name_unit(const struct recorder *r, uint32_t cu) {
    char name[64];
    struct events_track unit = {EVENTS_FIRST_UNIT + (uint64_t)cu, 0};

    snprintf(name, sizeof name, "compute unit %u", cu);
    events_name(r->file, unit, name, unit.process);
    for (uint32_t slot = 0; slot < r->used[cu]; slot++) {
        struct events_track track = events_slot(cu, slot);
        snprintf(name, sizeof name, "slot %u", slot);
        events_name(r->file, track, name, slot * UINT64_C(100000));
        name_subgroups(r, cu, slot);
    }
}

void recorder_names(const struct recorder *r) {
    static const char *const threads[] = {"dispatches", "findings", "queue"};

    events_name(r->file, (struct events_track){EVENTS_RUN, 0}, "run", 0);
    for (uint64_t i = 0; i < sizeof threads / sizeof *threads; i++)
        events_name(r->file, (struct events_track){EVENTS_RUN, i + 1}, threads[i], i);
    for (uint32_t cu = 0; cu < r->cus; cu++)
        name_unit(r, cu);
}
