/* --dump: buffers of a run as text or in files. */
#ifndef SIM_CLI_DUMP_H
#define SIM_CLI_DUMP_H

#include "sim/cli/options.h"
#include "sim/job.h"
#include "sim/new_file.h"

/* Its target is a struct cli_list. */
extern const struct cli_option dump_option_table[];

/* The heading of the table in --help. */
#define DUMP_OPTIONS_TITLE "Contents after the run"

/* With --json stdout is the report's: every dump needs a file then. */
int dumps_check_json(const struct cli_list *options, bool json, struct wgsim_error *err);

struct dump {
    const struct wg_var *var;
    const struct job_buffer *buffer;
    struct new_file file; /* without a path: standard output */
};

struct dumps {
    struct dump items[CLI_LIST_MAX];
    size_t count;
};

/* Finds what the options "[G:]B[:FILE]" name and opens the files, before the run. A trace's path,
 * or NULL, is no place for a dump. Must be released either way. */
int dumps_open(struct dumps *dumps, const struct cli_list *options, const struct job *job,
               const char *trace_path, struct wgsim_error *err);
/* After the run. */
int dumps_write(struct dumps *dumps, struct wgsim_error *err);
void dumps_release(struct dumps *dumps);

#endif
