/* The table of known faults. */
#include "sim/webgpu/fault.h"

#include <string.h>

static bool any(const struct fault_context *context) {
    (void)context;
    return true;
}

static bool loops_long(const struct fault_context *context) {
    return context->loops_long;
}

static bool exceeds_memory(const struct fault_context *context) {
    return context->exceeds_memory;
}

static bool has_uninitialised_loop_variable(const struct fault_context *context) {
    return context->scan->has_uninitialised_loop_variable;
}

/* Atomics on fresh words count as reads of them, though they are no fault. */
static bool needs_zeroed_memory(const struct fault_context *context) {
    return context->reads_unwritten || context->scan->has_workgroup_atomics;
}

static bool needs_zeroed_memory_without_barrier(const struct fault_context *context) {
    return needs_zeroed_memory(context) && !context->scan->has_workgroup_barrier;
}

/* Each seen with the versions that the row names: library, adapter and driver are parts of what the
 * device says of itself, NULL for any. */
static const struct {
    const char *library, *adapter, *driver;
    enum fault_symptom symptom;
    bool (*applies)(const struct fault_context *context);
    const char *explanation;
} faults[] = {
    {NULL, NULL, NULL, FAULT_DATA, has_uninitialised_loop_variable,
     "Dawn (2025) and wgpu-native 29 zero a variable without initialiser only in a loop's first "
     "turn"},
    {NULL, "llvmpipe", "Mesa 22", FAULT_DATA, needs_zeroed_memory,
     "lavapipe (Mesa 22) does not zero workgroup memory for a thread's second workgroup"},
    {"wgpu-native", "SwiftShader", NULL, FAULT_DATA, needs_zeroed_memory_without_barrier,
     "SwiftShader zeroes workgroup memory once a subgroup in kernels without a barrier"},
    {NULL, "llvmpipe", "Mesa 22", FAULT_DATA, loops_long,
     "lavapipe (Mesa 22) cuts all loops of an invocation at 65,535 turns in total"},
    {NULL, "llvmpipe", "Mesa 22", FAULT_ENDS, any,
     "lavapipe (Mesa 22) cuts all loops of an invocation at 65,535 turns in total"},
    {NULL, "SwiftShader", NULL, FAULT_HANG, any,
     "SwiftShader runs a few workgroups at a time, and these not in ascending order"},
    {NULL, "llvmpipe", NULL, FAULT_HANG, any,
     "lavapipe runs only as many workgroups at a time as it has threads"},
    {"wgpu-native", NULL, NULL, FAULT_ACCEPTS, exceeds_memory,
     "wgpu-native does not check the limit of workgroup memory"},
};

static bool contains(const json_t *device, const char *key, const char *part) {
    const char *text = json_string_value(json_object_get(device, key));
    return !part || (text && strstr(text, part));
}

const char *fault_explain(const json_t *device, const struct fault_context *context,
                          enum fault_symptom symptom) {
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i].symptom == symptom && contains(device, "library", faults[i].library) &&
            contains(device, "name", faults[i].adapter) &&
            contains(device, "driver", faults[i].driver) && faults[i].applies(context))
            return faults[i].explanation;
    return NULL;
}
