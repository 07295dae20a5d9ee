/* wgsim run: runs a kernel and prints the report. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/report_output.h"
#include "sim/cli/run_options.h"
#include "sim/cli/subject.h"
#include "sim/cli/watchdog.h"
#include "sim/error.h"

static const char about[] = "Runs a kernel on the simulated device: a built-in one by its name, a "
                            "kernel object (.so), a C\n"
                            "kernel (.c), a WGSL shader (.wgsl) or a job file (.json), and reports "
                            "whether it ends, what is\n"
                            "wrong with it and what it costs.\n";

/* What was asked for. */
struct request {
    const char *operand;
    const char *command;
    const struct cli_table *run_table, *device_table;
    const struct report_options *report;
    const struct subject_cli *subject;
    finding_set fail_on;
};

static int run_job_of(const struct request *request, const struct subject *subject,
                      struct setup *setup) {
    struct wgsim_error err;
    struct report report = {0};
    struct listener watchdog = watchdog_listener();
    struct job job;
    struct report_request what = {.job = &job,
                                  .device = &setup->device,
                                  .run = &setup->run,
                                  .limits = &setup->limits,
                                  .plan = &setup->plan,
                                  .command = request->command,
                                  .listeners = &watchdog,
                                  .listener_count = 1};

    setup->run.stop = &watchdog_signal;
    watchdog_start(subject->kernel.desc->name);
    int result = subject_job(subject, &job, setup, &err);
    if (result == 0)
        result = report_run(&report, &what, &err);
    watchdog_stop();
    if (result == 0)
        result = report_options_suppress(request->report, &report.findings, &err);
    int status = result < 0 ? cli_fail(&err)
                            : report_output(&report, request->report, request->fail_on,
                                            subject->source_root);
    if (result >= 0 && subject_dump(request->subject, &job, &err) < 0)
        status = cli_fail(&err);
    report_release(&report);
    job_release(&job);
    return watchdog_signal ? 128 + watchdog_signal : status;
}

/* The report of a shader that was not accepted: nothing ran. */
static void print_rejected(const struct request *request, const struct subject *subject) {
    json_t *report = json_pack("{s:s, s:s, s:s, s:[], s:O, s:s}", "schema", "wgsim-report/1",
                               "kernel", request->operand, "verdict", "rejected", "findings",
                               "diagnostics", subject->diagnostics, "command", request->command);
    if (report)
        json_dumpf(report, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(report);
}

/* A dump without a file goes to stdout, which is the report's with --json. */
static int check_dumps(const struct request *request, struct wgsim_error *err) {
    const struct cli_list *dumps = &request->subject->dumps;

    for (size_t i = 0; request->report->json && i < dumps->count; i++)
        if (dumps->items[i][strspn(dumps->items[i], "0123456789:")] == '\0')
            return error_set(err, "with --json, --dump needs a file, as in --dump %s:out.bin",
                             dumps->items[i]);
    return 0;
}

static int run_request(struct request *request) {
    struct wgsim_error err;
    struct setup setup;
    struct subject subject = {0};
    int status;

    if (setup_init(&setup, request->run_table, request->device_table, &err) < 0 ||
        report_options_fail_on(request->report, &request->fail_on, &err) < 0 ||
        check_dumps(request, &err) < 0 ||
        subject_open(&subject, request->operand, &setup, request->subject, &err) < 0) {
        if (subject.rejected && request->report->json)
            print_rejected(request, &subject);
        status = cli_fail(&err);
    } else {
        status = run_job_of(request, &subject, &setup);
    }
    subject_release(&subject);
    setup_release(&setup);
    return status;
}

int cmd_run(int argc, char **argv) {
    struct report_options report = {0};
    struct run_cli run = RUN_CLI_DEFAULT;
    struct device_options device = DEVICE_OPTIONS_DEFAULT;
    struct subject_cli subject = {0};
    struct cli_table tables[] = {
        {.title = RUN_OPTIONS_TITLE, .options = run_option_table, .target = &run},
        {.title = DEVICE_OPTIONS_TITLE, .options = device_option_table, .target = &device},
        {.title = REPORT_OPTIONS_TITLE, .options = report_option_table, .target = &report},
        {.title = SHADER_OPTIONS_TITLE, .options = shader_option_table, .target = &subject.shader},
        {.title = SUBJECT_OPTIONS_TITLE, .options = subject_option_table, .target = &subject},
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
    if (cli_parse(&usage, argc, argv, &operands, &status)) {
        struct request request = {.operand = operands.items[0],
                                  .command = command.data ? command.data : "",
                                  .run_table = &tables[0],
                                  .device_table = &tables[1],
                                  .report = &report,
                                  .subject = &subject};
        status = run_request(&request);
    }
    buf_release(&command);
    return status;
}
