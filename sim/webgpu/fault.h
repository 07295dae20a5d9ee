/* Known faults of WebGPU implementations and of their drivers. */
#ifndef SIM_WEBGPU_FAULT_H
#define SIM_WEBGPU_FAULT_H

#include <jansson.h>

#include "sim/webgpu/scan.h"

enum fault_symptom { FAULT_DATA, FAULT_HANG, FAULT_ENDS };

/* A sentence on the first known fault of the device (as gpu_describe tells it) that could show
 * itself as symptom in this shader, or NULL. */
const char *fault_explain(const json_t *device, const struct shader_scan *scan,
                          enum fault_symptom symptom);

#endif
