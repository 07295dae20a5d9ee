/* From a proved deadlock to sentences' contents. */
#include "sim/explain.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/lockstep.h"
#include "sim/whatif.h"
#include "sim/word.h"

/* A loop is stepped through at most so often to see what it reads. */
enum { STEPS_WATCHED = 64 };

/* ---- Who waits on what ---- */

/* The last word by which a lane of the subgroup read memory in the step just made; 0: none did. */
static uint64_t last_read(const struct kernel *kernel, const struct lane_log *log, uint32_t lane) {
    const uint64_t *block = lane_log_block(log, lane / WG_LOG_ROW);

    for (uint32_t row = lane_log_rows(log, lane); row-- > 0;) {
        uint64_t word = block[(size_t)row * WG_LOG_ROW + lane % WG_LOG_ROW];
        const struct wg_site *site = kernel->sites[word_site(word)];
        if (!word_is_mark(word) && site && site->bytes && site->op != WG_OP_STORE &&
            site->op != WG_OP_ATOMIC_STORE)
            return word;
    }
    return 0;
}

static void note_read(struct explain_waiter *waiter, const struct workgroup *w, uint64_t word) {
    const struct kernel *kernel = w->launch->kernel;

    waiter->site = kernel->sites[word_site(word)];
    waiter->var = word_var(word);
    waiter->offset = word & WORD_OFFSET;
    const struct wg_var *var = kernel->vars[waiter->var];
    waiter->element = var && var->stride ? waiter->offset / var->stride : 0;
    const struct wg_view *view = &w->ctx.vars[waiter->var];
    if (waiter->offset + sizeof waiter->value <= view->bytes)
        memcpy(&waiter->value, view->data + waiter->offset, sizeof waiter->value);
}

/* The lanes that run next. */
static struct lanes next_lanes(const struct dispatch *d, struct subgroup *s) {
    bool failed = false;
    struct lanes lanes = d->options->lockstep ? lockstep_next(s, &failed) : s->ready;

    return failed ? (struct lanes){{0, 0}} : lanes;
}

/* Lets a subgroup turn in its closed loop until the lowest lane that runs has read something. */
static void watch_turns(struct dispatch *d, struct workgroup *w, struct subgroup *s,
                        struct explain_waiter *waiter) {
    for (int i = 0; i < STEPS_WATCHED && !waiter->site; i++) {
        struct lanes lanes = next_lanes(d, s);
        if (lanes_empty(lanes))
            return;
        workgroup_step(w, s, lanes, &d->logs[0]);
        waiter->invocation = s->first + lanes_lowest(lanes);
        uint64_t word = last_read(d->launch.kernel, &d->logs[0], lanes_lowest(lanes));
        if (word)
            note_read(waiter, w, word);
        if (lanes_empty(s->ready) && !lanes_empty(s->collective))
            workgroup_collect(w, s);
    }
}

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
    if (!lanes_empty(parked) && !waiter->parked)
        waiter->parked_invocation = s->first + lanes_lowest(parked);
    waiter->parked += lanes_count(parked);
    waiter->spinning += lanes_count(lanes_without(s->ready, parked)) + lanes_count(s->collective);
    waiter->at_barrier += lanes_count(s->at_barrier);
}

static void describe(struct dispatch *d, struct workgroup *w, struct explain_waiter *waiter) {
    *waiter = (struct explain_waiter){.workgroup = w->id, .cu = w->cu, .slot = w->slot};
    bool seen = false;

    for (uint32_t i = 0; i < d->launch.subgroups; i++) {
        struct subgroup *s = &w->subgroups[i];
        count_lanes(d, s, waiter);
        if (!seen && !lanes_empty(s->ready)) {
            watch_turns(d, w, s, waiter);
            if (!waiter->site)
                waiter->loop = loop_of(d->launch.kernel, judge_track(s, lanes_lowest(s->ready)));
            seen = true;
        }
    }
}

static int collect_waiters(struct explanation *e, struct dispatch *d, struct arena *arena,
                           struct wgsim_error *err) {
    e->waiters = arena_alloc(arena, ((size_t)d->resident + 1) * sizeof *e->waiters);
    if (!e->waiters)
        return error_set(err, "out of memory");
    for (uint32_t cu = 0; cu < d->device->cus; cu++)
        for (uint32_t slot = 0; slot < d->units[cu].slot_count; slot++)
            if (d->units[cu].slots[slot])
                describe(d, d->units[cu].slots[slot], &e->waiters[e->waiter_count++]);
    return 0;
}

/* ---- What frees them: watched in a run that ends ---- */

/* A word of storage that somebody waits for. */
struct awaited {
    uint64_t place; /* variable and offset, as in a word of the log */
    uint64_t writes;
    uint32_t value; /* at the end of the step in which it was last written */
    uint64_t writer;
    const struct wg_site *site;
};

struct freeing {
    const struct kernel *kernel;
    struct awaited *words; /* by place */
    size_t word_count;
    struct explain_waiter **waiters; /* by workgroup */
    size_t waiter_count;
};

static int compare_places(const void *left, const void *right) {
    uint64_t a = ((const struct awaited *)left)->place, b = ((const struct awaited *)right)->place;

    return (a > b) - (a < b);
}

static int compare_workgroups(const void *left, const void *right) {
    uint64_t a = (*(struct explain_waiter *const *)left)->workgroup;
    uint64_t b = (*(struct explain_waiter *const *)right)->workgroup;

    return (a > b) - (a < b);
}

static uint64_t place_of(const struct explain_waiter *waiter) {
    return (uint64_t)waiter->var << WG_LOG_VAR_SHIFT | waiter->offset;
}

static struct explain_waiter *waiter_of(const struct freeing *f, uint64_t workgroup) {
    struct explain_waiter key = {.workgroup = workgroup}, *pointer = &key;
    struct explain_waiter **found =
        bsearch(&pointer, f->waiters, f->waiter_count, sizeof *f->waiters, compare_workgroups);

    return found ? *found : NULL;
}

/* A waiter reads the word that it waits for: what it sees, and who stored that. */
static void note_look(struct explain_waiter *waiter, const struct awaited *word) {
    waiter->freed = true;
    waiter->has_writer = word->writes > 0;
    waiter->writer = word->writer;
    waiter->writer_site = word->site;
}

static void watch_row(void *self, const struct access_row *row) {
    const struct workgroup *w = row->workgroup;
    struct freeing *f = self;

    for (uint32_t rest = row->mask; rest; rest &= rest - 1) {
        uint32_t column = (uint32_t)__builtin_ctz(rest);
        uint64_t word = row->words[column];
        struct awaited key = {.place = word & WORD_PLACE};
        struct awaited *awaited =
            bsearch(&key, f->words, f->word_count, sizeof key, compare_places);
        if (!awaited)
            continue;
        const struct wg_site *site = f->kernel->sites[word_site(word)];
        struct explain_waiter *waiter = waiter_of(f, w->id);
        if (waiter && waiter->site == site && place_of(waiter) == key.place &&
            waiter->invocation == row->subgroup->first + row->first_lane + column)
            note_look(waiter, awaited);
        if (site->op != WG_OP_LOAD && !word_is_silent(word)) {
            awaited->writes++;
            memcpy(&awaited->value, w->ctx.vars[word_var(word)].data + (word & WORD_OFFSET),
                   sizeof awaited->value);
            awaited->writer = w->id;
            awaited->site = site;
        }
    }
}

static int prepare_freeing(struct freeing *f, struct explanation *e, const struct kernel *kernel,
                           struct arena *arena) {
    *f = (struct freeing){.kernel = kernel};
    f->words = arena_alloc(arena, (e->waiter_count + 1) * sizeof *f->words);
    f->waiters = arena_alloc(arena, (e->waiter_count + 1) * sizeof(struct explain_waiter *));
    if (!f->words || !f->waiters)
        return -1;
    for (size_t i = 0; i < e->waiter_count; i++) {
        if (!e->waiters[i].site || e->waiters[i].site->space == WG_SPACE_WORKGROUP)
            continue;
        f->words[f->word_count++].place = place_of(&e->waiters[i]);
        f->waiters[f->waiter_count++] = &e->waiters[i];
    }
    qsort(f->words, f->word_count, sizeof *f->words, compare_places);
    qsort(f->waiters, f->waiter_count, sizeof(struct explain_waiter *), compare_workgroups);
    return 0;
}

/* ---- What would end it ---- */

/* Positions of the queue before which all that were admitted lie. */
static bool is_pending(const struct dispatch *d, uint64_t workgroup, uint64_t *position) {
    for (*position = dispatch_first_pending(d); *position < d->queue.total; ++*position)
        if (queue_at(&d->queue, *position) == workgroup)
            return !dispatch_is_out(d, *position);
    return false;
}

/* Marks the writers that are not resident yet. Returns the residency at which the last of them
 * would get a place. */
static uint64_t mark_pending(struct explanation *e, const struct dispatch *d) {
    uint64_t likely = 0, position = 0, last = UINT64_MAX;
    bool last_pending = false;

    for (size_t i = 0; i < e->waiter_count; i++) {
        struct explain_waiter *waiter = &e->waiters[i];
        if (!waiter->has_writer)
            continue;
        if (waiter->writer != last) {
            last = waiter->writer;
            last_pending = is_pending(d, last, &position);
        }
        waiter->writer_pending = last_pending;
        if (last_pending && position + 1 - d->finished > likely)
            likely = position + 1 - d->finished;
    }
    return likely;
}

static void forget_freeing(struct explanation *e) {
    for (size_t i = 0; i < e->waiter_count; i++)
        e->waiters[i].freed = e->waiters[i].has_writer = false;
}

/* What freed a waiter is known where its word was written once: of several values in one step only
 * the last is seen. */
static void note_values(const struct freeing *f) {
    for (size_t i = 0; i < f->waiter_count; i++) {
        struct awaited key = {.place = place_of(f->waiters[i])};
        const struct awaited *word =
            bsearch(&key, f->words, f->word_count, sizeof key, compare_places);
        f->waiters[i]->has_freed_value = f->waiters[i]->has_writer && word->writes == 1;
        f->waiters[i]->freed_value = word->value;
    }
}

static bool ends(int verdict) {
    return verdict == VERDICT_FINISHED || verdict == VERDICT_DIVERGENCE;
}

/* Watches who frees the waiters in a run with all workgroups resident; of lanes in lockstep also in
 * one of independent lanes. -1: error. */
static int watch_freeing(struct explanation *e, const struct dispatch *d, struct whatif *whatif,
                         struct freeing *freeing, struct wgsim_error *err) {
    const struct row_observer observer = {.self = freeing, .row = watch_row};
    const struct run_options *options = whatif->options;
    struct run_options independent = *options;
    uint64_t total = dispatch_total(d);

    if (total > UINT32_MAX)
        return 0;
    whatif->observer = &observer;
    int verdict = whatif_run(whatif, (uint32_t)total, 0, err);
    if (ends(verdict))
        whatif->ends_with = (uint32_t)total;
    else
        forget_freeing(e);
    if (verdict >= 0 && !ends(verdict) && options->lockstep) {
        for (size_t i = 0; i < freeing->word_count; i++)
            freeing->words[i].writes = 0;
        independent.lockstep = false;
        whatif->options = &independent;
        verdict = whatif_run(whatif, (uint32_t)total, 0, err);
        e->ends_independent = ends(verdict);
        whatif->options = options;
    }
    whatif->observer = whatif->rows = NULL;
    whatif->listener = NULL;
    if (!whatif->ends_with && !e->ends_independent)
        forget_freeing(e);
    note_values(freeing);
    return verdict < 0 ? -1 : 0;
}

static int find_remedies(struct explanation *e, struct dispatch *d, struct whatif *whatif,
                         struct freeing *freeing, struct wgsim_error *err) {
    if (watch_freeing(e, d, whatif, freeing, err) < 0)
        return -1;
    uint64_t total = dispatch_total(d), likely = mark_pending(e, d);
    if (whatif->ends_with &&
        whatif_smallest_residency(whatif, d->resident, likely, total, &e->smallest_residency,
                                  &e->has_residency, err) < 0)
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
                            const struct explain_followers *followers, struct arena *arena,
                            struct wgsim_error *err) {
    struct freeing freeing;
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
    if (prepare_freeing(&freeing, e, d->launch.kernel, arena) < 0)
        return error_set(err, "out of memory");
    return find_remedies(e, d, &whatif, &freeing, err);
}

int explain_deadlock(struct explanation *e, struct dispatch *d,
                     const struct explain_followers *followers, struct arena *arena,
                     struct wgsim_error *err) {
    struct saved now;
    bool capped = d->options->resident && d->resident >= d->options->resident;

    *e = (struct explanation){.pending = dispatch_pending(d),
                              .residents = d->resident,
                              .draining = d->draining,
                              .capped = capped,
                              .limiters = d->draining || capped ? 0 : d->occupancy[0].limiters,
                              .lockstep = d->options->lockstep};
    if (e->pending)
        e->first_pending = queue_at(&d->queue, dispatch_first_pending(d));
    if (collect_waiters(e, d, arena, err) < 0)
        return -1;
    if (saved_take(&now, d->launch.kernel, d->launch.buffers) < 0)
        return error_set(err, "out of memory");
    int result = explain_in_place(e, d, followers, arena, err);
    saved_restore(&now);
    saved_release(&now);
    return result;
}
