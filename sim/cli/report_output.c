/* Printing a report. */
#include "sim/cli/report_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/cli/output.h"
#include "sim/error.h"
#include "sim/report/json.h"
#include "sim/report/text.h"

#define AT(member) offsetof(struct report_options, member)

const struct cli_option report_option_table[] = {
    {"json", NULL, 0, CLI_FLAG, AT(json), NULL, NULL, "print the report as JSON"},
    {"quiet", NULL, 'q', CLI_FLAG, AT(quiet), NULL, NULL,
     "print the first screen only, and nothing for a clean run"},
    {0},
};

const struct cli_option finding_option_table[] = {
    {"fail-on", NULL, 0, CLI_STRING, AT(fail_on), "KINDS", NULL,
     "findings that make the exit status 1, by kind or severity: error, warning, advice, none or "
     "all (error,warning)"},
    {"suppress", NULL, 0, CLI_STRING, AT(suppress), "FILE", NULL,
     "leave out findings by the rules in a file, one a line: KIND file=PATTERN line=N "
     "variable=PATTERN"},
    {0},
};

int report_options_fail_on(const struct report_options *options, finding_set *fail_on,
                           struct wgsim_error *err) {
    struct wgsim_error why;

    *fail_on = finding_set_default();
    if (options->fail_on && finding_set_parse(options->fail_on, fail_on, &why) < 0)
        return error_set(err, "--fail-on: %s", why.message);
    return 0;
}

int report_options_rules(const struct report_options *options, struct suppress *rules,
                         struct wgsim_error *err) {
    *rules = (struct suppress){0};
    return options->suppress ? suppress_read(rules, options->suppress, err) : 0;
}

static int print_text(const struct report *report, bool brief, const char *source_root,
                      struct wgsim_error *err) {
    const char *no_color = getenv("NO_COLOR");
    struct report_style style = {.color = isatty(STDOUT_FILENO) && !(no_color && *no_color),
                                 .brief = brief,
                                 .source_root = source_root};
    struct buf text = {0};

    report_print(report, &style, &text);
    int result = text.failed ? error_set(err, "out of memory") : 0;
    if (text.data)
        fwrite(text.data, 1, text.len, stdout);
    buf_release(&text);
    return result;
}

/* What is wrong besides findings: the run did not end well, or the results are not as wanted. */
static bool went_wrong(const struct report *report) {
    if (report->run.verdict != VERDICT_FINISHED)
        return true;
    for (size_t i = 0; i < report->output_count; i++)
        if (report->outputs[i].check == REPORT_DIFFER)
            return true;
    return false;
}

int report_status(const struct report *report, finding_set fail_on) {
    if (report->run.verdict == VERDICT_REJECTED)
        return 2;
    return went_wrong(report) || findings_any(&report->findings, fail_on);
}

int report_output(const struct report *report, const struct report_options *options,
                  finding_set fail_on, const char *source_root) {
    int status = report_status(report, fail_on);
    struct wgsim_error err;
    int result = 0;

    if (options->json)
        result = output_json(report_to_json(report), &err);
    else if (status || !options->quiet)
        result = print_text(report, options->quiet, source_root, &err);
    if (result < 0)
        return cli_fail(&err);
    if (report->run.verdict == VERDICT_REJECTED) {
        error_format(&err, "%s: %s", report->kernel, report->run.violations.items[0].text);
        cli_fail(&err);
    }
    return status;
}
