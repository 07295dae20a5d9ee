/* Running a device job on an open device. */
#ifndef SIM_WEBGPU_EXECUTE_H
#define SIM_WEBGPU_EXECUTE_H

#include "sim/webgpu/gpu.h"

/* The job's buffers on the device, one for each, and a small one whose mapping tells that a
 * dispatch ended. */
struct execution {
    struct gpu *gpu;
    const struct device_job *job;
    WGPUBuffer *buffers;
    WGPUBuffer fence_source, fence;
    WGPUShaderModule shader;
};

/* Each is one step, in this order; each returns 0, or -1 with the device's complaint. */
int execute_upload(struct execution *execution, struct arena *arena, struct wgsim_error *err);
int execute_compile(struct execution *execution, struct wgsim_error *err);

/* Returns when dispatch i has ended. */
int execute_dispatch(struct execution *execution, size_t i, struct arena *arena,
                     struct wgsim_error *err);

/* The bytes of buffer i; valid until the process ends. NULL on failure. */
const void *execute_read(struct execution *execution, size_t i, struct wgsim_error *err);

#endif
