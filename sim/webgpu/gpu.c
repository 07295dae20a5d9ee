/* Opening adapters and devices, collecting their errors, waiting. */
#include "sim/webgpu/gpu.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "sim/error.h"
#include "sim/webgpu/message.h"

enum { MAX_ADAPTERS = 32, DEFAULT_WORKGROUPS_PER_AXIS = 65535 };

/* Dawn's extension structure by which a device turns features of the implementation off. */
struct dawn_toggles {
    WGPUChainedStruct chain;
    size_t enabled_count;
    const char *const *enabled;
    size_t disabled_count;
    const char *const *disabled;
};
#define DAWN_TOGGLES_STYPE ((WGPUSType)0x0005000A)

/* SwiftShader zeroes workgroup memory once a subgroup where this is on and the kernel has no
 * barrier. */
static const char *const disabled_toggles[] = {
    "use_vulkan_zero_initialize_workgroup_memory_extension"};

static void record_error(struct gpu *gpu, WGPUStringView message) {
    if (gpu->error.set)
        return;
    gpu->error.set = true;
    size_t length =
        message.length == WGPU_STRLEN && message.data ? strlen(message.data) : message.length;
    message_condense(message.data ? message.data : "", message.data ? length : 0,
                     gpu->error.message, sizeof gpu->error.message);
}

static int take_error(struct gpu *gpu, struct wgsim_error *err) {
    if (gpu->error.lost)
        return error_set(err, "device lost: %s", gpu->error.message);
    if (!gpu->error.set)
        return 0;
    gpu->error.set = false;
    return error_set(err, "%s", gpu->error.message);
}

/* --- Waiting --- */

/* Handles events until *done, pausing 0.02 ms at first and 2 ms at most. */
static void wait_until(struct gpu *gpu, const volatile bool *done) {
    long pause_ns = 20000;
    while (!*done && !gpu->error.lost) {
        gpu->library.InstanceProcessEvents(gpu->instance);
        if (*done)
            return;
        nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
        pause_ns = pause_ns * 2 < 2000000 ? pause_ns * 2 : 2000000;
    }
}

/* What a request answers; userdata1 of every callback but the device's own. */
struct answer {
    struct gpu *gpu;
    void *object;
    volatile bool done;
};

static void on_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView message,
                       void *userdata1, void *userdata2) {
    struct answer *answer = userdata1;
    (void)userdata2;
    (void)message;
    answer->object = status == WGPURequestAdapterStatus_Success ? adapter : NULL;
    answer->done = true;
}

static void on_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message,
                      void *userdata1, void *userdata2) {
    struct answer *answer = userdata1;
    (void)userdata2;
    if (status == WGPURequestDeviceStatus_Success)
        answer->object = device;
    else
        record_error(answer->gpu, message);
    answer->done = true;
}

static void on_scope(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                     void *userdata1, void *userdata2) {
    struct answer *answer = userdata1;
    (void)userdata2;
    if (status == WGPUPopErrorScopeStatus_Success && type != WGPUErrorType_NoError)
        record_error(answer->gpu, message);
    answer->done = true;
}

static void on_mapped(WGPUMapAsyncStatus status, WGPUStringView message, void *userdata1,
                      void *userdata2) {
    struct answer *answer = userdata1;
    (void)userdata2;
    if (status != WGPUMapAsyncStatus_Success)
        record_error(answer->gpu, message);
    answer->done = true;
}

static void on_lost(WGPUDevice const *device, WGPUDeviceLostReason reason, WGPUStringView message,
                    void *userdata1, void *userdata2) {
    (void)device;
    (void)reason;
    (void)userdata2;
    struct gpu *gpu = userdata1;
    record_error(gpu, message);
    gpu->error.lost = true;
}

static void on_uncaptured(WGPUDevice const *device, WGPUErrorType type, WGPUStringView message,
                          void *userdata1, void *userdata2) {
    (void)device;
    (void)type;
    (void)userdata2;
    record_error(userdata1, message);
}

/* --- Adapters --- */

static struct dawn_toggles toggles(void) {
    return (struct dawn_toggles){
        .chain.sType = DAWN_TOGGLES_STYPE,
        .disabled = disabled_toggles,
        .disabled_count = sizeof disabled_toggles / sizeof *disabled_toggles,
    };
}

int gpu_open(struct gpu *gpu, const char *library, struct arena *arena, struct wgsim_error *err) {
    memset(gpu, 0, sizeof *gpu);
    if (library_open(&gpu->library, library, arena, err) != 0)
        return -1;
    gpu->instance = gpu->library.CreateInstance(NULL);
    return gpu->instance ? 0 : error_set(err, "%s: no instance", gpu->library.path);
}

static WGPUAdapter request_adapter(struct gpu *gpu, WGPURequestAdapterOptions options) {
    struct answer answer = {.gpu = gpu};
    WGPURequestAdapterCallbackInfo info = {
        .mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_adapter, .userdata1 = &answer};
    options.featureLevel = WGPUFeatureLevel_Core;
    options.backendType = WGPUBackendType_Vulkan;
    gpu->library.InstanceRequestAdapter(gpu->instance, &options, info);
    wait_until(gpu, &answer.done);
    return answer.object;
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

json_t *gpu_describe(const struct gpu *gpu) {
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

json_t *gpu_list(struct gpu *gpu) {
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
static int choose_adapter(struct gpu *gpu, const char *wanted, struct wgsim_error *err) {
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

/* --- The device --- */

static size_t choose_features(const struct gpu *gpu, WGPUFeatureName features[2]) {
    size_t count = 0;
    if (gpu->library.AdapterHasFeature(gpu->adapter, gpu->library.feature_f16))
        features[count++] = gpu->library.feature_f16;
    if (gpu->library.AdapterHasFeature(gpu->adapter, gpu->library.feature_subgroups))
        features[count++] = gpu->library.feature_subgroups;
    return count;
}

int gpu_open_device(struct gpu *gpu, const struct device_job *job, struct wgsim_error *err) {
    if (choose_adapter(gpu, job->target.adapter, err) != 0)
        return -1;
    struct dawn_toggles off = toggles();
    struct answer answer = {.gpu = gpu};
    WGPULimits limits = {0};
    WGPUFeatureName features[2];
    gpu->library.AdapterGetLimits(gpu->adapter, &limits);
    WGPUDeviceDescriptor descriptor = {
        .nextInChain = gpu->library.kind == LIBRARY_DAWN ? &off.chain : NULL,
        .requiredFeatures = features,
        .requiredFeatureCount = choose_features(gpu, features),
        .requiredLimits = job->target.device_limits ? &limits : NULL,
        .deviceLostCallbackInfo = {.mode = WGPUCallbackMode_AllowProcessEvents,
                                   .callback = on_lost,
                                   .userdata1 = gpu},
        .uncapturedErrorCallbackInfo = {.callback = on_uncaptured, .userdata1 = gpu},
    };
    WGPURequestDeviceCallbackInfo info = {
        .mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_device, .userdata1 = &answer};
    gpu->library.AdapterRequestDevice(gpu->adapter, &descriptor, info);
    wait_until(gpu, &answer.done);
    gpu->device = answer.object;
    if (!gpu->device)
        return take_error(gpu, err) ? -1 : error_set(err, "the adapter gave no device");
    gpu->max_workgroups_per_axis = job->target.device_limits
                                       ? limits.maxComputeWorkgroupsPerDimension
                                       : DEFAULT_WORKGROUPS_PER_AXIS;
    gpu->queue = gpu->library.DeviceGetQueue(gpu->device);
    return 0;
}

/* Not WGPUErrorFilter_Internal, on which wgpu-native panics; such errors come uncaptured. */
static const WGPUErrorFilter filters[] = {WGPUErrorFilter_Validation, WGPUErrorFilter_OutOfMemory};
enum { FILTER_COUNT = sizeof filters / sizeof *filters };

void gpu_begin_checked(struct gpu *gpu) {
    for (int i = 0; i < FILTER_COUNT; i++)
        gpu->library.DevicePushErrorScope(gpu->device, filters[i]);
}

int gpu_end_checked(struct gpu *gpu, struct wgsim_error *err) {
    for (int i = 0; i < FILTER_COUNT; i++) {
        struct answer answer = {.gpu = gpu};
        WGPUPopErrorScopeCallbackInfo info = {.mode = WGPUCallbackMode_AllowProcessEvents,
                                              .callback = on_scope,
                                              .userdata1 = &answer};
        gpu->library.DevicePopErrorScope(gpu->device, info);
        wait_until(gpu, &answer.done);
    }
    return take_error(gpu, err);
}

const void *gpu_map(struct gpu *gpu, WGPUBuffer buffer, size_t bytes, struct wgsim_error *err) {
    struct answer answer = {.gpu = gpu};
    WGPUBufferMapCallbackInfo info = {
        .mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_mapped, .userdata1 = &answer};
    gpu->library.BufferMapAsync(buffer, WGPUMapMode_Read, 0, bytes, info);
    wait_until(gpu, &answer.done);
    if (take_error(gpu, err) != 0)
        return NULL;
    const void *data = gpu->library.BufferGetConstMappedRange(buffer, 0, bytes);
    if (!data)
        error_format(err, "a buffer of %zu bytes could not be mapped", bytes);
    return data;
}
