/* wgsim progress: whether a kernel, or litmus tests, terminate under every progress model. */
#include <inttypes.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/litmus_output.h"
#include "sim/cli/progress_litmus.h"
#include "sim/cli/run_options.h"
#include "sim/cli/subject.h"
#include "sim/error.h"
#include "sim/progress/decide.h"
#include "sim/trace/example.h"

struct progress_options {
    const char *litmus, *model, *fail_on;
    struct split_options split;
    uint64_t max_states, max_bytes;
    const char *trace;
    bool json, quiet;
};

#define AT(member) offsetof(struct progress_options, member)

static const struct cli_option options_table[] = {
    {"litmus", NULL, 0, CLI_STRING, AT(litmus), "FILE", NULL,
     "decide the litmus tests of a file instead of a kernel"},
    {"model", NULL, 0, CLI_STRING, AT(model), "NAME", NULL,
     "the model whose counterexample is shown: HSA, OBE, HSA_OBE, LOBE, WEAK_FAIR, ..."},
    {"max-states", NULL, 0, CLI_U64, AT(max_states), "N", NULL,
     "states to explore before the answer is unknown (2000000)"},
    {"max-memory", NULL, 0, CLI_SIZE, AT(max_bytes), "BYTES", NULL, "likewise bytes (1G)"},
    {"fail-on", NULL, 0, CLI_STRING, AT(fail_on), "MODEL,...", NULL,
     "exit with 1 where a kernel may not end under one of these models, or under any"},
    {"shard", NULL, 0, CLI_STRING, AT(split.shard), "I/N", NULL,
     "decide only every N-th litmus test, from the I-th on"},
    {"append", NULL, 0, CLI_STRING, AT(split.append), "FILE", NULL,
     "append each litmus test to a file as it is decided, and go on where that ends; see 'wgsim "
     "merge'"},
    {"jobs", NULL, 0, CLI_U32, AT(split.jobs), "N", NULL,
     "decide litmus tests in so many processes (1)"},
    {"trace", NULL, 0, CLI_STRING, AT(trace), "FILE", NULL,
     "record the counterexample in a file, for 'wgsim replay', Perfetto and chrome://tracing"},
    {"json", NULL, 0, CLI_FLAG, AT(json), NULL, NULL, "print the result as JSON"},
    {"quiet", NULL, 'q', CLI_FLAG, AT(quiet), NULL, NULL, "print the verdicts only"},
    {0},
};

static const char about[] =
    "Says under which progress models a kernel is sure to end, by exploring every choice of the\n"
    "scheduler; or the same of litmus tests (--litmus). The answer is unknown after 40 million "
    "steps\n"
    "of invocations, unless --max-steps says otherwise.\n";

enum { DEFAULT_MAX_STEPS = 40000000 };

/* What was asked for. */
struct request {
    const struct progress_options *options;
    const struct cli_table *table, *run_table; /* of them; of the run's */
    const struct subject_cli *shader;
    struct cli_operands operands;
    int argc; /* the command line as it was */
    char *const *argv;
};

/* ---- Models by name ---- */

static int find_model(const char *name, size_t length) {
    for (int m = 0; m < MODEL_COUNT; m++)
        if (strlen(models[m].name) == length && strncmp(models[m].name, name, length) == 0)
            return m;
    return -1;
}

/* "any" or names separated by commas, as bits of enum model. */
static int parse_models(const char *text, uint32_t *set, struct wgsim_error *err) {
    *set = 0;
    if (strcmp(text, "any") == 0) {
        *set = (UINT32_C(1) << MODEL_COUNT) - 1;
        return 0;
    }
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        int model = find_model(at, length);
        if (model < 0)
            return error_set(err,
                             "'%.*s' is no progress model (HSA, OBE, HSA_OBE, LOBE, "
                             "WEAK_FAIR, HSA_STRONG, ..., STRONG_FAIR, UNFAIR)",
                             (int)length, at);
        *set |= UINT32_C(1) << model;
        at += length;
        if (!*at)
            return 0;
    }
}

static bool fails_on(const struct decision *decision, uint32_t set) {
    for (int m = 0; m < MODEL_COUNT; m++)
        if ((set >> m & 1) && decision->results[m].verdict == MODEL_FAILS)
            return true;
    return false;
}

/* ---- JSON ---- */

static json_t *verdicts_json(const struct decision *decision) {
    json_t *object = json_object();

    for (int m = 0; m < MODEL_COUNT; m++)
        json_object_set_new(object, models[m].name,
                            json_string(verdict_letter(decision->results[m].verdict)));
    return object;
}

static json_t *set_json(uint32_t set) {
    json_t *array = json_array();

    for (; set; set &= set - 1)
        json_array_append_new(array, json_integer(__builtin_ctz(set)));
    return array;
}

static json_t *steps_json(const struct decision_step *steps, size_t count) {
    json_t *array = json_array();

    for (size_t i = 0; i < count; i++) {
        json_t *step = json_object();
        json_object_set_new(step, "workgroup", json_integer(steps[i].process));
        if (steps[i].step.site) {
            json_object_set_new(step, "file", json_string(steps[i].step.site->file));
            json_object_set_new(step, "line", json_integer(steps[i].step.site->line));
            json_object_set_new(step, "changes", json_boolean(steps[i].step.changed));
        }
        json_array_append_new(array, step);
    }
    return array;
}

static json_t *examples_json(const struct decision *decision) {
    json_t *object = json_object();

    for (int m = 0; m < MODEL_COUNT; m++) {
        const struct counterexample *example = &decision->examples[m];
        if (decision->results[m].verdict != MODEL_FAILS)
            continue;
        json_t *json = json_object();
        json_object_set_new(json, "guaranteed", set_json(example->guaranteed));
        json_object_set_new(json, "prefix", steps_json(example->prefix, example->prefix_count));
        json_object_set_new(json, "cycle", steps_json(example->cycle, example->cycle_count));
        json_object_set_new(object, models[m].name, json);
    }
    return object;
}

/* ---- Text ---- */

static void print_set(uint32_t set) {
    const char *separator = "";

    for (; set; set &= set - 1) {
        printf("%s%d", separator, __builtin_ctz(set));
        separator = ", ";
    }
}

static void print_step(const struct decision_step *step) {
    const struct wg_site *site = step->step.site;

    printf("    workgroup %" PRIu32, step->process);
    if (site)
        printf("  %s:%" PRIu32 "  %s%s\n", site->file, site->line, site->text,
               step->step.changed ? "  changes it" : "");
    else
        printf("  ends\n");
}

static void print_steps(const struct decision_step *steps, size_t count) {
    enum { SHOWN = 24 };

    for (size_t i = 0; i < count && i < SHOWN; i++)
        print_step(&steps[i]);
    if (count > SHOWN)
        printf("    ... and %zu more\n", count - SHOWN);
}

static void print_example(const struct decision *decision, int m) {
    const struct counterexample *example = &decision->examples[m];
    uint32_t all = (uint32_t)((UINT64_C(1) << decision->processes) - 1);
    uint32_t left_out = all & ~example->guaranteed & ~example->finished;

    printf("\nUnder %s (%s) it need not end.", models[m].name, models[m].promise);
    if (left_out) {
        printf(" Workgroup%s ", left_out & (left_out - 1) ? "s" : "");
        print_set(left_out);
        printf(" may never run%s.", left_out & example->started ? " again" : "");
    }
    printf("\n  It can come to this:%s\n", example->prefix_count ? "" : " the start");
    print_steps(example->prefix, example->prefix_count);
    if (models[m].strong) {
        printf("  From there steps of those that must run (");
        print_set(example->guaranteed);
        printf(") never reach the end.\n");
        return;
    }
    printf("  and from there this can be repeated for ever:\n");
    print_steps(example->cycle, example->cycle_count);
}

/* The model whose counterexample says most: of those that fail the one that promises most of what
 * hardware does. */
static int telling_model(const struct decision *decision) {
    static const enum model order[] = {MODEL_OBE, MODEL_LOBE,        MODEL_HSA_OBE, MODEL_WEAK_FAIR,
                                       MODEL_HSA, MODEL_STRONG_FAIR, MODEL_UNFAIR};

    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (decision->results[order[i]].verdict == MODEL_FAILS)
            return (int)order[i];
    return -1;
}

static void print_verdicts(const struct decision *decision) {
    for (int m = 0; m < MODEL_COUNT; m++)
        printf("  %-16s %-8s %s\n", models[m].name, verdict_letter(decision->results[m].verdict),
               models[m].promise);
}

/* ---- A kernel ---- */

/* The model whose counterexample is wanted, or the most telling; -1: none fails. */
static int shown_model(const struct decision *decision, const struct progress_options *options) {
    int model = options->model ? find_model(options->model, strlen(options->model))
                               : telling_model(decision);

    return model >= 0 && decision->results[model].verdict == MODEL_FAILS ? model : -1;
}

static void print_kernel(const struct decision *decision, const char *name,
                         const struct progress_options *options) {
    int shown = shown_model(decision, options);

    printf("%s: %" PRIu32 " workgroups, %" PRIu32 " states%s%s\n", name, decision->processes,
           decision->states,
           decision->complete ? "" : ", not all: ", decision->complete ? "" : decision->why);
    print_verdicts(decision);
    printf(
        "\n  P: it ends on every schedule that the model allows; F: it need not (exact, for this "
        "input)\n  It relies on %s.\n",
        decision_reliance(decision));
    if (!options->quiet && shown >= 0)
        print_example(decision, shown);
}

static json_t *kernel_json(const struct decision *decision, const char *name) {
    json_t *row = verdicts_json(decision), *verdicts = json_array();

    json_object_set_new(row, "config", json_string(name));
    json_object_set_new(row, "id", json_integer(0));
    json_array_append_new(verdicts, row);
    json_t *root = progress_document(verdicts);
    json_object_set_new(root, "workgroups", json_integer(decision->processes));
    json_object_set_new(root, "states", json_integer(decision->states));
    json_object_set_new(root, "complete", json_boolean(decision->complete));
    json_object_set_new(root, "relies_on", json_string(decision_reliance(decision)));
    json_object_set_new(root, "counterexamples", examples_json(decision));
    return root;
}

static int report_kernel(const struct decision *decision, const char *name,
                         const struct progress_options *options) {
    if (options->json)
        return progress_print(kernel_json(decision, name));
    print_kernel(decision, name, options);
    return 0;
}

/* With --trace; returns the exit status, which is `status` if that could be done. */
static int record(const struct request *request, const struct decision *decision, const char *name,
                  int status, struct wgsim_error *err) {
    int model = shown_model(decision, request->options);

    if (!request->options->trace)
        return status;
    if (model < 0) {
        error_format(err, "there is no counterexample to record in %s", request->options->trace);
        return cli_fail(err);
    }
    struct example_about about = {.arguments = request->argv,
                                  .argument_count = request->argc,
                                  .kernel = name,
                                  .report = kernel_json(decision, name),
                                  .status = status};
    int result = example_write(request->options->trace, decision, model, &about, err);
    json_decref(about.report);
    return result < 0 ? cli_fail(err) : status;
}

static struct graph_options limits_of(const struct progress_options *options,
                                      const struct setup *setup) {
    return (struct graph_options){.resident = setup->run.resident,
                                  .max_states = options->max_states,
                                  .max_bytes = options->max_bytes,
                                  .max_steps = setup->run.max_steps};
}

/* Workgroups explored where nobody says how many. */
enum { DEFAULT_GROUPS = 3 };

static int decide_kernel(const struct request *request, struct setup *setup, uint32_t fail_on) {
    const struct progress_options *options = request->options;
    struct graph_options limits = limits_of(options, setup);
    struct wgsim_error err;
    struct subject subject = {0};
    struct decision decision;
    struct job job;
    int status = 0;

    if (!setup->plan.groups[0])
        setup->plan.groups[0] = DEFAULT_GROUPS, setup->plan.groups[1] = setup->plan.groups[2] = 1;
    job_init(&job, NULL);
    if (subject_open(&subject, request->operands.items[0], setup, request->shader, &err) < 0 ||
        subject_job(&subject, &job, setup, &err) < 0 ||
        decide(&decision, &job, &setup->device, &setup->run, &limits, true, &setup->arena, &err) <
            0)
        status = cli_fail(&err);
    else if (report_kernel(&decision, subject.kernel.desc->name, options) < 0)
        status = 2;
    else
        status = record(request, &decision, subject.kernel.desc->name, fails_on(&decision, fail_on),
                        &err);
    job_release(&job);
    subject_release(&subject);
    return status;
}

/* ---- The command ---- */

/* Options that choose one schedule make no sense where all are explored, nor do those that are not
 * explored. */
static int check_run_options(const struct cli_table *run, struct wgsim_error *err) {
    static const char *const one_schedule[] = {"order", "placement", "refill", "pace", NULL};

    for (size_t i = 0; one_schedule[i]; i++)
        if (cli_given(run, one_schedule[i]))
            return error_set(err, "--%s chooses a schedule, and 'wgsim progress' explores all",
                             one_schedule[i]);
    return 0;
}

static int check(const struct request *request, uint32_t *fail_on, struct wgsim_error *err) {
    const struct progress_options *options = request->options;
    uint32_t model;

    if (check_run_options(request->run_table, err) < 0)
        return -1;
    if ((options->fail_on && parse_models(options->fail_on, fail_on, err) < 0) ||
        (options->model && parse_models(options->model, &model, err) < 0))
        return -1;
    if (options->litmus ? request->operands.count != 0 : request->operands.count != 1)
        return error_set(err, options->litmus
                                  ? "--litmus takes no kernel beside it"
                                  : "name a kernel, or litmus tests with --litmus FILE");
    if (options->litmus && options->trace)
        return error_set(err, "--trace is for a kernel, not for --litmus");
    if (!options->litmus &&
        (options->split.shard || options->split.append || cli_given(request->table, "jobs")))
        return error_set(err, "--shard, --append and --jobs are for --litmus");
    return 0;
}

static int run_request(const struct request *request, struct setup *setup) {
    const struct progress_options *options = request->options;
    struct wgsim_error err;
    uint32_t fail_on = 0;

    if (check(request, &fail_on, &err) < 0)
        return cli_fail(&err);
    if (!options->litmus)
        return decide_kernel(request, setup, fail_on);
    struct litmus_request litmus = {.path = options->litmus,
                                    .split = options->split,
                                    .limits = limits_of(options, setup),
                                    .fail_on = fail_on,
                                    .json = options->json,
                                    .argc = request->argc,
                                    .argv = request->argv};
    return progress_litmus(&litmus, setup);
}

int cmd_progress(int argc, char **argv) {
    struct progress_options options = {.split = {.jobs = 1}};
    struct run_cli run = RUN_CLI_DEFAULT;
    struct device_options device = DEVICE_OPTIONS_DEFAULT;
    struct subject_cli shader = {0};
    struct cli_table tables[] = {
        {.title = "Progress", .options = options_table, .target = &options},
        {.title = RUN_OPTIONS_TITLE, .options = run_option_table, .target = &run},
        {.title = DEVICE_OPTIONS_TITLE, .options = device_option_table, .target = &device},
        {.title = SHADER_OPTIONS_TITLE, .options = shader_option_table, .target = &shader.shader},
        {.title = SUBJECT_OPTIONS_TITLE, .options = subject_option_table, .target = &shader},
    };
    struct cli_usage usage = {.command = "progress",
                              .operands = "[KERNEL]",
                              .about = about,
                              .max_operands = 1,
                              .tables = tables,
                              .table_count = sizeof tables / sizeof *tables};
    char **given = malloc(((size_t)argc + 1) * sizeof *given);
    struct request request = {.options = &options,
                              .table = &tables[0],
                              .run_table = &tables[1],
                              .shader = &shader,
                              .argc = argc,
                              .argv = given};
    struct wgsim_error err;
    struct setup setup;
    int status = 2;

    run.max_steps = DEFAULT_MAX_STEPS;
    if (!given) {
        error_format(&err, "out of memory");
        return cli_fail(&err);
    }
    memcpy(given, argv, (size_t)argc * sizeof *given);
    if (cli_parse(&usage, argc, argv, &request.operands, &status)) {
        if (setup_init(&setup, &tables[1], &tables[2], &err) < 0)
            status = cli_fail(&err);
        else
            status = run_request(&request, &setup);
        setup_release(&setup);
    }
    free(given);
    return status;
}
