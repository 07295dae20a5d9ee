/* Listing the devices that can be simulated. */
#include "sim/cli/list_devices.h"

#include <inttypes.h>
#include <stdio.h>

#include "sim/device_file.h"
#include "sim/error.h"
#include "sim/preset.h"

/* A number of a table, or "-" for one that does not limit. */
static const char *limit_text(uint32_t value, char text[static 16]) {
    if (value)
        snprintf(text, 16, "%" PRIu32, value);
    else
        snprintf(text, 16, "-");
    return text;
}

static void print_line(const struct device *device) {
    char memory[16], slots[16], subgroups[16], invocations[16], registers[16];
    printf("%-11s%6" PRIu32 "%10s%7s%11s%13s%11s%7" PRIu32 "  %s\n", device->name, device->cus,
           limit_text(device->workgroup_memory_bytes, memory),
           limit_text(device->workgroup_slots, slots),
           limit_text(device->subgroup_slots, subgroups),
           limit_text(device->invocation_slots, invocations),
           limit_text(device->registers, registers), device->subgroup_width, device->title);
}

int list_devices_text(struct wgsim_error *err) {
    struct device device;
    printf("%-11s%6s%10s%7s%11s%13s%11s%7s\n", "device", "units", "memory", "slots", "subgroups",
           "invocations", "registers", "width");
    for (size_t i = 0; preset_name(i); i++) {
        if (preset_find(&device, preset_name(i), err) != 0)
            return -1;
        print_line(&device);
    }
    puts("\nUnits: compute units; memory (bytes of workgroup memory), slots (workgroups), "
         "subgroups, invocations\nand registers are those of one unit, '-' where that does not "
         "limit. 'wgsim list devices --device NAME'\nprints every field with its source.");
    return 0;
}

static void print_value(const struct device *device, enum device_field field) {
    uint32_t value = device_get(device, field);
    char text[32];
    if (device_choices(field))
        snprintf(text, sizeof text, "%s", device_choices(field)[value]);
    else if (device_fields[field].kind == KIND_FLAG)
        snprintf(text, sizeof text, "%s", value ? "yes" : "no");
    else if (device_fields[field].kind == KIND_DECIMAL)
        snprintf(text, sizeof text, "%.10g", value / 1000.0);
    else
        snprintf(text, sizeof text, "%" PRIu32, value);
    printf("%14s", text);
}

void list_device_text(const struct device *device) {
    printf("%s: %s\n\n", device->name, device->title);
    for (int i = 0; i < DEVICE_FIELD_COUNT; i++) {
        enum device_field field = (enum device_field)i;
        const struct device_origin *origin = &device->origin[i];
        printf("  %-36s", device_fields[i].name);
        print_value(device, field);
        printf("  %-12s%s\n", provenance_names[origin->provenance], origin->source);
    }
    for (uint32_t i = 0; i < device->unit_count; i++) {
        const struct device_unit *unit = &device->units[i];
        printf("%sunit %" PRIu32 ": %" PRIu32 " B of workgroup memory, %" PRIu32 " slots, %" PRIu32
               " subgroups, %" PRIu32 " invocations, %" PRIu32 " registers\n",
               i ? "  " : "\n  ", i, unit->workgroup_memory_bytes, unit->workgroup_slots,
               unit->subgroup_slots, unit->invocation_slots, unit->registers);
    }
    puts("\nHow far a value can be trusted:");
    for (int p = 0; p < PROVENANCE_COUNT; p++)
        printf("  %-12s%s\n", provenance_names[p], provenance_meanings[p]);
}

json_t *list_devices_json(struct wgsim_error *err) {
    json_t *devices = json_array();
    struct device device;
    for (size_t i = 0; preset_name(i); i++) {
        if (preset_find(&device, preset_name(i), err) != 0) {
            json_decref(devices);
            return NULL;
        }
        json_array_append_new(devices, device_to_json(&device));
    }
    return json_pack("{s:s, s:o}", "schema", "wgsim-devices/1", "devices", devices);
}
