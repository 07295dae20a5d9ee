/* Running a cross-check: the job on the simulator, its twin on the device, and the comparison. */
#ifndef SIM_WEBGPU_CROSS_RUN_H
#define SIM_WEBGPU_CROSS_RUN_H

#include "sim/webgpu/simulate.h"
#include "sim/webgpu/twin.h"

struct cross_request {
    struct report_request simulated;
    struct device_target target;
    struct twin_source source;
    bool models_this_device;
    const char *const *rules; /* "BUFFER=RULE", or "RULE" for all buffers */
    size_t rule_count;
};

/* Fills in *check, whose texts and buffers live in arena; cross_run_release frees the rest. */
int cross_run(struct crosscheck *check, const struct cross_request *request, struct arena *arena,
              struct wgsim_error *err);
void cross_run_release(struct crosscheck *check);

#endif
