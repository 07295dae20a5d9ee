/* Commands on one recorded run: "NAME [OPTION...] TRACE". */
#ifndef SIM_CLI_TRACE_COMMAND_H
#define SIM_CLI_TRACE_COMMAND_H

#include "sim/cli/options.h"
#include "sim/trace/read.h"

struct trace_command {
    const char *name, *about;
    const struct cli_option *options;
    void *target; /* of the options */
};

/* Parses the arguments and reads the trace, which must be released. False: *status is the exit
 * status. */
bool trace_command_open(const struct trace_command *command, int argc, char **argv,
                        struct trace_read *trace, const char **path, int *status);

#endif
