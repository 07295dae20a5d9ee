/* Tests of the explorer of schedules: its parts, going back to states, and that it never
 * contradicts a run that was proved to hang. */
#include "tests/check_main.h"

#include "sim/access.h"
#include "sim/progress/decide.h"
#include "tests/kernel_run.h"

/* ---- Interned strings ---- */

START_TEST(equal_strings_have_equal_numbers) {
    enum { COUNT = 5000, LENGTH = 13 };
    struct intern intern = {0};
    uint8_t text[LENGTH] = {0};

    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < COUNT; i++) {
            memcpy(text + 5, &i, sizeof i);
            ck_assert_uint_eq(intern_add(&intern, text, sizeof text), i);
        }
    ck_assert_uint_eq(intern.count, COUNT);
    ck_assert_uint_eq(intern.bytes, COUNT * LENGTH);
    for (uint32_t i = 0; i < COUNT; i++) {
        memcpy(text + 5, &i, sizeof i);
        ck_assert_mem_eq(intern_get(&intern, i)->bytes, text, sizeof text);
    }
    intern_release(&intern);
}
END_TEST

START_TEST(strings_differ_by_length_too) {
    static const uint8_t zeros[64];
    struct intern intern = {0};

    for (uint32_t length = 0; length <= sizeof zeros; length++)
        ck_assert_uint_eq(intern_add(&intern, zeros, length), length);
    ck_assert_uint_eq(intern_add(&intern, zeros, 7), 7);
    ck_assert_uint_eq(intern_add(&intern, NULL, 0), 0);
    ck_assert_uint_eq(intern_find(&intern, zeros, 9), 9);
    ck_assert_uint_eq(intern_find(&intern, "x", 1), INTERN_FAILED);
    intern_release(&intern);
}
END_TEST

/* ---- Models ---- */

START_TEST(guaranteed_workgroups) {
    /* Of five: 0 has ended, 1 and 4 have not started, 2 and 3 run. */
    const struct system_state state = {.process = {PROCESS_FINISHED, PROCESS_NOT_STARTED,
                                                   PROCESS_FIRST, PROCESS_FIRST + 7,
                                                   PROCESS_NOT_STARTED}};
    static const uint32_t wanted[] = {
        [FAIRNESS_NONE] = 0x00,    [FAIRNESS_HSA] = 0x02,  [FAIRNESS_OBE] = 0x0c,
        [FAIRNESS_HSA_OBE] = 0x0e, [FAIRNESS_LOBE] = 0x0e, [FAIRNESS_ALL] = 0x1e};

    for (int f = FAIRNESS_NONE; f <= FAIRNESS_ALL; f++)
        ck_assert_uint_eq(model_guaranteed((enum fairness)f, &state, 5), wanted[f]);
    ck_assert_uint_eq(model_guaranteed(FAIRNESS_LOBE, &(struct system_state){0}, 5), 0);
}
END_TEST

/* A graph of two processes given by hand. */
static void decide_by_hand(struct system_state *states, uint32_t *next, uint32_t count,
                           bool complete, struct model_result results[MODEL_COUNT]) {
    struct graph graph = {.processes = 2,
                          .states = states,
                          .next = next,
                          .count = count,
                          .expanded = complete ? count : count - 1,
                          .complete = complete};

    ck_assert_int_eq(models_decide(&graph, results), 0);
}

enum { RUNS = PROCESS_FIRST, ENDED = PROCESS_FINISHED, NOT_YET = PROCESS_NOT_STARTED };

/* 0 waits in state 1 until 1 has run to its end. */
START_TEST(a_wait_for_a_later_workgroup) {
    struct system_state states[] = {{.process = {NOT_YET, NOT_YET}},
                                    {.process = {RUNS, NOT_YET}},
                                    {.process = {NOT_YET, ENDED}},
                                    {.process = {RUNS, ENDED}},
                                    {.process = {ENDED, ENDED}}};
    uint32_t next[] = {
        1, 2, 1, 3, 3, GRAPH_NO_STEP, 4, GRAPH_NO_STEP, GRAPH_NO_STEP, GRAPH_NO_STEP};
    struct model_result results[MODEL_COUNT];

    decide_by_hand(states, next, 5, true, results);
    for (int m = 0; m < MODEL_COUNT; m++) {
        bool fair = models[m].fairness == FAIRNESS_ALL;
        ck_assert_msg(results[m].verdict == (fair ? MODEL_PASSES : MODEL_FAILS), "%s",
                      models[m].name);
        if (!fair && !models[m].strong)
            ck_assert_uint_eq(results[m].state, 1);
    }
    ck_assert_uint_eq(results[MODEL_OBE].processes, 1);
}
END_TEST

START_TEST(an_incomplete_graph_passes_nothing) {
    struct system_state states[] = {{.process = {NOT_YET, NOT_YET}}, {.process = {RUNS, NOT_YET}}};
    uint32_t straight[] = {1, 1, GRAPH_NO_STEP, GRAPH_NO_STEP}, circle[] = {0, 1, 1, 1};
    struct model_result results[MODEL_COUNT];

    decide_by_hand(states, straight, 2, false, results);
    for (int m = 0; m < MODEL_COUNT; m++)
        ck_assert_int_eq(results[m].verdict, MODEL_UNKNOWN);
    decide_by_hand(states, circle, 2, false, results);
    for (int m = 0; m < MODEL_COUNT; m++)
        ck_assert_int_eq(results[m].verdict, models[m].fairness == FAIRNESS_ALL || models[m].strong
                                                 ? MODEL_UNKNOWN
                                                 : MODEL_FAILS);
}
END_TEST

/* ---- Going back ---- */

enum { WALK = 400 };

struct walk {
    struct system system;
    struct system_state states[WALK + 1];
    uint32_t processes[WALK];
    uint8_t *storage[WALK + 1]; /* contents of all buffers, copied */
    size_t bytes;
    uint32_t count;
};

static void copy_storage(const struct job *job, uint8_t *to) {
    for (size_t b = 0; b < job->buffer_count; b++) {
        memcpy(to, job->buffers[b].data, job->buffers[b].bytes);
        to += job->buffers[b].bytes;
    }
}

static void begin_walk(struct walk *walk, const struct kernel_run *r) {
    const struct job_dispatch *dispatch = &r->job.dispatches[0];
    struct wg_view views[WG_MAX_VARS + 1];
    struct wgsim_error err;
    struct dispatch_spec spec = {.kernel = &r->kernel,
                                 .entry = dispatch->entry,
                                 .overrides = dispatch->overrides,
                                 .buffers = views,
                                 .ops = &access_ops};

    memcpy(spec.groups, dispatch->groups, sizeof spec.groups);
    ck_assert_msg(job_bind(&r->job, dispatch, views, &err) == 0, "%s", err.message);
    ck_assert_msg(
        system_init(&walk->system, &r->device, &r->options, &spec, &walk->states[0], &err) == 0,
        "%s", err.message);
    for (size_t b = 0; b < r->job.buffer_count; b++)
        walk->bytes += r->job.buffers[b].bytes;
    for (uint32_t i = 0; i <= WALK; i++)
        walk->storage[i] = malloc(walk->bytes);
}

/* Steps of workgroups drawn at random, until all have ended. */
static void walk_at_random(struct walk *walk, const struct job *job, uint32_t seed) {
    struct system_step step;
    struct wgsim_error err;

    for (uint32_t i = 0;; i++) {
        copy_storage(job, walk->storage[i]);
        walk->count = i;
        uint32_t left = model_guaranteed(FAIRNESS_ALL, &walk->states[i], walk->system.count);
        if (!left || i == WALK)
            return;
        do {
            seed = seed * 1664525 + 1013904223;
            walk->processes[i] = (seed >> 16) % walk->system.count;
        } while (!(left >> walk->processes[i] & 1));
        ck_assert_msg(system_execute_step(&walk->system, &walk->states[i], walk->processes[i],
                                          &walk->states[i + 1], &step, &err) == 0,
                      "%s", err.message);
    }
}

/* Every step again, in an order that goes back and forth. */
static void walk_again(struct walk *walk, const struct job *job) {
    uint8_t *now = malloc(walk->bytes);
    struct system_state after;
    struct system_step step;
    struct wgsim_error err;

    for (uint32_t k = 0; k < walk->count; k++) {
        uint32_t i = (uint32_t)((uint64_t)k * 7919 % walk->count);
        ck_assert_msg(system_execute_step(&walk->system, &walk->states[i], walk->processes[i],
                                          &after, &step, &err) == 0,
                      "%s", err.message);
        ck_assert_uint_eq(after.storage, walk->states[i + 1].storage);
        for (uint32_t p = 0; p < walk->system.count; p++)
            ck_assert_uint_eq(after.process[p], walk->states[i + 1].process[p]);
        copy_storage(job, now);
        ck_assert_mem_eq(now, walk->storage[i + 1], walk->bytes);
    }
    free(now);
}

/* r's kernel is loaded. Releases it. */
static void walk_there_and_back(struct kernel_run *r, uint32_t seed) {
    struct walk walk = {0};
    struct wgsim_error err;

    r->plan.device = &r->device;
    job_init(&r->job, &r->kernel);
    ck_assert_msg(plan_job(&r->job, &r->plan, &err) == 0, "%s", err.message);
    begin_walk(&walk, r);
    do { /* until the words are known that workgroups share */
        system_begin_again(&walk.system);
        walk_at_random(&walk, &r->job, seed);
    } while (walk.system.again);
    ck_assert_uint_ge(walk.count, 3);
    walk_again(&walk, &r->job);
    for (uint32_t i = 0; i <= WALK; i++)
        free(walk.storage[i]);
    system_release(&walk.system);
    job_release(&r->job);
    kernel_release(&r->kernel);
}

START_TEST(going_back_to_a_state_gives_its_bytes) {
    static const char *const names[] = {"chained_scan", "lookback",      "reduce",
                                        "spin_lock",    "ticket_lock",   "late_producer",
                                        "append",       "global_barrier"};
    struct wgsim_error err;
    char path[64];

    for (uint32_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        struct kernel_run r = kernel_run_on("default");
        snprintf(path, sizeof path, "kernels/%s.so", names[k]);
        r.plan.groups[0] = 3;
        r.plan.groups[1] = r.plan.groups[2] = 1;
        ck_assert_msg(kernel_load(&r.kernel, path, &err) == 0, "%s", err.message);
        walk_there_and_back(&r, k);
    }
}
END_TEST

extern const struct wg_kernel subgroup_sum_kernel;

START_TEST(results_of_subgroup_operations_come_back) {
    struct wgsim_error err;

    for (uint32_t seed = 0; seed < 20; seed++) {
        struct kernel_run r = kernel_run_on("default");
        ck_assert_msg(kernel_init(&r.kernel, &subgroup_sum_kernel, "subgroup_sum", &err) == 0, "%s",
                      err.message);
        walk_there_and_back(&r, seed);
    }
}
END_TEST

/* ---- Proofs of deadlock ---- */

static void never_contradicted(const char *name, uint32_t groups, uint32_t resident, int *proved) {
    struct kernel_run r = kernel_run_on("default");
    const struct graph_options limits = {.max_states = 20000};
    struct decision decision;
    struct arena arena;
    struct wgsim_error err;

    r.plan.groups[0] = groups;
    r.plan.groups[1] = r.plan.groups[2] = 1;
    r.options.resident = resident;
    kernel_run_start(&r, name);
    if (r.report.run.verdict == VERDICT_DEADLOCK) {
        arena_init(&arena);
        job_reset(&r.job);
        ck_assert_msg(
            decide(&decision, &r.job, &r.device, &r.options, &limits, false, &arena, &err) == 0,
            "%s: %s", name, err.message);
        static const enum model failing[] = {MODEL_UNFAIR, MODEL_OBE, MODEL_HSA_OBE, MODEL_LOBE};
        for (size_t m = 0; m < sizeof failing / sizeof failing[0]; m++)
            ck_assert_msg(decision.results[failing[m]].verdict != MODEL_PASSES,
                          "%s, %u workgroups, %u resident, %s", name, groups, resident,
                          models[failing[m]].name);
        arena_release(&arena);
        ++*proved;
    }
    kernel_run_end(&r);
}

START_TEST(a_proved_deadlock_is_never_contradicted) {
    static const char *const waiting[] = {"chained_scan",    "global_barrier", "late_producer",
                                          "publish",         "spin_lock",      "spinwait",
                                          "storage_barrier", "ticket_lock",    "waitlast"};
    int proved = 0;

    for (size_t k = 0; k < sizeof waiting / sizeof waiting[0]; k++)
        for (uint32_t groups = 2; groups <= 3; groups++)
            for (uint32_t resident = 1; resident < groups; resident++)
                never_contradicted(waiting[k], groups, resident, &proved);
    ck_assert_int_ge(proved, 6);
}
END_TEST

CHECK_MAIN("progress", equal_strings_have_equal_numbers, strings_differ_by_length_too,
           guaranteed_workgroups, a_wait_for_a_later_workgroup, an_incomplete_graph_passes_nothing,
           going_back_to_a_state_gives_its_bytes, results_of_subgroup_operations_come_back,
           a_proved_deadlock_is_never_contradicted)
