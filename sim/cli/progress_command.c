/* The arguments of `wgsim progress`, and what they amount to. */
#include "sim/cli/progress_command.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/run.h"

#define AT(member) offsetof(struct progress_options, member)

static const struct cli_option options_table[] = {
    {"litmus", NULL, 0, CLI_STRING, AT(litmus), "FILE", NULL,
     "decide the litmus tests of a file instead of a kernel"},
    {"fixed", NULL, 0, CLI_FLAG, AT(fixed), NULL, NULL,
     "run each litmus test once, on the schedule that the run options choose, and say how it ends"},
    {"model", NULL, 0, CLI_STRING, AT(model), "NAME", NULL,
     "the model whose counterexample is shown (the most telling): HSA, OBE, HSA_OBE, LOBE, "
     "WEAK_FAIR, HSA_STRONG, OBE_STRONG, HSA_OBE_STRONG, LOBE_STRONG, STRONG_FAIR or UNFAIR"},
    {"max-states", NULL, 0, CLI_U64, AT(max_states), "N", NULL,
     "states to explore before the answer is unknown (2000000)"},
    {"max-memory", NULL, 0, CLI_SIZE, AT(max_bytes), "BYTES", NULL, "likewise bytes (1G)"},
    {"fail-on", NULL, 0, CLI_STRING, AT(fail_on), "MODEL,...", NULL,
     "exit with 1 where a kernel may not end under one of these models, or, for any, under any"},
    {"shard", NULL, 0, CLI_STRING, AT(split.shard), "I/N", NULL,
     "decide only every N-th litmus test, from the I-th on"},
    {"append", NULL, 0, CLI_STRING, AT(split.append), "FILE", NULL,
     "append each litmus test to a file as it is decided, and go on where that ends; see 'wgsim "
     "merge'"},
    {"jobs", NULL, 0, CLI_U32, AT(split.jobs), "N", NULL,
     "decide litmus tests in so many processes (1)"},
    {"trace", NULL, 0, CLI_STRING, AT(trace), "FILE", NULL,
     "record the counterexample in a file, for 'wgsim replay', Perfetto and chrome://tracing"},
    {"json", NULL, 0, CLI_FLAG, AT(json), NULL, NULL, "print the result as JSON"},
    {"quiet", NULL, 'q', CLI_FLAG, AT(quiet), NULL, NULL, "print the verdicts only"},
    {0},
};

static const char about[] =
    "Says under which progress models a kernel is sure to end, by exploring every choice of the\n"
    "scheduler; or the same of litmus tests (--litmus). The answer is unknown where a limit is\n"
    "reached: --max-states, --max-memory or --max-steps.\n";

enum { DEFAULT_MAX_STEPS = 40000000 };

int progress_command_init(struct progress_command *command, int argc, char **argv,
                          struct wgsim_error *err) {
    *command = (struct progress_command){
        .options.split.jobs = 1, .run = RUN_CLI_DEFAULT, .device = DEVICE_OPTIONS_DEFAULT};
    const struct cli_table tables[PROGRESS_COMMAND_TABLES] = {
        {"Progress", options_table, &command->options, 0, NULL},
        {RUN_OPTIONS_TITLE, run_option_table, &command->run, 0, NULL},
        {DEVICE_OPTIONS_TITLE, device_option_table, &command->device, 0, NULL},
        {SHADER_OPTIONS_TITLE, shader_option_table, &command->subject.shader, 0, NULL},
        {SUBJECT_OPTIONS_TITLE, subject_option_table, &command->subject, 0, NULL},
    };

    memcpy(command->tables, tables, sizeof tables);
    command->usage = (struct cli_usage){.command = "progress",
                                        .operands = "[KERNEL]",
                                        .about = about,
                                        .max_operands = 1,
                                        .tables = command->tables,
                                        .table_count = PROGRESS_COMMAND_TABLES};
    command->run.max_steps = DEFAULT_MAX_STEPS;
    command->arguments = malloc(((size_t)argc + 1) * sizeof *argv);
    if (!command->arguments)
        return error_set(err, "out of memory");
    memcpy(command->arguments, argv, (size_t)argc * sizeof *argv);
    command->argument_count = argc;
    return 0;
}

void progress_command_release(struct progress_command *command) {
    free(command->arguments);
}

/* Options that choose one schedule make no sense where all are explored, and others are not
 * explored. */
static int check_explored(const struct cli_table *run, const struct run_cli *options,
                          struct wgsim_error *err) {
    static const char *const one_schedule[] = {"order", "placement", "refill", "pace",
                                               "seed",  "stress",    NULL};

    for (size_t i = 0; one_schedule[i]; i++)
        if (cli_given(run, one_schedule[i]))
            return error_set(err, "--%s chooses a schedule, and 'wgsim progress' explores all",
                             one_schedule[i]);
    if (run_cli_asks_lockstep(options))
        return error_set(err, "--lanes lockstep: 'wgsim progress' explores independent lanes");
    if (options->memory)
        return error_set(err, "--memory weak: 'wgsim progress' explores memory that is the same "
                              "for all at once");
    return 0;
}

static int check_litmus(const struct progress_command *command, struct wgsim_error *err) {
    const struct progress_options *options = &command->options;
    bool split =
        options->split.shard || options->split.append || cli_given(&command->tables[0], "jobs");

    if (options->litmus && options->model)
        return error_set(err, "--model is for a kernel: no counterexample is shown with --litmus");
    if (options->litmus && options->trace)
        return error_set(err, "--trace is for a kernel, not for --litmus");
    if (!options->litmus && split)
        return error_set(err, "--shard, --append and --jobs are for --litmus");
    if (!options->litmus && options->fixed)
        return error_set(err, "--fixed is for --litmus; 'wgsim run' runs a kernel");
    if (options->fixed && (split || options->fail_on || options->model))
        return error_set(err,
                         "--fixed decides no models: leave --shard, --append, --jobs, --fail-on "
                         "and --model out");
    return 0;
}

int progress_command_check(const struct progress_command *command, struct wgsim_error *err) {
    const struct progress_options *options = &command->options;

    if (!options->fixed && check_explored(&command->tables[1], &command->run, err) < 0)
        return -1;
    if (options->litmus ? command->operands.count != 0 : command->operands.count != 1)
        return error_set(err, options->litmus
                                  ? "--litmus takes no kernel beside it"
                                  : "name a kernel, or litmus tests with --litmus FILE");
    return check_litmus(command, err);
}

struct graph_options progress_command_limits(const struct progress_command *command) {
    return (struct graph_options){.resident = command->run.resident,
                                  .max_states = command->options.max_states,
                                  .max_bytes = command->options.max_bytes,
                                  .max_steps = command->run.max_steps};
}

/* ---- A kernel ---- */

/* Workgroups explored where nobody says how many. */
enum { DEFAULT_GROUPS = 3 };

/* What 'wgsim run' would not run has no progress either. */
static int check_limits(struct progress_ready *ready, struct wgsim_error *err) {
    struct limits_violations violations = {.count = 0};

    if (run_check_limits(&ready->job, &ready->setup.limits, &ready->setup.arena, &violations, err) <
        0)
        return -1;
    if (violations.count)
        return error_set(err, "%s: %s", ready->job.kernel->desc->name, violations.items[0].text);
    return 0;
}

int progress_ready_open(struct progress_ready *ready, const struct progress_command *command,
                        struct wgsim_error *err) {
    struct plan_options *plan = &ready->setup.plan;

    *ready = (struct progress_ready){.file_count = 0};
    job_init(&ready->job, NULL);
    if (setup_init(&ready->setup, &command->tables[1], &command->tables[2], err) < 0)
        return -1;
    if (!plan->groups[0]) {
        plan->groups[0] = DEFAULT_GROUPS;
        plan->groups[1] = plan->groups[2] = 1;
        plan->groups_offered = true;
    }
    if (subject_open(&ready->subject, command->operands.items[0], &ready->setup, &command->subject,
                     err) < 0)
        return -1;
    ready->file_count = subject_files(&ready->subject, ready->files);
    if (subject_job(&ready->subject, &ready->job, &ready->setup, err) < 0)
        return -1;
    return check_limits(ready, err);
}

void progress_ready_release(struct progress_ready *ready) {
    job_release(&ready->job);
    subject_release(&ready->subject);
    setup_release(&ready->setup);
}

struct trace_subject progress_ready_subject(const struct progress_ready *ready) {
    return (struct trace_subject){.job = &ready->job,
                                  .device = &ready->setup.device,
                                  .run = &ready->setup.run,
                                  .files = ready->files,
                                  .file_count = ready->file_count};
}
