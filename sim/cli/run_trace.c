/* Runs that are recorded. */
#include "sim/cli/run_trace.h"

#include "sim/cli/watchdog.h"
#include "sim/error.h"
#include "sim/report/text.h"
#include "sim/trace/frame.h"

int run_trace_open(struct trace **trace, const struct run_command *command,
                   struct wgsim_error *err) {
    if (!command->trace.path)
        return 0;
    if (frame_check_arguments(command->arguments, command->argument_count, err) < 0)
        return -1;
    *trace = trace_open(command->trace.path, command->trace.level != 0, err);
    return *trace ? 0 : -1;
}

int run_trace_run(struct run_ready *ready, const struct run_command *command, struct trace *trace,
                  struct report *report, struct wgsim_error *err) {
    struct listener listeners[2] = {watchdog_listener()};
    size_t count = 1;

    if (trace)
        listeners[count++] = trace_listener(trace);
    ready->setup.run.stop = &watchdog_signal;
    if (watchdog_start(ready->job.kernel->desc->name, err) < 0)
        return -1;
    int result = run_ready_run(ready, command, listeners, count, report, err);
    watchdog_stop();
    return result;
}

static void print_for_trace(const struct report *report, const char *source_root, bool brief,
                            struct buf *text) {
    struct report_style style = {.brief = brief, .source_root = source_root};

    report_print(report, &style, text);
}

int run_trace_finish(struct trace *trace, const struct run_command *command,
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
