/* Options for what a command runs when it is a shader: its entry point and text, buffers and what
 * to print of them. */
#ifndef SIM_CLI_SUBJECT_OPTIONS_H
#define SIM_CLI_SUBJECT_OPTIONS_H

#include "sim/cli/shader_options.h"
#include "sim/job.h"

struct subject_cli {
    struct shader_cli shader; /* first: its table writes here */
    struct cli_list buffers, dumps;
};

extern const struct cli_option subject_option_table[];

/* The heading of the table in --help. */
#define SUBJECT_OPTIONS_TITLE "Buffers of a shader"

/* Is everything that --dump names there? */
int subject_check_dumps(const struct subject_cli *options, const struct job *job,
                        struct wgsim_error *err);

/* --dump: writes buffers to their files, or as text to stdout where no file is named. */
int subject_dump(const struct subject_cli *options, const struct job *job, struct wgsim_error *err);

#endif
