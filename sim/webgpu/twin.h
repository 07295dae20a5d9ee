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

/* Composes the device job for the text of a shader. Bindings and overrides are matched by the
 * shader's declarations; a wait that the simulator runs without a bound gets one, if the shader has
 * a spin_limit. All buffers that some dispatch may write are read back. Everything lives in the
 * arena or the job. */
int twin_compose(struct twin *twin, const struct job *job, const char *shader, const char *label,
                 struct arena *arena, struct wgsim_error *err);

#endif
