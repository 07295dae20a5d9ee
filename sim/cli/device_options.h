/* The options that say what device is simulated, for every command that needs one. */
#ifndef SIM_CLI_DEVICE_OPTIONS_H
#define SIM_CLI_DEVICE_OPTIONS_H

#include "sim/arena.h"
#include "sim/cli/options.h"
#include "sim/device.h"
#include "sim/limits.h"

struct device_options {
    const char *preset, *file;
    uint32_t cus, slots, subgroup;
    uint64_t workgroup_memory_bytes;
    unsigned limits; /* 0: WebGPU's default ones, 1: the device's */
};

#define DEVICE_OPTIONS_DEFAULT                                                                     \
    { .preset = "default" }

extern const struct cli_option device_option_table[];

/* The heading of the table in --help. */
#define DEVICE_OPTIONS_TITLE "Device"

/* The device that the parsed table names; `table` is the one that was parsed into `options`. What a
 * device file holds lives in the arena. */
int device_options_get(const struct cli_table *table, const struct device_options *options,
                       struct arena *arena, struct device *device, struct wgsim_error *err);

/* The limits that pipelines and dispatches are held to. */
struct limits device_options_limits(const struct device_options *options,
                                    const struct device *device);

#endif
