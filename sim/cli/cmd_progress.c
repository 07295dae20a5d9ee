/* wgsim progress: whether a kernel, or litmus tests, terminate under every progress model. */
#include <string.h>

#include "sim/buf.h"
#include "sim/cli/commands.h"
#include "sim/cli/litmus_fixed.h"
#include "sim/cli/litmus_output.h"
#include "sim/cli/progress_command.h"
#include "sim/cli/progress_litmus.h"
#include "sim/cli/progress_output.h"
#include "sim/cli/watchdog.h"
#include "sim/error.h"
#include "sim/new_file.h"
#include "sim/progress/decide.h"
#include "sim/trace/example.h"
#include "sim/trace/frame.h"

/* ---- Models by name ---- */

static int find_model(const char *name, size_t length) {
    for (int m = 0; m < MODEL_COUNT; m++)
        if (strlen(models[m].name) == length && strncmp(models[m].name, name, length) == 0)
            return m;
    return -1;
}

/* `also`: what the option takes besides. */
static int unknown_model(const char *option, const char *name, size_t length, const char *also,
                         struct wgsim_error *err) {
    struct buf names = {0};

    for (int m = 0; m < MODEL_COUNT; m++)
        buf_printf(&names, "%s%s", m ? ", " : "", models[m].name);
    buf_puts(&names, also);
    error_format(err, "--%s: '%.*s' is none of %s", option, (int)length, name,
                 names.data ? names.data : "the models");
    buf_release(&names);
    return -1;
}

/* --fail-on: "any" or names separated by commas, as bits of enum model. */
static int parse_models(const char *text, uint32_t *set, struct wgsim_error *err) {
    *set = 0;
    if (strcmp(text, "any") == 0) {
        *set = (UINT32_C(1) << MODEL_COUNT) - 1;
        return 0;
    }
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        int model = find_model(at, length);
        if (model < 0)
            return unknown_model("fail-on", at, length, ", any", err);
        *set |= UINT32_C(1) << model;
        at += length;
        if (!*at)
            return 0;
    }
}

static int check(const struct progress_command *command, uint32_t *fail_on,
                 struct wgsim_error *err) {
    const struct progress_options *options = &command->options;

    if (options->fail_on && parse_models(options->fail_on, fail_on, err) < 0)
        return -1;
    if (options->model && find_model(options->model, strlen(options->model)) < 0)
        return unknown_model("model", options->model, strlen(options->model), "", err);
    if (options->trace &&
        (frame_check_arguments(command->arguments, command->argument_count, err) < 0 ||
         new_file_check(options->trace, err) < 0))
        return -1;
    return progress_command_check(command, err);
}

static bool fails_on(const struct decision *decision, uint32_t set) {
    for (int m = 0; m < MODEL_COUNT; m++)
        if ((set >> m & 1) && decision->results[m].verdict == MODEL_FAILS)
            return true;
    return false;
}

/* ---- A kernel ---- */

/* The model whose counterexample says most: of those that fail the one that promises most of what
 * hardware does. */
static int telling_model(const struct decision *decision) {
    static const enum model order[] = {MODEL_OBE, MODEL_LOBE,        MODEL_HSA_OBE, MODEL_WEAK_FAIR,
                                       MODEL_HSA, MODEL_STRONG_FAIR, MODEL_UNFAIR};

    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (decision->results[order[i]].verdict == MODEL_FAILS)
            return (int)order[i];
    return -1;
}

/* The model whose counterexample is wanted, or the most telling; -1: none fails. */
static int shown_model(const struct decision *decision, const struct progress_options *options) {
    int model = options->model ? find_model(options->model, strlen(options->model))
                               : telling_model(decision);

    return model >= 0 && decision->results[model].verdict == MODEL_FAILS ? model : -1;
}

static int report_kernel(const struct decision *decision, const char *name,
                         const struct progress_options *options) {
    if (options->json)
        return progress_print(progress_kernel_json(decision, name));
    return progress_kernel_print(decision, name,
                                 options->quiet ? -1 : shown_model(decision, options));
}

/* With --trace; returns the exit status, which is `status` if that could be done. */
static int record(const struct progress_command *command, const struct progress_ready *ready,
                  const struct decision *decision, int status, struct wgsim_error *err) {
    const char *path = command->options.trace, *name = ready->subject.kernel.desc->name;
    int model = shown_model(decision, &command->options);
    struct buf opening = {0};

    if (!path)
        return status;
    if (model < 0) {
        error_format(err, "there is no counterexample to record in %s", path);
        return cli_fail(err);
    }
    buf_printf(&opening, "%s: under", name);
    struct example_about about = {.subject = progress_ready_subject(ready),
                                  .arguments = command->arguments,
                                  .argument_count = command->argument_count,
                                  .opening = opening.data ? opening.data : "",
                                  .report = progress_kernel_json(decision, name),
                                  .status = status};
    int result = example_write(path, decision, (enum model)model, &about, err);
    json_decref(about.report);
    buf_release(&opening);
    return result < 0 ? cli_fail(err) : status;
}

static int decide_watched(struct decision *decision, const struct progress_command *command,
                          struct progress_ready *ready, struct wgsim_error *err) {
    struct graph_options limits = progress_command_limits(command);

    if (watchdog_start_unheard(ready->subject.kernel.desc->name, &limits.running, err) < 0)
        return -1;
    int result = decide(decision, &ready->job, &ready->setup.device, &ready->setup.run, &limits,
                        true, &ready->setup.arena, err);
    watchdog_stop();
    return result;
}

static int decide_kernel(const struct progress_command *command, uint32_t fail_on) {
    struct progress_ready ready;
    struct decision decision;
    struct wgsim_error err;
    int status;

    if (progress_ready_open(&ready, command, &err) < 0 ||
        decide_watched(&decision, command, &ready, &err) < 0)
        status = cli_fail(&err);
    else if (report_kernel(&decision, ready.subject.kernel.desc->name, &command->options) < 0)
        status = 2;
    else
        status = record(command, &ready, &decision, fails_on(&decision, fail_on), &err);
    progress_ready_release(&ready);
    return status;
}

/* ---- The command ---- */

/* Steps after which a litmus test that is run is suspected not to end. */
enum { FIXED_STEPS = 100000 };

static int run_litmus(const struct progress_command *command) {
    struct setup setup;
    struct wgsim_error err;
    int status;

    if (setup_init(&setup, &command->tables[1], &command->tables[2], &err) < 0) {
        status = cli_fail(&err);
    } else {
        if (!cli_given(&command->tables[1], "max-steps"))
            setup.run.max_steps = FIXED_STEPS;
        status = litmus_fixed(command->options.litmus, command->options.json, &setup);
    }
    setup_release(&setup);
    return status;
}

static int decide_litmus(const struct progress_command *command, uint32_t fail_on) {
    const struct progress_options *options = &command->options;
    struct litmus_request litmus = {.path = options->litmus,
                                    .split = options->split,
                                    .limits = progress_command_limits(command),
                                    .fail_on = fail_on,
                                    .json = options->json,
                                    .argc = command->argument_count,
                                    .argv = command->arguments};
    struct setup setup;
    struct wgsim_error err;
    int status = setup_init(&setup, &command->tables[1], &command->tables[2], &err) < 0
                     ? cli_fail(&err)
                     : progress_litmus(&litmus, &setup);

    setup_release(&setup);
    return status;
}

int cmd_progress(int argc, char **argv) {
    struct progress_command command;
    struct wgsim_error err;
    uint32_t fail_on = 0;
    int status = 2;

    if (progress_command_init(&command, argc, argv, &err) < 0) {
        status = cli_fail(&err);
    } else if (cli_parse(&command.usage, argc, argv, &command.operands, &status)) {
        if (check(&command, &fail_on, &err) < 0)
            status = cli_fail(&err);
        else if (command.options.fixed)
            status = run_litmus(&command);
        else if (command.options.litmus)
            status = decide_litmus(&command, fail_on);
        else
            status = decide_kernel(&command, fail_on);
    }
    progress_command_release(&command);
    return status;
}
