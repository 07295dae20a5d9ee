/* wgsim run: runs a kernel, prints the report and records the run. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/run_trace.h"
#include "sim/cli/watchdog.h"
#include "sim/error.h"

static int run_and_print(struct run_ready *ready, const struct run_command *command) {
    struct report report = {0};
    struct trace *trace = NULL;
    struct wgsim_error err;
    int status;

    if (subject_check_dumps(&command->subject, &ready->job, &err) < 0 ||
        run_trace_open(&trace, command, &err) < 0 ||
        run_trace_run(ready, command, trace, &report, &err) < 0) {
        status = cli_fail(&err);
    } else {
        status =
            report_output(&report, &command->report, ready->fail_on, ready->subject.source_root);
        if (subject_dump(&command->subject, &ready->job, &err) < 0 ||
            run_trace_finish(trace, command, ready, &report, status, &err) < 0)
            status = cli_fail(&err);
    }
    trace_free(trace);
    report_release(&report);
    return watchdog_signal ? 128 + watchdog_signal : status;
}

/* The report of a shader that was not accepted: nothing ran. */
static void print_rejected(const struct run_command *command, const struct subject *subject) {
    json_t *report = json_pack("{s:s, s:s, s:s, s:[], s:O, s:s}", "schema", "wgsim-report/1",
                               "kernel", command->operand, "verdict", "rejected", "findings",
                               "diagnostics", subject->diagnostics, "command", command->line.data);
    if (report)
        json_dumpf(report, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(report);
}

/* A dump without a file goes to stdout, which is the report's with --json. */
static int check_dumps(const struct run_command *command, struct wgsim_error *err) {
    const struct cli_list *dumps = &command->subject.dumps;

    for (size_t i = 0; command->report.json && i < dumps->count; i++)
        if (dumps->items[i][strspn(dumps->items[i], "0123456789:")] == '\0')
            return error_set(err, "with --json, --dump needs a file, as in --dump %s:out.bin",
                             dumps->items[i]);
    return 0;
}

static int run(const struct run_command *command) {
    struct wgsim_error err;
    struct run_ready ready;
    int status;

    if (check_dumps(command, &err) < 0)
        return cli_fail(&err);
    if (run_ready_open(&ready, command, &err) == 0) {
        status = run_and_print(&ready, command);
    } else {
        if (ready.subject.rejected && command->report.json)
            print_rejected(command, &ready.subject);
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
