/* Opening a device, collecting its errors, waiting. */
#include "sim/webgpu/gpu.h"

#include <string.h>
#include <time.h>

#include "sim/error.h"
#include "sim/webgpu/adapter.h"
#include "sim/webgpu/message.h"

enum { DEFAULT_WORKGROUPS_PER_AXIS = 65535 };

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

/* Pauses 0.02 ms at first and 2 ms at most. */
void gpu_wait_until(struct gpu *gpu, const volatile bool *done) {
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
    if (adapter_choose(gpu, job->target.adapter, err) != 0)
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
    gpu_wait_until(gpu, &answer.done);
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
        gpu_wait_until(gpu, &answer.done);
    }
    return take_error(gpu, err);
}

const void *gpu_map(struct gpu *gpu, WGPUBuffer buffer, size_t bytes, struct wgsim_error *err) {
    struct answer answer = {.gpu = gpu};
    WGPUBufferMapCallbackInfo info = {
        .mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_mapped, .userdata1 = &answer};
    gpu->library.BufferMapAsync(buffer, WGPUMapMode_Read, 0, bytes, info);
    gpu_wait_until(gpu, &answer.done);
    if (take_error(gpu, err) != 0)
        return NULL;
    const void *data = gpu->library.BufferGetConstMappedRange(buffer, 0, bytes);
    if (!data)
        error_format(err, "a buffer of %zu bytes could not be mapped", bytes);
    return data;
}
