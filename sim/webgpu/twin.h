/* A simulator's job as a device job: the same buffers and dispatches for the kernel's WGSL twin. */
#ifndef SIM_WEBGPU_TWIN_H
#define SIM_WEBGPU_TWIN_H

#include "sim/job.h"
#include "sim/webgpu/scan.h"

/* The override by which a kernel bounds its waits: the turns after which it gives up, 0 for never.
 */
#define TWIN_SPIN_LIMIT "spin_limit"

struct twin {
    struct device_job job;
    struct shader_scan scan;
    bool bounds_waits; /* spin_limit is set on the device, and 0 in the simulator */
};

/* The shader for the device: its text, its name for messages, and the values of overrides that are
 * not part of the simulator's job, because its kernel was made for them. */
struct twin_source {
    const char *text, *label;
    const struct device_constant *settings;
    size_t setting_count;
};

/* Composes the device job for a shader. Bindings and overrides are matched by the
 * shader's declarations; a wait that the simulator runs without a bound gets one, if the shader has
 * a spin_limit. All buffers that some dispatch may write are read back. Everything lives in the
 * arena or the job. */
int twin_compose(struct twin *twin, const struct job *job, const struct twin_source *source,
                 struct arena *arena, struct wgsim_error *err);

#endif
