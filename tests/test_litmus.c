/* Every program of two threads and up to three instructions: explorer and oracle agree, whether or
 * not the explorer leaves out what nobody reads. */
#include "tests/check_main.h"

#include "sim/preset.h"
#include "sim/progress/decide.h"
#include "sim/progress/litmus.h"
#include "tests/litmus_oracle.h"

enum { VALUES = 2, TEXT_MAX = 256 };

struct comparison {
    struct device device;
    struct kernel kernel;
    struct arena arena;
    struct oracle_program program;
    int compared, passes[ORACLE_MODELS];
    int shorter; /* those of which states were left out */
};

static void comparison_begin(struct comparison *c) {
    struct wgsim_error err;

    *c = (struct comparison){0};
    arena_init(&c->arena);
    ck_assert_msg(preset_find(&c->device, "default", &err) == 0, "%s", err.message);
    ck_assert_msg(kernel_init(&c->kernel, &litmus_kernel, "litmus", &err) == 0, "%s", err.message);
}

static void comparison_end(struct comparison *c) {
    kernel_release(&c->kernel);
    arena_release(&c->arena);
}

static void compare(struct comparison *c) {
    const struct run_options options = {0};
    const struct graph_options limits = {0}, whole = {.keep_unread = true};
    struct decision decision, longer;
    struct job job;
    struct wgsim_error err;
    bool ends[ORACLE_MODELS];
    char text[TEXT_MAX];

    oracle_print(&c->program, text, sizeof text);
    oracle_decide(&c->program, ends);
    ck_assert_msg(litmus_job(&job, &c->kernel, text, &err) == 0, "%s", err.message);
    ck_assert_msg(decide(&decision, &job, &c->device, &options, &limits, false, &c->arena, &err) ==
                      0,
                  "%s: %s", text, err.message);
    ck_assert_msg(decide(&longer, &job, &c->device, &options, &whole, false, &c->arena, &err) == 0,
                  "%s: %s", text, err.message);
    ck_assert_msg(decision.states <= longer.states, "%s", text);
    c->shorter += decision.states < longer.states;
    for (int m = 0; m < MODEL_COUNT; m++) {
        enum model_verdict verdict = decision.results[m].verdict;
        ck_assert_msg(verdict == longer.results[m].verdict, "%s, %s", text, models[m].name);
        ck_assert_str_eq(models[m].name, oracle_models[m]);
        ck_assert_msg(verdict == (ends[m] ? MODEL_PASSES : MODEL_FAILS), "%s, %s: %d, not %s", text,
                      models[m].name, (int)verdict, ends[m] ? "P" : "F");
        c->passes[m] += ends[m];
    }
    c->compared++;
    job_release(&job);
}

static void fill(struct comparison *c, int thread, int i);

static void fill_values(struct comparison *c, int thread, int i) {
    struct oracle_thread *t = &c->program.threads[thread];
    struct oracle_instruction *at = &t->code[i];
    int targets = at->op == ORACLE_STORE ? 1 : t->count + 1;
    int exchanges = at->op == ORACLE_EXCHANGE ? VALUES : 1;

    for (at->value = 0; at->value < VALUES; at->value++)
        for (at->exchange = 0; at->exchange < exchanges; at->exchange++)
            for (at->target = 0; at->target < targets; at->target++)
                fill(c, thread, i + 1);
}

/* Fills instruction `i` of a thread and those after it in every way. The very first one uses
 * location 0: programs that begin with location 1 are the same with the names exchanged. */
static void fill(struct comparison *c, int thread, int i) {
    if (i == c->program.threads[thread].count) {
        if (++thread == ORACLE_THREADS) {
            compare(c);
            return;
        }
        i = 0;
    }
    struct oracle_instruction *at = &c->program.threads[thread].code[i];
    int locations = thread == 0 && i == 0 ? 1 : ORACLE_LOCATIONS;
    for (int op = ORACLE_STORE; op <= ORACLE_EXCHANGE; op++)
        for (int location = 0; location < locations; location++) {
            at->op = (enum oracle_op)op;
            at->location = location;
            fill_values(c, thread, i);
        }
}

/* All programs of so many instructions in the threads. */
static struct comparison compare_all(int first, int second) {
    struct comparison c;

    comparison_begin(&c);
    c.program.threads[0].count = first;
    c.program.threads[1].count = second;
    fill(&c, 0, 0);
    comparison_end(&c);
    return c;
}

/* 14 instructions of one location are possible alone in a thread, 28 of two, and beside another one
 * 20 and 40. */
START_TEST(one_and_one) {
    struct comparison c = compare_all(1, 1);

    ck_assert_int_eq(c.compared, 14 * 28);
    ck_assert_int_eq(c.passes[MODEL_UNFAIR] > 0 && c.passes[MODEL_UNFAIR] < c.compared, 1);
}
END_TEST

START_TEST(one_and_two) {
    struct comparison c = compare_all(1, 2);

    ck_assert_int_eq(c.compared, 14 * 40 * 40);
    ck_assert_int_gt(c.shorter, 500);
}
END_TEST

START_TEST(two_and_one) {
    struct comparison c = compare_all(2, 1);

    ck_assert_int_eq(c.compared, 20 * 40 * 28);
}
END_TEST

CHECK_MAIN("litmus", one_and_one, one_and_two, two_and_one)
