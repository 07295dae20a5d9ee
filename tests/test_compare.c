/* Tests of comparing buffers: types, rules and what they let pass. */
#include "tests/check_main.h"

#include <math.h>
#include <string.h>

#include "sim/webgpu/compare.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

START_TEST(types) {
    static const struct {
        const char *text;
        struct element_type type;
    } rows[] = {
        {"u32", {ELEMENT_U32, 1, 4}},
        {"atomic<u32>", {ELEMENT_U32, 1, 4}},
        {"array<atomic<i32>,7>", {ELEMENT_I32, 1, 4}},
        {"array<f32>", {ELEMENT_F32, 1, 4}},
        {"array<f16, 8>", {ELEMENT_F16, 1, 2}},
        {"array<vec3<f32>,4>", {ELEMENT_F32, 3, 16}},
        {"vec2u", {ELEMENT_U32, 2, 8}},
        {"array<vec4h>", {ELEMENT_F16, 4, 8}},
        {"array<vec3<f16>>", {ELEMENT_F16, 3, 8}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct element_type type;
        ck_assert_msg(element_type_parse(rows[i].text, &type), "%s refused", rows[i].text);
        ck_assert_msg(type.scalar == rows[i].type.scalar && type.stride == rows[i].type.stride &&
                          type.components == rows[i].type.components,
                      "%s: %u components, stride %zu", rows[i].text, type.components, type.stride);
    }
    struct element_type type;
    ck_assert(!element_type_parse("Particle", &type));
    ck_assert(!element_type_parse("array<mat4x4<f32>>", &type));
}
END_TEST

/* Four f32 a side; "differ" is the number that the rule does not let pass. */
START_TEST(float_rules) {
    static const struct {
        const char *name, *rule;
        float simulator[4], device[4];
        uint64_t differ;
    } rows[] = {
        {"same", "exact", {1, 2, 3, 4}, {1, 2, 3, 4}, 0},
        {"one differs", "exact", {1, 2, 3, 4}, {1, 2, 3.5f, 4}, 1},
        {"zeros of both signs", "exact", {0, -0.0f, 0, 0}, {-0.0f, 0, 0, 0}, 0},
        {"NaN is NaN", "exact", {NAN, 1, 1, 1}, {NAN, 1, 1, 1}, 0},
        {"NaN is no number", "ulp:100", {NAN, 1, 1, 1}, {1, NAN, 1, 1}, 2},
        {"one ulp at 1", "ulp:1", {1, 1, 1, 1}, {1 + 0x1p-23f, 1 - 0x1p-24f, 1, 1}, 0},
        {"two ulp at 1", "ulp:1", {1, 1, 1, 1}, {1 + 0x1p-22f, 1, 1, 1}, 1},
        {"flushed subnormals", "ulp:0", {1e-40f, 0, 1, 1}, {0, -1e-40f, 1, 1}, 0},
        {"infinity", "ulp:5", {INFINITY, INFINITY, 1, 1}, {INFINITY, 3e38f, 1, 1}, 1},
        {"relative", "relative:0.01", {100, 100, -100, 0}, {101, 102, -99, 0}, 1},
        {"relative to zero", "relative:0.01", {0, 1, 1, 1}, {1, 1, 1, 1}, 1},
        {"near, absolute", "near:0.01", {0, 0, 1, 1}, {0.01f, 0.02f, 1, 1}, 1},
        {"near, relative", "near:0.01", {100, 100, 1, 1}, {101, 102, 1, 1}, 1},
        {"sine within 2^-11", "accuracy:sin", {0.5f, 0.5f, 0, 0}, {0.5004f, 0.501f, 0, 0}, 1},
        {"exp by its argument", "accuracy:exp", {22026.465f, 1, 1, 1}, {22026.5f, 1, 1, 1}, 0},
        {"exp too far", "accuracy:exp", {22026.465f, 1, 1, 1}, {22027, 1, 1, 1}, 1},
        {"any order", "permutation", {1, 2, 3, 3}, {3, 1, 3, 2}, 0},
        {"any order, counted", "permutation", {1, 2, 3, 3}, {3, 1, 2, 2}, 1},
        {"a set", "set:7,8", {1, 1, 1, 1}, {7, 8, 1, 9}, 1},
        {"ignored", "ignore", {1, 1, 1, 1}, {2, 2, 2, 2}, 0},
    };
    struct element_type type = {ELEMENT_F32, 1, 4};
    for (size_t i = 0; i < COUNT(rows); i++) {
        double allowed[4];
        struct compare_rule rule;
        struct compare_result result;
        ck_assert_msg(compare_rule_parse(rows[i].rule, allowed, 4, &rule, NULL) == 0, "%s",
                      rows[i].rule);
        ck_assert(compare_buffers(&type, &rule, rows[i].simulator, rows[i].device, 4, &result,
                                  NULL) == 0);
        ck_assert_msg(result.differing == rows[i].differ, "%s: %d differ", rows[i].name,
                      (int)result.differing);
        ck_assert_msg(result.compared == (rule.kind != COMPARE_IGNORE), "%s", rows[i].name);
    }
}
END_TEST

START_TEST(first_and_worst) {
    float simulator[20], device[20];
    for (int i = 0; i < 20; i++)
        simulator[i] = device[i] = (float)i + 1;
    for (int i = 3; i < 20; i += 2)
        device[i] += i == 9 ? 1 : 0.001f;
    struct element_type type = {ELEMENT_F32, 1, 4};
    struct compare_rule rule = {.kind = COMPARE_EXACT};
    struct compare_result result;
    ck_assert(compare_buffers(&type, &rule, simulator, device, 20, &result, NULL) == 0);
    ck_assert_uint_eq(result.differing, 9);
    ck_assert_uint_eq(result.shown_count, COMPARE_SHOWN);
    ck_assert_uint_eq(result.shown[0], 3);
    ck_assert_uint_eq(result.shown[7], 17);
    ck_assert_uint_eq(result.worst_element, 9);
    ck_assert_double_eq_tol(result.worst_relative, 0.1, 1e-6);
}
END_TEST

/* The fourth word of a vec3's stride is padding. */
START_TEST(vectors) {
    uint32_t simulator[8] = {1, 2, 3, 99, 4, 5, 6, 99}, device[8] = {1, 2, 3, 0, 4, 5, 7, 0};
    struct element_type type = {ELEMENT_U32, 3, 16};
    struct compare_rule rule = {.kind = COMPARE_EXACT};
    struct compare_result result;
    struct buf text = {0};
    ck_assert(compare_buffers(&type, &rule, simulator, device, 2, &result, NULL) == 0);
    ck_assert_uint_eq(result.differing, 1);
    ck_assert_uint_eq(result.shown[0], 1);
    element_print(&type, device, 1, &text);
    ck_assert_str_eq(text.data, "(4, 5, 7)");
    buf_release(&text);
}
END_TEST

START_TEST(scalars_as_text) {
    static const struct {
        struct element_type type;
        uint32_t bits;
        const char *text;
    } rows[] = {
        {{ELEMENT_U32, 1, 4}, 0xffffffff, "4294967295"},
        {{ELEMENT_I32, 1, 4}, 0xffffffff, "-1"},
        {{ELEMENT_F32, 1, 4}, 0x3dcccccd, "0.100000001"},
        {{ELEMENT_F32, 1, 4}, 0x7fc00000, "nan"},
        {{ELEMENT_F16, 1, 2}, 0x3c00, "1"},
        {{ELEMENT_F16, 1, 2}, 0xc500, "-5"},
        {{ELEMENT_F16, 1, 2}, 0x0001, "5.9605e-08"},
        {{ELEMENT_F16, 1, 2}, 0x7c00, "inf"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct buf text = {0};
        element_print(&rows[i].type, &rows[i].bits, 0, &text);
        ck_assert_str_eq(text.data, rows[i].text);
        buf_release(&text);
    }
}
END_TEST

START_TEST(bad_rules) {
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"ulp:", "'' is not a tolerance"},
        {"ulp:-1", "'-1' is not a tolerance"},
        {"ulp:nan", "'nan' is not a tolerance"},
        {"accuracy:frob", "no accuracy is known of 'frob'"},
        {"set:1,x", "'1,x' is no list of values"},
        {"set:1,2,3", "more than 2 allowed values"},
        {"exactly",
         "'exactly' is no rule (exact, ulp:N, relative:X, near:X, accuracy:FUNCTION, permutation, "
         "set:A,B,... or ignore)"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        double allowed[2];
        struct compare_rule rule;
        struct wgsim_error err;
        ck_assert_msg(compare_rule_parse(rows[i].text, allowed, 2, &rule, &err) == -1, "'%s' taken",
                      rows[i].text);
        ck_assert_str_eq(err.message, rows[i].message);
    }
}
END_TEST

CHECK_MAIN("compare", types, float_rules, first_and_worst, vectors, scalars_as_text, bad_rules)
