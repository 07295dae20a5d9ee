/* Limits: what WebGPU by default, or the device, allows of a pipeline and of a dispatch. */
#ifndef SIM_LIMITS_H
#define SIM_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/arena.h"
#include "sim/device.h"

/* What is counted of the bindings that an entry point statically uses. */
enum limits_binding {
    LIMITS_STORAGE_BUFFERS,
    LIMITS_UNIFORM_BUFFERS,
    LIMITS_GROUPS,  /* the highest group plus one */
    LIMITS_NUMBERS, /* the highest binding of a group plus one */
    LIMITS_BINDINGS
};

struct limits {
    const char *whose; /* for messages, such as "WebGPU by default" */
    uint32_t workgroup_storage_bytes;
    uint32_t workgroup_invocations;
    uint32_t workgroup_size[3];
    uint32_t workgroups_per_dimension;
    uint64_t buffer_bytes, storage_binding_bytes, uniform_binding_bytes; /* UINT64_MAX: no limit */
    uint32_t bindings[LIMITS_BINDINGS];                                  /* UINT32_MAX: no limit */
};

struct limits limits_webgpu(void);
/* Everything is allowed. */
struct limits limits_none(void);

/* The text in it lives as long as the device. */
struct limits limits_of_device(const struct device *device);

/* A workgroup variable that the entry point statically uses: count elements, stride bytes apart. */
struct limits_variable {
    const char *name;
    const char *element; /* type of an element, such as "vec3<f32>" */
    uint32_t line;       /* of the declaration; 0: not known */
    uint64_t count;      /* 1 if it is no array */
    uint64_t element_bytes;
    uint64_t stride; /* larger than element_bytes where alignment pads, as in arrays of vec3 */
    uint64_t bytes;  /* of the whole variable */
};

/* Bytes of workgroup memory that the variables take: each rounded up to 16. */
uint64_t limits_workgroup_bytes(const struct limits_variable *variables, size_t count);

struct limits_violation {
    const char *limit; /* WebGPU's name of it */
    uint64_t asked, allowed;
    const char *text; /* one line, with all numbers */
};

enum { LIMITS_VIOLATIONS_MAX = 8 };

struct limits_violations {
    struct limits_violation items[LIMITS_VIOLATIONS_MAX];
    size_t count;
};

/* These add what pipeline creation or validation of a dispatch would refuse; the texts live in the
 * arena. 0, or -1 when out of memory. */
int limits_check_pipeline(const struct limits *limits, const uint32_t workgroup_size[3],
                          const struct limits_variable *variables, size_t variable_count,
                          struct arena *arena, struct limits_violations *violations);
int limits_check_bindings(const struct limits *limits, const uint32_t asked[LIMITS_BINDINGS],
                          struct arena *arena, struct limits_violations *violations);
int limits_check_dispatch(const struct limits *limits, const uint32_t groups[3],
                          struct arena *arena, struct limits_violations *violations);

/* 0, or -1 with what creating or binding a buffer of so many bytes would be refused with. */
int limits_check_buffer(const struct limits *limits, const char *name, uint64_t bytes, bool uniform,
                        struct wgsim_error *err);

#endif
