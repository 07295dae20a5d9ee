/* From a workgroup's start to its end. */
#include "sim/runner.h"

#include <stdlib.h>

#include "sim/error.h"
#include "sim/stand.h"

/* More requests than this in one workgroup, and it is run in steps as time goes. */
enum { REQUESTS_MAX = 1 << 20 };
/* A workgroup that makes more rounds is watched: one that turns in closed loops is found at once,
 * not after so many requests. */
enum { ROUNDS_UNWATCHED = 128 };
/* An overrun stack stays so: it is enough to look now and then, and at the end. */
enum { STACKS_LOOKED_AT = 63 };

const char runner_overrun[] =
    "an invocation ran over the end of its stack (an index outside of one of its local arrays, "
    "deep recursion, large local arrays)";

int runner_init(struct runner *runner, const struct launch *launch, struct wgsim_error *err) {
    runner->workgroup = workgroup_new(launch, true, err);
    if (!runner->workgroup)
        return -1;
    if (guard_init(&runner->guard, launch) < 0) {
        runner_release(runner);
        return error_set(err, "out of memory");
    }
    return 0;
}

void runner_release(struct runner *runner) {
    if (runner->workgroup) {
        judge_forget(runner->workgroup);
        watch_forget(runner->workgroup);
    }
    workgroup_free(runner->workgroup);
    runner->workgroup = NULL;
    watch_free(runner->watch);
    runner->watch = NULL;
    guard_release(&runner->guard);
    free(runner->unkept.items);
    runner->unkept = (struct requests){0};
}

struct row_observer runner_guard(struct runner *runner) {
    return (struct row_observer){.self = &runner->guard, .row = guard_row, .storage_only = true};
}

int runner_tell_overrun(const struct launch *launch, struct wgsim_error *err) {
    return error_set(err, "%s: %s", launch->kernel->desc->name, runner_overrun);
}

int runner_check_stacks(const struct workgroup *w, struct wgsim_error *err) {
    return workgroup_overflown(w) ? runner_tell_overrun(w->launch, err) : 0;
}

/* ---- Loops without an end ---- */

static uint32_t ready_subgroups(const struct workgroup *w) {
    uint32_t count = 0;

    for (uint32_t i = 0; i < w->launch->subgroups; i++)
        count += !lanes_empty(w->subgroups[i].ready);
    return count;
}

/* After a step of a watched workgroup. That it turns for ever is not proved by this, but by the run
 * in steps to which it leads. */
static void look_for_end(struct runner *runner, struct subgroup *s, struct lanes ran,
                         bool collected) {
    struct workgroup *w = runner->workgroup;
    bool waits = lanes_empty(s->ready);
    struct watch_step step = {w, s, ran, collected, ready_subgroups(w) + waits};

    if (runner->judge->changed || w->live != runner->live)
        watch_change(runner->watch);
    else
        runner->guard.conflict |= watch_quiet_step(runner->watch, &step);
    if (waits)
        watch_wait(runner->watch, s);
    runner->live = w->live;
}

static int begin_watching(struct runner *runner) {
    if (!runner->watch && !(runner->watch = watch_new()))
        return -1;
    watch_change(runner->watch);
    runner->live = runner->workgroup->live;
    runner->watching = true;
    runner->judge->ignore_changes = false;
    return 0;
}

static void end_watching(struct runner *runner) {
    runner->watching = false;
    runner->judge->ignore_changes = true;
}

/* ---- Steps ---- */

/* The charge of a step that makes requests is kept, unless all steps take the same. */
static int end_step(struct runner *runner, struct subgroup *s) {
    return runner->even ? 0
                        : schedule_end_step(&runner->workgroup->schedule->subgroups[s->index],
                                            schedule_how(s));
}

static __attribute__((noinline)) int judge_lanes(struct runner *runner, struct subgroup *s,
                                                 struct lane_log *log) {
    struct workgroup *w = runner->workgroup;
    struct lanes ran = s->ready;
    struct requests *requests =
        runner->even ? &runner->unkept : &w->schedule->subgroups[s->index].requests;

    workgroup_look(w, s, ran, log);
    runner->unkept.count = 0;
    size_t before = requests->count;
    judge_step(runner->judge, w, s, log, ran, requests);
    bool collects = lanes_empty(s->ready) && !lanes_empty(s->collective);
    if (collects)
        workgroup_collect(w, s);
    runner->account.requests += requests->count - before + 1;
    if (runner->judge->failed || end_step(runner, s) < 0)
        return -1;
    if (runner->watching)
        look_for_end(runner, s, ran, collects);
    return 0;
}

/* Judges a step that ready lanes of a subgroup have made. -1: out of memory. */
static inline int judge_ran(struct runner *runner, struct subgroup *s, struct lane_log *log) {
    ++*runner->steps;
    if (!lanes_are_block(s->ready) || runner->watching || !workgroup_did_nothing(s, log) ||
        !judge_quiet_step(s))
        return judge_lanes(runner, s, log);
    workgroup_settle_block(runner->workgroup, s);
    runner->account.requests++;
    return end_step(runner, s);
}

/* One step of every subgroup that can run. Unless somebody looks at memory as the step left it,
 * what one did is judged when the next has run: by then what it wrote last has got from the CPU's
 * store buffer to where it can be read as vectors. */
static int run_round(struct runner *runner, bool *ran) {
    struct workgroup *w = runner->workgroup;
    struct subgroup *last = NULL;
    uint32_t log = 0, wait = 0;

    *ran = false;
    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        struct subgroup *s = &w->subgroups[i];
        if (lanes_empty(s->ready)) {
            wait += !lanes_empty(s->at_barrier);
            continue;
        }
        *ran = true;
        workgroup_run(w, s, s->ready, &runner->logs[log ^= 1]);
        if (last && judge_ran(runner, last, &runner->logs[log ^ 1]) < 0)
            return -1;
        if (runner->at_once && judge_ran(runner, s, &runner->logs[log]) < 0)
            return -1;
        last = runner->at_once ? NULL : s;
    }
    if (*ran) {
        runner->account.cycles++;
        runner->account.waited += wait;
    }
    return last ? judge_ran(runner, last, &runner->logs[log]) : 0;
}

/* All that live wait at a barrier. */
static void open_barrier(struct runner *runner) {
    struct workgroup *w = runner->workgroup;
    const struct wg_site *site = stands_together(w);
    bool different_calls;

    if (site) {
        judge_barrier_together(runner->judge, w, site);
    } else {
        if (stands_apart(w, &different_calls, &site))
            runner->apart(runner->self, w, site, different_calls);
        judge_barrier(runner->judge, w, site);
    }
    workgroup_release(w);
    if (runner->watching)
        watch_release(runner->watch, w, 1);
    ++*runner->barriers;
}

static int run_to_end(struct runner *runner, struct wgsim_error *err) {
    size_t rounds = 0;
    bool ran;

    runner->account = (struct runner_account){0};
    while (runner->workgroup->live > 0 && !runner->guard.conflict) {
        if (++rounds == ROUNDS_UNWATCHED && begin_watching(runner) < 0)
            return error_set(err, "out of memory");
        if (run_round(runner, &ran) < 0)
            return error_set(err, "out of memory");
        if (!ran || workgroup_all_wait(runner->workgroup))
            open_barrier(runner);
        runner->guard.conflict |= runner->account.requests > REQUESTS_MAX;
    }
    return 0;
}

int runner_run(struct runner *runner, uint64_t id, struct schedule *schedule,
               struct wgsim_error *err) {
    struct workgroup *w = runner->workgroup;

    w->schedule = schedule;
    workgroup_start(w, id);
    judge_start(runner->judge, w);
    int result = run_to_end(runner, err);
    end_watching(runner);
    w->schedule = NULL; /* it is another's */
    if (result < 0)
        return -1;
    return (++runner->workgroups & STACKS_LOOKED_AT) == 0 ? runner_check_stacks(w, err) : 0;
}
