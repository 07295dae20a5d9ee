/* Hypothetical runs. */
#include "sim/whatif.h"

#include "sim/error.h"

/* The device with units of which no resource but `residents` in all limits what they hold. */
static struct device without_limits(const struct device *device) {
    struct device larger = *device;

    larger.workgroup_memory_bytes = larger.workgroup_slots = larger.subgroup_slots = 0;
    larger.invocation_slots = larger.registers = larger.barrier_slots = 0;
    larger.units = NULL;
    larger.unit_count = 0;
    return larger;
}

int whatif_run(const struct whatif *whatif, uint32_t residents, uint32_t groups,
               struct wgsim_error *err) {
    struct device larger = without_limits(whatif->device);
    struct run_options options = *whatif->options;
    struct dispatch_spec spec = whatif->spec;
    struct dispatch d;

    if (options.stop && *options.stop)
        return VERDICT_SUSPECTED;
    options.max_steps = whatif->max_steps;
    options.weak_memory = false; /* when stores are seen does not decide who waits for whom */
    if (residents)
        options.resident = residents;
    options.park = residents ? whatif->held : 0;
    if (groups) {
        options.order_of = (uint64_t)spec.groups[0] * spec.groups[1] * spec.groups[2];
        spec.groups[0] = groups;
        spec.groups[1] = spec.groups[2] = 1;
    }
    saved_restore(whatif->spec.before);
    if (dispatch_init(&d, residents ? &larger : whatif->device, &options, &spec, err) < 0)
        return -1;
    if (whatif->observer)
        dispatch_observe_rows(&d, whatif->observer);
    if (whatif->rows)
        dispatch_observe_rows(&d, whatif->rows);
    d.listeners = whatif->listener;
    d.listener_count = whatif->listener != NULL;
    int result = dispatch_run(&d, err);
    /* a hang with fewer residents than were allowed is one of memory, not of the kernel */
    if (result == 0)
        result = d.verdict == VERDICT_DEADLOCK && options.park && dispatch_pending(&d) &&
                         d.resident < residents && !d.draining
                     ? VERDICT_SUSPECTED
                     : (int)d.verdict;
    dispatch_release(&d);
    return result;
}

enum { ENDS = 1, HANGS = 0, UNKNOWN = -2 };

static int outcome(int verdict) {
    if (verdict < 0)
        return -1;
    if (verdict == VERDICT_FINISHED || verdict == VERDICT_DIVERGENCE)
        return ENDS;
    return verdict == VERDICT_DEADLOCK || verdict == VERDICT_LIVELOCK ? HANGS : UNKNOWN;
}

/* A question with one number: does it end? */
struct question {
    const struct whatif *whatif;
    bool of_residents; /* else of the size of the dispatch */
};

static int ask(const struct question *question, uint64_t number, struct wgsim_error *err) {
    if (number == 0)
        return question->of_residents ? HANGS : ENDS;
    if (number > UINT32_MAX)
        return UNKNOWN;
    uint32_t n = (uint32_t)number;
    if (question->of_residents && n == question->whatif->ends_with)
        return ENDS;
    return outcome(whatif_run(question->whatif, question->of_residents ? n : 0,
                              question->of_residents ? 0 : n, err));
}

/* Between `low` and `high`, whose outcomes differ, finds neighbours that differ: *edge is the upper
 * one. Every answer is of a run; what lies between is never assumed. */
static int bisect(const struct question *question, uint64_t low, int low_outcome, uint64_t high,
                  uint64_t *edge, bool *found, struct wgsim_error *err) {
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        int answer = ask(question, middle, err);
        if (answer == -1)
            return -1;
        if (answer == UNKNOWN)
            return 0;
        if (answer == low_outcome)
            low = middle;
        else
            high = middle;
    }
    *edge = high;
    *found = true;
    return 0;
}

/* Whether `number` and its lower neighbour differ as wanted. */
static int is_edge(const struct question *question, uint64_t number, int upper, bool *edge,
                   struct wgsim_error *err) {
    int at = ask(question, number, err), below = at == upper ? ask(question, number - 1, err) : at;

    *edge = at == upper && below == !upper;
    return at == -1 || below == -1 ? -1 : 0;
}

int whatif_smallest_residency(const struct whatif *whatif, uint64_t hangs_with, uint64_t likely,
                              uint64_t total, uint64_t *residents, bool *found,
                              struct wgsim_error *err) {
    struct question question = {whatif, true};
    bool edge = false;

    *found = false;
    if (likely > hangs_with && is_edge(&question, likely, ENDS, &edge, err) < 0)
        return -1;
    if (edge) {
        *residents = likely;
        *found = true;
        return 0;
    }
    for (uint64_t low = hangs_with, high = hangs_with * 2;; low = high, high *= 2) {
        high = high > total ? total : high;
        int answer = ask(&question, high, err);
        if (answer == -1)
            return -1;
        if (answer == ENDS)
            return bisect(&question, low, HANGS, high, residents, found, err);
        if (answer == UNKNOWN || high == total)
            return 0;
    }
}

int whatif_largest_dispatch(const struct whatif *whatif, uint64_t likely, uint64_t hangs,
                            uint64_t *groups, bool *found, struct wgsim_error *err) {
    struct question question = {whatif, false};
    bool edge = false;
    uint64_t upper = 0;

    *found = false;
    if (likely + 1 <= hangs && is_edge(&question, likely + 1, HANGS, &edge, err) < 0)
        return -1;
    if (edge) {
        *groups = likely;
        *found = true;
        return 0;
    }
    if (bisect(&question, 0, ENDS, hangs, &upper, found, err) < 0)
        return -1;
    *groups = upper - 1;
    return 0;
}
