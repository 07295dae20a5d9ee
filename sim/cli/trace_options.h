/* The options of commands that record what they run. */
#ifndef SIM_CLI_TRACE_OPTIONS_H
#define SIM_CLI_TRACE_OPTIONS_H

#include "sim/cli/options.h"

struct trace_cli {
    const char *path; /* NULL: no trace */
    unsigned level;   /* 1: of steps */
};

extern const struct cli_option trace_option_table[];

/* The heading of the table in --help. */
#define TRACE_OPTIONS_TITLE "Trace"

#endif
