/* Tests of what wgsim and its device worker say to each other, and of what the worker's libraries
 * say. */
#include "tests/check_main.h"

#include <string.h>

#include "sim/webgpu/device_job.h"
#include "sim/webgpu/frame.h"
#include "sim/webgpu/message.h"
#include "sim/webgpu/scan.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

START_TEST(frames_arrive_as_sent) {
    struct buf text = {0};
    struct frame frame;
    frame_append(&text, "STEP", "abc", 3);
    frame_append(&text, "DATA", "", 0);
    ck_assert_int_eq(frame_parse(text.data, text.len, &frame, NULL), FRAME_HEADER_BYTES + 3);
    ck_assert_str_eq(frame.tag, "STEP");
    ck_assert_mem_eq(frame.bytes, "abc", 3);
    size_t first = FRAME_HEADER_BYTES + 3;
    ck_assert_int_eq(frame_parse(text.data + first, text.len - first, &frame, NULL),
                     FRAME_HEADER_BYTES);
    ck_assert_str_eq(frame.tag, "DATA");
    ck_assert_uint_eq(frame.length, 0);
    for (size_t cut = 0; cut < first; cut++)
        ck_assert_int_eq(frame_parse(text.data, cut, &frame, NULL), 0);
    buf_release(&text);
}
END_TEST

START_TEST(no_frames) {
    static const struct {
        const char *bytes;
        size_t length;
        const char *message;
    } rows[] = {
        {"HTTP/1.1 200 OK", 15, "bytes that begin no frame"},
        {"stepabcdefghijk", 15, "bytes that begin no frame"},
        {"DATA\xff\xff\xff\xff\xff\xff\xff\x7f", 12, "a DATA frame of 9223372036854775807 bytes"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct frame frame;
        struct wgsim_error err;
        ck_assert_int_eq(frame_parse(rows[i].bytes, rows[i].length, &frame, &err), -1);
        ck_assert_str_eq(err.message, rows[i].message);
    }
}
END_TEST

START_TEST(jobs_arrive_as_sent) {
    struct device_binding bindings[] = {{0, 1, BINDING_STORAGE, 1}, {2, 0, BINDING_UNIFORM, 0}};
    struct device_constant constants[] = {{"n", 3.5, 4}};
    struct device_dispatch dispatches[] = {{.entry = "main",
                                            .groups = {4294967295u, 1, 0},
                                            .bindings = bindings,
                                            .binding_count = 2,
                                            .constants = constants,
                                            .constant_count = 1}};
    struct device_buffer buffers[] = {{"in", 64, "x", false}, {"out", 4, NULL, true}};
    struct device_job job = {.target = {.adapter = "llvm", .allow_hang = true},
                             .shader = "fn f() {}",
                             .buffers = buffers,
                             .buffer_count = 2,
                             .dispatches = dispatches,
                             .dispatch_count = 1};
    struct device_job back;
    struct arena arena;
    bool *has_init;
    arena_init(&arena);
    json_t *json = device_job_encode(&job);
    ck_assert_int_eq(device_job_decode(json, &arena, &back, &has_init, NULL), 0);
    ck_assert_str_eq(back.target.adapter, "llvm");
    ck_assert_str_eq(back.shader, "fn f() {}");
    ck_assert_ptr_null(back.target.library);
    ck_assert(back.target.allow_hang && !back.spins_unbounded && has_init[0] && !has_init[1]);
    ck_assert(back.buffers[0].bytes == 64 && !back.buffers[0].read && back.buffers[1].read);
    ck_assert_uint_eq(back.dispatches[0].groups[0], 4294967295u);
    ck_assert_uint_eq(back.dispatches[0].bindings[1].group, 2);
    ck_assert_int_eq(back.dispatches[0].bindings[1].kind, BINDING_UNIFORM);
    ck_assert_str_eq(back.dispatches[0].constants[0].name, "n");
    ck_assert_double_eq(back.dispatches[0].constants[0].value, 3.5);
    ck_assert_double_eq(back.dispatches[0].constants[0].value_on_cpu, 4);
    json_decref(json);
    arena_release(&arena);
}
END_TEST

START_TEST(bad_jobs) {
    static const char *const rows[][2] = {
        {"[]", "device job: not an object"},
        {"{}", "device job: bad or missing \"buffers\""},
        {"{\"buffers\": [], \"dispatches\": []}", "device job: bad or missing \"shader\""},
        {"{\"shader\": 1}", "device job: bad or missing \"shader\""},
        {"{\"shader\": \"\", \"buffers\": [{\"bytes\": -1}]}",
         "device job: bad or missing \"bytes\""},
        {"{\"shader\": \"\", \"buffers\": [], \"dispatches\": [{\"groups\": [1, 1, 1]}]}",
         "device job: bad or missing \"entry\""},
        {"{\"shader\": \"\", \"buffers\": [], \"dispatches\": [{\"groups\": [1, 1]}]}",
         "device job: bad or missing \"groups\""},
        {"{\"shader\": \"\", \"buffers\": [{\"bytes\": 4}], \"dispatches\": [{\"groups\": [1, 1, "
         "1], "
         "\"entry\": \"main\", \"bindings\": [{\"group\": 0, \"binding\": 0, \"kind\": "
         "\"uniform\", "
         "\"buffer\": 1}]}]}",
         "device job: bad or missing \"buffer\""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena arena;
        struct device_job job;
        struct wgsim_error err;
        bool *has_init;
        arena_init(&arena);
        json_t *json = json_loads(rows[i][0], 0, NULL);
        ck_assert_ptr_nonnull(json);
        ck_assert_msg(device_job_decode(json, &arena, &job, &has_init, &err) == -1, "%s",
                      rows[i][0]);
        ck_assert_str_eq(err.message, rows[i][1]);
        json_decref(json);
        arena_release(&arena);
    }
}
END_TEST

/* As the libraries wrote them, wgpu-native 29 and Dawn of June 2025. */
START_TEST(messages) {
    static const char *const rows[][2] = {
        {"Validation Error\n\nCaused by:\n  In wgpuDeviceCreateShaderModule, label = 'a.wgsl'\n    "
         "\n"
         "Shader 'a.wgsl' parsing error: expected `]`, found \";\"\n  \xe2\x94\x8c\xe2\x94\x80 "
         "wgsl:3:84\n  \xe2\x94\x82\n3 \xe2\x94\x82 fn main() { a[0 = 1; }\n  \xe2\x94\x82   ^ "
         "expected `]`\n\n\n",
         "3:84: expected `]`, found \";\""},
        {"Validation Error\n\nCaused by:\n  In wgpuDeviceCreateComputePipeline, label = 'main'\n   "
         " "
         "Error matching shader requirements against the pipeline\n      Unable to find entry "
         "point "
         "'main'\n",
         "Error matching shader requirements against the pipeline: Unable to find entry point "
         "'main'"},
        {"Error while parsing WGSL: :3:84 error: expected ']' for index accessor\nfn main() { }\n  "
         "   "
         "^\n\n\n - While calling [Device].CreateShaderModule([ShaderModuleDescriptor]).\n",
         "3:84: expected ']' for index accessor"},
        {"Entry point \"main\" doesn't exist.\n - While validating compute stage.\n - While "
         "calling "
         "x.\n",
         "Entry point \"main\" doesn't exist. while validating compute stage."},
        {"something else", "something else"},
        {"", ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[256];
        message_condense(rows[i][0], strlen(rows[i][0]), line, sizeof line);
        ck_assert_str_eq(line, rows[i][1]);
    }
}
END_TEST

START_TEST(long_messages_are_cut) {
    char text[4096], line[64];
    memset(text, 'x', sizeof text);
    message_condense(text, sizeof text, line, sizeof line);
    ck_assert_uint_eq(strlen(line), sizeof line - 1);
    memcpy(text, "Validation Error\n", 17);
    message_condense(text, sizeof text, line, sizeof line);
    ck_assert_uint_lt(strlen(line), sizeof line);
}
END_TEST

START_TEST(shaders_are_scanned) {
    static const char shader[] =
        "enable f16; // @group(9) @binding(9) var<storage> no: u32;\n"
        "/* nested /* @compute fn no() {} */ */\n"
        "override spin_limit: u32 = 0; @id(3) override width = 4u;\n"
        "@group(0) @binding(2) var<storage, read_write> data : array<atomic<u32>, 8>;\n"
        "@binding(0) @group(1) var<storage> input: array<vec4<f32>>;\n"
        "@group(1) @binding(1) var<uniform> params: Params;\n"
        "@group(1) @binding(2) var tex: texture_2d<f32>;\n"
        "var<workgroup> tile: array<atomic<u32>, 64>;\n"
        "fn helper() { for (var i = 0; i < 3; i++) { var sum: f32; sum += 1; } }\n"
        "@compute @workgroup_size(64) fn main() { workgroupBarrier(); let x = cos(sqrt(2)); }\n"
        "@workgroup_size(1) @compute fn second() { }\n";
    struct shader_scan scan;
    struct arena arena;
    arena_init(&arena);
    ck_assert_int_eq(shader_scan(shader, &arena, &scan, NULL), 0);
    ck_assert_uint_eq(scan.binding_count, 3);
    const struct scanned_binding *data = shader_scan_find(&scan, 0, 2);
    ck_assert_str_eq(data->name, "data");
    ck_assert_str_eq(data->type, "array<atomic<u32>,8>");
    ck_assert_int_eq(data->kind, BINDING_STORAGE);
    ck_assert_int_eq(shader_scan_find(&scan, 1, 0)->kind, BINDING_READ_ONLY);
    ck_assert_int_eq(shader_scan_find(&scan, 1, 1)->kind, BINDING_UNIFORM);
    ck_assert_ptr_null(shader_scan_find(&scan, 9, 9));
    ck_assert_uint_eq(scan.entry_count, 2);
    ck_assert_str_eq(scan.entries[0], "main");
    ck_assert_str_eq(scan.entries[1], "second");
    ck_assert(shader_scan_has_override(&scan, "spin_limit"));
    ck_assert(shader_scan_has_override(&scan, "width"));
    ck_assert(!shader_scan_has_override(&scan, "main"));
    ck_assert_int_eq(scan.accuracy, ACCURACY_TRIGONOMETRIC);
    ck_assert(scan.has_workgroup_atomics && scan.has_workgroup_barrier &&
              scan.has_uninitialised_loop_variable);
    arena_release(&arena);
}
END_TEST

START_TEST(broken_shaders_are_scanned) {
    static const char *const rows[] = {"",
                                       "@",
                                       "var<",
                                       "@group(",
                                       "/* no end",
                                       "var<storage> a",
                                       "@group(0) @binding(0) var<storage> a",
                                       "}}}}",
                                       "{{{{",
                                       "fn",
                                       "override"};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct shader_scan scan;
        struct arena arena;
        arena_init(&arena);
        ck_assert_int_eq(shader_scan(rows[i], &arena, &scan, NULL), 0);
        ck_assert_msg(scan.binding_count == 0, "'%s'", rows[i]);
        arena_release(&arena);
    }
}
END_TEST

CHECK_MAIN("device_protocol", frames_arrive_as_sent, no_frames, jobs_arrive_as_sent, bad_jobs,
           messages, long_messages_are_cut, shaders_are_scanned, broken_shaders_are_scanned)
