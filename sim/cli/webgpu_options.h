/* The options that name a WebGPU device, for every command that runs on one. */
#ifndef SIM_CLI_WEBGPU_OPTIONS_H
#define SIM_CLI_WEBGPU_OPTIONS_H

#include "sim/arena.h"
#include "sim/cli/options.h"
#include "sim/webgpu/device_job.h"

struct webgpu_options {
    const char *library, *vulkan_driver, *adapter;
    uint32_t timeout_s;
    bool allow_hang;
};

#define WEBGPU_OPTIONS_DEFAULT                                                                     \
    { .timeout_s = 20 }

extern const struct cli_option webgpu_option_table[];

/* The heading of the table in --help. */
#define WEBGPU_OPTIONS_TITLE "WebGPU device"

/* What the driver is given; -1 with one line if this build has no device worker. */
int webgpu_options_target(const struct webgpu_options *options, struct arena *arena,
                          struct device_target *target, struct wgsim_error *err);

/* Prints the list of devices, as text or JSON, on stdout. Returns the exit status. */
int webgpu_list_devices(const struct webgpu_options *options, bool json);

#endif
