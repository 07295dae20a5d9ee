/* Options for what a command runs when it is a shader: its entry point and text, and buffers. */
#ifndef SIM_CLI_SUBJECT_OPTIONS_H
#define SIM_CLI_SUBJECT_OPTIONS_H

#include "sim/cli/shader_options.h"

struct subject_cli {
    struct shader_cli shader; /* first: its table writes here */
    struct cli_list buffers;
};

extern const struct cli_option subject_option_table[];

/* The heading of the table in --help. */
#define SUBJECT_OPTIONS_TITLE "Buffers of a shader"

#endif
