/* Limits. */
#include "sim/limits.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "sim/buf.h"
#include "sim/error.h"

struct limits limits_webgpu(void) {
    return (struct limits){.whose = "WebGPU by default",
                           .workgroup_storage_bytes = 16384,
                           .workgroup_invocations = 256,
                           .workgroup_size = {256, 256, 64},
                           .workgroups_per_dimension = 65535,
                           .buffer_bytes = 256 << 20,
                           .storage_binding_bytes = 128 << 20,
                           .uniform_binding_bytes = 64 << 10,
                           .bindings = {[LIMITS_STORAGE_BUFFERS] = 8,
                                        [LIMITS_UNIFORM_BUFFERS] = 12,
                                        [LIMITS_GROUPS] = 4,
                                        [LIMITS_NUMBERS] = 1000}};
}

struct limits limits_none(void) {
    return (struct limits){
        .whose = "nobody",
        .workgroup_storage_bytes = UINT32_MAX,
        .workgroup_invocations = UINT32_MAX,
        .workgroup_size = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
        .workgroups_per_dimension = UINT32_MAX,
        .buffer_bytes = UINT64_MAX,
        .storage_binding_bytes = UINT64_MAX,
        .uniform_binding_bytes = UINT64_MAX,
        .bindings = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
    };
}

struct limits limits_of_device(const struct device *device) {
    struct limits limits = limits_none();
    limits.whose = device->name;
    limits.workgroup_storage_bytes = device->workgroup_memory_max_bytes;
    limits.workgroup_invocations = device->max_workgroup_invocations;
    limits.workgroup_size[0] = device->max_workgroup_size_x;
    limits.workgroup_size[1] = device->max_workgroup_size_y;
    limits.workgroup_size[2] = device->max_workgroup_size_z;
    limits.workgroups_per_dimension = device->max_workgroups_per_dimension;
    return limits;
}

static uint64_t round_up_16(uint64_t bytes) {
    return (bytes + 15) / 16 * 16;
}

uint64_t limits_workgroup_bytes(const struct limits_variable *variables, size_t count) {
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += round_up_16(variables[i].bytes);
    return total;
}

/* Takes the text over. */
static int add(struct limits_violations *violations, struct arena *arena, const char *limit,
               uint64_t asked, uint64_t allowed, struct buf *text) {
    const char *copy = text->failed ? NULL : arena_strdup(arena, text->data);
    buf_release(text);
    if (!copy)
        return -1;
    if (violations->count < LIMITS_VIOLATIONS_MAX)
        violations->items[violations->count++] =
            (struct limits_violation){limit, asked, allowed, copy};
    return 0;
}

static const char axis_names[] = "xyz";

static int check_axis(const struct limits *limits, int axis, uint32_t size, struct arena *arena,
                      struct limits_violations *violations) {
    static const char *const names[] = {"maxComputeWorkgroupSizeX", "maxComputeWorkgroupSizeY",
                                        "maxComputeWorkgroupSizeZ"};
    struct buf text = {0};
    if (size >= 1 && size <= limits->workgroup_size[axis])
        return 0;
    if (size == 0)
        buf_printf(&text, "workgroup size 0 along %c; it must be at least 1", axis_names[axis]);
    else
        buf_printf(&text, "workgroup size %" PRIu32 " along %c; %s allows %" PRIu32 " (%s)", size,
                   axis_names[axis], limits->whose, limits->workgroup_size[axis], names[axis]);
    return add(violations, arena, names[axis], size, limits->workgroup_size[axis], &text);
}

static int check_invocations(const struct limits *limits, const uint32_t size[3],
                             struct arena *arena, struct limits_violations *violations) {
    static const char name[] = "maxComputeInvocationsPerWorkgroup";
    /* Three factors of 32 bits could overflow; what is this large is refused anyway. */
    double exact = (double)size[0] * size[1] * size[2];
    uint64_t invocations = exact < 1e18 ? (uint64_t)size[0] * size[1] * size[2] : UINT64_MAX;
    struct buf text = {0};
    if (invocations <= limits->workgroup_invocations)
        return 0;
    buf_printf(&text,
               "workgroup of %" PRIu32 " x %" PRIu32 " x %" PRIu32 " = %.0f invocations; %s allows "
               "%" PRIu32 " (%s)",
               size[0], size[1], size[2], exact, limits->whose, limits->workgroup_invocations,
               name);
    return add(violations, arena, name, invocations, limits->workgroup_invocations, &text);
}

static bool is_padded(const struct limits_variable *variable) {
    return variable->stride > variable->element_bytes;
}

static uint64_t unpadded_bytes(const struct limits_variable *variable) {
    return is_padded(variable) ? variable->element_bytes * variable->count : variable->bytes;
}

/* "pts (line 19) 1024 x 16 = 16384" */
static void describe(struct buf *text, const struct limits_variable *variable) {
    buf_printf(text, "%s", variable->name);
    if (variable->line)
        buf_printf(text, " (line %" PRIu32 ")", variable->line);
    if (variable->count > 1 && variable->stride * variable->count == variable->bytes)
        buf_printf(text, " %" PRIu64 " x %" PRIu64 " =", variable->count, variable->stride);
    buf_printf(text, " %" PRIu64, variable->bytes);
    if (round_up_16(variable->bytes) != variable->bytes)
        buf_printf(text, ", rounded up to %" PRIu64, round_up_16(variable->bytes));
}

/* What the sum would be without the padding of arrays of vec3, if there are any. */
static void explain_padding(struct buf *text, const struct limits_variable *variables,
                            size_t count) {
    const struct limits_variable *padded = NULL;
    uint64_t padding = 0, naive = 0;
    for (size_t i = 0; i < count; i++) {
        naive += unpadded_bytes(&variables[i]);
        if (!is_padded(&variables[i]))
            continue;
        padded = padded ? padded : &variables[i];
        padding += variables[i].bytes - unpadded_bytes(&variables[i]);
    }
    if (!padded)
        return;
    buf_printf(text,
               "; %s has %" PRIu64 " bytes but a stride of %" PRIu64 ": %" PRIu64
               " bytes are padding, without which the sum would be ",
               padded->element, padded->element_bytes, padded->stride, padding);
    for (size_t i = 0; count > 1 && i < count; i++)
        buf_printf(text, "%s%" PRIu64, i ? " + " : "", unpadded_bytes(&variables[i]));
    buf_printf(text, "%s%" PRIu64, count > 1 ? " = " : "", naive);
}

static int check_storage(const struct limits *limits, const struct limits_variable *variables,
                         size_t count, struct arena *arena, struct limits_violations *violations) {
    static const char name[] = "maxComputeWorkgroupStorageSize";
    uint64_t total = limits_workgroup_bytes(variables, count);
    struct buf text = {0};
    if (total <= limits->workgroup_storage_bytes)
        return 0;
    buf_printf(&text, "%" PRIu64 " bytes of workgroup memory; %s allows %" PRIu32 " (%s): ", total,
               limits->whose, limits->workgroup_storage_bytes, name);
    for (size_t i = 0; i < count; i++) {
        buf_puts(&text, i ? "; " : "");
        describe(&text, &variables[i]);
    }
    explain_padding(&text, variables, count);
    return add(violations, arena, name, total, limits->workgroup_storage_bytes, &text);
}

int limits_check_pipeline(const struct limits *limits, const uint32_t workgroup_size[3],
                          const struct limits_variable *variables, size_t variable_count,
                          struct arena *arena, struct limits_violations *violations) {
    for (int axis = 0; axis < 3; axis++)
        if (check_axis(limits, axis, workgroup_size[axis], arena, violations) != 0)
            return -1;
    if (check_invocations(limits, workgroup_size, arena, violations) != 0)
        return -1;
    return check_storage(limits, variables, variable_count, arena, violations);
}

int limits_check_bindings(const struct limits *limits, const uint32_t asked[LIMITS_BINDINGS],
                          struct arena *arena, struct limits_violations *violations) {
    static const struct {
        const char *limit, *format;
    } rows[LIMITS_BINDINGS] = {
        [LIMITS_STORAGE_BUFFERS] = {"maxStorageBuffersPerShaderStage",
                                    "%" PRIu32 " storage buffers"},
        [LIMITS_UNIFORM_BUFFERS] = {"maxUniformBuffersPerShaderStage",
                                    "%" PRIu32 " uniform buffers"},
        [LIMITS_GROUPS] = {"maxBindGroups", "%" PRIu32 " bind groups, counted from 0"},
        [LIMITS_NUMBERS] = {"maxBindingsPerBindGroup",
                            "%" PRIu32 " bindings in a group, counted from 0"},
    };
    for (int i = 0; i < LIMITS_BINDINGS; i++) {
        struct buf text = {0};
        if (asked[i] <= limits->bindings[i])
            continue;
        buf_printf(&text, rows[i].format, asked[i]);
        buf_printf(&text, "; %s allows %" PRIu32 " (%s)", limits->whose, limits->bindings[i],
                   rows[i].limit);
        if (add(violations, arena, rows[i].limit, asked[i], limits->bindings[i], &text) != 0)
            return -1;
    }
    return 0;
}

/* Ways to write `groups` workgroups as x times y, none above the limit: the two with full rows, an
 * exact one, and the squarest. */
static void suggest_splits(struct buf *text, uint64_t groups, uint64_t limit) {
    uint64_t rows = (groups + limit - 1) / limit;
    uint64_t side = (uint64_t)ceil(sqrt((double)groups));
    if (side > limit || rows > limit)
        return;
    buf_puts(text, "; split over y and fold the index: ");
    if (groups % limit != 0)
        buf_printf(text,
                   "(%" PRIu64 ", %" PRIu64 ", 1) is %" PRIu64 " short, (%" PRIu64 ", %" PRIu64
                   ", 1) has %" PRIu64 " too many, ",
                   limit, rows - 1, groups - (rows - 1) * limit, limit, rows,
                   rows * limit - groups);
    uint64_t exact = rows;
    while (exact <= side && groups % exact != 0)
        exact++;
    if (exact <= side)
        buf_printf(text, "(%" PRIu64 ", %" PRIu64 ", 1) is exact", groups / exact, exact);
    uint64_t across = (groups + side - 1) / side;
    if (across * side == groups)
        return;
    buf_printf(text,
               "%s(%" PRIu64 ", %" PRIu64 ", 1) only %" PRIu64 " too many, which need a "
               "guard",
               exact <= side ? ", " : "", across, side, across * side - groups);
}

int limits_check_dispatch(const struct limits *limits, const uint32_t groups[3],
                          struct arena *arena, struct limits_violations *violations) {
    static const char name[] = "maxComputeWorkgroupsPerDimension";
    uint32_t limit = limits->workgroups_per_dimension;
    for (int axis = 0; axis < 3; axis++) {
        struct buf text = {0};
        if (groups[axis] <= limit)
            continue;
        buf_printf(&text, "%" PRIu32 " workgroups along %c; %s allows %" PRIu32 " (%s)",
                   groups[axis], axis_names[axis], limits->whose, limit, name);
        if (axis == 0 && groups[1] == 1 && groups[2] == 1)
            suggest_splits(&text, groups[0], limit);
        if (add(violations, arena, name, groups[axis], limit, &text) != 0)
            return -1;
    }
    return 0;
}

int limits_check_buffer(const struct limits *limits, const char *name, uint64_t bytes, bool uniform,
                        struct wgsim_error *err) {
    uint64_t binding = uniform ? limits->uniform_binding_bytes : limits->storage_binding_bytes;
    bool whole = bytes > limits->buffer_bytes;
    if (!whole && bytes <= binding)
        return 0;
    return error_set(err, "buffer %s of %" PRIu64 " bytes; %s allows %" PRIu64 " (%s)", name, bytes,
                     limits->whose, whole ? limits->buffer_bytes : binding,
                     whole     ? "maxBufferSize"
                     : uniform ? "maxUniformBufferBindingSize"
                               : "maxStorageBufferBindingSize");
}
