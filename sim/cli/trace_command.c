/* Commands on one recorded run. */
#include "sim/cli/trace_command.h"

bool trace_command_open(const struct trace_command *command, int argc, char **argv,
                        struct trace_read *trace, const char **path, int *status) {
    struct cli_table table = {
        .title = "Options", .options = command->options, .target = command->target};
    struct cli_usage usage = {.command = command->name,
                              .operands = "TRACE",
                              .about = command->about,
                              .min_operands = 1,
                              .max_operands = 1,
                              .tables = &table,
                              .table_count = 1};
    struct cli_operands operands;
    struct wgsim_error err;

    if (!cli_parse(&usage, argc, argv, &operands, status))
        return false;
    *path = operands.items[0];
    if (trace_read(trace, *path, &err) == 0)
        return true;
    *status = cli_fail(&err);
    return false;
}
