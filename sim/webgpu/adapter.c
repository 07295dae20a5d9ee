/* Finding, describing and choosing adapters. */
#include "sim/webgpu/adapter.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/error.h"

enum { MAX_ADAPTERS = 32 };

struct answer {
    WGPUAdapter adapter;
    volatile bool done;
};

static void on_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView message,
                       void *userdata1, void *userdata2) {
    struct answer *answer = userdata1;
    (void)userdata2;
    (void)message;
    answer->adapter = status == WGPURequestAdapterStatus_Success ? adapter : NULL;
    answer->done = true;
}

static WGPUAdapter request_adapter(struct gpu *gpu, WGPURequestAdapterOptions options) {
    struct answer answer = {0};
    WGPURequestAdapterCallbackInfo info = {
        .mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_adapter, .userdata1 = &answer};
    options.featureLevel = WGPUFeatureLevel_Core;
    options.backendType = WGPUBackendType_Vulkan;
    gpu->library.InstanceRequestAdapter(gpu->instance, &options, info);
    gpu_wait_until(gpu, &answer.done);
    return answer.adapter;
}

static WGPUAdapterInfo info_of(const struct gpu *gpu, WGPUAdapter adapter) {
    WGPUAdapterInfo info = {0};
    gpu->library.AdapterGetInfo(adapter, &info);
    return info;
}

static bool same_text(WGPUStringView a, WGPUStringView b) {
    return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

static bool same_adapter(const struct gpu *gpu, WGPUAdapter a, WGPUAdapter b) {
    WGPUAdapterInfo x = info_of(gpu, a), y = info_of(gpu, b);
    return x.vendorID == y.vendorID && x.deviceID == y.deviceID && same_text(x.device, y.device) &&
           same_text(x.description, y.description);
}

static size_t add_adapter(const struct gpu *gpu, WGPUAdapter *list, size_t count,
                          WGPUAdapter adapter) {
    for (size_t i = 0; adapter && i < count; i++)
        if (same_adapter(gpu, list[i], adapter))
            return count;
    if (adapter && count < MAX_ADAPTERS)
        list[count++] = adapter;
    return count;
}

/* Vulkan adapters only; the standard has no enumeration, but each preference may name another one.
 */
static size_t find_adapters(struct gpu *gpu, WGPUAdapter *list) {
    static const WGPURequestAdapterOptions asks[] = {
        {.powerPreference = WGPUPowerPreference_HighPerformance},
        {.powerPreference = WGPUPowerPreference_LowPower},
        {.forceFallbackAdapter = 1},
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++)
        count = add_adapter(gpu, list, count, request_adapter(gpu, asks[i]));
    if (!gpu->library.enumerate_adapters)
        return count;
    WGPUAdapter all[MAX_ADAPTERS];
    size_t total = gpu->library.enumerate_adapters(gpu->instance, NULL, NULL);
    if (total > MAX_ADAPTERS)
        return count;
    total = gpu->library.enumerate_adapters(gpu->instance, NULL, all);
    for (size_t i = 0; i < total; i++)
        if (info_of(gpu, all[i]).backendType == WGPUBackendType_Vulkan)
            count = add_adapter(gpu, list, count, all[i]);
    return count;
}

static json_t *text_of(WGPUStringView text) {
    json_t *value = text.data ? json_stringn(text.data, text.length) : NULL;
    return value ? value : json_string("");
}

static const char *type_name(WGPUAdapterType type) {
    switch (type) {
    case WGPUAdapterType_DiscreteGPU:
        return "discrete";
    case WGPUAdapterType_IntegratedGPU:
        return "integrated";
    case WGPUAdapterType_CPU:
        return "cpu";
    default:
        return "unknown";
    }
}

static json_t *describe_limits(const WGPULimits *limits) {
    json_t *json = json_object();
#define LIMIT(field, name) json_object_set_new(json, name, json_integer((json_int_t)limits->field))
    LIMIT(maxComputeWorkgroupStorageSize, "workgroup_memory_bytes");
    LIMIT(maxComputeInvocationsPerWorkgroup, "invocations_per_workgroup");
    LIMIT(maxComputeWorkgroupSizeX, "workgroup_size_x");
    LIMIT(maxComputeWorkgroupSizeY, "workgroup_size_y");
    LIMIT(maxComputeWorkgroupSizeZ, "workgroup_size_z");
    LIMIT(maxComputeWorkgroupsPerDimension, "workgroups_per_axis");
    LIMIT(maxStorageBufferBindingSize, "storage_binding_bytes");
    LIMIT(maxUniformBufferBindingSize, "uniform_binding_bytes");
    LIMIT(maxStorageBuffersPerShaderStage, "storage_buffers");
    LIMIT(maxBufferSize, "buffer_bytes");
#undef LIMIT
    return json;
}

static json_t *describe(const struct gpu *gpu, WGPUAdapter adapter) {
    WGPUAdapterInfo info = info_of(gpu, adapter);
    WGPULimits limits = {0};
    gpu->library.AdapterGetLimits(adapter, &limits);
    json_t *features = json_array();
    if (gpu->library.AdapterHasFeature(adapter, gpu->library.feature_f16))
        json_array_append_new(features, json_string("shader-f16"));
    if (gpu->library.AdapterHasFeature(adapter, gpu->library.feature_subgroups))
        json_array_append_new(features, json_string("subgroups"));
    return json_pack("{s:o, s:o, s:s, s:s, s:o, s:o, s:s, s:s, s:i, s:i, s:o, s:o}", "name",
                     text_of(info.device), "driver", text_of(info.description), "type",
                     type_name(info.adapterType), "backend",
                     info.backendType == WGPUBackendType_Vulkan ? "Vulkan" : "other", "vendor",
                     text_of(info.vendor), "architecture", text_of(info.architecture), "library",
                     library_kind_name(gpu->library.kind), "library_path", gpu->library.path,
                     "subgroup_min", (int)info.subgroupMinSize, "subgroup_max",
                     (int)info.subgroupMaxSize, "features", features, "limits",
                     describe_limits(&limits));
}

json_t *adapter_describe(const struct gpu *gpu) {
    return describe(gpu, gpu->adapter);
}

/* Discrete, integrated, CPU, unknown: the order in which WebGPU numbers them. */
static size_t sorted_adapters(struct gpu *gpu, WGPUAdapter *list) {
    size_t count = find_adapters(gpu, list);
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0; k--) {
            WGPUAdapter previous = list[k - 1];
            if (info_of(gpu, previous).adapterType <= info_of(gpu, list[k]).adapterType)
                break;
            list[k - 1] = list[k];
            list[k] = previous;
        }
    return count;
}

json_t *adapter_list(struct gpu *gpu) {
    WGPUAdapter list[MAX_ADAPTERS];
    size_t count = sorted_adapters(gpu, list);
    json_t *json = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(json, describe(gpu, list[i]));
    return json;
}

static bool name_contains(WGPUStringView name, const char *part) {
    size_t length = strlen(part);
    for (size_t i = 0; name.data && i + length <= name.length; i++)
        if (strncasecmp(name.data + i, part, length) == 0)
            return true;
    return false;
}

/* wanted is a number in the list, part of a name, or NULL for the first. */
int adapter_choose(struct gpu *gpu, const char *wanted, struct wgsim_error *err) {
    WGPUAdapter list[MAX_ADAPTERS];
    size_t count = sorted_adapters(gpu, list);
    if (count == 0)
        return error_set(err, "no WebGPU device: %s (%s) found no Vulkan adapter that it accepts",
                         library_kind_name(gpu->library.kind), gpu->library.path);
    char *end;
    size_t number = wanted ? strtoul(wanted, &end, 10) : 0;
    bool is_number = !wanted || (*wanted && !*end);
    for (size_t i = 0; i < count; i++) {
        WGPUAdapterInfo info = info_of(gpu, list[i]);
        if (is_number
                ? i == number
                : name_contains(info.device, wanted) || name_contains(info.description, wanted)) {
            gpu->adapter = list[i];
            gpu->is_hardware = info.adapterType != WGPUAdapterType_CPU;
            return 0;
        }
    }
    return error_set(err, "no WebGPU device \"%s\" among %zu (see wgsim list devices --webgpu)",
                     wanted, count);
}
