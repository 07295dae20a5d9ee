/* wgsim replay: runs a recorded run again, and says whether it came out the same. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/output.h"
#include "sim/cli/replay.h"
#include "sim/cli/run_command.h"
#include "sim/cli/trace_command.h"
#include "sim/cli/watchdog.h"
#include "sim/error.h"
#include "sim/report/json.h"
#include "sim/trace/compare.h"
#include "sim/trace/fingerprint.h"
#include "sim/trace/trace.h"

static const char about[] =
    "Runs a kernel again as 'wgsim run --trace' recorded it, from the folder in which that was\n"
    "typed if it names files, and says whether its schedule, the contents of its buffers and its\n"
    "report came out the same. Or makes the choices of a counterexample that 'wgsim progress\n"
    "--trace' recorded, and says whether they lead where they led.\n";

static const struct cli_option option_table[] = {
    {"json", NULL, 0, CLI_FLAG, 0, NULL, NULL, "print the comparison as JSON"},
    {0},
};

/* ---- The run ---- */

/* A run that was interrupted ends again where it did: after as many records, but for the verdict
 * and the end of the dispatch. What is told of workgroups that run ahead, before that turns out to
 * be void, is not what was recorded of those that made steps. */
static bool is_at_interrupt(const struct replay *replay) {
    const struct trace_read *trace = replay->trace;
    const struct fingerprint_state *now = &replay->print.now;

    return trace->interrupted && now->records + 2 >= trace->records &&
           (trace->ahead < 0 || now->ahead == (trace->ahead != 0));
}

static void hear(void *self, const struct record *record) {
    struct replay *replay = self;

    fingerprint_hear(&replay->print, record);
    if (watchdog_signal || is_at_interrupt(replay))
        replay->stop = 1;
}

static int run_again(struct replay *replay, struct run_ready *ready,
                     const struct run_command *command, struct report *report,
                     struct wgsim_error *err) {
    struct listener listeners[2] = {watchdog_listener(), {.self = replay, .hear = hear}};

    fingerprint_init(&replay->print);
    ready->setup.run.stop = &replay->stop;
    if (replay->trace->interrupted) /* threads would end where their work does */
        ready->setup.run.threads = 1;
    if (watchdog_start(ready->job.kernel->desc->name, err) < 0)
        return -1;
    int result = run_ready_run(ready, command, listeners, 2, report, err);
    watchdog_stop();
    return result;
}

/* ---- Comparing ---- */

void replay_add_difference(struct replay *replay, const char *in, const char *where,
                           const char *text) {
    json_array_append_new(replay->differences,
                          json_pack("{s:s, s:s, s:s}", "in", in, "where", where, "text", text));
}

void replay_compare(struct replay *replay, const char *in, const json_t *then, const json_t *now) {
    struct buf where = {0}, values = {0};

    if (!compare_json(then, now, &where, &values))
        replay_add_difference(replay, in, where.data ? where.data : "",
                              values.data ? values.data : "");
    buf_release(&where);
    buf_release(&values);
}

static void compare_schedule(struct replay *replay, const json_t *then, const json_t *now) {
    struct buf words = {0};

    compare_schedules(then, now, &words);
    if (words.len)
        replay_add_difference(replay, "schedule", "", words.data);
    buf_release(&words);
}

/* As it is once written and read, for numbers lose digits there. */
static json_t *read_again(json_t *value) {
    char *text = json_dumps(value, JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
    json_t *again = text ? json_loads(text, 0, NULL) : NULL;

    free(text);
    json_decref(value);
    return again;
}

int replay_compare_inputs(struct replay *replay, const struct trace_subject *subject,
                          struct wgsim_error *err) {
    json_t *now = trace_inputs(subject, err);

    if (!now)
        return -1;
    now = read_again(now);
    replay_compare(replay, "inputs", replay->trace->inputs, now);
    json_decref(now);
    return 0;
}

static void compare_outcome(struct replay *replay, const struct run_ready *ready,
                            const struct report *report) {
    json_t *now = read_again(trace_outcome(&replay->print, &ready->job));
    json_t *report_now = read_again(report_to_json(report));
    const json_t *then = replay->trace->outcome;

    compare_schedule(replay, json_object_get(then, "schedule"), json_object_get(now, "schedule"));
    replay_compare(replay, "buffers", json_object_get(then, "buffers"),
                   json_object_get(now, "buffers"));
    replay_compare(replay, "report", replay->trace->report, report_now);
    json_decref(now);
    json_decref(report_now);
}

static int replay_run(struct replay *replay, const struct run_command *command,
                      struct wgsim_error *err) {
    struct run_ready ready;
    struct report report = {0};
    int result = run_ready_open(&ready, command, err);

    if (result == 0) {
        struct trace_subject subject = run_ready_subject(&ready);
        result = replay_compare_inputs(replay, &subject, err);
    }
    if (result == 0)
        result = run_again(replay, &ready, command, &report, err);
    if (result == 0 && !watchdog_signal)
        compare_outcome(replay, &ready, &report);
    report_release(&report);
    run_ready_release(&ready);
    return result;
}

/* ---- The recorded command ---- */

/* Parses the recorded arguments as `wgsim run` does. */
static int replay_command(struct replay *replay, int argc, char **argv, struct wgsim_error *err) {
    struct run_command command;
    struct cli_operands operands;
    struct wgsim_error why;
    bool help = false;
    int result = run_command_init(&command, argc, argv, err);

    command.usage.overriding = true; /* a sweep's variant stands behind its command */
    if (result == 0 &&
        (cli_parse_arguments(&command.usage, argc, argv, &operands, &help, &why) < 0 || help))
        result = error_set(err, "its command is not one of this version: %s",
                           help ? "it asks for help" : why.message);
    if (result == 0) {
        command.operand = operands.items[0];
        result = replay_run(replay, &command, err);
    }
    run_command_release(&command);
    return result;
}

static int replay_by_name(struct replay *replay, int argc, char **argv, struct wgsim_error *err) {
    if (argc > 0 && strcmp(argv[0], "run") == 0)
        return replay_command(replay, argc, argv, err);
    if (argc > 0 && strcmp(argv[0], "progress") == 0)
        return replay_progress(replay, argc, argv, err);
    return error_set(err, "its command is not one of this version");
}

static int replay_arguments(struct replay *replay, struct wgsim_error *err) {
    const json_t *arguments = replay->trace->arguments;
    int argc = (int)json_array_size(arguments);
    char **argv = calloc((size_t)argc + 1, sizeof *argv);

    if (!argv)
        return error_set(err, "out of memory");
    int result = 0;
    for (int i = 0; i < argc; i++) {
        argv[i] = (char *)json_string_value(json_array_get(arguments, (size_t)i));
        if (!argv[i])
            result = error_set(err, "its command is not one of this version");
    }
    if (result == 0)
        result = replay_by_name(replay, argc, argv, err);
    free(argv);
    return result;
}

/* ---- What is printed ---- */

/* In a report of a run, or of progress models. */
static const char *kernel_of(const json_t *report) {
    const json_t *verdict = json_array_get(json_object_get(report, "verdicts"), 0);
    const char *kernel = json_string_value(json_object_get(report, "kernel"));

    return kernel ? kernel : json_string_value(json_object_get(verdict, "config"));
}

static void print_text(const struct replay *replay) {
    const char *kernel = kernel_of(replay->trace->report);
    const char *verdict = json_string_value(json_object_get(replay->trace->report, "verdict"));
    json_t *difference;
    size_t i;

    if (json_array_size(replay->differences) == 0) {
        fputs(replay->words.data ? replay->words.data : "", stdout);
        printf("%s: came out as recorded: ", kernel ? kernel : "?");
        if (verdict)
            printf("%s, %llu records\n", verdict, (unsigned long long)replay->print.now.records);
        else
            printf("%s\n", replay->came_to.data ? replay->came_to.data : "");
        return;
    }
    printf("%s: did not come out as recorded\n", kernel ? kernel : "?");
    json_array_foreach(replay->differences, i, difference) {
        const char *where = json_string_value(json_object_get(difference, "where"));
        printf("  %-9s %s%s%s\n", json_string_value(json_object_get(difference, "in")), where,
               *where ? ": " : "", json_string_value(json_object_get(difference, "text")));
    }
}

static json_t *comparison_json(const struct replay *replay) {
    return json_pack("{s:s, s:s?, s:b, s:I, s:O}", "schema", "wgsim-replay/1", "kernel",
                     kernel_of(replay->trace->report), "same",
                     (int)(json_array_size(replay->differences) == 0), "records",
                     (json_int_t)replay->print.now.records, "differences", replay->differences);
}

/* Returns the exit status. */
static int print(const struct replay *replay, bool json) {
    struct wgsim_error err;

    if (!json)
        print_text(replay);
    else if (output_json(comparison_json(replay), &err) < 0)
        return cli_fail(&err);
    return json_array_size(replay->differences) != 0;
}

static int replay_trace(const struct trace_read *trace, const char *path, bool json) {
    struct replay replay = {.trace = trace, .differences = json_array()};
    struct wgsim_error why, err;
    int status;

    if (replay_arguments(&replay, &why) < 0) {
        error_format(&err, "cannot replay %s: %s", path, why.message);
        status = cli_fail(&err);
    } else if (watchdog_signal) {
        status = 128 + watchdog_signal;
    } else {
        status = print(&replay, json);
    }
    json_decref(replay.differences);
    buf_release(&replay.words);
    buf_release(&replay.came_to);
    return status;
}

int cmd_replay(int argc, char **argv) {
    bool json = false;
    const struct trace_command command = {"replay", about, option_table, &json};
    struct trace_read trace;
    const char *path;
    int status;

    if (!trace_command_open(&command, argc, argv, &trace, &path, &status))
        return status;
    status = replay_trace(&trace, path, json);
    trace_read_release(&trace);
    return status;
}
