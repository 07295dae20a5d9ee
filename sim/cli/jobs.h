/* Work split among processes of this program on this machine. */
#ifndef SIM_CLI_JOBS_H
#define SIM_CLI_JOBS_H

#include <stdint.h>

#include "wgsim/wgsim.h"

enum { JOBS_MAX = 256 };

/* Runs this program `count` times at once with the arguments of its command line (argv[0] is the
 * command) and `--shard I/N --append FOLDER/I` behind them. -1: some could not do it, of which the
 * first has said why.
 * SIGINT and SIGTERM are passed on to them; *interrupted is the one that came, or 0. */
int jobs_run(int argc, char *const *argv, uint32_t count, const char *folder, int *interrupted,
             struct wgsim_error *err);

#endif
