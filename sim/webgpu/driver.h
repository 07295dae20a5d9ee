/* The driver: starts a device worker for one job, and ends it at a deadline. */
#ifndef SIM_WEBGPU_DRIVER_H
#define SIM_WEBGPU_DRIVER_H

#include "sim/webgpu/device_job.h"

enum device_status {
    DEVICE_RAN,      /* outputs hold the results */
    DEVICE_LISTED,   /* adapters is the answer to a job that only lists */
    DEVICE_REJECTED, /* shader, pipeline or dispatch; message is the device's complaint */
    DEVICE_HUNG      /* a dispatch did not end within the deadline, or its device was lost */
};

/* What came of a job. Everything lives in the arena but the JSON, which device_answer_release
 * frees. outputs has one entry a buffer of the job, NULL where it is not read back. */
struct device_answer {
    enum device_status status;
    json_t *device;
    json_t *adapters;
    const char *message;
    const char *step;
    const void **outputs;
    uint64_t milliseconds;
};

/* Runs the job by the target's worker, for its deadline at most. Returns -1 with one line when
 * there is no library or device, or the worker breaks down; either way no process is left. The
 * caller must have SIGPIPE ignored. */
int driver_run(const struct device_job *job, struct arena *arena, struct device_answer *answer,
               struct wgsim_error *err);

void device_answer_release(struct device_answer *answer);

#endif
