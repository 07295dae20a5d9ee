/* Naming and listing WebGPU devices. */
#include "sim/cli/webgpu_options.h"

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "sim/cli/output.h"
#include "sim/cli/paths.h"
#include "sim/error.h"
#include "sim/webgpu/device_list.h"

#define AT(member) offsetof(struct webgpu_options, member)

const struct cli_option webgpu_option_table[] = {
    {"webgpu-lib", NULL, 0, CLI_STRING, AT(library), "FILE", NULL,
     "WebGPU library (else $WGSIM_WEBGPU_LIB, else wgpu-native or Dawn by their usual names)"},
    {"vulkan-driver", NULL, 0, CLI_STRING, AT(vulkan_driver), "FILE", NULL,
     "manifest of the only Vulkan driver to use, as in VK_DRIVER_FILES"},
    {"adapter", NULL, 0, CLI_STRING, AT(adapter), "NAME", NULL,
     "device: part of its name or its number in --list"},
    {"timeout", NULL, 0, CLI_U32, AT(timeout_s), "SECONDS", NULL,
     "end the device's run after so long (20)"},
    {"allow-hang", NULL, 0, CLI_FLAG, AT(allow_hang), NULL, NULL,
     "run waits without a bound on real GPUs too, which may take the machine down"},
    {0},
};

int webgpu_options_target(const struct webgpu_options *options, struct arena *arena,
                          struct device_target *target, struct wgsim_error *err) {
    const char *worker = paths_device_worker(arena);
    if (!worker)
        return error_set(err, "out of memory");
    if (access(worker, X_OK) != 0)
        return error_set(err, "built without WebGPU: there is no %s (./bootstrap --with-webgpu)",
                         worker);
    if (options->timeout_s == 0)
        return error_set(err, "--timeout must be at least 1");
    *target = (struct device_target){
        .library = options->library,
        .vulkan_driver = options->vulkan_driver,
        .adapter = options->adapter,
        .allow_hang = options->allow_hang,
        .worker = worker,
        .deadline_ms = (uint64_t)options->timeout_s * 1000,
    };
    return 0;
}

static void print_text(const json_t *adapters) {
    struct buf text = {0};
    device_list_print(adapters, &text);
    fputs(text.data ? text.data : "", stdout);
    buf_release(&text);
}

int webgpu_list_devices(const struct webgpu_options *options, bool json) {
    struct wgsim_error err;
    struct device_target target;
    struct arena arena;
    json_t *adapters = NULL;
    arena_init(&arena);
    if (webgpu_options_target(options, &arena, &target, &err) == 0)
        adapters = device_list_get(&target, &err);
    if (adapters && json_array_size(adapters) == 0) {
        error_format(&err, "no WebGPU device: the library found no Vulkan adapter that it accepts");
        json_decref(adapters);
        adapters = NULL;
    }
    int result = adapters ? 0 : -1;
    if (adapters && json)
        result = output_json(
            json_pack("{s:s, s:O}", "schema", "wgsim-webgpu-devices/1", "devices", adapters), &err);
    else if (adapters)
        print_text(adapters);
    json_decref(adapters);
    arena_release(&arena);
    return result == 0 ? 0 : cli_fail(&err);
}
