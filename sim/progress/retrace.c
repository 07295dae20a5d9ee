/* Following a counterexample. */
#include "sim/progress/retrace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"

struct tracer {
    struct system system;
    enum model model;
    const struct run_options *options;
    struct arena *arena;
    const char *fault;
    size_t steps; /* made */
    struct wgsim_error *err;
};

/* ---- Choices ---- */

static uint32_t residents(const struct tracer *t, const struct system_state *state) {
    uint32_t count = 0;

    for (uint32_t p = 0; p < t->system.count; p++)
        count += process_started(state, p) && process_unfinished(state, p);
    return count;
}

static bool can_step(const struct tracer *t, const struct system_state *state, uint32_t process) {
    return process < t->system.count && process_unfinished(state, process) &&
           (process_started(state, process) || !t->options->resident ||
            residents(t, state) < t->options->resident);
}

static int make_step(struct tracer *t, struct system_state *state, struct decision_step *step) {
    struct system_state from = *state;

    t->steps++;
    if (!can_step(t, state, step->process)) {
        t->fault = arena_printf(t->arena, "workgroup %" PRIu32 " cannot make step %zu",
                                step->process, t->steps);
        return t->fault ? 0 : error_set(t->err, "out of memory");
    }
    if (system_execute_step(&t->system, &from, step->process, state, &step->step, t->err) < 0)
        return -1;
    if (t->system.again)
        t->fault = "workgroups use words that they did not use when it was recorded";
    return 0;
}

static int make_steps(struct tracer *t, struct system_state *state, struct decision_step *steps,
                      size_t count) {
    int result = 0;

    for (size_t i = 0; i < count && result == 0 && !t->fault; i++)
        result = make_step(t, state, &steps[i]);
    return result;
}

/* ---- Weak models ---- */

static uint32_t able(const struct tracer *t, const struct system_state *state) {
    uint32_t set = 0;

    for (uint32_t p = 0; p < t->system.count; p++)
        set |= (uint32_t)can_step(t, state, p) << p;
    return set;
}

static int turn_once(struct tracer *t, const struct system_state *at,
                     struct counterexample *example) {
    struct system_state state = *at;
    uint32_t stepped = 0;

    if (make_steps(t, &state, example->cycle, example->cycle_count) < 0)
        return -1;
    if (t->fault)
        return 0;
    for (size_t i = 0; i < example->cycle_count; i++)
        stepped |= UINT32_C(1) << example->cycle[i].process;
    if (!stepped || memcmp(at, &state, sizeof state) != 0)
        t->fault = "the state does not come back";
    else if (example->guaranteed & able(t, at) & ~stepped)
        t->fault = "a workgroup that the model promises to run makes no step in the cycle";
    example->guaranteed &= stepped;
    return 0;
}

/* ---- Strong models ---- */

/* The states that steps of promised workgroups lead to, each looked at once. */
static int search_way_out(struct tracer *t, const struct system_state *at, struct intern *seen) {
    if (intern_add(seen, at, sizeof *at) == INTERN_FAILED)
        return error_set(t->err, "out of memory");
    for (size_t i = 0; i < seen->count && !t->fault; i++) {
        struct system_state from, to;
        memcpy(&from, intern_get(seen, (uint32_t)i)->bytes, sizeof from);
        uint32_t set = model_guaranteed(models[t->model].fairness, &from, t->system.count);
        if (!set)
            t->fault = "steps of those that must run do reach the end";
        for (set &= able(t, &from); set && !t->fault; set &= set - 1) {
            if (system_make_step(&t->system, &from, (uint32_t)__builtin_ctz(set), &to, NULL,
                                 t->err) < 0)
                return -1;
            if (intern_add(seen, &to, sizeof to) == INTERN_FAILED)
                return error_set(t->err, "out of memory");
        }
    }
    return 0;
}

static int look_for_way_out(struct tracer *t, const struct system_state *at) {
    struct intern seen = {0};
    int result = search_way_out(t, at, &seen);

    intern_release(&seen);
    return result;
}

/* ---- The whole ---- */

static int follow(struct tracer *t, const struct system_state *initial,
                  struct counterexample *example) {
    struct system_state state = *initial;

    example->processes = t->system.count;
    if (make_steps(t, &state, example->prefix, example->prefix_count) < 0)
        return -1;
    if (t->fault)
        return 0;
    example->guaranteed = model_guaranteed(models[t->model].fairness, &state, t->system.count);
    example->started = example->finished = 0;
    for (uint32_t p = 0; p < t->system.count; p++) {
        example->started |= (uint32_t)process_started(&state, p) << p;
        example->finished |= (uint32_t)!process_unfinished(&state, p) << p;
    }
    return models[t->model].strong ? look_for_way_out(t, &state) : turn_once(t, &state, example);
}

int retrace(struct counterexample *example, enum model model, const struct class_list *classes,
            struct job *job, const struct device *device, const struct run_options *options,
            struct arena *arena, const char **fault, struct wgsim_error *err) {
    struct tracer t = {.model = model, .options = options, .arena = arena, .err = err};
    struct system_state initial;
    int result = 0;

    *fault = NULL;
    if (system_open(&t.system, job, device, options, &initial, err) < 0)
        return -1;
    if (classes_apply(classes, &t.system) < 0)
        t.fault = "there are no such words";
    else
        result = follow(&t, &initial, example);
    *fault = t.fault;
    system_release(&t.system);
    job_reset(job);
    return result;
}
