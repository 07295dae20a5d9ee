/* All kernels decided with and without what nobody reads. */
#include "tests/check_main.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "sim/plan.h"
#include "sim/preset.h"
#include "sim/progress/decide.h"

struct subject {
    struct device device;
    struct kernel kernel;
    struct job job;
    struct arena arena;
};

/* False: the kernel's plan takes no such dispatch, or there is none. */
static bool open_subject(struct subject *s, const char *path) {
    struct plan_options plan = {.device = &s->device, .groups = {3, 1, 1}, .groups_offered = true};
    struct wgsim_error err;

    arena_init(&s->arena);
    ck_assert_msg(preset_find(&s->device, "default", &err) == 0, "%s", err.message);
    ck_assert_msg(kernel_load(&s->kernel, path, &err) == 0, "%s", err.message);
    job_init(&s->job, &s->kernel);
    return plan_job(&s->job, &plan, &err) == 0 && s->job.dispatch_count > 0 &&
           (uint64_t)s->job.dispatches[0].groups[0] * s->job.dispatches[0].groups[1] *
                   s->job.dispatches[0].groups[2] <=
               SYSTEM_MAX;
}

static void close_subject(struct subject *s) {
    job_release(&s->job);
    kernel_release(&s->kernel);
    arena_release(&s->arena);
}

/* Few states: what takes more takes long, both ways. */
enum { SOME_STATES = 20000, DEFAULT_STATES = 100000, STEPS_A_STATE = 20 };

static struct decision decision_of(struct subject *s, bool keep_unread, uint64_t states) {
    const struct run_options options = {0};
    const struct graph_options limits = {
        .max_states = states, .max_steps = states * STEPS_A_STATE, .keep_unread = keep_unread};
    struct decision decision;
    struct wgsim_error err;

    ck_assert_msg(
        decide(&decision, &s->job, &s->device, &options, &limits, false, &s->arena, &err) == 0,
        "%s", err.message);
    return decision;
}

/* Decided both ways, decided only without what nobody reads, and of those both ways with fewer
 * states. */
struct tally {
    int both, only_reduced, fewer;
};

static void compare(struct subject *s, struct tally *tally) {
    struct decision reduced = decision_of(s, false, SOME_STATES);
    struct decision whole = decision_of(s, true, SOME_STATES);

    ck_assert_msg(reduced.complete || !whole.complete, "%s", s->kernel.desc->name);
    tally->only_reduced += reduced.complete && !whole.complete;
    if (!whole.complete)
        return;
    tally->both++;
    tally->fewer += reduced.states < whole.states;
    ck_assert_msg(reduced.states <= whole.states, "%s", s->kernel.desc->name);
    for (int m = 0; m < MODEL_COUNT; m++)
        ck_assert_msg(reduced.results[m].verdict == whole.results[m].verdict, "%s, %s",
                      s->kernel.desc->name, models[m].name);
}

START_TEST(the_same_answers_from_fewer_states) {
    struct tally tally = {0};
    glob_t found;

    ck_assert_int_eq(glob("kernels/*.so", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct subject s;
        if (open_subject(&s, found.gl_pathv[i]))
            compare(&s, &tally);
        close_subject(&s);
    }
    globfree(&found);
    printf("# %d kernels both ways, %d of them in fewer states; %d only without the unread\n",
           tally.both, tally.fewer, tally.only_reduced);
    ck_assert_int_ge(tally.both, 20);
    ck_assert_int_ge(tally.fewer, 5);
    ck_assert_int_ge(tally.only_reduced, 3);
}
END_TEST

static void is_decided(const char *path) {
    struct subject s;

    ck_assert(open_subject(&s, path));
    struct decision decision = decision_of(&s, false, DEFAULT_STATES);
    ck_assert_msg(decision.complete, "%s: %s", path, decision.why);
    for (int m = 0; m < MODEL_COUNT; m++)
        ck_assert_int_eq(decision.results[m].verdict, MODEL_PASSES);
    close_subject(&s);
}

START_TEST(kernels_that_wait_for_nobody) {
    is_decided("kernels/append.so");
    is_decided("kernels/histogram.so");
    is_decided("kernels/scan.so");
}
END_TEST

CHECK_MAIN("reduction", the_same_answers_from_fewer_states, kernels_that_wait_for_nobody)
