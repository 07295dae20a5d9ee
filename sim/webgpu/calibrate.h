/* Calibration: a device file for the simulator, from what probes see of a real device. */
#ifndef SIM_WEBGPU_CALIBRATE_H
#define SIM_WEBGPU_CALIBRATE_H

#include "sim/buf.h"
#include "sim/webgpu/probe.h"

enum { CALIBRATION_LOADS = 5 };

struct calibration {
    json_t *device;
    uint32_t subgroup; /* 0: not shown */
    struct probe_residency residency[CALIBRATION_LOADS];
    uint32_t previous_gave_up, next_gave_up; /* of chains four times as long as the peak */
    uint32_t last_fits_gave_up;              /* all wait for the last one, and all are resident */
    uint32_t last_exceeds_gave_up;           /* the same with one workgroup more */
    uint32_t first_gave_up;                  /* only the first waits, for the end of all others */
    uint32_t lock_gave_up;                   /* lanes of one workgroup that waited in vain */
    /* Inferred: the greatest common divisor of the peaks, and what one of so many equal units
     * holds. */
    uint32_t units, unit_workgroups, unit_invocations, unit_memory_bytes;
};

int calibrate(const struct device_target *target, struct calibration *calibration,
              struct wgsim_error *err);
void calibration_release(struct calibration *calibration);

/* What was measured, for a person. */
void calibration_print(const struct calibration *calibration, struct buf *out);

/* A device file (schema "wgsim-device/1"); NULL when out of memory. */
json_t *calibration_device_file(const struct calibration *calibration);

#endif
