/* Verdicts of a kernel, and how it may not end. */
#include "sim/cli/progress_output.h"

#include <inttypes.h>
#include <stdio.h>

#include "sim/cli/litmus_output.h"
#include "sim/json_text.h"
#include "sim/progress/words.h"
#include "sim/trace/example.h"

/* ---- JSON ---- */

static json_t *verdicts_json(const struct decision *decision) {
    json_t *object = json_object();

    for (int m = 0; m < MODEL_COUNT; m++)
        json_object_set_new(object, models[m].name,
                            json_string(verdict_letter(decision->results[m].verdict)));
    return object;
}

static json_t *examples_json(const struct decision *decision) {
    json_t *object = json_object();

    for (int m = 0; m < MODEL_COUNT; m++)
        if (decision->results[m].verdict == MODEL_FAILS)
            json_object_set_new(object, models[m].name, example_json(&decision->examples[m]));
    return object;
}

json_t *progress_kernel_json(const struct decision *decision, const char *kernel) {
    json_t *row = verdicts_json(decision), *verdicts = json_array();

    json_object_set_new(row, "config", json_text(kernel));
    json_object_set_new(row, "id", json_integer(0));
    json_array_append_new(verdicts, row);
    json_t *root = progress_document(verdicts);
    json_object_set_new(root, "workgroups", json_integer(decision->processes));
    json_object_set_new(root, "states", json_integer(decision->states));
    json_object_set_new(root, "complete", json_boolean(decision->complete));
    json_object_set_new(root, "relies_on", json_string(decision_reliance(decision)));
    if (decision->divergence)
        json_object_set_new(root, "divergence_line", json_integer(decision->divergence->line));
    json_object_set_new(root, "counterexamples", examples_json(decision));
    return root;
}

/* ---- Text ---- */

static int print_example(const struct counterexample *example, enum model model) {
    enum { SHOWN = 24 };
    struct buf text = {0};

    counterexample_words(&text, "Under", model, example, SHOWN);
    bool failed = text.failed;
    if (!failed)
        printf("\n%s", text.data);
    buf_release(&text);
    return failed ? -1 : 0;
}

/* The verdicts are those of a machine that only counts arrivals. */
static void print_divergence(const struct decision *decision) {
    if (decision->divergence)
        printf("  DIVERGENCE: at the barrier at line %" PRIu32
               " not all invocations of a workgroup "
               "met. It hangs where\n  barriers are kept apart; here it went on as on a machine "
               "that only counts arrivals.\n",
               decision->divergence->line);
}

int progress_kernel_print(const struct decision *decision, const char *kernel, int shown) {
    printf("%s: %" PRIu32 " workgroup%s, %" PRIu32 " state%s%s%s\n", kernel, decision->processes,
           decision->processes == 1 ? "" : "s", decision->states, decision->states == 1 ? "" : "s",
           decision->complete ? "" : ", not all: ", decision->complete ? "" : decision->why);
    for (int m = 0; m < MODEL_COUNT; m++)
        printf("  %-16s %-8s %s\n", models[m].name, verdict_letter(decision->results[m].verdict),
               models[m].promise);
    printf(
        "\n  P: it ends on every schedule that the model allows; F: it need not (exact, for this "
        "input)\n  %s %s.\n",
        decision->complete ? "It relies on" : "What it relies on is", decision_reliance(decision));
    print_divergence(decision);
    return shown < 0 ? 0 : print_example(&decision->examples[shown], (enum model)shown);
}
