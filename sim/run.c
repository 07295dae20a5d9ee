/* Running jobs. */
#include "sim/run.h"

#include <string.h>

#include "sim/access.h"
#include "sim/error.h"
#include "sim/texture_spec.h"

/* ---- Validation, before anything runs ---- */

static size_t collect_variables(const struct kernel *kernel, const struct job_dispatch *dispatch,
                                struct limits_variable *variables) {
    size_t count = 0;

    for (size_t id = 0; id < kernel->var_limit; id++) {
        const struct wg_var *var = kernel->vars[id];
        if (!var || var->space != WG_SPACE_WORKGROUP ||
            !kernel_entry_uses(dispatch->entry, var->id))
            continue;
        uint64_t elements = kernel_var_count(var, dispatch->overrides);
        struct limits_variable *variable = &variables[count++];
        *variable = (struct limits_variable){.name = var->name,
                                             .element = var->type,
                                             .line = var->line,
                                             .count = elements,
                                             .element_bytes = var->element_bytes,
                                             .stride = var->stride,
                                             .bytes = elements * var->stride};
    }
    return count;
}

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static void count_bindings(const struct kernel *kernel, const struct wg_entry *entry,
                           uint32_t counts[LIMITS_BINDINGS]) {
    for (size_t id = 0; id < kernel->var_limit; id++) {
        const struct wg_var *var = kernel->vars[id];
        if (!var || var->space == WG_SPACE_WORKGROUP || !kernel_entry_uses(entry, var->id))
            continue;
        counts[LIMITS_GROUPS] = larger(counts[LIMITS_GROUPS], var->group + 1);
        counts[LIMITS_NUMBERS] = larger(counts[LIMITS_NUMBERS], var->binding + 1);
        if (!texture_spec_is_texture(var->type))
            counts[var->space == WG_SPACE_UNIFORM ? LIMITS_UNIFORM_BUFFERS
                                                  : LIMITS_STORAGE_BUFFERS]++;
    }
}

int run_check_limits(const struct job *job, const struct limits *limits, struct arena *arena,
                     struct limits_violations *violations, struct wgsim_error *err) {
    for (size_t i = 0; i < job->dispatch_count && !violations->count; i++) {
        const struct job_dispatch *dispatch = &job->dispatches[i];
        struct limits_variable variables[WG_MAX_VARS];
        uint32_t size[3], bindings[LIMITS_BINDINGS] = {0};
        size_t count = collect_variables(job->kernel, dispatch, variables);
        kernel_workgroup_size(dispatch->entry, dispatch->overrides, size);
        count_bindings(job->kernel, dispatch->entry, bindings);
        if (limits_check_pipeline(limits, size, variables, count, arena, violations) < 0 ||
            limits_check_bindings(limits, bindings, arena, violations) < 0 ||
            limits_check_dispatch(limits, dispatch->groups, arena, violations) < 0)
            return error_set(err, "out of memory");
    }
    return 0;
}

static int validate(struct run *run, const struct limits *limits, struct wgsim_error *err) {
    if (run_check_limits(run->job, limits, &run->arena, &run->violations, err) < 0)
        return -1;
    if (run->violations.count)
        run->verdict = VERDICT_REJECTED;
    return 0;
}

/* Whether a dispatch does not end after invocations stood at different barriers, whose verdict goes
 * before all that came of it. */
static bool hangs_diverged(const struct run *run, const struct dispatch *d) {
    bool interrupted = d->options->stop && *d->options->stop;
    bool diverged = d->diverged || run->verdict == VERDICT_DIVERGENCE;

    return diverged && !interrupted &&
           (d->verdict == VERDICT_DEADLOCK || d->verdict == VERDICT_LIVELOCK ||
            d->verdict == VERDICT_SUSPECTED);
}

/* ---- One dispatch ---- */

static int keep(struct run *run, const struct dispatch *d, struct wgsim_error *err) {
    struct run_dispatch *kept = &run->dispatches[run->dispatch_count++];
    size_t sites = (d->launch.kernel->site_limit + 1) * sizeof *kept->sites;

    *kept = (struct run_dispatch){.entry = d->launch.entry,
                                  .memory_bytes = d->launch.memory_bytes,
                                  .occupancy = d->occupancy[0],
                                  .verdict = d->verdict,
                                  .cycles = d->cycle,
                                  .steps = d->steps,
                                  .barriers = d->barriers,
                                  .peak_resident = d->peak_resident,
                                  .admitted = d->admitted,
                                  .finished = d->finished,
                                  .total = dispatch_total(d),
                                  .time = timing_report(d->timing, d->cycle),
                                  .sites = arena_alloc(&run->arena, sites),
                                  .vars = arena_alloc(&run->arena, sizeof d->judge.vars)};
    memcpy(kept->groups, d->launch.groups, sizeof kept->groups);
    memcpy(kept->size, d->launch.size, sizeof kept->size);
    if (!kept->sites || !kept->vars)
        return error_set(err, "out of memory");
    memcpy(kept->sites, d->judge.sites, sites);
    memcpy(kept->vars, d->judge.vars, sizeof d->judge.vars);
    judge_add(&d->judge, run->sites, run->vars);
    run->cycles += d->cycle;
    run->steps += d->steps;
    run->trapped = d->trapped;
    if (run->verdict == VERDICT_FINISHED)
        run->verdict = d->verdict;
    if (hangs_diverged(run, d)) {
        run->verdict = VERDICT_DIVERGENCE;
        run->hang = d->verdict;
    }
    return 0;
}

static int run_bound(struct run *run, const struct dispatch_spec *spec,
                     const struct run_observers *observers, struct wgsim_error *err) {
    struct dispatch d;

    if (dispatch_init(&d, run->device, run->options, spec, err) < 0)
        return -1;
    if (observers) {
        d.listeners = observers->listeners;
        d.listener_count = observers->listener_count;
        for (size_t i = 0; i < observers->row_count; i++)
            dispatch_observe_rows(&d, &observers->rows[i]);
    }
    int result = dispatch_run(&d, err);
    if (result == 0 && observers && observers->stopped)
        result = observers->stopped(observers->self, &d, err);
    if (result == 0)
        result = keep(run, &d, err);
    dispatch_release(&d);
    return result;
}

static int run_one(struct run *run, const struct job_dispatch *spec,
                   const struct run_observers *observers, struct wgsim_error *err) {
    struct wg_view views[WG_MAX_VARS + 1];
    struct saved before;
    struct dispatch_spec what = {.kernel = run->job->kernel,
                                 .entry = spec->entry,
                                 .overrides = spec->overrides,
                                 .buffers = views,
                                 .ops = &access_ops,
                                 .before = &before};

    memcpy(what.groups, spec->groups, sizeof what.groups);
    if (job_bind(run->job, spec, views, err) < 0)
        return -1;
    if (saved_take(&before, run->job->kernel, views) < 0)
        return error_set(err, "out of memory");
    int result = run_bound(run, &what, observers, err);
    saved_release(&before);
    return result;
}

int run_job(struct run *run, struct job *job, const struct device *device,
            const struct run_options *options, const struct limits *limits,
            const struct run_observers *observers, struct wgsim_error *err) {
    *run = (struct run){.device = device, .options = options, .job = job};
    arena_init(&run->arena);
    run->sites = arena_alloc(&run->arena, (job->kernel->site_limit + 1) * sizeof *run->sites);
    run->dispatches = arena_alloc(&run->arena, (job->dispatch_count + 1) * sizeof *run->dispatches);
    int result = run->sites && run->dispatches ? validate(run, limits, err)
                                               : error_set(err, "out of memory");
    for (size_t i = 0; result == 0 && i < job->dispatch_count; i++) {
        if ((run->verdict != VERDICT_FINISHED && run->verdict != VERDICT_DIVERGENCE) ||
            run->hang != VERDICT_FINISHED || run->trapped)
            break;
        result = run_one(run, &job->dispatches[i], observers, err);
    }
    if (result < 0)
        run_release(run);
    return result;
}

void run_release(struct run *run) {
    arena_release(&run->arena);
}
