/* A device job: a shader, buffers and dispatches for a WebGPU device, as the worker is asked to run
 * them. */
#ifndef SIM_WEBGPU_DEVICE_JOB_H
#define SIM_WEBGPU_DEVICE_JOB_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/arena.h"
#include "wgsim/wgsim.h"

/* How a shader declares a binding: var<storage, read_write>, var<storage, read>, var<uniform>. */
enum binding_kind { BINDING_STORAGE, BINDING_READ_ONLY, BINDING_UNIFORM };

/* init is NULL (zeros) or points to bytes bytes. */
struct device_buffer {
    const char *name;
    uint64_t bytes;
    const void *init;
    bool read;
};

struct device_binding {
    uint32_t group, binding;
    enum binding_kind kind;
    uint32_t buffer;
};

/* An override's value; on a CPU's device value_on_cpu is taken instead. */
struct device_constant {
    const char *name;
    double value, value_on_cpu;
};

struct device_dispatch {
    const char *entry;
    uint32_t groups[3];
    struct device_binding *bindings;
    size_t binding_count;
    struct device_constant *constants;
    size_t constant_count;
};

/* Which device: library is a path, or NULL for the usual names; vulkan_driver the manifest of the
 * only Vulkan driver to use, or NULL for all; adapter is part of a name, a number in the list, or
 * NULL for the first. device_limits asks for the most that the adapter has instead of WebGPU's
 * defaults. The worker program and the deadline are the driver's alone. */
struct device_target {
    const char *library;
    const char *vulkan_driver;
    const char *adapter;
    bool device_limits;
    bool allow_hang;
    const char *worker;
    uint64_t deadline_ms;
};

/* With only_list all but the target is unused. A kernel that may spin without a bound is run on a
 * hardware adapter only where the target allows a hang. */
struct device_job {
    struct device_target target;
    const char *label;
    const char *shader;
    bool only_list;
    bool spins_unbounded;
    struct device_buffer *buffers;
    size_t buffer_count;
    struct device_dispatch *dispatches;
    size_t dispatch_count;
};

/* Initial bytes are not part of it: a buffer with some has "init": true. NULL when out of memory or
 * if a text is not UTF-8. */
json_t *device_job_encode(const struct device_job *job);

/* Builds the job in arena, its init pointers still NULL where has_init says that bytes follow.
 * Checks everything that later stages index with. */
int device_job_decode(const json_t *json, struct arena *arena, struct device_job *job,
                      bool **has_init, struct wgsim_error *err);

#endif
