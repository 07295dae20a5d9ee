/* Comparison of results. */
#include "sim/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "sim/shadow.h"

const char *const sweep_cause_texts[SWEEP_CAUSES] = {
    [SWEEP_NOTHING] = "the same",
    [SWEEP_VERDICT] = "one run ends otherwise",
    [SWEEP_REJECTED] = "a limit is passed: it is rejected, and nothing runs",
    [SWEEP_ACCEPTED] = "it is within the limits, which it is not as it is",
    [SWEEP_WIDTH] = "the result depends on the subgroup width",
    [SWEEP_RACE] = "a data race: what is read depends on the order",
    [SWEEP_PROMISE] = "atomics without an order among each other",
    [SWEEP_FLOAT] = "floats in their last digits: the order of additions",
    [SWEEP_RESIDENCY] =
        "neither a race nor atomics do it: the dispatch follows what the device holds",
};

/* ---- Keeping ---- */

static bool is_atomic(const struct wg_site *site) {
    return site && site->op >= WG_OP_ATOMIC_LOAD && site->op <= WG_OP_ATOMIC_COMPARE_EXCHANGE;
}

static bool uses_places(const struct kernel *kernel) {
    for (size_t id = 0; id < kernel->site_limit; id++)
        if (is_atomic(kernel->sites[id]) && !(kernel->sites[id]->flags & WG_SITE_UNUSED))
            return true;
    return false;
}

static bool may_be_of_one_variable(const struct wg_site *one, const struct wg_site *two) {
    return one->var == two->var || one->var == WG_VAR_DYNAMIC || two->var == WG_VAR_DYNAMIC;
}

/* Whether what an atomic leaves depends on whether others come before it or behind it, though its
 * result is not used. */
static bool leaves_by_order(const struct kernel *kernel, const struct wg_site *site) {
    if (site->op < WG_OP_ATOMIC_ADD || site->op > WG_OP_ATOMIC_XOR) /* it overwrites */
        return true;
    for (size_t id = 0; id < kernel->site_limit; id++) {
        const struct wg_site *other = kernel->sites[id];
        if (is_atomic(other) && may_be_of_one_variable(site, other) &&
            !shadow_updates_commute(site->op, other->op))
            return true;
    }
    return false;
}

/* Whether the order of atomics may make another result. */
static bool orders_atomics(const struct kernel *kernel) {
    for (size_t id = 0; id < kernel->site_limit; id++)
        if (is_atomic(kernel->sites[id]) && leaves_by_order(kernel, kernel->sites[id]))
            return true;
    return uses_places(kernel);
}

int sweep_keep(struct sweep_result *result, const struct report *report, const struct job *job) {
    *result = (struct sweep_result){.verdict = report->run.verdict,
                                    .cycles = report->run.cycles,
                                    .turns = report->run.options->pace != PACE_MODELLED,
                                    .width = report->run.device->subgroup_width,
                                    .result_free =
                                        (job->kernel->desc->flags & WG_KERNEL_RESULT_FREE) != 0,
                                    .takes_places = uses_places(job->kernel),
                                    .orders_atomics = orders_atomics(job->kernel)};
    for (size_t i = 0; i < report->findings.count; i++)
        result->found |= UINT64_C(1) << report->findings.items[i].kind;
    for (size_t i = 0; i < report->output_count; i++) {
        result->checked |= report->outputs[i].check != REPORT_UNCHECKED;
        result->wrong |= report->outputs[i].check == REPORT_DIFFER;
    }
    if (result->verdict == VERDICT_REJECTED) {
        result->reason = strdup(report->run.violations.items[0].text);
        if (!result->reason)
            return -1;
    }
    return results_keep(&result->results, job, result->found >> FINDING_FLOAT_ORDER & 1);
}

void sweep_release(struct sweep_result *result) {
    results_release(&result->results);
    free(result->reason);
    *result = (struct sweep_result){0};
}

/* ---- Comparing ---- */

static bool raced(const struct sweep_result *a, const struct sweep_result *b) {
    const finding_set races = UINT64_C(1) << FINDING_RACE | UINT64_C(1) << FINDING_RACE_STORAGE |
                              UINT64_C(1) << FINDING_PUBLISH_BY_FLAG;

    return ((a->found | b->found) & races) != 0;
}

/* Each run proves it of itself. */
static bool depends_on_order(const struct sweep_result *a, const struct sweep_result *b) {
    return ((a->found | b->found) >> FINDING_ORDER_DEPENDENT & 1) != 0;
}

static enum sweep_cause cause_of(const struct sweep_result *a, const struct sweep_result *b,
                                 bool width, bool last_digits) {
    if (raced(a, b))
        return SWEEP_RACE;
    if (last_digits)
        return SWEEP_FLOAT;
    if (width)
        return SWEEP_WIDTH;
    return a->orders_atomics || depends_on_order(a, b) ? SWEEP_PROMISE : SWEEP_RESIDENCY;
}

static enum finding_kind kind_of(enum sweep_cause cause, bool width) {
    if (cause == SWEEP_REJECTED || cause == SWEEP_ACCEPTED)
        return FINDING_LIMIT;
    if (cause == SWEEP_FLOAT)
        return FINDING_FLOAT_ORDER;
    return width ? FINDING_WIDTH_DEPENDENT : FINDING_ORDER_DEPENDENT;
}

/* Verdicts that differ. */
static struct sweep_difference ends_otherwise(enum verdict a, enum verdict b, bool width) {
    enum sweep_cause cause = b == VERDICT_REJECTED   ? SWEEP_REJECTED
                             : a == VERDICT_REJECTED ? SWEEP_ACCEPTED
                                                     : SWEEP_VERDICT;
    struct sweep_difference difference = {.cause = cause, .kind = kind_of(cause, width)};

    strcpy(difference.at.a_value, verdict_names[a]);
    strcpy(difference.at.b_value, verdict_names[b]);
    return difference;
}

struct sweep_difference sweep_compare(const struct sweep_result *a, const struct sweep_result *b,
                                      bool width) {
    struct sweep_difference difference = {.cause = SWEEP_NOTHING};
    bool ended = a->verdict == VERDICT_FINISHED;

    if (a->verdict != b->verdict)
        return ends_otherwise(a->verdict, b->verdict, width);
    bool by_check = a->result_free && a->checked && a->wrong == b->wrong;
    if (!ended || by_check || !results_comparable(&a->results, &b->results))
        return difference;
    difference.at = results_compare(&a->results, &b->results);
    if (difference.at.a) {
        /* other subgroups come in another order: where that matters, or places are taken in it */
        width = width && !depends_on_order(a, b) &&
                !(a->takes_places && results_in_other_places(&a->results, &b->results));
        /* devices of other widths, where nothing else makes a difference */
        width |=
            a->width != b->width && !a->takes_places && !depends_on_order(a, b) && !raced(a, b);
        difference.cause = cause_of(a, b, width, difference.at.last_digits);
        difference.kind = kind_of(difference.cause, width);
    }
    return difference;
}
