/* Probes: small kernels that measure on a device what WebGPU can show of it. Every wait is bounded.
 */
#ifndef SIM_WEBGPU_PROBE_H
#define SIM_WEBGPU_PROBE_H

#include "sim/webgpu/driver.h"

/* Workgroups of so many invocations that take so many bytes of workgroup memory. */
struct probe_load {
    uint32_t invocations, memory_bytes;
};

struct probe_residency {
    uint32_t peak;     /* most workgroups in flight at once */
    uint32_t launched; /* of so many; if all, there may be room for more */
    uint32_t in_order; /* that started just after the one with the next lower id */
    uint32_t
        disordered; /* largest difference between a workgroup's id and its place in the order */
};

/* Launches `workgroups` that stay for `turns` turns and count each other. *device, if not NULL,
 * gets a new reference to the device's description. */
int probe_residency(const struct device_target *target, const struct probe_load *load,
                    uint32_t workgroups, uint32_t turns, struct probe_residency *residency,
                    json_t **device, struct wgsim_error *err);

enum probe_wait {
    PROBE_WAIT_PREVIOUS,  /* each for the one before it */
    PROBE_WAIT_NEXT,      /* each for the one behind it */
    PROBE_WAIT_LAST,      /* all for the last one */
    PROBE_FIRST_WAITS_ALL /* only the first, until all others have ended */
};

/* Workgroups wait for one another's flags, for `turns` turns at most. *gave_up is the number of
 * those that waited in vain. */
int probe_wait(const struct device_target *target, enum probe_wait wait,
               const struct probe_load *load, uint32_t workgroups, uint32_t turns,
               uint32_t *gave_up, struct wgsim_error *err);

/* All invocations of one workgroup spin for a lock, for `turns` turns at most. *gave_up is not 0
 * where the lane that holds it waits for the others, as in lockstep. */
int probe_lock(const struct device_target *target, uint32_t turns, uint32_t *gave_up,
               struct wgsim_error *err);

/* The subgroup size; 0 where the device does not show it. */
int probe_subgroup(const struct device_target *target, const json_t *device, uint32_t *size,
                   struct wgsim_error *err);

#endif
