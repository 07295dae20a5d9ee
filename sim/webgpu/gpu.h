/* An open WebGPU device: error scopes, and waiting for what was asked of it.
 *
 * Waiting has no bound here: whoever started the process ends it. Nothing is released or destroyed,
 * for that need not return once a kernel hangs; the process ends instead. */
#ifndef SIM_WEBGPU_GPU_H
#define SIM_WEBGPU_GPU_H

#include <stdbool.h>

#include "sim/webgpu/device_job.h"
#include "sim/webgpu/library.h"

/* The first error that the device reported and nobody has been told of yet; lost stays set. */
struct gpu_error {
    bool set, lost;
    char message[1024];
};

struct gpu {
    struct library library;
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;
    WGPUQueue queue;
    bool is_hardware;
    uint32_t max_workgroups_per_axis; /* of the device as it was opened */
    struct gpu_error error;
};

/* Opens the library and its instance. */
int gpu_open(struct gpu *gpu, const char *library, struct arena *arena, struct wgsim_error *err);

/* Opens the adapter that the job names, with the job's limits and, where the adapter has them, f16
 * and subgroups. */
int gpu_open_device(struct gpu *gpu, const struct device_job *job, struct wgsim_error *err);

/* Handles events until *done is set or the device is lost. */
void gpu_wait_until(struct gpu *gpu, const volatile bool *done);

/* Between these, errors of the device are collected; the end fails with their first line. */
void gpu_begin_checked(struct gpu *gpu);
int gpu_end_checked(struct gpu *gpu, struct wgsim_error *err);

/* Maps a whole buffer for reading, once all submitted work on it has ended; NULL on failure. (The
 * queue's own callback is not used: its signature differs between the libraries.) */
const void *gpu_map(struct gpu *gpu, WGPUBuffer buffer, size_t bytes, struct wgsim_error *err);

#endif
