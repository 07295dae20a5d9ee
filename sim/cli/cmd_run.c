/* wgsim run: runs a kernel, prints the report and records the run. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/run_command.h"
#include "sim/cli/watchdog.h"
#include "sim/error.h"
#include "sim/report/text.h"
#include "sim/trace/trace.h"

/* ---- The trace ---- */

static int open_trace(struct trace **trace, const struct run_command *command,
                      struct wgsim_error *err) {
    if (!command->trace.path)
        return 0;
    *trace = trace_open(command->trace.path, command->trace.level != 0, err);
    return *trace ? 0 : -1;
}

static void print_for_trace(const struct report *report, const char *source_root, bool brief,
                            struct buf *text) {
    struct report_style style = {.brief = brief, .source_root = source_root};

    report_print(report, &style, text);
}

static int finish_trace(struct trace *trace, const struct run_command *command,
                        const struct run_ready *ready, const struct report *report, int status,
                        struct wgsim_error *err) {
    struct buf text = {0}, first_screen = {0};

    if (!trace)
        return 0;
    print_for_trace(report, ready->subject.source_root, false, &text);
    print_for_trace(report, ready->subject.source_root, true, &first_screen);
    struct trace_about about = {.subject = run_ready_subject(ready),
                                .report = report,
                                .text = text.data,
                                .first_screen = first_screen.data,
                                .arguments = command->arguments,
                                .argument_count = command->argument_count,
                                .status = status};
    int result = text.failed || first_screen.failed ? error_set(err, "out of memory")
                                                    : trace_finish(trace, &about, err);
    buf_release(&text);
    buf_release(&first_screen);
    return result;
}

/* ---- The run ---- */

static int run_traced(struct run_ready *ready, const struct run_command *command,
                      struct trace *trace, struct report *report, struct wgsim_error *err) {
    struct listener listeners[2] = {watchdog_listener()};
    size_t count = 1;

    if (trace)
        listeners[count++] = trace_listener(trace);
    ready->setup.run.stop = &watchdog_signal;
    watchdog_start(ready->job.kernel->desc->name);
    int result = run_ready_run(ready, command, listeners, count, report, err);
    watchdog_stop();
    return result;
}

static int run_and_print(struct run_ready *ready, const struct run_command *command) {
    struct report report = {0};
    struct trace *trace = NULL;
    struct wgsim_error err;
    int status;

    if (subject_check_dumps(&command->subject, &ready->job, &err) < 0 ||
        open_trace(&trace, command, &err) < 0 ||
        run_traced(ready, command, trace, &report, &err) < 0) {
        status = cli_fail(&err);
    } else {
        status =
            report_output(&report, &command->report, ready->fail_on, ready->subject.source_root);
        if (subject_dump(&command->subject, &ready->job, &err) < 0 ||
            finish_trace(trace, command, ready, &report, status, &err) < 0)
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
