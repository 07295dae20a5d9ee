/* Counterexamples made again, choice by choice, and changed ones refused. */
#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>

#include "sim/plan.h"
#include "sim/preset.h"
#include "sim/progress/retrace.h"

/* A kernel that was decided. */
struct decided {
    struct device device;
    struct run_options options;
    struct kernel kernel;
    struct job job;
    struct arena arena;
    struct decision decision;
};

static void decide_kernel(struct decided *d, const char *name, uint32_t groups, uint32_t resident) {
    struct plan_options plan = {.device = &d->device, .groups = {groups, 1, 1}};
    struct graph_options limits = {.max_states = 20000, .resident = resident};
    struct wgsim_error err;
    char path[64];

    *d = (struct decided){.options.resident = resident};
    arena_init(&d->arena);
    snprintf(path, sizeof path, "kernels/%s.so", name);
    ck_assert_msg(preset_find(&d->device, "default", &err) == 0, "%s", err.message);
    ck_assert_msg(kernel_load(&d->kernel, path, &err) == 0, "%s", err.message);
    job_init(&d->job, &d->kernel);
    ck_assert_msg(plan_job(&d->job, &plan, &err) == 0, "%s", err.message);
    ck_assert_msg(
        decide(&d->decision, &d->job, &d->device, &d->options, &limits, true, &d->arena, &err) == 0,
        "%s", err.message);
}

static void release(struct decided *d) {
    job_release(&d->job);
    kernel_release(&d->kernel);
    arena_release(&d->arena);
}

/* Only whose steps they are. */
static struct decision_step *choices_of(struct decided *d, const struct decision_step *steps,
                                        size_t count) {
    struct decision_step *choices = arena_alloc(&d->arena, (count + 1) * sizeof *choices);

    ck_assert(choices);
    for (size_t i = 0; i < count; i++)
        choices[i].process = steps[i].process;
    return choices;
}

static struct counterexample choices_again(struct decided *d, enum model model) {
    const struct counterexample *example = &d->decision.examples[model];

    return (struct counterexample){
        .prefix = choices_of(d, example->prefix, example->prefix_count),
        .prefix_count = example->prefix_count,
        .cycle = choices_of(d, example->cycle, example->cycle_count),
        .cycle_count = example->cycle_count,
    };
}

/* NULL: it is a counterexample. */
static const char *fault_of(struct decided *d, struct counterexample *choices, enum model model) {
    const char *fault;
    struct wgsim_error err;

    ck_assert_msg(retrace(choices, model, &d->decision.classes, &d->job, &d->device, &d->options,
                          &d->arena, &fault, &err) == 0,
                  "%s", err.message);
    return fault;
}

static void same_steps(const struct decision_step *a, const struct decision_step *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(a[i].process, b[i].process);
        ck_assert_ptr_eq(a[i].step.site, b[i].step.site);
        ck_assert_uint_eq(a[i].step.offset, b[i].step.offset);
        ck_assert_int_eq(a[i].step.changed, b[i].step.changed);
    }
}

static void comes_out_again(struct decided *d, enum model model) {
    const struct counterexample *then = &d->decision.examples[model];
    struct counterexample now = choices_again(d, model);
    const char *fault = fault_of(d, &now, model);

    ck_assert_msg(!fault, "%s, %s: %s", d->kernel.desc->name, models[model].name, fault);
    same_steps(now.prefix, then->prefix, now.prefix_count);
    same_steps(now.cycle, then->cycle, now.cycle_count);
    ck_assert_uint_eq(now.guaranteed, then->guaranteed);
    ck_assert_uint_eq(now.started, then->started);
    ck_assert_uint_eq(now.finished, then->finished);
    ck_assert_uint_eq(now.processes, then->processes);
}

START_TEST(every_counterexample_comes_out_again) {
    static const char *const names[] = {"chained_scan", "global_barrier", "late_producer",
                                        "livelock",     "publish",        "spinwait",
                                        "ticket_lock",  "waitlast"};
    int examples = 0;

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (uint32_t resident = 0; resident < 3; resident++) {
            struct decided d;
            decide_kernel(&d, names[k], strcmp(names[k], "livelock") == 0 ? 2 : 3, resident);
            for (int m = 0; m < MODEL_COUNT; m++)
                if (d.decision.results[m].verdict == MODEL_FAILS) {
                    comes_out_again(&d, (enum model)m);
                    examples++;
                }
            release(&d);
        }
    ck_assert_int_ge(examples, 100);
}
END_TEST

static void is_faulty(struct decided *d, struct counterexample *choices, enum model model,
                      const char *wanted) {
    const char *fault = fault_of(d, choices, model);

    ck_assert_ptr_nonnull(fault);
    ck_assert_str_eq(fault, wanted);
}

START_TEST(steps_that_cannot_be_made) {
    struct decided d;

    decide_kernel(&d, "ticket_lock", 3, 0);
    struct counterexample choices = choices_again(&d, MODEL_HSA);
    ck_assert_uint_eq(choices.prefix_count, 3);
    choices.prefix[2].process = 7;
    is_faulty(&d, &choices, MODEL_HSA, "workgroup 7 cannot make step 3");
    release(&d);

    decide_kernel(&d, "spinwait", 3, 2);
    choices = choices_again(&d, MODEL_WEAK_FAIR);
    ck_assert_uint_eq(choices.prefix_count, 2);
    choices.cycle[0].process = 2;
    is_faulty(&d, &choices, MODEL_WEAK_FAIR, "workgroup 2 cannot make step 3");
    release(&d);
}
END_TEST

START_TEST(cycles_that_do_not_close) {
    struct decided d;

    decide_kernel(&d, "livelock", 2, 0);
    struct counterexample choices = choices_again(&d, MODEL_WEAK_FAIR);
    choices.cycle_count--;
    is_faulty(&d, &choices, MODEL_WEAK_FAIR, "the state does not come back");
    choices.cycle_count = 0;
    is_faulty(&d, &choices, MODEL_WEAK_FAIR, "the state does not come back");
    release(&d);
}
END_TEST

START_TEST(counterexamples_to_other_models) {
    struct decided d;

    decide_kernel(&d, "spinwait", 3, 0);
    struct counterexample choices = choices_again(&d, MODEL_OBE);
    is_faulty(&d, &choices, MODEL_WEAK_FAIR,
              "a workgroup that the model promises to run makes no step in the cycle");
    is_faulty(&d, &choices, MODEL_STRONG_FAIR, "steps of those that must run do reach the end");
    ck_assert_ptr_null(fault_of(&d, &choices, MODEL_HSA));
    release(&d);
}
END_TEST

/* The second to hold the lock reads what the first one wrote. */
START_TEST(words_that_are_not_known) {
    struct decision_step steps[] = {{.process = 0}, {.process = 0}, {.process = 0},
                                    {.process = 1}, {.process = 1}, {.process = 1}};
    struct counterexample choices = {.prefix = steps, .prefix_count = sizeof steps / sizeof *steps};
    struct decided d;

    decide_kernel(&d, "ticket_lock", 3, 0);
    ck_assert_uint_ge(d.decision.classes.count, 1);
    d.decision.classes.count = 0;
    is_faulty(&d, &choices, MODEL_HSA,
              "workgroups use words that they did not use when it was recorded");
    d.decision.classes.count = 1;
    d.decision.classes.items[0].count = UINT64_MAX;
    is_faulty(&d, &choices, MODEL_HSA, "there are no such words");
    release(&d);
}
END_TEST

CHECK_MAIN("retrace", every_counterexample_comes_out_again, steps_that_cannot_be_made,
           cycles_that_do_not_close, counterexamples_to_other_models, words_that_are_not_known)
