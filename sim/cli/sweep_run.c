/* Runs of a sweep. */
#include "sim/cli/sweep_run.h"

#include <stdlib.h>

#include "sim/cli/run_trace.h"
#include "sim/cli/watchdog.h"
#include "sim/error.h"
#include "sim/trace/hash.h"

/* Must be released whatever came of it. */
struct variant_run {
    char **argv;
    struct run_command command;
    struct run_ready ready;
    struct trace *trace;
    struct report report;
};

/* Words "run KERNEL OPTION...": of the sweep, of the variant, and --trace if there is a path. */
static int fill_arguments(struct variant_run *run, const struct sweep_subject *subject,
                          const struct sweep_variant *variant, const char *path) {
    int count = 0;

    run->argv = calloc((size_t)subject->options.count + SWEEP_ARGUMENTS_MAX + 5, sizeof *run->argv);
    if (!run->argv)
        return -1;
    run->argv[count++] = "run";
    run->argv[count++] = (char *)subject->kernel;
    for (int i = 0; i < subject->options.count; i++)
        run->argv[count++] = subject->options.items[i];
    for (size_t i = 0; variant->arguments[i]; i++)
        run->argv[count++] = (char *)variant->arguments[i];
    if (path) {
        run->argv[count++] = "--trace";
        run->argv[count++] = (char *)path;
    }
    return count;
}

/* warn: prints the warnings of a shader. */
static int open_run(struct variant_run *run, const struct sweep_subject *subject,
                    const struct sweep_variant *variant, const char *path, bool warn,
                    struct wgsim_error *err) {
    struct run_command *command = &run->command;
    struct cli_operands operands;
    bool help;

    *run = (struct variant_run){.argv = NULL};
    int argc = fill_arguments(run, subject, variant, path);
    if (argc < 0)
        return error_set(err, "out of memory");
    if (run_command_init(command, argc, run->argv, err) < 0)
        return -1;
    command->usage.overriding = true;
    if (cli_parse_arguments(&command->usage, argc, run->argv, &operands, &help, err) < 0)
        return -1;
    command->operand = operands.items[0];
    command->subject.shader.unwarned = !warn;
    watchdog_breaks(true);
    int result =
        watchdog_signal ? error_set(err, "interrupted") : run_ready_open(&run->ready, command, err);
    watchdog_breaks(false);
    return result;
}

static int do_run(struct variant_run *run, struct wgsim_error *err) {
    if (run_trace_open(&run->trace, &run->command, err) < 0)
        return -1;
    return run_trace_run(&run->ready, &run->command, run->trace, &run->report, err);
}

static void release_run(struct variant_run *run) {
    trace_free(run->trace);
    report_release(&run->report);
    run_ready_release(&run->ready);
    run_command_release(&run->command);
    free(run->argv);
}

static int hash_run(const struct variant_run *run, uint64_t *hash, struct wgsim_error *err) {
    struct trace_subject subject = run_ready_subject(&run->ready);
    json_t *inputs = trace_inputs(&subject, err);

    if (!inputs)
        return -1;
    char *text = json_dumps(inputs, JSON_COMPACT | JSON_PRESERVE_ORDER);
    int result = text ? 0 : error_set(err, "out of memory");
    *hash = hash_text(hash_text(HASH_START, text), run->command.line.data);
    free(text);
    json_decref(inputs);
    return result;
}

int sweep_hash(const struct sweep_subject *subject, const struct sweep_variant *variant, bool warn,
               uint64_t *hash, struct wgsim_error *err) {
    struct variant_run run;
    int result = open_run(&run, subject, variant, NULL, warn, err);

    if (result == 0)
        result = hash_run(&run, hash, err);
    release_run(&run);
    return result;
}

static int read_size(const struct variant_run *run, uint64_t *size, struct wgsim_error *err) {
    const struct plan_options *plan = &run->ready.setup.plan;
    uint64_t usual = run->ready.job.kernel->desc->default_size;

    if (!usual)
        return error_set(err, "--over sizes: %s has no size (--size)", run->command.operand);
    *size = plan->size_given ? plan->size : usual;
    return 0;
}

int sweep_size(const struct sweep_subject *subject, uint64_t *size, struct wgsim_error *err) {
    static const struct sweep_variant as_it_is = {.text = ""};
    struct variant_run run;
    int result = open_run(&run, subject, &as_it_is, NULL, false, err);

    if (result == 0)
        result = read_size(&run, size, err);
    release_run(&run);
    return result;
}

int sweep_run(const struct sweep_subject *subject, const struct sweep_variant *variant,
              struct sweep_result *result, struct wgsim_error *err) {
    struct variant_run run;

    *result = (struct sweep_result){0};
    int status = open_run(&run, subject, variant, NULL, false, err);
    if (status == 0)
        status = do_run(&run, err);
    if (status == 0 && sweep_keep(result, &run.report, &run.ready.job) < 0)
        status = error_set(err, "out of memory");
    if (status == 0)
        result->status = report_status(&run.report, run.ready.fail_on);
    release_run(&run);
    return status;
}

int sweep_record(const struct sweep_subject *subject, const struct sweep_variant *variant,
                 const char *path, struct wgsim_error *err) {
    struct variant_run run;
    int result = open_run(&run, subject, variant, path, false, err);

    if (result == 0)
        result = do_run(&run, err);
    if (result == 0 && run.report.interrupted)
        result = 1;
    else if (result == 0)
        result = run_trace_finish(run.trace, &run.command, &run.ready, &run.report,
                                  report_status(&run.report, run.ready.fail_on), err);
    release_run(&run);
    return result;
}
