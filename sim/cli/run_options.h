/* The options of every command that runs kernels, and what they amount to. */
#ifndef SIM_CLI_RUN_OPTIONS_H
#define SIM_CLI_RUN_OPTIONS_H

#include "sim/cli/device_options.h"
#include "sim/plan.h"
#include "sim/run.h"

struct run_cli {
    uint32_t groups[3];
    uint64_t size;
    struct cli_list set;
    const char *order;
    unsigned placement, refill, pace, lanes, memory, outside, stress;
    uint64_t seed, max_steps;
    uint32_t registers, resident, threads;
};

#define RUN_CLI_DEFAULT                                                                            \
    { .order = "ascending", .max_steps = 100000000, .threads = 1 }

extern const struct cli_option run_option_table[];

/* The heading of the table in --help. */
#define RUN_OPTIONS_TITLE "Run"

/* Whether it was asked for, not only that the device is so. */
bool run_cli_asks_lockstep(const struct run_cli *cli);

/* What a run needs besides the kernel. Must stay where it is: members point to each other. */
struct setup {
    struct arena arena;
    struct device device;
    struct limits limits;
    struct run_options run;
    struct plan_options plan;
    bool groups_given;
};

/* Both tables have been parsed, into a struct run_cli and a struct device_options, which must
 * outlive the setup. Must be released either way. */
int setup_init(struct setup *setup, const struct cli_table *run_table,
               const struct cli_table *device_table, struct wgsim_error *err);
void setup_release(struct setup *setup);

#endif
