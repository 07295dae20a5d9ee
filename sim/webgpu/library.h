/* A WebGPU library opened at run time: its functions by name, and whose it is.
 *
 * Only functions and structures on which wgpu-native and Dawn agree are used; where they differ,
 * what differs is a member here. */
#ifndef SIM_WEBGPU_LIBRARY_H
#define SIM_WEBGPU_LIBRARY_H

#define WGPU_SKIP_DECLARATIONS
#include <webgpu/webgpu.h>

#include "sim/arena.h"
#include "wgsim/wgsim.h"

/* Each names wgpu<Name> with the type WGPUProc<Name>. */
#define LIBRARY_FUNCTIONS(X)                                                                       \
    X(AdapterGetInfo)                                                                              \
    X(AdapterGetLimits)                                                                            \
    X(AdapterHasFeature)                                                                           \
    X(AdapterRequestDevice)                                                                        \
    X(BufferGetConstMappedRange)                                                                   \
    X(BufferMapAsync)                                                                              \
    X(BufferUnmap)                                                                                 \
    X(CommandEncoderBeginComputePass)                                                              \
    X(CommandEncoderCopyBufferToBuffer)                                                            \
    X(CommandEncoderFinish)                                                                        \
    X(ComputePassEncoderDispatchWorkgroups)                                                        \
    X(ComputePassEncoderEnd)                                                                       \
    X(ComputePassEncoderSetBindGroup)                                                              \
    X(ComputePassEncoderSetPipeline)                                                               \
    X(CreateInstance)                                                                              \
    X(DeviceCreateBindGroup)                                                                       \
    X(DeviceCreateBindGroupLayout)                                                                 \
    X(DeviceCreateBuffer)                                                                          \
    X(DeviceCreateCommandEncoder)                                                                  \
    X(DeviceCreateComputePipeline)                                                                 \
    X(DeviceCreatePipelineLayout)                                                                  \
    X(DeviceCreateShaderModule)                                                                    \
    X(DeviceGetQueue)                                                                              \
    X(DevicePopErrorScope)                                                                         \
    X(DevicePushErrorScope)                                                                        \
    X(InstanceProcessEvents)                                                                       \
    X(InstanceRequestAdapter)                                                                      \
    X(QueueSubmit)                                                                                 \
    X(QueueWriteBuffer)

enum library_kind { LIBRARY_OTHER, LIBRARY_WGPU_NATIVE, LIBRARY_DAWN };

/* wgpu-native's, where it has it; not part of the standard. */
typedef size_t (*library_enumerate_fn)(WGPUInstance, const void *options, WGPUAdapter *adapters);

struct library {
#define X(name) WGPUProc##name name;
    LIBRARY_FUNCTIONS(X)
#undef X
    library_enumerate_fn enumerate_adapters;
    enum library_kind kind;
    const char *path;
    WGPUFeatureName feature_f16, feature_subgroups;
};

/* Tries name if given, else $WGSIM_WEBGPU_LIB, else the usual names, each first in the folder
 * recorded at configure. Strings live in arena. The library is never closed. */
int library_open(struct library *library, const char *name, struct arena *arena,
                 struct wgsim_error *err);

const char *library_kind_name(enum library_kind kind);

#endif
