/* The options that say what device is simulated. */
#include "sim/cli/device_options.h"

#include <stddef.h>

#include "sim/device_file.h"
#include "sim/error.h"
#include "sim/preset.h"

#define AT(member) offsetof(struct device_options, member)

static const char *const limits_names[] = {"webgpu", "device", NULL};

const struct cli_option device_option_table[] = {
    {"device", NULL, 0, CLI_STRING, AT(preset), "PRESET", NULL,
     "the device (default); 'wgsim list devices' names them"},
    {"device-file", NULL, 0, CLI_STRING, AT(file), "FILE", NULL,
     "a device described in JSON, as 'wgsim list devices --device NAME --json' prints it"},
    {"cus", NULL, 0, CLI_U32, AT(cus), "N", NULL, "number of compute units"},
    {"workgroup-memory-per-cu", NULL, 0, CLI_SIZE, AT(workgroup_memory_bytes), "BYTES", NULL,
     "workgroup memory of a compute unit, which one workgroup may take whole"},
    {"slots", NULL, 0, CLI_U32, AT(slots), "N", NULL, "workgroups that a compute unit can hold"},
    {"subgroup", NULL, 0, CLI_U32, AT(subgroup), "N", NULL,
     "lanes of a subgroup, a power of two from 4 to 128"},
    {"limits", NULL, 0, CLI_CHOICE, AT(limits), NULL, limits_names,
     "limits that pipelines are held to (webgpu)"},
    {0},
};

struct override {
    const char *option;
    enum device_field field;
    uint64_t value;
};

static int override_field(const struct cli_table *table, const struct override *override,
                          struct device *device, struct wgsim_error *err) {
    static const struct device_origin origin = {PROVENANCE_GIVEN, "command line"};
    struct wgsim_error why;
    if (!cli_given(table, override->option))
        return 0;
    if (device->unit_count && override->field < DEVICE_UNIT_FIELDS)
        return error_set(err, "--%s: the units of this device differ; change its file",
                         override->option);
    if (device_set(device, override->field, override->value, origin, &why) != 0)
        return error_set(err, "--%s: %s", override->option, why.message);
    return 0;
}

static int override_fields(const struct cli_table *table, const struct device_options *options,
                           struct device *device, struct wgsim_error *err) {
    const struct override overrides[] = {
        {"cus", DEVICE_cus, options->cus},
        {"workgroup-memory-per-cu", DEVICE_workgroup_memory_bytes, options->workgroup_memory_bytes},
        {"workgroup-memory-per-cu", DEVICE_workgroup_memory_max_bytes,
         options->workgroup_memory_bytes},
        {"slots", DEVICE_workgroup_slots, options->slots},
        {"subgroup", DEVICE_subgroup_width, options->subgroup},
    };
    for (size_t i = 0; i < sizeof overrides / sizeof overrides[0]; i++)
        if (override_field(table, &overrides[i], device, err) != 0)
            return -1;
    if (cli_given(table, "slots") && options->slots == 0)
        return error_set(err, "--slots must be at least 1");
    return 0;
}

int device_options_get(const struct cli_table *table, const struct device_options *options,
                       struct arena *arena, struct device *device, struct wgsim_error *err) {
    if (options->file && cli_given(table, "device"))
        return error_set(err, "--device and --device-file exclude each other");
    int result = options->file ? device_file_read(device, options->file, arena, err)
                               : preset_find(device, options->preset, err);
    if (result != 0 || override_fields(table, options, device, err) != 0)
        return -1;
    return device_check(device, err);
}

struct limits device_options_limits(const struct device_options *options,
                                    const struct device *device) {
    return options->limits ? limits_of_device(device) : limits_webgpu();
}
