/* wgsim list: what there is to simulate. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/device_options.h"
#include "sim/cli/list_devices.h"
#include "sim/cli/list_kernels.h"
#include "sim/cli/output.h"
#include "sim/cli/webgpu_options.h"
#include "sim/device_file.h"
#include "sim/error.h"

struct list_options {
    bool json, webgpu;
};

static const struct cli_option options_table[] = {
    {"json", NULL, 0, CLI_FLAG, offsetof(struct list_options, json), NULL, NULL,
     "print the list as JSON"},
    {"webgpu", NULL, 0, CLI_FLAG, offsetof(struct list_options, webgpu), NULL, NULL,
     "list the WebGPU devices that 'wgsim crosscheck' can run on instead"},
    {0},
};

/* What a list is made from. */
struct request {
    const struct cli_table *device_table;
    bool json;
    struct arena arena;
};

/* With any option of the device: that device alone, in full. */
static int list_devices(struct request *request, struct wgsim_error *err) {
    struct device device;
    if (!request->device_table->given) {
        if (!request->json)
            return list_devices_text(err);
        json_t *root = list_devices_json(err);
        return root ? output_json(root, err) : -1;
    }
    if (device_options_get(request->device_table, request->device_table->target, &request->arena,
                           &device, err) != 0)
        return -1;
    if (request->json)
        return output_json(device_to_json(&device), err);
    list_device_text(&device);
    return 0;
}

static int list_kernels(struct request *request, struct wgsim_error *err) {
    if (request->device_table->given)
        return error_set(err, "the list of kernels is the same for every device");
    if (!request->json)
        return list_kernels_text(err);
    json_t *root = list_kernels_json(err);
    return root ? output_json(root, err) : -1;
}

static json_t *list_all_json(struct wgsim_error *err) {
    json_t *kernels = list_kernels_json(err), *devices = kernels ? list_devices_json(err) : NULL;
    json_t *root = devices ? json_pack("{s:s, s:O, s:O}", "schema", "wgsim-list/1", "kernels",
                                       json_object_get(kernels, "kernels"), "devices",
                                       json_object_get(devices, "devices"))
                           : NULL;
    json_decref(kernels);
    json_decref(devices);
    return root;
}

static int list_all(struct request *request, struct wgsim_error *err) {
    if (request->device_table->given)
        return error_set(err, "options of a device belong to 'wgsim list devices'");
    if (request->json) {
        json_t *root = list_all_json(err);
        return root ? output_json(root, err) : -1;
    }
    if (list_kernels_text(err) != 0)
        return -1;
    putchar('\n');
    return list_devices_text(err);
}

static const struct topic {
    const char *name;
    int (*list)(struct request *request, struct wgsim_error *err);
} topics[] = {
    {"devices", list_devices},
    {"kernels", list_kernels},
};

static const struct topic *find_topic(const char *name, struct wgsim_error *err) {
    static const struct topic all = {"", list_all};
    if (!name)
        return &all;
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++)
        if (strcmp(topics[i].name, name) == 0)
            return &topics[i];
    error_format(err, "there is no list of '%s' (see 'wgsim list --help')", name);
    return NULL;
}

int cmd_list(int argc, char **argv) {
    struct list_options options = {.json = false};
    struct device_options device_options = DEVICE_OPTIONS_DEFAULT;
    struct webgpu_options webgpu = WEBGPU_OPTIONS_DEFAULT;
    struct cli_table tables[] = {
        {.title = "Options", .options = options_table, .target = &options},
        {.title = DEVICE_OPTIONS_TITLE, .options = device_option_table, .target = &device_options},
        {.title = WEBGPU_OPTIONS_TITLE, .options = webgpu_option_table, .target = &webgpu},
    };
    struct cli_usage usage = {
        .command = "list",
        .operands = "[kernels|devices]",
        .about = "Lists the built-in kernels, by what they show and with what can be set; or the "
                 "devices that can\nbe simulated, with options of the device that one in full, "
                 "every field with its source.\nWithout an operand lists both.\n",
        .min_operands = 0,
        .max_operands = 1,
        .tables = tables,
        .table_count = sizeof tables / sizeof *tables,
    };
    struct cli_operands operands;
    struct wgsim_error err;
    int status;
    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    if (options.webgpu)
        return webgpu_list_devices(&webgpu, options.json);
    struct request request = {.device_table = &tables[1], .json = options.json};
    arena_init(&request.arena);
    const struct topic *topic = find_topic(operands.count ? operands.items[0] : NULL, &err);
    status = topic && topic->list(&request, &err) == 0 ? 0 : cli_fail(&err);
    arena_release(&request.arena);
    return status;
}
