/* Fuzz target: device files. What is accepted can be written and read again, and used. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim/device_file.h"
#include "sim/occupancy.h"

static void check_again(const struct device *device, struct arena *arena) {
    struct device again;
    struct wgsim_error err;
    json_t *json = device_to_json(device);
    char *text = json_dumps(json, JSON_REAL_PRECISION(12));
    json_decref(json);
    FUZZ_CHECK(text);
    FUZZ_CHECK(device_file_parse(&again, text, strlen(text), arena, &err) == 0);
    for (int i = 0; i < DEVICE_FIELD_COUNT; i++) {
        enum device_field field = (enum device_field)i;
        FUZZ_CHECK(device_get(&again, field) == device_get(device, field));
    }
    FUZZ_CHECK(again.unit_count == device->unit_count);
    free(text);
}

static void check_occupancy(const struct device *device) {
    struct workgroup_needs needs = {.invocations = 96, .workgroup_memory_bytes = 1000};
    struct occupancy occupancy = occupancy_of(device, device->cus - 1, &needs);
    struct cu_budget budget = {.residents = 0};
    FUZZ_CHECK(occupancy.workgroups != UNLIMITED && occupancy.limiters);
    if (occupancy.workgroups)
        FUZZ_CHECK(cu_budget_take(&budget, &occupancy) == 0);
    else
        FUZZ_CHECK(cu_budget_take(&budget, &occupancy) == occupancy.limiters);
    occupancy_advise(device, 0, &needs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct device device;
    struct wgsim_error err = {{0}};
    struct arena arena;
    arena_init(&arena);
    if (device_file_parse(&device, (const char *)data, size, &arena, &err) != 0) {
        FUZZ_CHECK(err.message[0] && !strchr(err.message, '\n'));
    } else {
        check_again(&device, &arena);
        check_occupancy(&device);
    }
    arena_release(&arena);
    return 0;
}
