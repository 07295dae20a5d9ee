/* Printing a report, and the exit status that it means: for every command that ends in one. */
#ifndef SIM_CLI_REPORT_OUTPUT_H
#define SIM_CLI_REPORT_OUTPUT_H

#include "sim/cli/options.h"
#include "sim/report/report.h"
#include "sim/suppress.h"

struct report_options {
    bool json, quiet;
    const char *fail_on, *suppress;
};

extern const struct cli_option report_option_table[];

/* The heading of the table in --help. */
#define REPORT_OPTIONS_TITLE "Report"

/* Likewise: which findings count. */
extern const struct cli_option finding_option_table[];
#define FINDING_OPTIONS_TITLE "Findings"

/* The findings that make the exit status 1. */
int report_options_fail_on(const struct report_options *options, finding_set *fail_on,
                           struct wgsim_error *err);

/* The rules of --suppress, if any. Must be released either way. */
int report_options_rules(const struct report_options *options, struct suppress *rules,
                         struct wgsim_error *err);

/* The exit status that a report means. */
int report_status(const struct report *report, finding_set fail_on);

/* Prints the report on stdout and returns the exit status. source_root: where relative names of
 * source files start; NULL: the current folder. */
int report_output(const struct report *report, const struct report_options *options,
                  finding_set fail_on, const char *source_root);

#endif
