/* Tests of buffer contents as users write them, and of job files. */
#include "tests/check_main.h"

#include <math.h>
#include <string.h>

#include "sim/buffer_spec.h"
#include "sim/job_spec.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

/* The first bytes of what a SPEC makes, as hexadecimal. */
static const char *filled(struct arena *arena, const char *text) {
    struct buffer_spec spec = {0};
    struct wgsim_error err;
    uint64_t bytes;
    if (buffer_spec_parse_contents(arena, text, &spec, &err))
        return arena_strdup(arena, err.message);
    uint8_t *data = buffer_spec_fill(&spec, &bytes, &err);
    if (!data)
        return arena_strdup(arena, err.message);
    char *hex = arena_printf(arena, "%s", "");
    for (uint64_t k = 0; k < bytes; k++)
        hex = arena_printf(arena, "%s%02x", hex, data[k]);
    free(data);
    return hex;
}

START_TEST(contents) {
    static const struct {
        const char *text, *result;
    } rows[] = {
        {"zero:u32[2]", "0000000000000000"},
        {"zero:f16[3]", "000000000000"},
        {"iota:u32[3]", "000000000100000002000000"},
        {"iota:f32[2]", "000000000000803f"},
        {"iota:f16[3]", "0000003c0040"},
        {"iota:vec3u[2]", "0000000001000000020000000000000003000000040000000500000000000000"},
        {"iota:vec2<f32>[1]", "000000000000803f"},
        {"iota:atomic<u32>[1]", "00000000"},
        {"values:i32:-1,2", "ffffffff02000000"},
        {"values:u32:0xff,4294967295", "ff000000ffffffff"},
        {"values:f32:1.5,-inf", "0000c03f000080ff"},
        {"values:vec2h:1,-2", "003c00c0"},
        {"values:u32:", "there are no values"},
        {"values:vec2f:1", "1 values are not whole elements of 2 components"},
        {"values:u32:-1", "'-1' does not fit u32"},
        {"values:u32:1,x", "'x' is not a number"},
        {"values:i32:2147483648", "'2147483648' does not fit i32"},
        {"zero:u32", "'u32' is not a type and a number of elements, as in u32[64]"},
        {"zero:u8[4]",
         "'u8' is not a type of buffer elements (u32, i32, f32, f16 or a vector of them)"},
        {"zero:u32[0]", "a buffer of 0 elements cannot be made"},
        {"zero:u32[1G]@3", "'@3' is left over after the number of elements"},
        {"file:/nonexistent/x", "cannot read /nonexistent/x: No such file or directory"},
        {"ones:u32[4]", "'ones:u32[4]' is not zero:TYPE[N], iota:TYPE[N], random:TYPE[N][@seed], "
                        "values:TYPE:v,..., file:PATH, "
                        "texture:FORMAT:WxH or sampler:FILTER"},
        {"texture:rgba8unorm", "'rgba8unorm' is not a format and a size, as in rgba8unorm:64x32"},
        {"texture:rgb8:2x2", "'rgb8:2x2' is not a format and a size, as in rgba8unorm:64x32"},
        {"texture:r8unorm:0x2", "'r8unorm:0x2' is not a format and a size, as in rgba8unorm:64x32"},
        {"texture:r8unorm:2x2:ones", "'ones' is not zero, random[@seed] or file:PATH"},
        {"sampler:cubic",
         "'cubic' is not nearest or linear, then :clamp, :repeat, :mirror or nothing"},
        {"sampler:linear:repeat",
         "0100000001000000010000000000000000000000000000000000000000000000"},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t k = 0; k < COUNT(rows); k++) {
        const char *result = filled(&arena, rows[k].text);
        ck_assert_msg(strcmp(result, rows[k].result) == 0, "%s gives %s", rows[k].text, result);
    }
    arena_release(&arena);
}
END_TEST

START_TEST(random_is_seeded) {
    struct arena arena;
    arena_init(&arena);
    ck_assert_str_eq(filled(&arena, "random:u32[8]@7"), filled(&arena, "random:u32[8]@7"));
    ck_assert_str_ne(filled(&arena, "random:u32[8]@7"), filled(&arena, "random:u32[8]@8"));
    struct buffer_spec spec = {0};
    uint64_t bytes;
    ck_assert_int_eq(buffer_spec_parse_contents(&arena, "random:f32[1000]", &spec, NULL), 0);
    uint8_t *data = buffer_spec_fill(&spec, &bytes, NULL);
    double sum = 0;
    for (size_t k = 0; k < 1000; k++) {
        float f;
        memcpy(&f, data + 4 * k, 4);
        ck_assert(f >= 0.0f && f < 1.0f);
        sum += f;
    }
    ck_assert(fabs(sum / 1000 - 0.5) < 0.05);
    free(data);
    arena_release(&arena);
}
END_TEST

START_TEST(bindings) {
    struct arena arena;
    struct buffer_spec spec;
    struct wgsim_error err;
    arena_init(&arena);
    ck_assert_int_eq(buffer_spec_parse(&arena, "3=zero:u32[1]", &spec, &err), 0);
    ck_assert_uint_eq(spec.group, 0);
    ck_assert_uint_eq(spec.binding, 3);
    ck_assert_int_eq(buffer_spec_parse(&arena, "2:5=zero:u32[1]", &spec, &err), 0);
    ck_assert_uint_eq(spec.group, 2);
    ck_assert_uint_eq(spec.binding, 5);
    ck_assert_int_eq(buffer_spec_parse(&arena, "x=zero:u32[1]", &spec, &err), -1);
    ck_assert_str_eq(err.message, "'x=zero:u32[1]' is not a buffer, [GROUP:]BINDING=CONTENTS");
    arena_release(&arena);
}
END_TEST

START_TEST(a_job) {
    struct job_spec spec;
    struct wgsim_error err;
    int status = job_spec_parse(
        &spec,
        "{\"shader\": \"a.wgsl\", \"entry\": \"main\", \"overrides\": {\"n\": 4, \"b\": true},"
        " \"buffers\": [{\"binding\": 1, \"type\": \"vec2f\", \"init\": [[1, 2.5], [3, 4]], "
        "\"expect\": [0, 0, 0, 0]},"
        "               {\"name\": \"spare\", \"type\": \"u32\", \"count\": 7, \"init\": "
        "\"iota\"}],"
        " \"dispatches\": [{\"groups\": [2, 3]}, {\"groups\": 5, \"buffers\": {\"0:1\": "
        "\"spare\"}}]}",
        "jobs", &err);
    ck_assert_msg(status == 0, "%s", err.message);
    ck_assert_str_eq(spec.shader, "jobs/a.wgsl");
    ck_assert_uint_eq(spec.override_count, 2);
    ck_assert(spec.overrides[0].value == 4 && spec.overrides[1].value == 1);
    ck_assert_uint_eq(spec.buffer_count, 2);
    ck_assert(spec.buffers[0].bound && spec.buffers[0].has_expect && !spec.buffers[1].bound);
    ck_assert_str_eq(spec.buffers[0].contents.text, "1,2.5,3,4");
    ck_assert(spec.buffers[1].contents.init == BUFFER_IOTA && spec.buffers[1].contents.count == 7);
    ck_assert_uint_eq(spec.dispatch_count, 2);
    ck_assert(spec.dispatches[0].groups[0] == 2 && spec.dispatches[0].groups[1] == 3 &&
              spec.dispatches[0].groups[2] == 1 && spec.dispatches[1].groups[0] == 5);
    ck_assert_str_eq(spec.dispatches[1].binds[0].variable, "0:1");
    ck_assert_str_eq(spec.dispatches[1].binds[0].buffer, "spare");
    job_spec_release(&spec);
}
END_TEST

/* What is kept of a job's contents outlives the text that it was read from. */
START_TEST(contents_in_text) {
    static const char text[] =
        "{\"shader\": \"a.wgsl\", \"buffers\": ["
        " {\"binding\": 0, \"init\": \"values:u32:11,22\", \"expect\": \"values:u32:12,22\"},"
        " {\"binding\": 1, \"init\": \"texture:rgba8unorm:4x4\"},"
        " {\"binding\": 2, \"init\": \"sampler:linear:clamp\"}],"
        " \"dispatches\": [{\"groups\": 1}]}";
    struct job_spec spec;
    struct wgsim_error err;
    uint64_t bytes;
    ck_assert_msg(job_spec_parse(&spec, text, "jobs", &err) == 0, "%s", err.message);
    uint32_t *init = (uint32_t *)(void *)buffer_spec_fill(&spec.buffers[0].contents, &bytes, &err);
    ck_assert_msg(init && bytes == 8, "%s", err.message);
    ck_assert(init[0] == 11 && init[1] == 22);
    free(init);
    uint32_t *expect = (uint32_t *)(void *)buffer_spec_fill(&spec.buffers[0].expect, &bytes, &err);
    ck_assert_msg(expect && bytes == 8, "%s", err.message);
    ck_assert(expect[0] == 12 && expect[1] == 22);
    free(expect);
    ck_assert_str_eq(spec.buffers[1].contents.text, "rgba8unorm:4x4");
    ck_assert_str_eq(spec.buffers[2].contents.text, "linear:clamp");
    job_spec_release(&spec);
}
END_TEST

START_TEST(bad_jobs) {
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"{", "line 1: string or '}' expected near end of file"},
        {"[]", "the job is not an object"},
        {"{}", "the job names no \"shader\""},
        {"{\"shader\": 3}", "\"shader\" is not a string"},
        {"{\"shader\": \"a\", \"dispatch\": 1}", "the job has an unknown key \"dispatch\""},
        {"{\"shader\": \"a\"}", "the job has no dispatches"},
        {"{\"shader\": \"a\", \"dispatches\": [{\"groups\": []}]}",
         "\"groups\" is not a list of one to three numbers"},
        {"{\"shader\": \"a\", \"dispatches\": [{\"groups\": [-1]}]}",
         "\"groups\" is not a list of one to three numbers"},
        {"{\"shader\": \"a\", \"buffers\": [{}]}", "a buffer has neither a binding nor a name"},
        {"{\"shader\": \"a\", \"buffers\": [{\"binding\": 0, \"init\": [{}]}]}",
         "a value of a buffer is not a number"},
        {"{\"shader\": \"a\", \"overrides\": {\"n\": \"x\"}}", "override \"n\" has no number"},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        struct job_spec spec;
        struct wgsim_error err;
        ck_assert_msg(job_spec_parse(&spec, rows[k].text, NULL, &err) == -1, "%s taken",
                      rows[k].text);
        ck_assert_str_eq(err.message, rows[k].message);
        job_spec_release(&spec);
    }
}
END_TEST

CHECK_MAIN("job_spec", contents, random_is_seeded, bindings, a_job, contents_in_text, bad_jobs)
