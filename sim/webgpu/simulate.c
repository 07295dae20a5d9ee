/* Running a job on the simulator for comparison. */
#include "sim/webgpu/simulate.h"

#include <string.h>

#include "sim/error.h"

/* lavapipe's bound; with fewer requests in all, no invocation can have made so many turns. */
enum { LONG_LOOP_TURNS = 65535 };

static enum simulated_end end_of(enum verdict verdict) {
    switch (verdict) {
    case VERDICT_FINISHED:
    case VERDICT_DIVERGENCE: /* goes on, released */
        return SIMULATED_FINISHED;
    case VERDICT_DEADLOCK:
    case VERDICT_LIVELOCK:
        return SIMULATED_NEVER_ENDS;
    case VERDICT_REJECTED:
        return SIMULATED_REJECTED;
    default:
        return SIMULATED_UNKNOWN;
    }
}

static const char *describe(struct arena *arena, const struct finding *finding) {
    const struct wg_site *site = finding->first.site;
    const char *name = finding_kinds[finding->kind].name;
    if (site)
        return arena_printf(arena, "%s at %s:%u", name, site->file, site->line);
    return arena_strdup(arena, name);
}

/* The first finding of each sort counts: findings are sorted, most severe first. */
static void read_finding(struct simulation *simulation, const struct finding *finding,
                         struct arena *arena) {
    switch (finding->kind) {
    case FINDING_RACE:
    case FINDING_RACE_STORAGE:
    case FINDING_PUBLISH_BY_FLAG:
        if (!simulation->race)
            simulation->race = describe(arena, finding);
        break;
    case FINDING_DIVERGENCE:
    case FINDING_ORDER_DEPENDENT:
    case FINDING_WIDTH_DEPENDENT:
        if (!simulation->open)
            simulation->open =
                arena_printf(arena, "the results are not defined: %s", describe(arena, finding));
        break;
    case FINDING_UNINITIALISED:
        simulation->reads_unwritten = true;
        break;
    case FINDING_NEEDS_PROGRESS:
        simulation->waits = true;
        break;
    default:
        break;
    }
}

static uint64_t count_requests(const struct report *report) {
    uint64_t requests = 0;
    for (size_t i = 0; i < REPORT_ACCESS_COUNT; i++)
        requests += report->total.access[i].requests;
    return requests;
}

static void read_report(struct simulation *simulation, const struct report *report,
                        struct arena *arena) {
    const struct limits_violations *violations = &report->run.violations;
    simulation->verdict = verdict_names[report->run.verdict];
    simulation->end =
        end_of(report->run.hang == VERDICT_FINISHED ? report->run.verdict : report->run.hang);
    simulation->waits = simulation->end == SIMULATED_NEVER_ENDS;
    if (report->run.verdict == VERDICT_DIVERGENCE)
        simulation->open = "nothing is promised where invocations stand at different barriers";
    simulation->loops_long = count_requests(report) > LONG_LOOP_TURNS;
    for (size_t i = 0; i < violations->count; i++)
        simulation->exceeds_memory |=
            strcmp(violations->items[i].limit, "maxComputeWorkgroupStorageSize") == 0;
    for (size_t i = 0; i < report->findings.count; i++)
        read_finding(simulation, &report->findings.items[i], arena);
}

static bool is_outside(const struct report *report) {
    for (size_t i = 0; i < report->findings.count; i++)
        if (report->findings.items[i].kind == FINDING_OUT_OF_BOUNDS)
            return true;
    return false;
}

static int keep_outcome(struct simulation *simulation, const struct job *job, const char *label,
                        struct arena *arena, struct wgsim_error *err) {
    struct simulated_outcome *outcome = &simulation->outcomes[simulation->outcome_count++];
    outcome->label = label;
    outcome->buffers = arena_alloc(arena, job->buffer_count * sizeof *outcome->buffers);
    for (size_t i = 0; outcome->buffers && i < job->buffer_count; i++) {
        void *copy = arena_alloc(arena, job->buffers[i].bytes);
        if (!copy)
            return error_set(err, "out of memory");
        outcome->buffers[i] = memcpy(copy, job->buffers[i].data, job->buffers[i].bytes);
    }
    return outcome->buffers ? 0 : error_set(err, "out of memory");
}

/* Runs the job with one policy for accesses out of bounds; *outside tells whether there were any.
 * The first run is the one that is reported. */
static int run_outcome(struct simulation *simulation, const struct report_request *request,
                       enum outside_policy policy, const char *label, bool *outside,
                       struct arena *arena, struct wgsim_error *err) {
    struct report report = {0};
    struct report_request own = *request;
    struct run_options options = *request->run;
    options.outside = policy;
    own.run = &options;
    job_reset(request->job);
    int result = report_run(&report, &own, err);
    if (result == 0 && simulation->outcome_count == 0)
        read_report(simulation, &report, arena);
    if (result == 0)
        result = keep_outcome(simulation, request->job, label, arena, err);
    *outside = result == 0 && is_outside(&report);
    report_release(&report);
    return result;
}

int simulate(struct simulation *simulation, const struct report_request *request,
             struct arena *arena, struct wgsim_error *err) {
    static const struct {
        enum outside_policy policy;
        const char *label;
    } choices[SIMULATED_OUTCOMES_MAX] = {
        {OUTSIDE_CLAMP, "accesses out of bounds clamped"},
        {OUTSIDE_DROP, "stores out of bounds dropped, loads clamped"},
        {OUTSIDE_ZERO, "stores out of bounds dropped, loads zero"},
    };
    bool outside = true;
    memset(simulation, 0, sizeof *simulation);
    for (size_t i = 0; i < SIMULATED_OUTCOMES_MAX && outside; i++)
        if (run_outcome(simulation, request, choices[i].policy, choices[i].label, &outside, arena,
                        err) != 0)
            return -1;
    if (simulation->outcome_count == 1)
        simulation->outcomes[0].label = NULL;
    return 0;
}
