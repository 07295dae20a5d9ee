/* Commands on one shader: "NAME [OPTION...] SHADER". */
#ifndef SIM_CLI_SHADER_COMMAND_H
#define SIM_CLI_SHADER_COMMAND_H

#include "sim/cli/shader_options.h"

/* The row of a table that gives values to overrides: a struct cli_list. */
#define SHADER_SET_OPTION(at)                                                                      \
    { "set", NULL, 0, CLI_NAMED, (at), "NAME=VALUE", NULL, "the value of an override" }

struct shader_command {
    const char *name, *about;
    const struct cli_option *options; /* of its own, beside those of all shaders */
    void *target;
    const struct cli_list *set; /* of SHADER_SET_OPTION, in the target */
    bool partial;               /* see struct shader_options */
};

/* Parses the arguments and opens the shader, which must be released. False: *status is the exit
 * status. */
bool shader_command_open(const struct shader_command *command, int argc, char **argv,
                         struct shader *shader, int *status);

#endif
