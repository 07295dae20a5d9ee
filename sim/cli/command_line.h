/* The command line as it was typed, for reports and traces. */
#ifndef SIM_CLI_COMMAND_LINE_H
#define SIM_CLI_COMMAND_LINE_H

#include "sim/buf.h"

/* "wgsim" and the command's arguments, quoted for a shell where needed. Call it before cli_parse,
 * which reorders argv. */
void command_line(int argc, char **argv, struct buf *out);

#endif
