/* wgsim sweep: one kernel in many ways, to see what its result depends on. */
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/run_options.h"
#include "sim/cli/subject.h"
#include "sim/cli/sweep_variants.h"
#include "sim/error.h"
#include "sim/sweep.h"

struct sweep_options {
    bool json;
    const char *over;
    uint32_t seeds;
};

#define AT(member) offsetof(struct sweep_options, member)

static const struct cli_option options_table[] = {
    {"over", NULL, 0, CLI_STRING, AT(over), "AXES", NULL,
     "what to vary, separated by commas: widths, orders, placements, lanes, cus, stress, devices "
     "(all but devices)"},
    {"seeds", NULL, 0, CLI_U32, AT(seeds), "N", NULL, "how many random orders to try (4)"},
    {"json", NULL, 0, CLI_FLAG, AT(json), NULL, NULL, "print the result as JSON"},
    {0},
};

static const char about[] =
    "Runs a kernel as it is and in variants that each change one thing: subgroup width, order of\n"
    "admission, placement, lanes, number of compute units. Says which of them end otherwise or "
    "give\nanother result, and why.\n";

/* All that a command line says of one run. */
struct parsed {
    struct sweep_options sweep;
    struct run_cli run;
    struct device_options device;
    struct subject_cli subject;
    struct cli_table tables[5];
    struct cli_operands operands;
    char **argv;
};

struct run_of {
    struct sweep_result result;
    bool ran;
    struct wgsim_error why; /* it could not */
};

static struct cli_usage usage_of(struct parsed *parsed) {
    *parsed = (struct parsed){
        .sweep = {.seeds = 4}, .run = RUN_CLI_DEFAULT, .device = DEVICE_OPTIONS_DEFAULT};
    const struct cli_table tables[] = {
        {.title = "Options", .options = options_table, .target = &parsed->sweep},
        {.title = RUN_OPTIONS_TITLE, .options = run_option_table, .target = &parsed->run},
        {.title = DEVICE_OPTIONS_TITLE, .options = device_option_table, .target = &parsed->device},
        {.title = SHADER_OPTIONS_TITLE,
         .options = shader_option_table,
         .target = &parsed->subject.shader},
        {.title = SUBJECT_OPTIONS_TITLE,
         .options = subject_option_table,
         .target = &parsed->subject},
    };
    memcpy(parsed->tables, tables, sizeof tables);
    return (struct cli_usage){.command = "sweep",
                              .operands = "KERNEL",
                              .about = about,
                              .min_operands = 1,
                              .max_operands = 1,
                              .tables = parsed->tables,
                              .table_count = sizeof tables / sizeof *tables};
}

/* Parses the command line with the arguments of a variant behind it. */
static int parse_variant(struct parsed *parsed, int argc, char *const *argv,
                         const struct sweep_variant *variant, struct wgsim_error *err) {
    struct cli_usage usage = usage_of(parsed);
    bool help;
    int count = 0;

    parsed->argv = calloc((size_t)argc + SWEEP_ARGUMENTS_MAX + 1, sizeof *parsed->argv);
    if (!parsed->argv)
        return error_set(err, "out of memory");
    for (; count < argc; count++)
        parsed->argv[count] = argv[count];
    for (size_t i = 0; variant->arguments[i]; i++)
        parsed->argv[count++] = (char *)variant->arguments[i];
    return cli_parse_arguments(&usage, count, parsed->argv, &parsed->operands, &help, err);
}

static int run_job_of(const struct subject *subject, struct setup *setup, struct run_of *run,
                      struct wgsim_error *err) {
    struct report report = {0};
    struct job job;
    struct report_request request = {.job = &job,
                                     .device = &setup->device,
                                     .run = &setup->run,
                                     .limits = &setup->limits,
                                     .plan = &setup->plan,
                                     .command = ""};
    int result = subject_job(subject, &job, setup, err);

    if (result == 0)
        result = report_run(&report, &request, err);
    if (result == 0 && sweep_keep(&run->result, &report, &job) < 0)
        result = error_set(err, "out of memory");
    report_release(&report);
    job_release(&job);
    return result;
}

static void run_variant(int argc, char *const *argv, const struct sweep_variant *variant,
                        struct run_of *run) {
    struct parsed parsed;
    struct setup setup = {0};
    struct subject subject = {0};

    *run = (struct run_of){0};
    if (parse_variant(&parsed, argc, argv, variant, &run->why) == 0 &&
        setup_init(&setup, &parsed.tables[1], &parsed.tables[2], &run->why) == 0 &&
        subject_open(&subject, parsed.operands.items[0], &setup, &parsed.subject, &run->why) == 0)
        run->ran = run_job_of(&subject, &setup, run, &run->why) == 0;
    subject_release(&subject);
    setup_release(&setup);
    free(parsed.argv);
}

/* ---- What is printed ---- */

struct sweep {
    const char *kernel, *command;
    struct sweep_variants variants;
    struct run_of *runs; /* by variant */
    struct sweep_difference *differences;
};

static const char *text_of(const struct sweep_variant *variant) {
    return *variant->text ? variant->text : "as it is";
}

static void print_difference(const struct sweep *sweep, size_t i) {
    const struct sweep_difference *difference = &sweep->differences[i];
    const struct sweep_result *base = &sweep->runs[0].result, *other = &sweep->runs[i].result;

    printf("\n%s: with %s %s\n", finding_kinds[difference->kind].name,
           sweep->variants.items[i].text, sweep_cause_texts[difference->cause]);
    if (difference->cause == SWEEP_VERDICT)
        printf("  %s as it is, %s with it\n", verdict_names[base->verdict],
               verdict_names[other->verdict]);
    else
        printf("  %s[%llu] is %s as it is and %s with it; %llu element%s of %s differ%s\n",
               difference->a->name, (unsigned long long)difference->element, difference->a_value,
               difference->b_value, (unsigned long long)difference->differing,
               difference->differing == 1 ? "" : "s", difference->a->name,
               difference->differing == 1 ? "s" : "");
}

/* Of variants that differ for one reason the first is told in full. */
static bool is_first_of_its_cause(const struct sweep *sweep, size_t i) {
    for (size_t k = 1; k < i; k++)
        if (sweep->differences[k].cause == sweep->differences[i].cause &&
            sweep->differences[k].kind == sweep->differences[i].kind)
            return false;
    return true;
}

static void print_text(const struct sweep *sweep) {
    printf("%s: %zu runs\n\n", sweep->kernel, sweep->variants.count);
    for (size_t i = 0; i < sweep->variants.count; i++) {
        const struct run_of *run = &sweep->runs[i];
        if (!run->ran)
            printf("  %-32s could not run: %s\n", text_of(&sweep->variants.items[i]),
                   run->why.message);
        else
            printf("  %-32s %-11s %12llu cycles%s\n", text_of(&sweep->variants.items[i]),
                   verdict_names[run->result.verdict], (unsigned long long)run->result.cycles,
                   sweep->differences[i].cause ? "   DIFFERS" : "");
    }
    for (size_t i = 1; i < sweep->variants.count; i++)
        if (sweep->differences[i].cause && is_first_of_its_cause(sweep, i))
            print_difference(sweep, i);
}

static json_t *run_json(const struct sweep *sweep, size_t i) {
    const struct run_of *run = &sweep->runs[i];
    json_t *object = json_pack("{s:s}", "options", sweep->variants.items[i].text);
    json_t *kinds = json_array();

    for (size_t kind = 0; kind < FINDING_KIND_COUNT; kind++)
        if (run->result.found >> kind & 1)
            json_array_append_new(kinds, json_string(finding_kinds[kind].name));
    if (run->ran) {
        json_object_set_new(object, "verdict", json_string(verdict_names[run->result.verdict]));
        json_object_set_new(object, "cycles", json_integer((json_int_t)run->result.cycles));
        json_object_set_new(object, "findings", kinds);
        json_object_set_new(object, "same", json_boolean(!sweep->differences[i].cause));
    } else {
        json_decref(kinds);
        json_object_set_new(object, "error", json_string(run->why.message));
    }
    return object;
}

static json_t *difference_json(const struct sweep *sweep, size_t i) {
    const struct sweep_difference *difference = &sweep->differences[i];
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s}", "kind", finding_kinds[difference->kind].name, "a", "",
                  "b", sweep->variants.items[i].text, "text", sweep_cause_texts[difference->cause]);

    if (difference->a)
        json_object_update_new(object,
                               json_pack("{s:s, s:I, s:I, s:s, s:s}", "buffer", difference->a->name,
                                         "element", (json_int_t)difference->element, "differing",
                                         (json_int_t)difference->differing, "a_value",
                                         difference->a_value, "b_value", difference->b_value));
    return object;
}

static void print_json(const struct sweep *sweep) {
    json_t *runs = json_array(), *differences = json_array();

    for (size_t i = 0; i < sweep->variants.count; i++) {
        json_array_append_new(runs, run_json(sweep, i));
        if (sweep->differences[i].cause)
            json_array_append_new(differences, difference_json(sweep, i));
    }
    json_t *root =
        json_pack("{s:s, s:s, s:o, s:o, s:s}", "schema", "wgsim-sweep/1", "kernel", sweep->kernel,
                  "runs", runs, "differences", differences, "command", sweep->command);
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(root);
}

/* ---- All runs ---- */

/* Whether something differs, or a run did not end well. */
static bool found_something(const struct sweep *sweep) {
    for (size_t i = 0; i < sweep->variants.count; i++)
        if (sweep->differences[i].cause ||
            (sweep->runs[i].ran && (sweep->runs[i].result.verdict != VERDICT_FINISHED ||
                                    (sweep->runs[i].result.found & finding_set_default()))))
            return true;
    return false;
}

static int run_all(struct sweep *sweep, int argc, char *const *argv, bool as_json) {
    for (size_t i = 0; i < sweep->variants.count; i++) {
        run_variant(argc, argv, &sweep->variants.items[i], &sweep->runs[i]);
        if (i == 0 && !sweep->runs[0].ran)
            return cli_fail(&sweep->runs[0].why);
        if (sweep->runs[i].ran)
            sweep->differences[i] = sweep_compare(&sweep->runs[0].result, &sweep->runs[i].result,
                                                  sweep->variants.items[i].width);
    }
    if (as_json)
        print_json(sweep);
    else
        print_text(sweep);
    return found_something(sweep);
}

static int sweep_over(const struct parsed *parsed, int argc, char *const *argv,
                      const char *command) {
    struct sweep *sweep = calloc(1, sizeof *sweep);
    struct wgsim_error err;
    int status = 2;

    if (sweep) {
        sweep->runs = calloc(SWEEP_VARIANTS_MAX, sizeof *sweep->runs);
        sweep->differences = calloc(SWEEP_VARIANTS_MAX, sizeof *sweep->differences);
    }
    if (!sweep || !sweep->runs || !sweep->differences) {
        error_format(&err, "out of memory");
        status = cli_fail(&err);
    } else if (sweep_variants_fill(&sweep->variants, parsed->sweep.over, parsed->sweep.seeds,
                                   &err) < 0) {
        status = cli_fail(&err);
    } else {
        sweep->kernel = parsed->operands.items[0];
        sweep->command = command;
        status = run_all(sweep, argc, argv, parsed->sweep.json);
    }
    for (size_t i = 0; sweep && sweep->runs && i < sweep->variants.count; i++)
        sweep_release(&sweep->runs[i].result);
    if (sweep) {
        free(sweep->runs);
        free(sweep->differences);
    }
    free(sweep);
    return status;
}

int cmd_sweep(int argc, char **argv) {
    struct parsed parsed;
    struct cli_usage usage = usage_of(&parsed);
    struct buf command = {0};
    char **copy = calloc((size_t)argc + 1, sizeof *copy);
    int status = 2;

    command_line(argc, argv, &command);
    if (copy)
        memcpy(copy, argv, (size_t)argc * sizeof *copy);
    if (copy && cli_parse(&usage, argc, argv, &parsed.operands, &status))
        status = sweep_over(&parsed, argc, copy, command.data ? command.data : "");
    buf_release(&command);
    free(copy);
    return status;
}
