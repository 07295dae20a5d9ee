/* Waits and findings as events. */
#include "sim/trace/waits.h"

#include <stdio.h>

#include "sim/json_text.h"

static const struct events_track queue_track = {EVENTS_RUN, EVENTS_QUEUE};

static void put_number(json_t *object, const char *key, uint64_t value) {
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void put_site(json_t *object, const char *file, const char *line,
                     const struct wg_site *site) {
    json_object_set_new(object, file, json_text(site->file));
    put_number(object, line, site->line);
}

/* ---- Deadlocks ---- */

/* In the words of the report's JSON. */
static json_t *reason(const struct explain_waiter *waiter) {
    json_t *args = json_object();

    put_number(args, "workgroup", waiter->workgroup);
    put_number(args, "invocation", waiter->invocation);
    if (waiter->site) {
        put_site(args, "file", "line", waiter->site);
        json_object_set_new(args, "variable", json_text(waiter->site->variable));
        put_number(args, "element", waiter->element);
        put_number(args, "value", waiter->value);
    }
    put_number(args, "spinning", waiter->spinning);
    put_number(args, "at_barrier", waiter->at_barrier);
    if (waiter->has_writer) {
        put_number(args, "needs_workgroup", waiter->writer);
        if (waiter->writer_site)
            put_site(args, "needs_file", "needs_line", waiter->writer_site);
    }
    return args;
}

static void write_wait(const struct recorder *r, const struct explain_waiter *waiter) {
    const struct recorder_slot *slot = recorder_slot(r, waiter->cu, waiter->slot);
    char name[128];

    uint64_t since = recorder_waits_since(slot);

    if (since >= r->end)
        return;
    if (waiter->spinning == 0)
        snprintf(name, sizeof name, "waits at a barrier");
    else if (waiter->site && waiter->site->variable[0])
        snprintf(name, sizeof name, "spins on %.60s[%llu]", waiter->site->variable,
                 (unsigned long long)waiter->element);
    else
        snprintf(name, sizeof name, "spins");
    events_detailed(r->file, events_slot(waiter->cu, waiter->slot), since, r->end, name,
                    reason(waiter));
}

/* Where the workgroup is that another one waits for; false: it is gone. */
static bool find_writer(const struct explanation *deadlock, const struct explain_waiter *waiter,
                        struct events_track *track) {
    if (waiter->writer_pending) {
        *track = queue_track;
        return true;
    }
    for (size_t i = 0; i < deadlock->waiter_count; i++)
        if (deadlock->waiters[i].workgroup == waiter->writer) {
            *track = events_slot(deadlock->waiters[i].cu, deadlock->waiters[i].slot);
            return true;
        }
    return false;
}

static void write_queue(const struct recorder *r, const struct explanation *deadlock) {
    if (deadlock->pending)
        events_detailed(r->file, queue_track, r->dispatches > 1 ? r->ends[r->dispatches - 2] : 0,
                        r->end, "never start",
                        json_pack("{s:I, s:I}", "workgroups", (json_int_t)deadlock->pending,
                                  "first", (json_int_t)deadlock->first_pending));
}

static void write_deadlock(const struct recorder *r, const struct explanation *deadlock) {
    write_queue(r, deadlock);
    for (size_t i = 0; i < deadlock->waiter_count; i++) {
        const struct explain_waiter *waiter = &deadlock->waiters[i];
        struct events_track to;
        write_wait(r, waiter);
        if (waiter->has_writer && waiter->writer != waiter->workgroup &&
            find_writer(deadlock, waiter, &to))
            events_arrow(r->file, i + 1, r->end - 1, events_slot(waiter->cu, waiter->slot), to);
    }
}

/* ---- Findings ---- */

static void write_finding(const struct recorder *r, const struct finding *finding) {
    const struct finding_place *first = &finding->first;
    json_t *args = json_pack("{s:s, s:s}", "severity",
                             finding_severity_names[finding_kinds[finding->kind].severity], "text",
                             finding->text);
    uint64_t cycle = finding->dispatch < r->dispatches ? r->ends[finding->dispatch] : r->end;

    if (finding->variable)
        json_object_set_new(args, "variable", json_text(finding->variable));
    if (first->site)
        put_site(args, "file", "line", first->site);
    if (first->workgroup != FINDING_UNKNOWN)
        put_number(args, "workgroup", first->workgroup);
    events_instant(r->file, (struct events_track){EVENTS_RUN, EVENTS_FINDINGS}, cycle,
                   finding_kinds[finding->kind].name, args);
}

void waits_write(const struct recorder *r, const struct report *report) {
    if (report->run.verdict == VERDICT_DEADLOCK || report->run.hang == VERDICT_DEADLOCK)
        write_deadlock(r, &report->deadlock);
    for (size_t i = 0; i < report->findings.count; i++)
        write_finding(r, &report->findings.items[i]);
}
