/* wgsim run: runs a kernel, prints the report and records the run. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/dump.h"
#include "sim/cli/output.h"
#include "sim/cli/run_trace.h"
#include "sim/cli/watchdog.h"
#include "sim/error.h"
#include "sim/json_text.h"
#include "sim/report/json.h"

/* What was asked for besides the report. An interrupted run has a trace and no contents. */
static int write_files(struct trace *trace, struct dumps *dumps, const struct run_command *command,
                       const struct run_ready *ready, const struct report *report, int status,
                       struct wgsim_error *err) {
    output_flush(); /* a file may be the same place */
    if (!watchdog_signal && status != 2 && dumps_write(dumps, err) < 0)
        return -1;
    return run_trace_finish(trace, command, ready, report, status, err);
}

static int run_and_print(struct run_ready *ready, const struct run_command *command) {
    struct report report = {0};
    struct trace *trace = NULL;
    struct dumps dumps;
    struct wgsim_error err;
    int status;

    if (dumps_open(&dumps, &command->dumps, &ready->job, command->trace.path, &err) < 0 ||
        run_trace_open(&trace, command, &err) < 0 ||
        run_trace_run(ready, command, trace, &report, &err) < 0) {
        status = cli_fail(&err);
    } else {
        status =
            report_output(&report, &command->report, ready->fail_on, ready->subject.source_root);
        if (write_files(trace, &dumps, command, ready, &report, status, &err) < 0)
            status = cli_fail(&err);
    }
    dumps_release(&dumps);
    trace_free(trace);
    report_release(&report);
    return watchdog_signal ? 128 + watchdog_signal : status;
}

/* The report of a shader that was not accepted, or of buffers over the limits: nothing ran. */
static json_t *rejected_json(const struct run_command *command, const struct run_ready *ready,
                             const char *why) {
    struct report report = {.kernel = command->operand,
                            .command = command->line.data,
                            .run = {.verdict = VERDICT_REJECTED,
                                    .device = &ready->setup.device,
                                    .options = &ready->setup.run}};
    json_t *object = report_to_json(&report);

    if (ready->job.over_limits)
        json_array_append_new(json_object_get(object, "findings"),
                              json_pack("{s:s, s:s, s:o}", "kind", "limit", "severity", "error",
                                        "text", json_text(why)));
    if (ready->subject.diagnostics)
        json_object_set(object, "diagnostics", ready->subject.diagnostics);
    return object;
}

static int run(const struct run_command *command) {
    struct wgsim_error err;
    struct run_ready ready;
    int status;

    if (dumps_check_json(&command->dumps, command->report.json, &err) < 0)
        return cli_fail(&err);
    if (run_ready_open(&ready, command, &err) == 0) {
        status = run_and_print(&ready, command);
    } else {
        if ((ready.subject.rejected || ready.job.over_limits) && command->report.json)
            output_json(rejected_json(command, &ready, err.message), NULL);
        status = cli_fail(&err);
    }
    run_ready_release(&ready);
    return status;
}

int cmd_run(int argc, char **argv) {
    struct run_command command;
    struct wgsim_error err;
    struct cli_operands operands;
    int status;

    if (run_command_init(&command, argc, argv, &err) < 0) {
        status = cli_fail(&err);
    } else if (cli_parse(&command.usage, argc, argv, &operands, &status)) {
        command.operand = operands.items[0];
        status = run(&command);
    }
    run_command_release(&command);
    return status;
}
