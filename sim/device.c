/* A device. */
#include "sim/device.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sim/error.h"

const char *const provenance_names[PROVENANCE_COUNT + 1] = {
    "exact", "measured", "vendor", "unconfirmed", "modelled", "given", NULL};

const char *const provenance_meanings[PROVENANCE_COUNT + 1] = {
    "by definition",
    "on the hardware",
    "read in a vendor's or driver's source",
    "recalled, not looked up",
    "assumed",
    "by a device file or an option",
    NULL};

static const char *const memory_roundings[] = {"multiple", "power-of-two", NULL};
static const char *const barrier_rules[] = {"used", "several-subgroups", NULL};
static const char *const lanes_rules[] = {"independent", "lockstep", NULL};
static const char *const bank_rules[] = {"nvidia", "plain", "amd", "lines", NULL};

static const char *const *const choices_of[] = {
    [KIND_COUNT] = NULL,
    [KIND_DECIMAL] = NULL,
    [KIND_FLAG] = NULL,
    [KIND_MEMORY_ROUNDING] = memory_roundings,
    [KIND_BARRIER_RULE] = barrier_rules,
    [KIND_LANES] = lanes_rules,
    [KIND_BANK_RULE] = bank_rules,
};

const char *const *device_choices(enum device_field field) {
    return choices_of[device_fields[field].kind];
}

const struct device_field_info device_fields[DEVICE_FIELD_COUNT] = {
#define FIELD(name, kind, least, most, text) {#name, text, KIND_##kind, least, most},
#define UNIT_FIELD FIELD
#include "sim/device.def"
#undef UNIT_FIELD
#undef FIELD
};

/* Where the fields lie in struct device. */
static const size_t offsets[DEVICE_FIELD_COUNT] = {
#define FIELD(name, ...) offsetof(struct device, name),
#define UNIT_FIELD FIELD
#include "sim/device.def"
#undef UNIT_FIELD
#undef FIELD
};

uint32_t device_get(const struct device *device, enum device_field field) {
    uint32_t value;
    memcpy(&value, (const char *)device + offsets[field], sizeof value);
    return value;
}

static bool power_of_two(uint64_t value) {
    return value && (value & (value - 1)) == 0;
}

static bool must_be_power_of_two(enum device_field field) {
    return field == DEVICE_subgroup_width || field == DEVICE_banks || field == DEVICE_bank_bytes;
}

/* A value as a person writes it. */
static const char *value_text(enum device_field field, uint64_t value, char text[static 32]) {
    if (device_fields[field].kind == KIND_DECIMAL)
        snprintf(text, 32, "%g", (double)value / 1000);
    else
        snprintf(text, 32, "%llu", (unsigned long long)value);
    return text;
}

int device_check_value(enum device_field field, uint64_t value, struct wgsim_error *err) {
    const struct device_field_info *info = &device_fields[field];
    char text[32], least[32], most[32];
    if (value < info->least || value > info->most)
        return error_set(err, "%s is %s; it can be %s to %s", info->name,
                         value_text(field, value, text), value_text(field, info->least, least),
                         value_text(field, info->most, most));
    if (must_be_power_of_two(field) && !power_of_two(value))
        return error_set(err, "%s is %s; it must be a power of two", info->name,
                         value_text(field, value, text));
    return 0;
}

int device_set(struct device *device, enum device_field field, uint64_t value,
               struct device_origin origin, struct wgsim_error *err) {
    if (device_check_value(field, value, err) != 0)
        return -1;
    uint32_t stored = (uint32_t)value;
    memcpy((char *)device + offsets[field], &stored, sizeof stored);
    device->origin[field] = origin;
    return 0;
}

int device_check(const struct device *device, struct wgsim_error *err) {
    uint32_t kinds = device->unit_count ? device->unit_count : 1;
    for (uint32_t i = 0; i < kinds; i++) {
        struct device_unit unit = device_unit(device, i);
        if (!unit.workgroup_slots && !unit.subgroup_slots && !unit.invocation_slots)
            return error_set(err,
                             "workgroup_slots, subgroup_slots and invocation_slots of unit "
                             "%u are all 0: nothing limits its residents",
                             i);
    }
    return 0;
}

struct device_unit device_unit(const struct device *device, uint32_t cu) {
    if (device->unit_count)
        return device->units[cu % device->unit_count];
    return (struct device_unit){
#define FIELD(...)
#define UNIT_FIELD(name, ...) .name = device->name,
#include "sim/device.def"
#undef UNIT_FIELD
#undef FIELD
    };
}

enum device_field device_field_find(const char *name) {
    enum device_field field = 0;
    while (field < DEVICE_FIELD_COUNT && strcmp(device_fields[field].name, name) != 0)
        field++;
    return field;
}
