/* Tests of devices: presets, single fields, device files. */
#include "tests/check_main.h"

#include <stdlib.h>
#include <string.h>

#include "sim/device_file.h"
#include "sim/occupancy.h"
#include "sim/preset.h"

static struct device device_named(const char *name) {
    struct device device;
    struct wgsim_error err;
    ck_assert_msg(preset_find(&device, name, &err) == 0, "%s", err.message);
    return device;
}

static int read_text(struct device *device, const char *text, struct arena *arena,
                     struct wgsim_error *err) {
    return device_file_parse(device, text, strlen(text), arena, err);
}

START_TEST(every_preset_is_complete) {
    size_t count = 0;
    for (; preset_name(count); count++) {
        struct device device = device_named(preset_name(count));
        struct wgsim_error err;
        ck_assert_str_eq(device.name, preset_name(count));
        ck_assert_msg(device_check(&device, &err) == 0, "%s: %s", device.name, err.message);
        for (int i = 0; i < DEVICE_FIELD_COUNT; i++) {
            enum device_field field = (enum device_field)i;
            ck_assert_msg(device_check_value(field, device_get(&device, field), &err) == 0,
                          "%s: %s", device.name, err.message);
            ck_assert_msg(device.origin[i].source != NULL, "%s: %s has no source", device.name,
                          device_fields[i].name);
        }
    }
    ck_assert_uint_eq(count, 16);
    ck_assert_ptr_null(preset_title(count));
}
END_TEST

START_TEST(fields_of_presets) {
    static const struct {
        const char *device;
        enum device_field field;
        uint32_t value;
        enum provenance provenance;
    } rows[] = {
        {"default", DEVICE_cus, 4, PROVENANCE_EXACT},
        {"default", DEVICE_vram_cycles, 500000, PROVENANCE_EXACT},
        {"default", DEVICE_lanes, LANES_INDEPENDENT, PROVENANCE_EXACT},
        {"ref4", DEVICE_lanes, LANES_LOCKSTEP, PROVENANCE_EXACT},
        {"ref4", DEVICE_registers, 0, PROVENANCE_EXACT},
        {"h200", DEVICE_workgroup_memory_bytes, 233472, PROVENANCE_MEASURED},
        {"h200", DEVICE_workgroup_memory_cycles, 29100, PROVENANCE_MEASURED},
        {"h200", DEVICE_launch_rate, 836, PROVENANCE_MODELLED},
        {"h200", DEVICE_issue_rate, 4000, PROVENANCE_VENDOR},
        {"ada", DEVICE_cus, 128, PROVENANCE_UNCONFIRMED},
        {"ada", DEVICE_workgroup_slots, 24, PROVENANCE_VENDOR},
        {"ada", DEVICE_atomic_cycles, 40000, PROVENANCE_MODELLED},
        {"vega", DEVICE_subgroup_width, 64, PROVENANCE_VENDOR},
        {"webgpu-min", DEVICE_max_workgroup_invocations, 256, PROVENANCE_EXACT},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct device device = device_named(rows[r].device);
        const char *name = device_fields[rows[r].field].name;
        ck_assert_msg(device_get(&device, rows[r].field) == rows[r].value, "%s: %s is %u",
                      rows[r].device, name, device_get(&device, rows[r].field));
        ck_assert_msg(device.origin[rows[r].field].provenance == rows[r].provenance,
                      "%s: %s is of provenance %d", rows[r].device, name,
                      (int)device.origin[rows[r].field].provenance);
    }
}
END_TEST

START_TEST(unknown_presets_are_refused) {
    struct device device;
    struct wgsim_error err;
    ck_assert_int_eq(preset_find(&device, "h300", &err), -1);
    ck_assert_ptr_nonnull(strstr(err.message, "unknown device 'h300'; there are default, ref4,"));
    ck_assert_ptr_nonnull(strstr(err.message, "webgpu-min"));
}
END_TEST

START_TEST(values_out_of_range_are_refused) {
    static const struct {
        enum device_field field;
        uint64_t value;
        const char *message; /* NULL: accepted */
    } rows[] = {
        {DEVICE_cus, 1, NULL},
        {DEVICE_cus, 65536, NULL},
        {DEVICE_cus, 0, "cus is 0; it can be 1 to 65536"},
        {DEVICE_cus, 65537, "cus is 65537; it can be 1 to 65536"},
        {DEVICE_cus, UINT64_MAX, "cus is 18446744073709551615; it can be 1 to 65536"},
        {DEVICE_subgroup_width, 4, NULL},
        {DEVICE_subgroup_width, 128, NULL},
        {DEVICE_subgroup_width, 2, "subgroup_width is 2; it can be 4 to 128"},
        {DEVICE_subgroup_width, 256, "subgroup_width is 256; it can be 4 to 128"},
        {DEVICE_subgroup_width, 48, "subgroup_width is 48; it must be a power of two"},
        {DEVICE_banks, 33, "banks is 33; it can be 1 to 32"},
        {DEVICE_launch_rate, 0, "launch_rate is 0; it can be 0.001 to 1e+06"},
        {DEVICE_workgroup_memory_bytes, UINT64_C(1) << 31,
         "workgroup_memory_bytes is 2147483648; it can be 0 to 1073741824"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct device device = device_named("default");
        struct wgsim_error err = {""};
        struct device_origin origin = {PROVENANCE_GIVEN, "test"};
        int result = device_set(&device, rows[r].field, rows[r].value, origin, &err);
        ck_assert_str_eq(result == 0 ? "" : err.message, rows[r].message ? rows[r].message : "");
    }
}
END_TEST

START_TEST(every_preset_round_trips_through_json) {
    for (size_t p = 0; preset_name(p); p++) {
        struct device device = device_named(preset_name(p)), again;
        struct wgsim_error err;
        struct arena arena;
        arena_init(&arena);
        json_t *json = device_to_json(&device);
        char *text = json_dumps(json, JSON_REAL_PRECISION(12));
        json_decref(json);
        ck_assert_msg(read_text(&again, text, &arena, &err) == 0, "%s", err.message);
        ck_assert_str_eq(again.name, device.name);
        ck_assert_str_eq(again.title, device.title);
        for (int i = 0; i < DEVICE_FIELD_COUNT; i++) {
            enum device_field field = (enum device_field)i;
            ck_assert_msg(device_get(&again, field) == device_get(&device, field),
                          "%s: %s came back as %u", device.name, device_fields[i].name,
                          device_get(&again, field));
            ck_assert_int_eq(again.origin[i].provenance, device.origin[i].provenance);
            ck_assert_str_eq(again.origin[i].source, device.origin[i].source);
        }
        free(text);
        arena_release(&arena);
    }
}
END_TEST

START_TEST(a_file_changes_its_base) {
    struct device device;
    struct wgsim_error err;
    struct arena arena;
    arena_init(&arena);
    ck_assert_msg(read_text(&device,
                            "{\"base\": \"h200\", \"name\": \"mine\", \"cus\": 2,"
                            " \"vram_cycles\": 12.5, \"merge_increments\": false,"
                            " \"lanes\": \"lockstep\"}",
                            &arena, &err) == 0,
                  "%s", err.message);
    ck_assert_str_eq(device.name, "mine");
    ck_assert_uint_eq(device.cus, 2);
    ck_assert_uint_eq(device.vram_cycles, 12500);
    ck_assert_uint_eq(device.merge_increments, 0);
    ck_assert_uint_eq(device.lanes, LANES_LOCKSTEP);
    ck_assert_uint_eq(device.workgroup_memory_bytes, 233472);
    ck_assert_int_eq(device.origin[DEVICE_cus].provenance, PROVENANCE_GIVEN);
    ck_assert_int_eq(device.origin[DEVICE_banks].provenance, PROVENANCE_MEASURED);
    arena_release(&arena);
}
END_TEST

START_TEST(units_may_differ) {
    struct device device;
    struct wgsim_error err;
    struct arena arena;
    struct workgroup_needs needs = {.invocations = 64, .workgroup_memory_bytes = 16384};
    arena_init(&arena);
    ck_assert_msg(read_text(&device,
                            "{\"units\": [{}, {\"workgroup_memory_bytes\": 32768},"
                            " {\"workgroup_slots\": 1}]}",
                            &arena, &err) == 0,
                  "%s", err.message);
    ck_assert_uint_eq(device.cus, 3);
    ck_assert_uint_eq(occupancy_of(&device, 0, &needs).workgroups, 4);
    ck_assert_uint_eq(occupancy_of(&device, 1, &needs).workgroups, 2);
    ck_assert_uint_eq(occupancy_of(&device, 2, &needs).workgroups, 1);
    ck_assert_uint_eq(occupancy_residents(&device, &needs), 7);
    device.cus = 5; /* the list is repeated */
    ck_assert_uint_eq(occupancy_residents(&device, &needs), 13);
    arena_release(&arena);
}
END_TEST

START_TEST(bad_files_are_refused) {
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "device:1: '[' or '{' expected near end of file"},
        {"[]", "device: a device file holds one JSON object"},
        {"{\"cus\": 1, \"cus\": 2}", "device:1: duplicate object key near '\"cus\"'"},
        {"{\"schema\": \"wgsim-device/2\"}",
         "device: schema is \"wgsim-device/2\"; only \"wgsim-device/1\" can be read"},
        {"{\"cores\": 4}", "device: unknown key \"cores\""},
        {"{\"two\\nlines\": 4}", "device: unknown key \"two?lines\""},
        {"{\"cus\": 0}", "device: cus is 0; it can be 1 to 65536"},
        {"{\"cus\": -1}", "device: cus must be a whole number, 0 or more"},
        {"{\"cus\": 1.5}", "device: cus must be a whole number, 0 or more"},
        {"{\"cus\": \"4\"}", "device: cus must be a whole number, 0 or more"},
        {"{\"issue_rate\": \"fast\"}", "device: issue_rate must be a number from 0 to 4000000"},
        {"{\"issue_rate\": 1e300}", "device: issue_rate must be a number from 0 to 4000000"},
        {"{\"merge_increments\": 1}", "device: merge_increments must be true or false"},
        {"{\"bank_rule\": \"mine\"}",
         "device: bank_rule must be one of \"nvidia\", \"plain\", \"amd\", \"lines\""},
        {"{\"lanes\": 1}", "device: lanes must be one of \"independent\", \"lockstep\""},
        {"{\"name\": \"\"}", "device: name must have 1 to 31 bytes"},
        {"{\"name\": 1}", "device: name must be a string"},
        {"{\"units\": []}", "device: units must be an array of 1 to 65536 objects"},
        {"{\"units\": [1]}", "device: units[0] must be an object"},
        {"{\"units\": [{}, {\"cus\": 1}]}", "device: units[1]: unknown key \"cus\""},
        {"{\"units\": [{\"workgroup_slots\": 70000}]}",
         "device: units[0]: workgroup_slots is 70000; it can be 0 to 65536"},
        {"{\"units\": [{\"workgroup_slots\": 0, \"subgroup_slots\": 0, \"invocation_slots\": 0}]}",
         "device: workgroup_slots, subgroup_slots and invocation_slots of unit 0 are all 0: "
         "nothing "
         "limits its residents"},
        {"{\"sources\": {\"cus\": 1}}",
         "device: sources: cus must be {\"provenance\": TEXT, \"source\": TEXT}"},
        {"{\"sources\": {\"cus\": {\"provenance\": \"mine\", \"source\": \"\"}}}",
         "device: sources: cus: unknown provenance \"mine\""},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct device device;
        struct wgsim_error err;
        struct arena arena;
        arena_init(&arena);
        ck_assert_msg(read_text(&device, rows[r].text, &arena, &err) == -1, "accepted: %s",
                      rows[r].text);
        ck_assert_str_eq(err.message, rows[r].message);
        arena_release(&arena);
    }
}
END_TEST

CHECK_MAIN("device", every_preset_is_complete, fields_of_presets, unknown_presets_are_refused,
           values_out_of_range_are_refused, every_preset_round_trips_through_json,
           a_file_changes_its_base, units_may_differ, bad_files_are_refused)
