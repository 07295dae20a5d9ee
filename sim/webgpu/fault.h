/* Known faults of WebGPU implementations and of their drivers. */
#ifndef SIM_WEBGPU_FAULT_H
#define SIM_WEBGPU_FAULT_H

#include <jansson.h>

#include "sim/webgpu/scan.h"

enum fault_symptom {
    FAULT_DATA,   /* wrong results */
    FAULT_HANG,   /* does not end where it should */
    FAULT_ENDS,   /* ends where it should not */
    FAULT_ACCEPTS /* runs what should be rejected */
};

/* What is known of the kernel and of the simulator's run of it. */
struct fault_context {
    const struct shader_scan *scan;
    bool reads_unwritten; /* workgroup memory that nobody had written: zero, by guarantee */
    bool loops_long;      /* an invocation may have made 65,535 turns of loops */
    bool exceeds_memory;  /* its workgroup memory is more than a limit allows */
};

/* A sentence on the first known fault of the device (as adapter_describe tells it) that could show
 * itself as symptom in this kernel, or NULL. */
const char *fault_explain(const json_t *device, const struct fault_context *context,
                          enum fault_symptom symptom);

#endif
