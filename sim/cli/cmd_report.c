/* wgsim report: prints the report of a recorded run. */
#include <stddef.h>
#include <stdio.h>

#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/error.h"
#include "sim/trace/read.h"

static const char about[] =
    "Prints the report of a run that 'wgsim run --trace' recorded, as it was printed then, and\n"
    "exits with its status.\n";

struct report_cli {
    bool json, quiet;
};

static const struct cli_option option_table[] = {
    {"json", NULL, 0, CLI_FLAG, offsetof(struct report_cli, json), NULL, NULL,
     "print the report as JSON"},
    {"quiet", NULL, 'q', CLI_FLAG, offsetof(struct report_cli, quiet), NULL, NULL,
     "print the first screen only, and nothing for a clean run"},
    {0},
};

static void print(const struct trace_read *trace, const struct report_cli *options) {
    if (options->json) {
        json_dumpf(trace->report, stdout,
                   JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
        putchar('\n');
    } else if (!options->quiet || trace->status != 0) {
        fputs(options->quiet ? trace->first_screen : trace->text, stdout);
    }
}

int cmd_report(int argc, char **argv) {
    struct report_cli options = {0};
    struct cli_table table = {.title = "Options", .options = option_table, .target = &options};
    struct cli_usage usage = {.command = "report",
                              .operands = "TRACE",
                              .about = about,
                              .min_operands = 1,
                              .max_operands = 1,
                              .tables = &table,
                              .table_count = 1};
    struct cli_operands operands;
    struct trace_read trace;
    struct wgsim_error err;
    int status;

    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    if (trace_read(&trace, operands.items[0], &err) < 0)
        return cli_fail(&err);
    print(&trace, &options);
    status = trace.status;
    trace_read_release(&trace);
    return status;
}
