/* The arguments of `wgsim run`, and what they amount to. */
#include "sim/cli/run_command.h"

#include <stdlib.h>
#include <string.h>

#include "sim/cli/command_line.h"
#include "sim/cli/dump.h"
#include "sim/error.h"

static const char about[] = "Runs a kernel on the simulated device: a built-in one by its name, a "
                            "kernel object (.so), a C\n"
                            "kernel (.c), a WGSL shader (.wgsl) or a job file (.json), and reports "
                            "whether it ends, what is\n"
                            "wrong with it and what it costs.\n";

int run_command_init(struct run_command *command, int argc, char **argv, struct wgsim_error *err) {
    *command = (struct run_command){.run = RUN_CLI_DEFAULT, .device = DEVICE_OPTIONS_DEFAULT};
    struct cli_table tables[RUN_COMMAND_TABLES] = {
        {RUN_OPTIONS_TITLE, run_option_table, &command->run, 0, NULL},
        {DEVICE_OPTIONS_TITLE, device_option_table, &command->device, 0, NULL},
        {REPORT_OPTIONS_TITLE, report_option_table, &command->report, 0, NULL},
        {FINDING_OPTIONS_TITLE, finding_option_table, &command->report, 0, NULL},
        {TRACE_OPTIONS_TITLE, trace_option_table, &command->trace, 0, NULL},
        {SHADER_OPTIONS_TITLE, shader_option_table, &command->subject.shader, 0, NULL},
        {SUBJECT_OPTIONS_TITLE, subject_option_table, &command->subject, 0, NULL},
        {DUMP_OPTIONS_TITLE, dump_option_table, &command->dumps, 0, NULL},
    };

    memcpy(command->tables, tables, sizeof tables);
    command->usage = (struct cli_usage){.command = "run",
                                        .operands = "KERNEL",
                                        .about = about,
                                        .min_operands = 1,
                                        .max_operands = 1,
                                        .tables = command->tables,
                                        .table_count = RUN_COMMAND_TABLES};
    command_line(argc, argv, &command->line);
    command->arguments = malloc((size_t)argc * sizeof *argv);
    if (command->line.failed || !command->arguments)
        return error_set(err, "out of memory");
    memcpy(command->arguments, argv, (size_t)argc * sizeof *argv);
    command->argument_count = argc;
    return 0;
}

void run_command_release(struct run_command *command) {
    buf_release(&command->line);
    free(command->arguments);
}

/* ---- Making it ready ---- */

static void find_files(struct run_ready *ready) {
    ready->file_count = subject_files(&ready->subject, ready->files);
    if (ready->setup.run.order_file)
        ready->files[ready->file_count++] = ready->setup.run.order_file;
}

int run_ready_open(struct run_ready *ready, const struct run_command *command,
                   struct wgsim_error *err) {
    *ready = (struct run_ready){.file_count = 0};
    if (cli_given(&command->tables[RUN_COMMAND_TRACE], "trace-level") && !command->trace.path)
        return error_set(err, "--trace-level says nothing without --trace");
    if (setup_init(&ready->setup, &command->tables[0], &command->tables[1], err) < 0 ||
        report_options_fail_on(&command->report, &ready->fail_on, err) < 0 ||
        report_options_rules(&command->report, &ready->rules, err) < 0 ||
        subject_open(&ready->subject, command->operand, &ready->setup, &command->subject, err) < 0)
        return -1;
    find_files(ready);
    return subject_job(&ready->subject, &ready->job, &ready->setup, err);
}

void run_ready_release(struct run_ready *ready) {
    job_release(&ready->job);
    subject_release(&ready->subject);
    suppress_release(&ready->rules);
    setup_release(&ready->setup);
}

int run_ready_run(struct run_ready *ready, const struct run_command *command,
                  const struct listener *listeners, size_t listener_count, struct report *report,
                  struct wgsim_error *err) {
    struct report_request what = {.job = &ready->job,
                                  .device = &ready->setup.device,
                                  .run = &ready->setup.run,
                                  .limits = &ready->setup.limits,
                                  .plan = &ready->setup.plan,
                                  .command = command->line.data ? command->line.data : "",
                                  .listeners = listeners,
                                  .listener_count = listener_count};

    if (report_run(report, &what, err) < 0)
        return -1;
    suppress_apply(&ready->rules, &report->findings);
    return 0;
}

struct trace_subject run_ready_subject(const struct run_ready *ready) {
    return (struct trace_subject){.job = &ready->job,
                                  .device = &ready->setup.device,
                                  .run = &ready->setup.run,
                                  .files = ready->files,
                                  .file_count = ready->file_count};
}
