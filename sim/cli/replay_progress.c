/* Counterexamples again: the recorded choices are made over the kernel, and nothing is decided. */
#include "sim/cli/progress_command.h"
#include "sim/cli/replay.h"
#include "sim/error.h"
#include "sim/progress/retrace.h"
#include "sim/progress/words.h"
#include "sim/trace/example.h"

static void tell(struct replay *replay, const char *kernel, enum model model,
                 const struct counterexample *example) {
    struct buf opening = {0};

    buf_printf(&opening, "%s: under", kernel);
    if (!opening.failed)
        counterexample_words(&replay->words, opening.data, model, example, SIZE_MAX);
    buf_release(&opening);
    size_t steps = example->prefix_count + example->cycle_count;
    buf_printf(&replay->came_to, "%zu step%s", steps, steps == 1 ? "" : "s");
    if (models[model].strong)
        buf_puts(&replay->came_to, ", from where those that must run never reach the end");
    else
        buf_printf(&replay->came_to,
                   ", and the state after the last is the one %zu before, byte for byte",
                   example->cycle_count);
}

static int follow(struct replay *replay, struct progress_ready *ready, struct wgsim_error *err) {
    struct arena *arena = &ready->setup.arena;
    struct example_choices choices;
    const char *fault;

    if (example_read(&choices, replay->trace->counterexample, &ready->subject.kernel, arena, err) <
            0 ||
        retrace(&choices.example, choices.model, &choices.classes, &ready->job,
                &ready->setup.device, &ready->setup.run, arena, &fault, err) < 0)
        return -1;
    replay->print.now.records = choices.example.prefix_count + choices.example.cycle_count;
    if (fault) {
        replay_add_difference(replay, "schedule", "", fault);
        return 0;
    }
    json_t *now = example_choices_json(&choices, &ready->subject.kernel);
    replay_compare(replay, "schedule", replay->trace->counterexample, now);
    json_decref(now);
    tell(replay, ready->subject.kernel.desc->name, choices.model, &choices.example);
    return 0;
}

static int open_and_follow(struct replay *replay, const struct progress_command *command,
                           struct wgsim_error *err) {
    struct progress_ready ready;
    int result = progress_ready_open(&ready, command, err);

    if (result == 0) {
        struct trace_subject subject = progress_ready_subject(&ready);
        result = replay_compare_inputs(replay, &subject, err);
    }
    if (result == 0)
        result = follow(replay, &ready, err);
    progress_ready_release(&ready);
    return result;
}

int replay_progress(struct replay *replay, int argc, char **argv, struct wgsim_error *err) {
    struct progress_command command;
    struct wgsim_error why;
    bool help = false;
    int result = progress_command_init(&command, argc, argv, err);

    if (result == 0 &&
        (cli_parse_arguments(&command.usage, argc, argv, &command.operands, &help, &why) < 0 ||
         (!help && progress_command_check(&command, &why) < 0) || help))
        result = error_set(err, "its command is not one of this version: %s",
                           help ? "it asks for help" : why.message);
    if (result == 0)
        result = open_and_follow(replay, &command, err);
    progress_command_release(&command);
    return result;
}
