/* From a proved deadlock to sentences' contents. */
#include "sim/explain.h"

#include <string.h>

#include "sim/error.h"
#include "sim/lockstep.h"
#include "sim/looks.h"
#include "sim/whatif.h"
#include "sim/word.h"

/* ---- Who waits on what ---- */

/* The innermost loop that a lane is in. */
static const struct wg_site *loop_of(const struct kernel *kernel, const struct track *track) {
    for (uint32_t i = track ? track->depth : 0; i-- > 0;)
        if (!track->frames[i].is_call)
            return kernel->sites[track->frames[i].site];
    return NULL;
}

static void count_lanes(const struct dispatch *d, const struct subgroup *s,
                        struct explain_waiter *waiter) {
    struct lanes parked = {{0, 0}};

    if (d->options->lockstep)
        parked = lockstep_parked(s);
    uint32_t spinning = lanes_count(lanes_without(s->ready, parked)) + lanes_count(s->collective);
    if (!lanes_empty(parked)) {
        if (!waiter->parked)
            waiter->parked_invocation = s->first + lanes_lowest(parked);
        waiter->parked += lanes_count(parked);
        waiter->parked_subgroups++;
        waiter->parked_spinning += spinning;
    }
    waiter->spinning += spinning;
    waiter->at_barrier += lanes_count(s->at_barrier);
}

/* Of the lowest invocation that has not returned; one that can run goes before others. */
static const struct wg_site *turns_in(const struct dispatch *d, const struct workgroup *w) {
    for (int ready = 1; ready >= 0; ready--)
        for (uint32_t i = 0; i < d->launch.subgroups; i++) {
            const struct subgroup *s = &w->subgroups[i];
            struct lanes lanes = ready ? s->ready : s->live;
            if (!lanes_empty(lanes))
                return loop_of(d->launch.kernel, judge_track(s, lanes_lowest(lanes)));
        }
    return NULL;
}

static void describe(const struct dispatch *d, const struct workgroup *w,
                     struct explain_waiter *waiter) {
    *waiter = (struct explain_waiter){.workgroup = w->id, .cu = w->cu, .slot = w->slot};
    for (uint32_t i = 0; i < d->launch.subgroups; i++)
        count_lanes(d, &w->subgroups[i], waiter);
    waiter->loop = turns_in(d, w);
}

/* Some of its invocations are at a barrier, which will open. */
static void go_round(const struct workgroup *w, struct explain_waiter *waiter) {
    waiter->meets = true;
    waiter->spinning = w->live;
    waiter->at_barrier = waiter->parked = 0;
}

static int collect_waiters(struct explanation *e, struct dispatch *d, struct looks *looks,
                           struct arena *arena, struct wgsim_error *err) {
    e->waiters = arena_alloc(arena, ((size_t)d->resident + 1) * sizeof *e->waiters);
    if (!e->waiters || looks_init(looks, d->launch.kernel, d->resident, arena) < 0)
        return error_set(err, "out of memory");
    for (uint32_t cu = 0; cu < d->device->cus; cu++)
        for (uint32_t slot = 0; slot < d->units[cu].slot_count; slot++) {
            struct workgroup *w = d->units[cu].slots[slot];
            if (!w)
                continue;
            struct explain_waiter *waiter = &e->waiters[e->waiter_count++];
            describe(d, w, waiter);
            if (looks_add(looks, d, w, arena) < 0)
                return error_set(err, "out of memory");
            if (looks->lookers[looks->count - 1].meets)
                go_round(w, waiter);
        }
    return looks_sort(looks, arena) < 0 ? error_set(err, "out of memory") : 0;
}

/* ---- What would end it ---- */

/* Positions of the queue before which all that were admitted lie. */
static bool is_pending(const struct dispatch *d, uint64_t workgroup, uint64_t *position) {
    for (*position = dispatch_first_pending(d); *position < d->queue.total; ++*position)
        if (queue_at(&d->queue, *position) == workgroup)
            return !dispatch_is_out(d, *position);
    return false;
}

/* How much a look tells: that of a word which somebody in the queue would change most. */
static int weight_of(const struct dispatch *d, const struct look *look, uint64_t *position) {
    bool writable = look->site->space == WG_SPACE_STORAGE;

    *position = 0;
    if (look->has_writer)
        return is_pending(d, look->writer, position) ? 4 : 3;
    return look->freed ? 2 : writable;
}

/* Takes a look as what the waiter waits for. */
static void take_look(struct explain_waiter *waiter, const struct wg_var *const *vars,
                      const struct look *look) {
    const struct wg_var *var = vars[word_var(look->place)];

    waiter->site = look->site;
    waiter->loop = NULL;
    waiter->invocation = look->invocation;
    waiter->var = word_var(look->place);
    waiter->offset = look->place & WORD_OFFSET;
    waiter->element = var && var->stride ? waiter->offset / var->stride : 0;
    waiter->value = look->value;
    waiter->freed = look->freed;
    waiter->has_writer = look->has_writer;
    waiter->writer = look->writer;
    waiter->writer_site = look->writer_site;
    waiter->freed_value = look->freed_value;
    waiter->has_freed_value = look->has_writer && look->writer != waiter->workgroup;
    waiter->has_origin = look->has_origin && !look->has_writer;
    waiter->origin = look->origin;
    waiter->origin_site = look->origin_site;
}

/* Each unit may have a queue of its own: every cus-th position. */
static void note_place(const struct dispatch *d, uint64_t position, struct explain_waiter *waiter) {
    bool own = d->options->placement == PLACE_STATIC;
    uint64_t first =
        own ? d->units[position % d->device->cus].next_static : dispatch_first_pending(d);

    waiter->writer_place = (position - first) / (own ? d->device->cus : 1) + 1;
    waiter->writer_next = queue_at(&d->queue, first);
    waiter->writer_unit = (uint32_t)(position % d->device->cus);
}

/* The look that tells most; of several that which stands first in the source. Returns the position
 * in the queue of who would change the word, 0 if that one is not in it. */
static uint64_t choose_look(const struct dispatch *d, const struct looker *looker,
                            struct explain_waiter *waiter) {
    const struct look *best = NULL;
    uint64_t position, best_position = 0;
    int best_weight = 0;

    for (uint32_t i = 0; i < looker->look_count; i++) {
        const struct look *look = &looker->looks[i];
        int weight = weight_of(d, look, &position);
        if (best &&
            (weight < best_weight || (weight == best_weight && look->site->id >= best->site->id)))
            continue;
        best = look;
        best_weight = weight;
        best_position = position;
    }
    if (best)
        take_look(waiter, d->launch.kernel->vars, best);
    waiter->writer_pending = best_weight == 4;
    if (!waiter->writer_pending)
        return 0;
    note_place(d, best_position, waiter);
    return best_position;
}

/* Says of all waiters for what they wait, as far as is not known better. Returns the residency at
 * which the last of those in the queue that are waited for would get a place. */
static uint64_t choose_looks(struct explanation *e, const struct dispatch *d,
                             const struct looks *looks) {
    uint64_t likely = 0;

    for (size_t i = 0; i < e->waiter_count; i++) {
        struct explain_waiter *waiter = &e->waiters[i], before = *waiter;
        uint64_t position = choose_look(d, looks_of(looks, waiter->workgroup), waiter);
        if (before.has_writer && !waiter->has_writer)
            *waiter = before; /* the run that was followed last tells less */
        if (waiter->writer_pending && position + 1 - d->finished > likely)
            likely = position + 1 - d->finished;
    }
    return likely;
}

static bool ends(int verdict) {
    return verdict == VERDICT_FINISHED || verdict == VERDICT_DIVERGENCE;
}

/* Follows who frees the waiters in a run with all workgroups resident; of lanes in lockstep also in
 * one of independent lanes. -1: error. */
static int follow_all(struct explanation *e, const struct dispatch *d, struct whatif *whatif,
                      struct looks *looks, struct wgsim_error *err) {
    const struct row_observer observer = looks_follow(looks);
    const struct run_options *options = whatif->options;
    struct run_options independent = *options;
    uint64_t total = dispatch_total(d);

    if (total > UINT32_MAX)
        return 0;
    whatif->observer = &observer;
    int verdict = whatif_run(whatif, (uint32_t)total, 0, err);
    if (ends(verdict))
        whatif->ends_with = (uint32_t)total;
    else if (d->peak_resident == total)
        looks_keep_origins(looks);
    if (verdict >= 0 && !ends(verdict) && options->lockstep) {
        looks_forget(looks);
        independent.lockstep = false;
        whatif->options = &independent;
        verdict = whatif_run(whatif, (uint32_t)total, 0, err);
        e->ends_independent = ends(verdict);
        whatif->options = options;
    }
    whatif->observer = whatif->rows = NULL;
    whatif->listener = NULL;
    if (!whatif->ends_with && !e->ends_independent)
        looks_forget(looks);
    return verdict < 0 ? -1 : 0;
}

/* Where fewer residents are enough, who frees the waiters there is told: in a run of all others
 * might do the same. */
static int follow_fewest(struct explanation *e, const struct dispatch *d, struct whatif *whatif,
                         struct looks *looks, struct wgsim_error *err) {
    const struct row_observer observer = looks_follow(looks);

    looks_forget(looks);
    whatif->observer = &observer;
    int verdict = whatif_run(whatif, (uint32_t)e->smallest_residency, 0, err);
    whatif->observer = NULL;
    choose_looks(e, d, looks);
    return verdict < 0 ? -1 : 0;
}

static int find_remedies(struct explanation *e, struct dispatch *d, struct whatif *whatif,
                         struct looks *looks, struct wgsim_error *err) {
    if (follow_all(e, d, whatif, looks, err) < 0)
        return -1;
    uint64_t total = dispatch_total(d), likely = choose_looks(e, d, looks);
    if (whatif->ends_with &&
        whatif_smallest_residency(whatif, d->resident, likely, total, &e->smallest_residency,
                                  &e->has_residency, err) < 0)
        return -1;
    if (e->has_residency && e->smallest_residency < total &&
        follow_fewest(e, d, whatif, looks, err) < 0)
        return -1;
    if (d->launch.groups[1] != 1 || d->launch.groups[2] != 1)
        return 0;
    return whatif_largest_dispatch(whatif, d->resident, d->launch.groups[0], &e->largest_dispatch,
                                   &e->has_dispatch, err);
}

/* Steps that a hypothetical run may take before it is given up. */
static uint64_t step_budget(const struct dispatch *d) {
    uint64_t budget = 1000000 + 64 * dispatch_total(d) * d->launch.subgroups;

    return d->options->max_steps && d->options->max_steps < budget ? d->options->max_steps : budget;
}

static int explain_in_place(struct explanation *e, struct dispatch *d,
                            const struct explain_followers *followers, struct looks *looks,
                            struct wgsim_error *err) {
    struct whatif whatif = {.spec = {.kernel = d->launch.kernel,
                                     .entry = d->launch.entry,
                                     .overrides = d->launch.overrides,
                                     .buffers = d->launch.buffers,
                                     .ops = d->launch.ops,
                                     .before = d->before},
                            .device = d->device,
                            .options = d->options,
                            .held = d->max_slots,
                            .listener = followers->listener,
                            .rows = followers->rows,
                            .max_steps = step_budget(d)};

    memcpy(whatif.spec.groups, d->launch.groups, sizeof whatif.spec.groups);
    return find_remedies(e, d, &whatif, looks, err);
}

int explain_deadlock(struct explanation *e, struct dispatch *d,
                     const struct explain_followers *followers, struct arena *arena,
                     struct wgsim_error *err) {
    struct saved now;
    struct looks looks;
    bool capped = d->options->resident && d->resident >= d->options->resident;

    *e = (struct explanation){.pending = dispatch_pending(d),
                              .residents = d->resident,
                              .draining = d->draining,
                              .capped = capped,
                              .limiters = d->draining || capped ? 0 : d->occupancy[0].limiters,
                              .lockstep = d->options->lockstep};
    if (e->pending)
        e->first_pending = queue_at(&d->queue, dispatch_first_pending(d));
    if (collect_waiters(e, d, &looks, arena, err) < 0)
        return -1;
    if (saved_take(&now, d->launch.kernel, d->launch.buffers) < 0)
        return error_set(err, "out of memory");
    int result = explain_in_place(e, d, followers, &looks, err);
    saved_restore(&now);
    saved_release(&now);
    return result;
}
