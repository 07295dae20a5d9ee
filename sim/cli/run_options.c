/* The options of every command that runs kernels. */
#include "sim/cli/run_options.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/cli/watchdog.h"
#include "sim/error.h"
#include "sim/read_file.h"

#define AT(member) offsetof(struct run_cli, member)

static const char *const lanes_names[] = {"device", "independent", "lockstep", NULL};
static const char *const memory_names[] = {"sc", "weak", NULL};
static const char *const outside_names[] = {"clamp", "drop", "zero", "trap", NULL};
static const char *const stress_names[] = {"none", "yield", NULL};

enum { LANES_OF_DEVICE, LANES_ASKED_INDEPENDENT, LANES_ASKED_LOCKSTEP };

const struct cli_option run_option_table[] = {
    {"groups", "dispatch", 0, CLI_GROUPS, AT(groups), "X[,Y[,Z]]", NULL,
     "workgroups of the dispatch (the kernel's choice; shader: 1; progress: 3)"},
    {"size", NULL, 0, CLI_SIZE, AT(size), "N", NULL,
     "problem size of the kernel: a matrix's side, else elements; 0 dispatches nothing"},
    {"set", NULL, 0, CLI_NAMED, AT(set), "NAME=VALUE", NULL,
     "value of an override or parameter; may be repeated"},
    {"order", NULL, 0, CLI_STRING, AT(order), "ORDER", NULL,
     "in which workgroups are admitted: ascending, descending, random or a file of ids "
     "(ascending)"},
    {"placement", NULL, 0, CLI_CHOICE, AT(placement), NULL, placement_names,
     "compute unit that gets the next workgroup (fewest)"},
    {"refill", NULL, 0, CLI_CHOICE, AT(refill), NULL, refill_names,
     "when a freed place is given again: at once, or when no resident is left (eager)"},
    {"pace", NULL, 0, CLI_CHOICE, AT(pace), NULL, pace_names,
     "how long a step takes: as modelled; a cycle, so that residents step in turn; or 1 to 8 "
     "cycles drawn with --seed (modelled)"},
    {"resident", NULL, 0, CLI_U32, AT(resident), "N", NULL,
     "most workgroups resident at once on the whole device (what fits; progress: all)"},
    {"seed", NULL, 0, CLI_U64, AT(seed), "N", NULL, "seed of all that is random (0)"},
    {"lanes", NULL, 0, CLI_CHOICE, AT(lanes), NULL, lanes_names,
     "whether the lanes of a subgroup may diverge freely (device)"},
    {"memory", NULL, 0, CLI_CHOICE, AT(memory), NULL, memory_names,
     "when other workgroups see plain stores (sc: at once)"},
    {"oob", NULL, 0, CLI_CHOICE, AT(outside), NULL, outside_names,
     "what an access out of bounds does (clamp)"},
    {"stress", NULL, 0, CLI_CHOICE, AT(stress), NULL, stress_names,
     "yield: give up control at every access (none)"},
    {"registers", NULL, 0, CLI_U32, AT(registers), "N", NULL,
     "registers of a lane (the kernel's, else the device's default)"},
    {"max-steps", NULL, 0, CLI_U64, AT(max_steps), "N", NULL,
     "end as suspected after so many steps of subgroups; 0: never (100000000; progress: 40000000 "
     "of invocations)"},
    {"threads", NULL, 0, CLI_U32, AT(threads), "N", NULL,
     "threads of the host to use; changes the time taken and nothing else (1)"},
    {0},
};

/* A name of an order, or a file. */
static int set_order(struct run_options *run, const char *text, struct wgsim_error *err) {
    for (size_t i = 0; queue_order_names[i]; i++)
        if (strcmp(text, queue_order_names[i]) == 0) {
            run->order = (enum queue_order)i;
            return 0;
        }
    run->order = ORDER_LIST;
    run->order_file = text;
    struct stat info = {0};
    if (stat(text, &info) == 0 && !S_ISDIR(info.st_mode) && access(text, R_OK) == 0)
        return 0;
    return error_set(err,
                     "--order: '%s' is none of ascending, descending, random, and as a file of ids "
                     "it cannot be read: %s",
                     text, read_file_error(S_ISDIR(info.st_mode) ? EISDIR : errno));
}

static int check(const struct cli_table *table, const struct run_cli *cli,
                 struct wgsim_error *err) {
    if (cli_given(table, "groups"))
        for (int axis = 0; axis < 3; axis++)
            if (cli->groups[axis] == 0)
                return error_set(err, "--groups must be at least 1 on every axis; --size 0 "
                                      "dispatches nothing");
    if (cli_given(table, "registers") && cli->registers == 0)
        return error_set(err, "--registers must be at least 1");
    if (cli_given(table, "resident") && cli->resident == 0)
        return error_set(err, "--resident must be at least 1");
    bool drawn = cli->memory != 0 || cli->pace == PACE_RANDOM || strcmp(cli->order, "random") == 0;
    if (cli_given(table, "seed") && !drawn)
        return error_set(err, "--seed: nothing is random without --order random, --pace random or "
                              "--memory weak");
    if (cli->threads == 0 || cli->threads > THREADS_MAX)
        return error_set(err, "--threads must be from 1 to %d", THREADS_MAX);
    return 0;
}

bool run_cli_asks_lockstep(const struct run_cli *cli) {
    return cli->lanes == LANES_ASKED_LOCKSTEP;
}

static bool lockstep(const struct run_cli *cli, const struct device *device) {
    if (cli->lanes == LANES_OF_DEVICE)
        return device->lanes == LANES_LOCKSTEP;
    return run_cli_asks_lockstep(cli);
}

int setup_init(struct setup *setup, const struct cli_table *run_table,
               const struct cli_table *device_table, struct wgsim_error *err) {
    const struct run_cli *cli = run_table->target;
    const struct device_options *device_options = device_table->target;

    *setup = (struct setup){.run = {.placement = (enum placement)cli->placement,
                                    .refill = (enum refill)cli->refill,
                                    .pace = (enum pace)cli->pace,
                                    .outside = (enum outside_policy)cli->outside,
                                    .stress_yield = cli->stress != 0,
                                    .weak_memory = cli->memory != 0,
                                    .seed = cli->seed,
                                    .max_steps = cli->max_steps,
                                    .registers = cli->registers,
                                    .resident = cli->resident,
                                    .threads = cli->threads}};
    arena_init(&setup->arena);
    if (check(run_table, cli, err) < 0 ||
        device_options_get(device_table, device_options, &setup->arena, &setup->device, err) < 0 ||
        set_order(&setup->run, cli->order, err) < 0)
        return -1;
    setup->run.lockstep = lockstep(cli, &setup->device);
    setup->groups_given = cli_given(run_table, "groups");
    setup->limits = device_options_limits(device_options, &setup->device);
    setup->plan = (struct plan_options){.device = &setup->device,
                                        .size = cli->size,
                                        .size_given = cli_given(run_table, "size"),
                                        .registers = cli->registers,
                                        .set = cli->set.items,
                                        .set_count = cli->set.count,
                                        .running = &watchdog_running};
    memcpy(setup->plan.groups, cli->groups, sizeof cli->groups);
    return 0;
}

void setup_release(struct setup *setup) {
    arena_release(&setup->arena);
}
