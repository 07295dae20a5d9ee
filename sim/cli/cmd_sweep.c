/* wgsim sweep: one kernel in many ways, to see what its result depends on. */
#include <stddef.h>
#include <stdlib.h>

#include "sim/cli/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/run_options.h"
#include "sim/cli/subject.h"
#include "sim/cli/sweep_output.h"
#include "sim/cli/sweep_run.h"
#include "sim/cli/watchdog.h"
#include "sim/error.h"
#include "sim/trace/trace.h"

struct sweep_options {
    bool json;
    const char *over, *trace;
    uint32_t seeds;
};

#define AT(member) offsetof(struct sweep_options, member)

static const struct cli_option options_table[] = {
    {"over", NULL, 0, CLI_STRING, AT(over), "AXES", NULL,
     "what to vary, separated by commas: widths, orders, placements, schedules, lanes, cus, "
     "stress, devices (all but devices)"},
    {"seeds", NULL, 0, CLI_U32, AT(seeds), "N", NULL,
     "how many seeds of what is random to try (4)"},
    {"trace", NULL, 0, CLI_STRING, AT(trace), "PREFIX", NULL,
     "record the first run of each outcome in PREFIX-N.json, if they differ or do not end"},
    {"json", NULL, 0, CLI_FLAG, AT(json), NULL, NULL, "print the result as JSON"},
    {0},
};

static const char about[] =
    "Runs a kernel as it is and in variants that each change one thing: subgroup width, order of\n"
    "admission, placement, schedule, lanes, number of compute units. Says which of them end\n"
    "otherwise or give another result, and why.\n";

struct sweep {
    struct sweep_options options;
    struct sweep_subject subject;
    struct sweep_variants variants;
    struct buf command;       /* the command line, without what changes nothing in the result */
    struct sweep_result base; /* of the run as it is */
    json_t **items;
    bool base_recorded;
    struct wgsim_error err;
};

static struct sweep_findings findings_of(const struct sweep *sweep) {
    return (struct sweep_findings){.kernel = sweep->subject.kernel,
                                   .command = sweep->command.data,
                                   .trace = sweep->options.trace,
                                   .items = sweep->items,
                                   .count = sweep->variants.count};
}

/* ---- Runs ---- */

static json_t *run_item(struct sweep *sweep, size_t item) {
    const struct sweep_variant *variant = &sweep->variants.items[item];
    struct sweep_result result;
    struct wgsim_error why;

    if (item == 0)
        return sweep_item(variant, &sweep->base, &sweep->base);
    bool ran = sweep_run(&sweep->subject, variant, &result, &why) == 0;
    json_t *json =
        ran ? sweep_item(variant, &sweep->base, &result) : sweep_item_failed(variant, &why);
    sweep_release(&result);
    return json;
}

static int record(struct sweep *sweep, size_t item) {
    char *path = sweep_trace_path(sweep->options.trace, item);
    int result =
        path ? sweep_record(&sweep->subject, &sweep->variants.items[item], path, &sweep->err)
             : error_set(&sweep->err, "out of memory");

    free(path);
    return result;
}

/* Records what has become telling by an item: the item, and what it is compared with. */
static int record_telling(struct sweep *sweep, size_t item) {
    struct sweep_findings findings = findings_of(sweep);

    if (!sweep->options.trace || !sweep_is_telling(&findings, item))
        return 0;
    if (!sweep->base_recorded && record(sweep, 0) < 0)
        return -1;
    sweep->base_recorded = true;
    return item ? record(sweep, item) : 0;
}

static int run_all(struct sweep *sweep) {
    if (sweep_run(&sweep->subject, &sweep->variants.items[0], &sweep->base, &sweep->err) < 0)
        return -1;
    for (size_t i = 0; i < sweep->variants.count && !watchdog_signal; i++) {
        json_t *item = run_item(sweep, i);
        if (watchdog_signal) {
            json_decref(item);
            return 0;
        }
        sweep->items[i] = item;
        if (!item)
            return error_set(&sweep->err, "out of memory");
        if (record_telling(sweep, i) < 0)
            return -1;
    }
    return 0;
}

/* ---- The command ---- */

/* The traces can be written, as far as can be known before. */
static int check_trace(const char *prefix, struct wgsim_error *err) {
    if (!prefix)
        return 0;
    char *path = sweep_trace_path(prefix, 0);
    struct trace *trace = path ? trace_open(path, false, err) : NULL;
    int result = trace ? 0 : path ? -1 : error_set(err, "out of memory");

    trace_free(trace);
    free(path);
    return result;
}

static int prepare(struct sweep *sweep) {
    const struct sweep_options *options = &sweep->options;
    struct wgsim_error *err = &sweep->err;

    if (sweep_variants_fill(&sweep->variants, options->over, options->seeds, err) < 0 ||
        check_trace(options->trace, err) < 0)
        return -1;
    sweep->items = calloc(sweep->variants.count, sizeof(json_t *));
    return sweep->items ? 0 : error_set(err, "out of memory");
}

static int sweep_all(struct sweep *sweep) {
    int result = prepare(sweep);

    if (result == 0)
        result = run_all(sweep);
    if (result < 0)
        return cli_fail(&sweep->err);
    struct sweep_findings findings = findings_of(sweep);
    int status = sweep_print(&findings, sweep->options.json);
    return watchdog_signal ? 128 + watchdog_signal : status;
}

static void release(struct sweep *sweep) {
    for (size_t i = 0; sweep->items && i < sweep->variants.count; i++)
        json_decref(sweep->items[i]);
    free(sweep->items);
    sweep_release(&sweep->base);
    sweep_variants_release(&sweep->variants);
    buf_release(&sweep->command);
    free(sweep->subject.options.items);
}

static int parse(struct sweep *sweep, int argc, char **argv, int *status) {
    struct run_cli run = RUN_CLI_DEFAULT;
    struct device_options device = DEVICE_OPTIONS_DEFAULT;
    struct subject_cli subject = {0};
    struct cli_words *words = &sweep->subject.options;
    struct cli_table tables[] = {
        {"Options", options_table, &sweep->options, 0, NULL},
        {RUN_OPTIONS_TITLE, run_option_table, &run, 0, words},
        {DEVICE_OPTIONS_TITLE, device_option_table, &device, 0, words},
        {SHADER_OPTIONS_TITLE, shader_option_table, &subject.shader, 0, words},
        {SUBJECT_OPTIONS_TITLE, subject_option_table, &subject, 0, words},
    };
    struct cli_usage usage = {.command = "sweep",
                              .operands = "KERNEL",
                              .about = about,
                              .min_operands = 1,
                              .max_operands = 1,
                              .tables = tables,
                              .table_count = sizeof tables / sizeof *tables};
    struct cli_operands operands;

    if (!cli_parse(&usage, argc, argv, &operands, status))
        return -1;
    sweep->subject.kernel = operands.items[0];
    return 0;
}

int cmd_sweep(int argc, char **argv) {
    struct sweep sweep = {.options = {.seeds = 4}};
    int status;

    sweep.subject.options.items = calloc((size_t)argc + 1, sizeof *argv);
    command_line(argc, argv, &sweep.command);
    if (!sweep.subject.options.items || sweep.command.failed) {
        error_format(&sweep.err, "out of memory");
        status = cli_fail(&sweep.err);
    } else if (parse(&sweep, argc, argv, &status) == 0) {
        status = sweep_all(&sweep);
    }
    release(&sweep);
    return status;
}
