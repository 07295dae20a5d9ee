/* wgsim sweep: one kernel in many ways, to see what its result depends on. */
#include <stddef.h>
#include <stdlib.h>

#include "sim/cli/commands.h"
#include "sim/cli/report_output.h"
#include "sim/cli/run_options.h"
#include "sim/cli/subject.h"
#include "sim/cli/sweep_work.h"
#include "sim/error.h"

#define AT(member) offsetof(struct sweep_request, member)

static const struct cli_option options_table[] = {
    {"over", NULL, 0, CLI_STRING, AT(over), "AXES", NULL,
     "what to vary, separated by commas: widths, orders, placements, schedules, lanes, cus, "
     "stress, sizes, devices (all but sizes and devices)"},
    {"seeds", NULL, 0, CLI_U32, AT(seeds), "N", NULL,
     "how many seeds of what is random to try (4)"},
    {"trace", NULL, 0, CLI_STRING, AT(trace), "PREFIX", NULL,
     "record the first run of each outcome in PREFIX-N.json, if they differ or do not end"},
    {"shard", NULL, 0, CLI_STRING, AT(split.shard), "I/N", NULL,
     "do only every N-th run, from the I-th on, and the run as it is to compare them with"},
    {"append", NULL, 0, CLI_STRING, AT(split.append), "FILE", NULL,
     "append each run to a file as it ends, and go on where that ends; see 'wgsim merge'"},
    {"jobs", NULL, 0, CLI_U32, AT(split.jobs), "N", NULL, "do the runs in so many processes (1)"},
    {"json", NULL, 0, CLI_FLAG, AT(json), NULL, NULL, "print the result as JSON"},
    {"quiet", NULL, 'q', CLI_FLAG, AT(quiet), NULL, NULL,
     "print nothing where all runs are clean and come out alike"},
    {0},
};

static const char about[] =
    "Runs a kernel as it is and in variants that each change one thing: subgroup width, order of\n"
    "admission, placement, schedule, lanes, number of compute units. Says which of them end\n"
    "otherwise or give another result, and why.\n";

static bool parse(struct sweep_request *request, int argc, char **argv, int *status) {
    struct run_cli run = RUN_CLI_DEFAULT;
    struct device_options device = DEVICE_OPTIONS_DEFAULT;
    struct subject_cli subject = {0};
    struct report_options report = {0};
    struct cli_words *words = &request->subject.options;
    struct cli_table tables[] = {
        {"Options", options_table, request, 0, NULL},
        {RUN_OPTIONS_TITLE, run_option_table, &run, 0, words},
        {DEVICE_OPTIONS_TITLE, device_option_table, &device, 0, words},
        {FINDING_OPTIONS_TITLE, finding_option_table, &report, 0, words},
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
        return false;
    request->subject.kernel = operands.items[0];
    return true;
}

int cmd_sweep(int argc, char **argv) {
    struct sweep_request request = {.seeds = SWEEP_SEEDS, .split = {.jobs = 1}};
    struct wgsim_error err;
    int status;

    request.subject.options.items = calloc((size_t)argc + 1, sizeof *argv);
    if (!request.subject.options.items) {
        error_format(&err, "out of memory");
        return cli_fail(&err);
    }
    if (parse(&request, argc, argv, &status))
        status = sweep_work(&request);
    free(request.subject.options.items);
    return status;
}
