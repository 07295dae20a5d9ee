/* Tests of the limits of pipelines and dispatches, by their messages. */
#include "tests/check_main.h"

#include <string.h>

#include "sim/limits.h"
#include "sim/preset.h"

static struct arena arena;
static struct limits_violations violations;

/* The only message, or "" if nothing is refused. */
static const char *message(void) {
    ck_assert_uint_le(violations.count, 1);
    return violations.count ? violations.items[0].text : "";
}

static void check_size(uint32_t x, uint32_t y, uint32_t z) {
    struct limits limits = limits_webgpu();
    violations.count = 0;
    ck_assert_int_eq(
        limits_check_pipeline(&limits, (uint32_t[3]){x, y, z}, NULL, 0, &arena, &violations), 0);
}

START_TEST(workgroup_sizes) {
    static const struct {
        uint32_t size[3];
        const char *message;
    } rows[] = {
        {{256, 1, 1}, ""},
        {{1, 256, 1}, ""},
        {{4, 1, 64}, ""},
        {{16, 17, 1},
         "workgroup of 16 x 17 x 1 = 272 invocations; WebGPU by default allows 256 "
         "(maxComputeInvocationsPerWorkgroup)"},
        {{1, 1, 65},
         "workgroup size 65 along z; WebGPU by default allows 64 (maxComputeWorkgroupSizeZ)"},
        {{0, 1, 1}, "workgroup size 0 along x; it must be at least 1"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        check_size(rows[r].size[0], rows[r].size[1], rows[r].size[2]);
        ck_assert_str_eq(message(), rows[r].message);
    }
    check_size(257, 1, 1);
    ck_assert_uint_eq(violations.count, 2); /* the axis and the product */
    check_size(UINT32_MAX, UINT32_MAX, UINT32_MAX);
    ck_assert_uint_eq(violations.count, 4);
    ck_assert_uint_eq(violations.items[3].asked, UINT64_MAX);
    arena_release(&arena);
}
END_TEST

static const char *check_variables(const struct limits *limits,
                                   const struct limits_variable *variables, size_t count) {
    violations.count = 0;
    ck_assert_int_eq(limits_check_pipeline(limits, (uint32_t[3]){64, 1, 1}, variables, count,
                                           &arena, &violations),
                     0);
    return message();
}

/* Field case 38. */
START_TEST(padding_of_vec3_is_explained) {
    struct limits limits = limits_webgpu();
    struct limits_variable variables[] = {
        {"pts", "vec3<f32>", 19, 1024, 12, 16, 16384},
        {"count", "atomic<u32>", 20, 1, 4, 4, 4},
    };
    ck_assert_str_eq(check_variables(&limits, variables, 2),
                     "16400 bytes of workgroup memory; WebGPU by default allows 16384 "
                     "(maxComputeWorkgroupStorageSize): pts (line 19) 1024 x 16 = 16384; count "
                     "(line 20) 4, rounded up to 16; vec3<f32> has 12 bytes but a stride of 16: "
                     "4096 bytes are padding, without which the sum would be 12288 + 4 = 12292");
    ck_assert_uint_eq(violations.items[0].asked, 16400);
    ck_assert_uint_eq(violations.items[0].allowed, 16384);
    ck_assert_str_eq(violations.items[0].limit, "maxComputeWorkgroupStorageSize");
    variables[0].count = 1023;
    variables[0].bytes = 16368;
    ck_assert_str_eq(check_variables(&limits, variables, 2), "");
    ck_assert_uint_eq(limits_workgroup_bytes(variables, 2), 16384);
    arena_release(&arena);
}
END_TEST

START_TEST(device_limits_are_its_own) {
    struct device device;
    ck_assert_int_eq(preset_find(&device, "h200", NULL), 0);
    struct limits limits = limits_of_device(&device);
    struct limits_variable variable = {"s", "u32", 0, 16384, 4, 4, 65536};
    ck_assert_str_eq(check_variables(&limits, &variable, 1), "");
    variable.count = 60000;
    variable.bytes = 240000;
    ck_assert_str_eq(check_variables(&limits, &variable, 1),
                     "240000 bytes of workgroup memory; h200 allows 232448 "
                     "(maxComputeWorkgroupStorageSize): s 60000 x 4 = 240000");
    arena_release(&arena);
}
END_TEST

START_TEST(dispatches) {
    static const struct {
        uint32_t groups[3];
        const char *message;
    } rows[] = {
        {{65535, 65535, 65535}, ""},
        {{0, 1, 1}, ""},
        {{131072, 1, 1}, /* field case 50 */
         "131072 workgroups along x; WebGPU by default allows 65535 "
         "(maxComputeWorkgroupsPerDimension); split over y and fold the index: (65535, 2, 1) is 2 "
         "short, (65535, 3, 1) has 65533 too many, (32768, 4, 1) is exact, (362, 363, 1) only 334 "
         "too many, which need a guard"},
        {{131070, 1, 1},
         "131070 workgroups along x; WebGPU by default allows 65535 "
         "(maxComputeWorkgroupsPerDimension); split over y and fold the index: (65535, 2, 1) is "
         "exact, (362, 363, 1) only 336 too many, which need a guard"},
        {{65537, 1, 1}, /* a prime */
         "65537 workgroups along x; WebGPU by default allows 65535 "
         "(maxComputeWorkgroupsPerDimension); split over y and fold the index: (65535, 1, 1) is 2 "
         "short, (65535, 2, 1) has 65533 too many, (256, 257, 1) only 255 too many, which need a "
         "guard"},
        {{1, 70000, 1},
         "70000 workgroups along y; WebGPU by default allows 65535 "
         "(maxComputeWorkgroupsPerDimension)"},
        {{UINT32_MAX, 1, 1},
         "4294967295 workgroups along x; WebGPU by default allows 65535 "
         "(maxComputeWorkgroupsPerDimension)"},
    };
    struct limits limits = limits_webgpu();
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        violations.count = 0;
        ck_assert_int_eq(limits_check_dispatch(&limits, rows[r].groups, &arena, &violations), 0);
        ck_assert_str_eq(message(), rows[r].message);
    }
    arena_release(&arena);
}
END_TEST

START_TEST(bindings) {
    static const struct {
        uint32_t asked[LIMITS_BINDINGS];
        const char *message;
    } rows[] = {
        {{8, 12, 4, 1000}, ""},
        {{9, 0, 1, 9},
         "9 storage buffers; WebGPU by default allows 8 "
         "(maxStorageBuffersPerShaderStage)"},
        {{0, 13, 1, 13},
         "13 uniform buffers; WebGPU by default allows 12 "
         "(maxUniformBuffersPerShaderStage)"},
        {{1, 0, 5, 1},
         "5 bind groups, counted from 0; WebGPU by default allows 4 "
         "(maxBindGroups)"},
        {{1, 0, 1, 1001},
         "1001 bindings in a group, counted from 0; WebGPU by default allows "
         "1000 (maxBindingsPerBindGroup)"},
    };
    arena_init(&arena);
    struct limits limits = limits_webgpu();
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        violations.count = 0;
        ck_assert_int_eq(limits_check_bindings(&limits, rows[r].asked, &arena, &violations), 0);
        ck_assert_str_eq(message(), rows[r].message);
    }
    arena_release(&arena);
}
END_TEST

CHECK_MAIN("limits", workgroup_sizes, padding_of_vec3_is_explained, device_limits_are_its_own,
           dispatches, bindings)
