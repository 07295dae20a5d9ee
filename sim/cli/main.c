/* The wgsim program: the table of its commands. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/suggest.h"
#include "sim/error.h"

struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
};

static int cmd_help(int argc, char **argv);

static const struct command commands[] = {
    {"banks", "says what one access pattern of a subgroup costs", cmd_banks},
    {"crosscheck", "runs a kernel on a WebGPU device as well, and compares", cmd_crosscheck},
    {"diff", "says what changed between two reports", cmd_diff},
    {"explain", "says what a kind of finding means and what to do about it", cmd_explain},
    {"help", "says what the commands do, or what one of them takes", cmd_help},
    {"inspect", "shows what a shader declares", cmd_inspect},
    {"list", "lists what there is to simulate", cmd_list},
    {"merge", "joins what several processes found", cmd_merge},
    {"occupancy", "says how many workgroups a compute unit holds at once", cmd_occupancy},
    {"port", "translates a shader to a kernel in C", cmd_port},
    {"progress", "decides whether a kernel can hang, on any schedule", cmd_progress},
    {"replay", "runs a recorded run again: does it come out the same", cmd_replay},
    {"report", "prints the report of a recorded run", cmd_report},
    {"run", "runs a kernel: does it end, what is wrong with it, what does it cost", cmd_run},
    {"serve", "runs shaders for another program, by requests in JSON", cmd_serve},
    {"sweep", "runs one kernel in many ways, to see what its result depends on", cmd_sweep},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_commands(void) {
    printf("usage: wgsim COMMAND [OPTION...]\n"
           "Runs GPU compute kernels on a simulated device and explains what happened.\n\n"
           "Commands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  %-12s%s\n", commands[i].name, commands[i].summary);
    printf("\n'wgsim COMMAND --help' lists a command's options; 'wgsim --version' prints the "
           "version.\n");
}

static const struct command *find_command(const char *name) {
    struct suggestion suggestion = suggestion_for(name);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
        suggestion_offer(&suggestion, commands[i].name);
    }
    struct wgsim_error err;
    if (suggestion.best)
        error_format(&err, "unknown command '%s'; did you mean '%s'?", name, suggestion.best);
    else
        error_format(&err, "unknown command '%s' (see 'wgsim help')", name);
    cli_fail(&err);
    return NULL;
}

static int cmd_help(int argc, char **argv) {
    struct cli_usage usage = {.command = "help",
                              .operands = "[COMMAND]",
                              .about = "Says what the commands do, or what one of them takes.\n",
                              .max_operands = 1};
    struct cli_operands operands;
    int status;
    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    if (operands.count == 0) {
        print_commands();
        return 0;
    }
    const struct command *command = find_command(operands.items[0]);
    if (!command)
        return 2;
    char *help_argv[] = {operands.items[0], "--help", NULL};
    return command->run(2, help_argv);
}

static int run_command(int argc, char **argv) {
    struct wgsim_error err;
    if (argc < 2) {
        error_format(&err, "no command given (see 'wgsim help')");
        return cli_fail(&err);
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        puts("wgsim " PACKAGE_VERSION);
        return 0;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    if (name[0] == '-') {
        error_format(&err, "unknown option '%s' before a command (see 'wgsim help')", name);
        return cli_fail(&err);
    }
    const struct command *command = find_command(name);
    return command ? command->run(argc - 1, argv + 1) : 2;
}

int main(int argc, char **argv) {
    output_init();
    return output_finish(run_command(argc, argv));
}
