/* wgsim run: runs a kernel and prints the report. */
#include "sim/cli/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/report_output.h"
#include "sim/cli/run_options.h"
#include "sim/cli/subject.h"
#include "sim/cli/watchdog.h"
#include "sim/cli/watchdog.h"

static const char about[] =
    "Runs a kernel on the simulated device: a built-in one by its name, a kernel object (.so) or a "
    "C\nkernel (.c), and reports whether it ends, what is wrong with it and what it costs.\n";

/* What was asked for. */
struct request {
    const char *operand;
    const char *command;
    const struct cli_table *run_table, *device_table;
    const struct report_options *report;
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
    int status = result < 0 ? cli_fail(&err)
                            : report_output(&report, request->report, request->fail_on,
                                            subject->source_root);
    report_release(&report);
    job_release(&job);
    return watchdog_signal ? 128 + watchdog_signal : status;
}

static int run_request(struct request *request) {
    struct wgsim_error err;
    struct setup setup;
    struct subject subject;
    int status;

    if (setup_init(&setup, request->run_table, request->device_table, &err) < 0 ||
        report_options_fail_on(request->report, &request->fail_on, &err) < 0 ||
        subject_open(&subject, request->operand, &err) < 0) {
        status = cli_fail(&err);
    } else {
        status = run_job_of(request, &subject, &setup);
        subject_release(&subject);
    }
    setup_release(&setup);
    return status;
}

int cmd_run(int argc, char **argv) {
    struct report_options report = {0};
    struct run_cli run = RUN_CLI_DEFAULT;
    struct device_options device = DEVICE_OPTIONS_DEFAULT;
    struct cli_table tables[] = {
        {.title = RUN_OPTIONS_TITLE, .options = run_option_table, .target = &run},
        {.title = DEVICE_OPTIONS_TITLE, .options = device_option_table, .target = &device},
        {.title = REPORT_OPTIONS_TITLE, .options = report_option_table, .target = &report},
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
                                  .report = &report};
        status = run_request(&request);
    }
    buf_release(&command);
    return status;
}
