/* wgsim progress: whether a kernel, or litmus tests, terminate under every progress model. */
#include <inttypes.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/run_options.h"
#include "sim/cli/subject.h"
#include "sim/error.h"
#include "sim/progress/decide.h"
#include "sim/progress/litmus.h"

struct progress_options {
    const char *litmus, *model, *fail_on;
    uint64_t max_states, max_bytes;
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
    {"json", NULL, 0, CLI_FLAG, AT(json), NULL, NULL, "print the result as JSON"},
    {"quiet", NULL, 'q', CLI_FLAG, AT(quiet), NULL, NULL, "print the verdicts only"},
    {0},
};

static const char about[] =
    "Says under which progress models a kernel is sure to end, by exploring every choice of the\n"
    "scheduler; or the same of litmus tests (--litmus).\n";

static const char *letter(enum model_verdict verdict) {
    return verdict == MODEL_PASSES ? "P" : verdict == MODEL_FAILS ? "F" : "unknown";
}

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
                            json_string(letter(decision->results[m].verdict)));
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

static int print_json(json_t *root) {
    int result = json_dumpf(root, stdout, JSON_INDENT(2));

    putchar('\n');
    json_decref(root);
    return result;
}

static json_t *new_root(json_t *verdicts) {
    json_t *root = json_object();

    json_object_set_new(root, "schema", json_string("wgsim-progress/1"));
    json_object_set_new(root, "verdicts", verdicts);
    return root;
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
        printf("  %-16s %-8s %s\n", models[m].name, letter(decision->results[m].verdict),
               models[m].promise);
}

/* ---- A kernel ---- */

static void print_kernel(const struct decision *decision, const char *name,
                         const struct progress_options *options) {
    int shown = options->model ? find_model(options->model, strlen(options->model))
                               : telling_model(decision);

    printf("%s: %" PRIu32 " workgroups, %" PRIu32 " states%s%s\n", name, decision->processes,
           decision->states,
           decision->complete ? "" : ", not all: ", decision->complete ? "" : decision->why);
    print_verdicts(decision);
    printf(
        "\n  P: it ends on every schedule that the model allows; F: it need not (exact, for this "
        "input)\n  It relies on %s.\n",
        decision_reliance(decision));
    if (!options->quiet && shown >= 0 && decision->results[shown].verdict == MODEL_FAILS)
        print_example(decision, shown);
}

static int report_kernel(const struct decision *decision, const char *name,
                         const struct progress_options *options) {
    if (!options->json) {
        print_kernel(decision, name, options);
        return 0;
    }
    json_t *row = verdicts_json(decision), *verdicts = json_array();
    json_object_set_new(row, "config", json_string(name));
    json_object_set_new(row, "id", json_integer(0));
    json_array_append_new(verdicts, row);
    json_t *root = new_root(verdicts);
    json_object_set_new(root, "workgroups", json_integer(decision->processes));
    json_object_set_new(root, "states", json_integer(decision->states));
    json_object_set_new(root, "complete", json_boolean(decision->complete));
    json_object_set_new(root, "relies_on", json_string(decision_reliance(decision)));
    json_object_set_new(root, "counterexamples", examples_json(decision));
    return print_json(root);
}

/* Workgroups explored where nobody says how many. */
enum { DEFAULT_GROUPS = 3 };

static int decide_kernel(const char *operand, struct setup *setup, const struct subject_cli *shader,
                         const struct progress_options *options, uint32_t fail_on) {
    struct graph_options limits = {setup->run.resident, options->max_states, options->max_bytes};
    struct wgsim_error err;
    struct subject subject = {0};
    struct decision decision;
    struct job job;
    int status = 0;

    if (!setup->plan.groups[0])
        setup->plan.groups[0] = DEFAULT_GROUPS, setup->plan.groups[1] = setup->plan.groups[2] = 1;
    job_init(&job, NULL);
    if (subject_open(&subject, operand, setup, shader, &err) < 0 ||
        subject_job(&subject, &job, setup, &err) < 0 ||
        decide(&decision, &job, &setup->device, &setup->run, &limits, true, &setup->arena, &err) <
            0)
        status = cli_fail(&err);
    else if (report_kernel(&decision, subject.kernel.desc->name, options) < 0)
        status = 2;
    else
        status = fails_on(&decision, fail_on);
    job_release(&job);
    subject_release(&subject);
    return status;
}

/* ---- Litmus tests ---- */

static int decide_test(const struct litmus_test *test, const struct kernel *kernel,
                       struct setup *setup, const struct progress_options *options,
                       struct decision *decision, struct wgsim_error *err) {
    struct graph_options limits = {setup->run.resident, options->max_states, options->max_bytes};
    struct job job;
    int result = litmus_job(&job, kernel, test->program, err);

    if (result == 0)
        result =
            decide(decision, &job, &setup->device, &setup->run, &limits, false, &setup->arena, err);
    job_release(&job);
    return result;
}

static void print_test(const struct litmus_test *test, size_t number,
                       const struct decision *decision) {
    printf("%s\t", test->config ? test->config : "-");
    if (test->id)
        printf("%s", test->id);
    else
        printf("%zu", number);
    for (int m = 0; m < MODEL_COUNT; m++)
        printf("\t%s", letter(decision->results[m].verdict));
    printf("\t%s\n", test->program);
}

static json_t *test_json(const struct litmus_test *test, size_t number,
                         const struct decision *decision) {
    json_t *row = verdicts_json(decision);
    char *end = NULL;
    long id = test->id ? strtol(test->id, &end, 10) : (long)number;

    if (test->config)
        json_object_set_new(row, "config", json_string(test->config));
    json_object_set_new(row, "id",
                        test->id && (*end || end == test->id) ? json_string(test->id)
                                                              : json_integer(id));
    return row;
}

static int decide_tests(const struct litmus_file *file, struct setup *setup,
                        const struct progress_options *options, uint32_t fail_on) {
    struct wgsim_error err;
    struct kernel kernel;
    json_t *verdicts = json_array();
    int status = 0;

    if (kernel_init(&kernel, &litmus_kernel, "litmus", &err) < 0)
        return cli_fail(&err);
    if (!options->json) {
        printf("config\tid");
        for (int m = 0; m < MODEL_COUNT; m++)
            printf("\t%s", models[m].name);
        printf("\tprogram\n");
    }
    for (size_t i = 0; i < file->count && status < 2; i++) {
        struct decision decision;
        if (decide_test(&file->tests[i], &kernel, setup, options, &decision, &err) < 0) {
            status = cli_fail(&err);
            break;
        }
        if (options->json)
            json_array_append_new(verdicts, test_json(&file->tests[i], i, &decision));
        else
            print_test(&file->tests[i], i, &decision);
        status |= fails_on(&decision, fail_on);
    }
    kernel_release(&kernel);
    if (status == 2 || !options->json)
        json_decref(verdicts);
    else if (print_json(new_root(verdicts)) < 0)
        status = 2;
    return status;
}

static int decide_litmus(struct setup *setup, const struct progress_options *options,
                         uint32_t fail_on) {
    struct wgsim_error err;
    struct litmus_file file;
    int status = litmus_read(&file, options->litmus, &err) < 0
                     ? cli_fail(&err)
                     : decide_tests(&file, setup, options, fail_on);

    litmus_release(&file);
    return status;
}

/* ---- The command ---- */

static int run_request(const struct cli_operands *operands, struct setup *setup,
                       const struct subject_cli *shader, const struct progress_options *options) {
    struct wgsim_error err;
    uint32_t fail_on = 0, model = 0;

    if ((options->fail_on && parse_models(options->fail_on, &fail_on, &err) < 0) ||
        (options->model && parse_models(options->model, &model, &err) < 0))
        return cli_fail(&err);
    if (options->litmus ? operands->count != 0 : operands->count != 1) {
        error_format(&err, options->litmus ? "--litmus takes no kernel beside it"
                                           : "name a kernel, or litmus tests with --litmus FILE");
        return cli_fail(&err);
    }
    return options->litmus ? decide_litmus(setup, options, fail_on)
                           : decide_kernel(operands->items[0], setup, shader, options, fail_on);
}

int cmd_progress(int argc, char **argv) {
    struct progress_options options = {0};
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
    struct cli_operands operands;
    struct wgsim_error err;
    struct setup setup;
    int status;

    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    if (setup_init(&setup, &tables[1], &tables[2], &err) < 0)
        status = cli_fail(&err);
    else
        status = run_request(&operands, &setup, &shader, &options);
    setup_release(&setup);
    return status;
}
