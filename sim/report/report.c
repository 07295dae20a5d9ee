/* Running a job for a report. */
#include "sim/report/report.h"

#include <string.h>

#include "sim/analysis.h"
#include "sim/error.h"
#include "sim/report/collect.h"

const char *const report_access_names[] = {
    "workgroup_load", "workgroup_store", "workgroup_atomic", "storage_load",
    "storage_store",  "storage_atomic",  "uniform_load",     NULL};

const char *const report_check_names[] = {"match", "differ", "unchecked", NULL};

enum report_access report_access_of(const struct wg_site *site) {
    if (site->space == WG_SPACE_UNIFORM)
        return REPORT_UNIFORM_LOAD;
    uint8_t op = cost_op(site);
    int kind = op == WG_OP_LOAD ? 0 : op == WG_OP_STORE ? 1 : 2;
    int base = site->space == WG_SPACE_WORKGROUP ? REPORT_WORKGROUP_LOAD : REPORT_STORAGE_LOAD;
    return (enum report_access)(base + kind);
}

bool report_is_access(const struct wg_site *site) {
    return site && site->op <= WG_OP_ATOMIC_COMPARE_EXCHANGE && site->bytes;
}

/* Room for one more in an array of the arena; the old one stays there. */
static void *grown(struct report *report, void *items, size_t count, size_t *capacity,
                   size_t size) {
    if (count < *capacity)
        return items;
    size_t wanted = *capacity ? *capacity * 2 : 16;
    void *larger = arena_alloc(&report->arena, wanted * size);
    if (!larger) {
        report->failed = true;
        return NULL;
    }
    if (count)
        memcpy(larger, items, count * size);
    *capacity = wanted;
    return larger;
}

/* ---- While it runs ---- */

static void hear_print(struct report *report, const struct record *record) {
    if (report->print_count == REPORT_PRINTS_MAX) {
        report->prints_dropped++;
        return;
    }
    struct report_print *prints =
        grown(report, report->prints, report->print_count, &report->print_capacity, sizeof *prints);
    const char *text = arena_strdup(&report->arena, record->text);
    if (!prints || !text) {
        report->failed = true;
        return;
    }
    report->prints = prints;
    prints[report->print_count++] =
        (struct report_print){record->workgroup->id, record->invocation, record->site, text};
}

/* A dispatch that begins a second time takes back what it printed. */
static void hear_begin(struct report *report) {
    if (report->in_dispatch)
        report->print_count = report->prints_before;
    report->prints_before = report->print_count;
    report->in_dispatch = true;
}

static void hear(void *self, const struct record *record) {
    struct report *report = self;

    if (record->type == RECORD_PRINT)
        hear_print(report, record);
    else if (record->type == RECORD_DISPATCH_BEGIN)
        hear_begin(report);
    else if (record->type == RECORD_DISPATCH_END)
        report->in_dispatch = false;
}

static struct report_stand *stand_at(struct report *report, const struct wg_site *site,
                                     uint32_t event) {
    for (size_t i = 0; i < report->stand_count; i++)
        if (report->stands[i].site == site && report->stands[i].event == event)
            return &report->stands[i];
    struct report_stand *stands =
        grown(report, report->stands, report->stand_count, &report->stand_capacity, sizeof *stands);
    if (!stands)
        return NULL;
    report->stands = stands;
    stands[report->stand_count] =
        (struct report_stand){.site = site, .event = event, .first = UINT64_MAX};
    return &stands[report->stand_count++];
}

/* The event without the kind of mark that stands beside it. */
static uint32_t event_of(wg_stop stop) {
    return stop_event(stop);
}

static void add_stand(struct report *report, const struct workgroup *w, wg_stop stop,
                      uint64_t *last) {
    uint32_t id = stop_site(stop);
    const struct wg_site *site = id == WG_AT_START ? NULL : w->launch->kernel->sites[id];
    struct report_stand *stand = stand_at(report, site, event_of(stop));

    if (!stand)
        return;
    size_t index = (size_t)(stand - report->stands);
    if (index >= 64 || !(*last >> index & 1)) {
        stand->workgroups++;
        if (index < 64)
            *last |= UINT64_C(1) << index;
    }
    stand->invocations++;
    stand->first = w->id < stand->first ? w->id : stand->first;
    stand->last = w->id > stand->last ? w->id : stand->last;
}

static void add_stands(struct report *report, const struct workgroup *w) {
    uint64_t counted = 0; /* bit i: this workgroup is counted in stands[i] */

    for (uint32_t i = 0; w->blocks && i < w->launch->invocations; i++) {
        wg_stop stop = workgroup_lane(w, i)->stop;
        if (stop_site(stop) != WG_AT_END)
            add_stand(report, w, stop, &counted);
    }
}

static int explain(struct report *report, struct dispatch *d, struct wgsim_error *err) {
    struct analysis *analysis = analysis_new(report->run.job, &report->what_if, err);

    if (!analysis)
        return -1;
    const struct listener listener = analysis_listener(analysis);
    const struct row_observer rows = analysis_rows(analysis);
    const struct explain_followers followers = {&listener, &rows};
    int result = explain_deadlock(&report->deadlock, d, &followers, &report->arena, err);
    if (result == 0)
        result = analysis_finish_what_if(analysis, err);
    analysis_free(analysis);
    return result;
}

static int stopped(void *self, struct dispatch *d, struct wgsim_error *err) {
    struct report *report = self;

    if (d->finished == dispatch_total(d))
        return 0;
    report->cycle_steps = d->period_steps;
    report->interrupted = d->options->stop && *d->options->stop;
    report->queue = (struct report_queue){.ended = d->finished, .pending = dispatch_pending(d)};
    if (report->queue.pending)
        report->queue.first = queue_at(&d->queue, dispatch_first_pending(d));
    for (uint32_t cu = 0; cu < d->device->cus; cu++)
        for (uint32_t slot = 0; slot < d->units[cu].slot_count; slot++)
            if (d->units[cu].slots[slot])
                add_stands(report, d->units[cu].slots[slot]);
    if (d->verdict == VERDICT_DEADLOCK)
        return explain(report, d, err);
    return 0;
}

static int run_observed(struct report *report, const struct report_request *request,
                        struct analysis *analysis, struct wgsim_error *err) {
    size_t count = request->listener_count + 2;
    struct listener *listeners = arena_alloc(&report->arena, count * sizeof *listeners);
    struct row_observer rows = analysis_rows(analysis);

    if (!listeners)
        return error_set(err, "out of memory");
    listeners[0] = (struct listener){.self = report, .hear = hear, .sparse = true};
    listeners[1] = analysis_listener(analysis);
    if (request->listener_count)
        memcpy(listeners + 2, request->listeners, request->listener_count * sizeof *listeners);
    struct run_observers observers = {.listeners = listeners,
                                      .listener_count = count,
                                      .rows = &rows,
                                      .row_count = 1,
                                      .stopped = stopped,
                                      .self = report};
    if (run_job(&report->run, request->job, request->device, request->run, request->limits,
                &observers, err) < 0) {
        report->run = (struct run){0};
        return -1;
    }
    int result = analysis_finish(analysis, &report->run, err);
    findings_add_what_if(&report->findings, &report->what_if);
    return result;
}

int report_run(struct report *report, const struct report_request *request,
               struct wgsim_error *err) {
    *report =
        (struct report){.kernel = request->job->kernel->desc->name, .command = request->command};
    arena_init(&report->arena);
    findings_init(&report->findings);
    findings_init(&report->what_if);
    struct analysis *analysis = analysis_new(request->job, &report->findings, err);
    int result = analysis ? run_observed(report, request, analysis, err) : -1;
    analysis_free(analysis);
    return result < 0 ? -1 : report_collect(report, request, err);
}

void report_release(struct report *report) {
    run_release(&report->run);
    findings_release(&report->findings);
    findings_release(&report->what_if);
    arena_release(&report->arena);
}
