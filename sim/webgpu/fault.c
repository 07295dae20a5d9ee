/* The table of known faults. */
#include "sim/webgpu/fault.h"

#include <string.h>

static bool has_loop(const struct shader_scan *scan) {
    return scan->has_loop;
}

static bool has_uninitialised_loop_variable(const struct shader_scan *scan) {
    return scan->has_uninitialised_loop_variable;
}

static bool has_workgroup_memory_without_barrier(const struct shader_scan *scan) {
    return scan->uses_workgroup_memory && !scan->has_workgroup_barrier;
}

/* Each seen with the versions that the member names: library, adapter name and driver are parts of
 * what the device says of itself, NULL for any. */
static const struct {
    const char *library, *adapter, *driver;
    enum fault_symptom symptom;
    bool (*applies)(const struct shader_scan *scan);
    const char *explanation;
} faults[] = {
    {NULL, "llvmpipe", "Mesa 22", FAULT_DATA, has_loop,
     "lavapipe of Mesa 22 cuts all loops of an invocation at 65,535 turns in total"},
    {NULL, "llvmpipe", "Mesa 22", FAULT_ENDS, has_loop,
     "lavapipe of Mesa 22 cuts all loops of an invocation at 65,535 turns in total, so that a wait "
     "without end ends"},
    {"Dawn", NULL, NULL, FAULT_DATA, has_uninitialised_loop_variable,
     "Dawn's translation to SPIR-V does not zero a variable declared without initialiser in a loop "
     "again "
     "in each turn"},
    {"wgpu-native", "SwiftShader", NULL, FAULT_DATA, has_workgroup_memory_without_barrier,
     "SwiftShader zeroes workgroup memory once a subgroup in kernels without a barrier, which only "
     "Dawn "
     "can be told to avoid"},
    {NULL, "SwiftShader", NULL, FAULT_HANG, has_loop,
     "SwiftShader runs only a few workgroups at a time, not in ascending order, so that waiting "
     "for "
     "another workgroup may hang"},
    {NULL, "llvmpipe", NULL, FAULT_HANG, has_loop,
     "lavapipe runs only as many workgroups at a time as it has threads, so that waiting for "
     "another "
     "workgroup may hang"},
};

static bool contains(const json_t *device, const char *key, const char *part) {
    const char *text = json_string_value(json_object_get(device, key));
    return !part || (text && strstr(text, part));
}

const char *fault_explain(const json_t *device, const struct shader_scan *scan,
                          enum fault_symptom symptom) {
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i].symptom == symptom && contains(device, "library", faults[i].library) &&
            contains(device, "name", faults[i].adapter) &&
            contains(device, "driver", faults[i].driver) && faults[i].applies(scan))
            return faults[i].explanation;
    return NULL;
}
