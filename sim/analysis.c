/* The observers of a run together. */
#include "sim/analysis.h"

#include <stdlib.h>

#include "sim/advice.h"
#include "sim/confirm.h"
#include "sim/coverage.h"
#include "sim/element.h"
#include "sim/error.h"
#include "sim/follow.h"
#include "sim/mishaps.h"
#include "sim/order_proof.h"
#include "sim/order_screen.h"
#include "sim/race_report.h"
#include "sim/review.h"
#include "sim/shadow.h"
#include "sim/waits.h"

struct analysis {
    const struct job *job;
    struct shadow shadow;
    struct mishaps mishaps;
    struct samples samples;
    struct waits *waits;
    struct coverage coverage;
    struct races races;     /* of all dispatches */
    struct lost lost;       /* the same */
    struct between between; /* the same: those that seem to matter */
    struct findings *findings;
    uint32_t begun;                  /* dispatches */
    bool running;                    /* one of them */
    bool has_flags;                  /* workgroups may learn from each other by atomics */
    bool stored_before[WG_MAX_VARS]; /* some dispatch before stored to the variable */
    bool failed;                     /* out of memory */
};

struct analysis *analysis_new(const struct job *job, struct findings *findings,
                              struct wgsim_error *err) {
    struct analysis *analysis = calloc(1, sizeof *analysis);

    if (!analysis) {
        error_format(err, "out of memory");
        return NULL;
    }
    analysis->job = job;
    analysis->findings = findings;
    analysis->has_flags = job->kernel->order_matters;
    mishaps_init(&analysis->mishaps, job->kernel);
    analysis->waits = waits_new(job->kernel);
    if (!analysis->waits || shadow_init(&analysis->shadow, job->kernel) < 0 ||
        coverage_init(&analysis->coverage, job) < 0 ||
        samples_init(&analysis->samples, job->kernel) < 0 ||
        races_init(&analysis->races, job->kernel) < 0) {
        error_format(err, "out of memory");
        analysis_free(analysis);
        return NULL;
    }
    return analysis;
}

void analysis_free(struct analysis *analysis) {
    if (!analysis)
        return;
    shadow_release(&analysis->shadow);
    coverage_release(&analysis->coverage);
    samples_release(&analysis->samples);
    waits_free(analysis->waits);
    races_release(&analysis->races);
    free(analysis);
}

/* ---- While it runs ---- */

static void begin(struct analysis *analysis, const struct dispatch *d) {
    if (!analysis->running)
        analysis->begun++;
    analysis->running = true;
    shadow_begin(&analysis->shadow, d);
    waits_begin(analysis->waits, d);
    mishaps_begin(&analysis->mishaps, analysis->begun - 1);
}

/* Whether the dispatch that ends stored to a variable. */
static bool stored_now(const struct analysis *analysis, uint32_t var) {
    return analysis->shadow.dispatch->judge.vars[var].stored_bytes > 0;
}

static void report_read(const struct analysis *analysis, const struct read_entry *entry,
                        enum finding_kind kind) {
    const struct shadow *shadow = &analysis->shadow;
    struct findings *findings = analysis->findings;
    uint32_t dispatch = analysis->begun - 1;
    const struct wg_var *var = shadow->kernel->vars[entry->var];
    struct finding finding = {
        .kind = kind,
        .dispatch = dispatch,
        .variable = var->name,
        .element = entry->byte / var->stride,
        .first = {entry->site, entry->workgroup, entry->lane, FINDING_UNKNOWN},
        .second = FINDING_NO_PLACE,
        .count = entry->count};
    const char *name = element_text(findings, var, entry->byte, entry->site);

    if (kind == FINDING_STALE) {
        finding.first.iteration = entry->turn;
        finding.second.site = entry->store;
        finding.text = findings_text(
            findings,
            "%s, read at line %u in turn %u of the loop, was written at line %u in an "
            "earlier turn; in this one that store wrote only its neighbours",
            name, entry->site->line, entry->turn + 1, entry->store->line);
    } else {
        finding.text = findings_text(
            findings,
            "%s, read at line %u, was never written by its workgroup: it is zero only "
            "because WGSL zeroes workgroup memory",
            name, entry->site->line);
        if (analysis->stored_before[entry->var] && !stored_now(analysis, entry->var)) {
            finding.text = findings_text(
                findings,
                "%s, read at line %u, is zero: an earlier dispatch stored to %s, but workgroup "
                "memory does not outlive its workgroup",
                name, entry->site->line, var->name);
            finding.advice = "carry what the next dispatch needs in a storage buffer";
        }
    }
    findings_add(findings, &finding);
}

static void report_reads(struct analysis *analysis) {
    const struct shadow *shadow = &analysis->shadow;

    for (size_t i = 0; i < shadow->unwritten_count; i++)
        if (!races_at(&shadow->races, shadow->unwritten[i].site))
            report_read(analysis, &shadow->unwritten[i], FINDING_UNINITIALISED);
    for (size_t i = 0; i < shadow->stale_count; i++)
        report_read(analysis, &shadow->stale[i], FINDING_STALE);
    for (size_t id = 0; id < analysis->job->kernel->var_limit; id++)
        analysis->stored_before[id] |= stored_now(analysis, (uint32_t)id);
}

static void report_idle_workgroups(struct analysis *analysis, const struct dispatch *d) {
    const struct shadow *shadow = &analysis->shadow;
    uint64_t idle = shadow->workgroups - shadow->effective;
    unsigned long long invocations = dispatch_total(d) * d->launch.invocations;
    struct finding finding = {.kind = FINDING_OVER_DISPATCH,
                              .dispatch = analysis->begun - 1,
                              .element = FINDING_UNKNOWN,
                              .first = FINDING_NO_PLACE,
                              .second = FINDING_NO_PLACE,
                              .count = idle};

    if (d->verdict != VERDICT_FINISHED || !shadow->effective || idle < 2 ||
        idle < shadow->effective)
        return;
    finding.text = findings_text(
        analysis->findings,
        "%llu of %llu workgroups wrote nothing: %llu invocations were dispatched",
        (unsigned long long)idle, (unsigned long long)shadow->workgroups, invocations);
    finding.advice =
        findings_text(analysis->findings,
                      "dispatchWorkgroups() takes workgroups, not invocations: %llu of %u would do",
                      (unsigned long long)shadow->effective, d->launch.invocations);
    findings_add(analysis->findings, &finding);
}

/* Whether a load of the variable was passed by: who would have made it is not known. */
static bool leaves_a_load_out(const struct kernel *kernel, const struct judge *judge, size_t var) {
    for (size_t id = 0; id < kernel->site_limit; id++) {
        const struct wg_site *site = kernel->sites[id];
        if (site && site->op == WG_OP_LOAD && site->var == var && site->bytes &&
            !judge->sites[id].requests)
            return true;
    }
    return false;
}

/* Whether subgroups that happen to be whole workgroups have nobody to hand the words to. */
static bool is_for_narrower(const struct kernel *kernel, const struct dispatch *d) {
    for (size_t id = 0;
         d->launch.invocations <= d->device->subgroup_width && id < kernel->site_limit; id++)
        if (kernel->sites[id] && kernel->sites[id]->op == WG_OP_SUBGROUP)
            return true;
    return false;
}

/* Every word is read by the invocation that stored it alone, and not more often than it was stored.
 */
static void report_staging(struct analysis *analysis, const struct dispatch *d) {
    if (is_for_narrower(analysis->job->kernel, d))
        return;
    for (size_t id = 0; id < analysis->job->kernel->var_limit; id++) {
        const struct shadow_var *known = &analysis->shadow.vars[id];
        const struct var_count *count = &d->judge.vars[id];
        const struct wg_var *var = analysis->job->kernel->vars[id];
        if (!var || var->space != WG_SPACE_WORKGROUP || !known->tracked || known->shared ||
            known->ordering || known->mixed || !count->loaded_bytes ||
            count->loaded_bytes > count->stored_bytes ||
            leaves_a_load_out(analysis->job->kernel, &d->judge, id))
            continue;
        struct finding finding = {.kind = FINDING_USELESS_STAGING,
                                  .dispatch = analysis->begun - 1,
                                  .variable = var->name,
                                  .element = FINDING_UNKNOWN,
                                  .first = FINDING_NO_PLACE,
                                  .second = FINDING_NO_PLACE,
                                  .file = analysis->job->kernel->desc->source,
                                  .line = var->line,
                                  .count = 1};
        finding.text = findings_text(
            analysis->findings,
            "%s: each word is read only by the invocation that stored it, %.2g load%s "
            "a store on average: "
            "workgroup memory buys nothing here",
            var->name, (double)count->loaded_bytes / (double)count->stored_bytes,
            count->loaded_bytes == count->stored_bytes ? "" : "s");
        findings_add(analysis->findings, &finding);
    }
}

/* Where results are listed in words of floats that were added. */
static bool adds_floats(const struct findings *findings) {
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].kind == FINDING_FLOAT_ORDER)
            return true;
    return false;
}

/* Of a pair of places so many dispatches are looked at for whether their order matters. */
enum { LOOKS_MAX = 8 };
/* And so many pairs of atomics of two workgroups in a dispatch. */
enum { BETWEEN_SCREENED = 4 };

static void screen(struct analysis *analysis, struct race_entry *entry, const struct dispatch *d) {
    const struct race_entry *known = races_find(&analysis->races, &entry->example);

    if (!known || (!known->ways && known->looks < LOOKS_MAX))
        order_screen(d, entry, adds_floats(analysis->findings));
}

/* What a wait loads in vain does not matter. */
static void join_races(struct analysis *analysis, const struct dispatch *d) {
    const struct shadow *shadow = &analysis->shadow;

    analysis->races.full |= shadow->races.full;
    for (size_t i = 0; i < shadow->races.count; i++) {
        struct race_entry *entry = &shadow->races.items[i];
        const struct race *race = &entry->example;
        if (race->ordering && (spins_is_wait(&shadow->spins, race->first.site) ||
                               spins_is_wait(&shadow->spins, race->second.site)))
            continue;
        if (race->ordering && d->verdict == VERDICT_FINISHED)
            screen(analysis, entry, d);
        races_join(&analysis->races, entry, analysis->begun - 1);
    }
}

/* What a wait loads in vain does not matter here either. */
static void join_between(struct analysis *analysis, const struct dispatch *d) {
    const struct between *seen = waits_between(analysis->waits);
    uint32_t asked = 0;

    for (size_t i = 0; i < seen->count && asked < BETWEEN_SCREENED; i++) {
        struct between_entry entry = seen->entries[i];
        if (!between_is_open(&entry) || waits_at(analysis->waits, entry.first.site) ||
            waits_at(analysis->waits, entry.second.site) ||
            between_find(&analysis->between, &entry))
            continue;
        entry.dispatch = analysis->begun - 1;
        asked++;
        if (order_screen_between(d, &entry, adds_floats(analysis->findings)))
            between_keep(&analysis->between, &entry);
    }
}

static void end(struct analysis *analysis, const struct dispatch *d) {
    analysis->running = false;
    mishaps_report(&analysis->mishaps, analysis->job, analysis->findings);
    join_races(analysis, d);
    if (d->verdict == VERDICT_FINISHED)
        confirm_lost(waits_lost(analysis->waits), d);
    lost_join(&analysis->lost, waits_lost(analysis->waits), analysis->begun - 1);
    waits_report(analysis->waits, analysis->begun - 1, d->verdict == VERDICT_FINISHED,
                 analysis->findings);
    if (d->verdict == VERDICT_FINISHED)
        join_between(analysis, d);
    report_reads(analysis);
    report_idle_workgroups(analysis, d);
    report_staging(analysis, d);
    if (coverage_add(&analysis->coverage, &analysis->shadow, d) < 0)
        analysis->failed = true;
}

static void hear(void *self, const struct record *record) {
    struct analysis *analysis = self;

    if (record->type == RECORD_DISPATCH_BEGIN)
        begin(analysis, record->dispatch);
    else if (record->type == RECORD_DISPATCH_END)
        end(analysis, record->dispatch);
    else if (record->type == RECORD_OUTSIDE)
        follow_outside(&analysis->shadow, record);
    mishaps_hear(&analysis->mishaps, record);
}

struct listener analysis_listener(struct analysis *analysis) {
    return (struct listener){.self = analysis, .hear = hear, .sparse = true};
}

static void see_start(void *self, const struct workgroup *w) {
    struct analysis *analysis = self;

    shadow_start(&analysis->shadow, w);
}

static void see_barrier(void *self, const struct workgroup *w, const struct wg_site *site) {
    struct analysis *analysis = self;

    shadow_barrier(&analysis->shadow, w, site);
}

static void see_row(void *self, const struct access_row *row) {
    struct analysis *analysis = self;

    samples_row(&analysis->samples, analysis->shadow.dispatch->device, row);
    follow_row(&analysis->shadow, row);
    if (analysis->has_flags)
        waits_row(analysis->waits, row);
}

static void see_reshape(void *self) {
    struct analysis *analysis = self;

    follow_reshape(&analysis->shadow);
}

struct row_observer analysis_rows(struct analysis *analysis) {
    return (struct row_observer){.self = analysis,
                                 .later = true,
                                 .row = see_row,
                                 .reshape = see_reshape,
                                 .start = see_start,
                                 .barrier = see_barrier};
}

/* ---- When it is over ---- */

static bool failed(const struct analysis *analysis) {
    return analysis->failed || analysis->shadow.failed || analysis->races.failed ||
           analysis->findings->failed;
}

int analysis_finish_what_if(struct analysis *analysis, struct wgsim_error *err) {
    struct findings *findings = analysis->findings;
    size_t kept = 0;

    races_report(&analysis->races, analysis->job, NULL, findings);
    for (size_t i = 0; i < findings->count; i++)
        if (finding_kinds[findings->items[i].kind].severity != SEVERITY_ADVICE)
            findings->items[kept++] = findings->items[i];
    findings->count = kept;
    return failed(analysis) ? error_set(err, "out of memory") : 0;
}

/* What can only be said of races and of lost updates when the job is run again. */
static int review(struct analysis *analysis, const struct run *run, bool **published,
                  struct wgsim_error *err) {
    struct order_doubts doubts = {.races = &analysis->races,
                                  .lost = &analysis->lost,
                                  .between = &analysis->between,
                                  .adds_floats = adds_floats(analysis->findings)};

    races_settle(&analysis->races);
    if (review_races(run, &analysis->races, &analysis->shadow.spins, published, err) < 0)
        return -1;
    doubts.made_sure = *published;
    return order_prove(run, &doubts, err);
}

int analysis_finish(struct analysis *analysis, const struct run *run, struct wgsim_error *err) {
    struct findings *findings = analysis->findings;
    bool *published;
    int result = review(analysis, run, &published, err);

    lost_report(&analysis->lost, analysis->job->kernel, findings);
    between_report(&analysis->between, analysis->job->kernel, findings);
    races_report(&analysis->races, analysis->job, published, findings);
    free(published);
    if (result < 0)
        return -1;
    if (run->verdict == VERDICT_FINISHED)
        coverage_report(&analysis->coverage, &analysis->races, findings);
    advice_add(run, &analysis->samples, findings);
    return failed(analysis) ? error_set(err, "out of memory") : 0;
}
