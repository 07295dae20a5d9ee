/* wgsim run: runs a kernel and prints the report. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/paths.h"
#include "sim/cli/run_options.h"
#include "sim/cli/subject.h"
#include "sim/error.h"
#include "sim/report/json.h"
#include "sim/report/text.h"

struct output_options {
    bool json, quiet;
    const char *fail_on;
};

#define AT(member) offsetof(struct output_options, member)

static const struct cli_option output_table[] = {
    {"json", NULL, 0, CLI_FLAG, AT(json), NULL, NULL, "print the report as JSON"},
    {"quiet", NULL, 'q', CLI_FLAG, AT(quiet), NULL, NULL,
     "print only what is wrong; nothing for a clean run"},
    {"fail-on", NULL, 0, CLI_STRING, AT(fail_on), "KINDS", NULL,
     "findings that make the exit status 1: kinds, error, warning, advice, none or all "
     "(error,warning)"},
    {0},
};

static const char about[] =
    "Runs a kernel on the simulated device: a built-in one by its name, a kernel object (.so) or a "
    "C\nkernel (.c), and reports whether it ends, what is wrong with it and what it costs.\n";

static int print_json(const struct report *report, struct wgsim_error *err) {
    json_t *root = report_to_json(report);

    if (!root)
        return error_set(err, "out of memory");
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
    putchar('\n');
    json_decref(root);
    return 0;
}

static int print_text(const struct report *report, const struct output_options *options,
                      struct arena *arena, struct wgsim_error *err) {
    const char *no_color = getenv("NO_COLOR");
    struct report_style style = {.color = isatty(STDOUT_FILENO) && !(no_color && *no_color),
                                 .brief = options->quiet,
                                 .source_root = paths_source_root(arena)};
    struct buf text = {0};

    report_print(report, &style, &text);
    int result = text.failed ? error_set(err, "out of memory") : 0;
    if (text.data)
        fwrite(text.data, 1, text.len, stdout);
    buf_release(&text);
    return result;
}

/* What is not finding: the run did not end well, or the results are wrong. */
static bool went_wrong(const struct report *report) {
    if (report->run.verdict != VERDICT_FINISHED)
        return true;
    for (size_t i = 0; i < report->output_count; i++)
        if (report->outputs[i].check == REPORT_DIFFER)
            return true;
    return false;
}

static int finish(const struct report *report, const struct output_options *options,
                  finding_set fail_on, struct arena *arena) {
    struct wgsim_error err;
    int result =
        options->json ? print_json(report, &err) : print_text(report, options, arena, &err);

    if (result < 0)
        return cli_fail(&err);
    if (report->run.verdict == VERDICT_REJECTED) {
        error_format(&err, "%s: %s", report->kernel, report->run.violations.items[0].text);
        return cli_fail(&err);
    }
    return went_wrong(report) || findings_any(&report->findings, fail_on);
}

static int run_subject(const struct subject *subject, struct setup *setup,
                       const struct output_options *options, finding_set fail_on,
                       const char *command) {
    struct wgsim_error err;
    struct report report = {0};
    struct job job;
    int status;

    if (subject_job(subject, &job, setup, &err) < 0) {
        status = cli_fail(&err);
    } else {
        struct report_request request = {.job = &job,
                                         .device = &setup->device,
                                         .run = &setup->run,
                                         .limits = &setup->limits,
                                         .plan = &setup->plan,
                                         .command = command};
        status = report_run(&report, &request, &err) < 0
                     ? cli_fail(&err)
                     : finish(&report, options, fail_on, &setup->arena);
        report_release(&report);
    }
    job_release(&job);
    return status;
}

static int run_operand(const char *operand, const struct cli_table *tables, const char *command) {
    const struct output_options *options = tables[0].target;
    finding_set fail_on = finding_set_default();
    struct wgsim_error err;
    struct setup setup;
    struct subject subject;
    int status;

    if (setup_init(&setup, &tables[1], &tables[2], &err) < 0 ||
        (options->fail_on && finding_set_parse(options->fail_on, &fail_on, &err) < 0) ||
        subject_open(&subject, operand, &err) < 0) {
        status = cli_fail(&err);
    } else {
        status = run_subject(&subject, &setup, options, fail_on, command);
        subject_release(&subject);
    }
    setup_release(&setup);
    return status;
}

int cmd_run(int argc, char **argv) {
    struct output_options options = {0};
    struct run_cli run = RUN_CLI_DEFAULT;
    struct device_options device = DEVICE_OPTIONS_DEFAULT;
    struct cli_table tables[] = {
        {.title = "Options", .options = output_table, .target = &options},
        {.title = RUN_OPTIONS_TITLE, .options = run_option_table, .target = &run},
        {.title = DEVICE_OPTIONS_TITLE, .options = device_option_table, .target = &device},
    };
    struct cli_usage usage = {.command = "run",
                              .operands = "KERNEL",
                              .about = about,
                              .min_operands = 1,
                              .max_operands = 1,
                              .tables = tables,
                              .table_count = sizeof tables / sizeof *tables};
    struct cli_operands operands;
    struct buf command = {0};
    int status;

    command_line(argc, argv, &command);
    if (cli_parse(&usage, argc, argv, &operands, &status))
        status = run_operand(operands.items[0], tables, command.data ? command.data : "");
    buf_release(&command);
    return status;
}
