/* wgsim crosscheck: the same kernel on a WebGPU device, compared. */
#include <stddef.h>
#include <stdio.h>

#include "sim/cli/commands.h"
#include "sim/cli/webgpu_options.h"
#include "sim/error.h"
#include "sim/webgpu/calibrate.h"

struct crosscheck_options {
    bool list, calibrate, json;
};

#define AT(member) offsetof(struct crosscheck_options, member)

static const struct cli_option crosscheck_table[] = {
    {"list", NULL, 0, CLI_FLAG, AT(list), NULL, NULL,
     "list the WebGPU devices and do nothing else"},
    {"calibrate", NULL, 0, CLI_FLAG, AT(calibrate), NULL, NULL,
     "measure the device and print a device file for --device-file"},
    {"json", NULL, 0, CLI_FLAG, AT(json), NULL, NULL, "print the result as JSON"},
    {0},
};

static const char about[] = "Runs the kernel on the simulator and its WGSL twin on a WebGPU "
                            "device, with the same buffers and\n"
                            "dispatches, and compares the results by the kernel's rules.\n";

/* The device file goes to stdout, what was measured to stderr. */
static void print_calibration(const struct calibration *calibration) {
    struct buf text = {0};
    calibration_print(calibration, &text);
    fputs(text.data ? text.data : "", stderr);
    buf_release(&text);
    json_t *file = calibration_device_file(calibration);
    json_dumpf(file, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    puts("");
    json_decref(file);
}

static int calibrate_device(const struct webgpu_options *options) {
    struct wgsim_error err;
    struct device_target target;
    struct calibration calibration = {0};
    struct arena arena;
    arena_init(&arena);
    int result = webgpu_options_target(options, &arena, &target, &err);
    if (result == 0)
        result = calibrate(&target, &calibration, &err);
    if (result == 0)
        print_calibration(&calibration);
    calibration_release(&calibration);
    arena_release(&arena);
    return result == 0 ? 0 : cli_fail(&err);
}

int cmd_crosscheck(int argc, char **argv) {
    struct crosscheck_options options = {0};
    struct webgpu_options webgpu = WEBGPU_OPTIONS_DEFAULT;
    struct cli_table tables[] = {
        {.title = "Options", .options = crosscheck_table, .target = &options},
        {.title = "WebGPU device", .options = webgpu_option_table, .target = &webgpu}};
    struct cli_usage usage = {.command = "crosscheck",
                              .operands = "[KERNEL]",
                              .about = about,
                              .max_operands = 1,
                              .tables = tables,
                              .table_count = sizeof tables / sizeof *tables};
    struct cli_operands operands;
    struct wgsim_error err;
    int status;
    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    if (options.list)
        return webgpu_list_devices(&webgpu, options.json);
    if (options.calibrate)
        return calibrate_device(&webgpu);
    error_format(&err, "no kernel given (see 'wgsim crosscheck --help')");
    return cli_fail(&err);
}
