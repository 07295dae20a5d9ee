/* wgsim report: prints the report of a recorded run. */
#include <stddef.h>
#include <stdio.h>

#include "sim/cli/commands.h"
#include "sim/cli/output.h"
#include "sim/cli/trace_command.h"

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
        output_json(json_incref(trace->report), NULL);
    } else if (!options->quiet || trace->status != 0) {
        fputs(options->quiet ? trace->first_screen : trace->text, stdout);
    }
}

int cmd_report(int argc, char **argv) {
    struct report_cli options = {0};
    const struct trace_command command = {"report", about, option_table, &options};
    struct trace_read trace;
    const char *path;
    int status;

    if (!trace_command_open(&command, argc, argv, &trace, &path, &status))
        return status;
    print(&trace, &options);
    status = trace.status;
    trace_read_release(&trace);
    return status;
}
