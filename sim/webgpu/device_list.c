/* Listing WebGPU devices. */
#include "sim/webgpu/device_list.h"

json_t *device_list_get(const struct device_target *target, struct wgsim_error *err) {
    struct device_job job = {.target = *target, .only_list = true};
    struct device_answer answer;
    struct arena arena;
    json_t *adapters = NULL;
    arena_init(&arena);
    if (driver_run(&job, &arena, &answer, err) == 0) {
        adapters = json_incref(answer.adapters);
        device_answer_release(&answer);
    }
    arena_release(&arena);
    return adapters;
}

static const char *text(const json_t *adapter, const char *key) {
    const char *value = json_string_value(json_object_get(adapter, key));
    return value ? value : "";
}

static void print_adapter(size_t number, const json_t *adapter, struct buf *out) {
    const json_t *limits = json_object_get(adapter, "limits");
    json_int_t least = json_integer_value(json_object_get(adapter, "subgroup_min"));
    json_int_t most = json_integer_value(json_object_get(adapter, "subgroup_max"));
    buf_printf(out, "%3zu  %s", number, text(adapter, "name"));
    if (*text(adapter, "driver"))
        buf_printf(out, ", %s", text(adapter, "driver"));
    buf_printf(out, "\n     %s, %s by %s", text(adapter, "type"), text(adapter, "backend"),
               text(adapter, "library"));
    if (least == most && most > 0)
        buf_printf(out, "; subgroup %lld", (long long)most);
    else if (most > 0)
        buf_printf(out, "; subgroup %lld to %lld", (long long)least, (long long)most);
    buf_printf(out, "; %lld B of workgroup memory, %lld invocations a workgroup\n",
               json_integer_value(json_object_get(limits, "workgroup_memory_bytes")),
               json_integer_value(json_object_get(limits, "invocations_per_workgroup")));
}

void device_list_print(const json_t *adapters, struct buf *out) {
    for (size_t i = 0; i < json_array_size(adapters); i++)
        print_adapter(i, json_array_get(adapters, i), out);
}
