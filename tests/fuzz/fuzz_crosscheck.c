/* Fuzz target: all that a cross-check reads from others: frames, jobs, messages, shaders, rules. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim/webgpu/compare.h"
#include "sim/webgpu/device_job.h"
#include "sim/webgpu/frame.h"
#include "sim/webgpu/message.h"
#include "sim/webgpu/scan.h"

static void check_job(const struct frame *frame, struct arena *arena) {
    struct device_job job;
    bool *has_init;
    json_t *json = json_loadb(frame->bytes, frame->length, 0, NULL);
    if (device_job_decode(json, arena, &job, &has_init, NULL) == 0)
        for (size_t i = 0; i < job.dispatch_count; i++)
            for (size_t k = 0; k < job.dispatches[i].binding_count; k++)
                FUZZ_CHECK(job.dispatches[i].bindings[k].buffer < job.buffer_count);
    json_decref(json);
}

static void check_frames(const char *text, size_t length, struct arena *arena) {
    struct frame frame;
    int64_t taken;
    for (size_t at = 0; (taken = frame_parse(text + at, length - at, &frame, NULL)) > 0;
         at += (size_t)taken) {
        FUZZ_CHECK(frame.bytes + frame.length <= text + length);
        check_job(&frame, arena);
    }
}

static void check_texts(const char *text, struct arena *arena) {
    char line[128];
    double allowed[8];
    struct compare_rule rule;
    struct element_type type;
    struct shader_scan scan;
    message_condense(text, strlen(text), line, sizeof line);
    FUZZ_CHECK(strlen(line) < sizeof line);
    if (compare_rule_parse(text, allowed, 8, &rule, NULL) == 0)
        FUZZ_CHECK(rule.allowed_count <= 8);
    if (element_type_parse(text, &type))
        FUZZ_CHECK(type.components >= 1 && type.components <= 4 && type.stride <= 16);
    FUZZ_CHECK(shader_scan(text, arena, &scan, NULL) == 0);
    for (size_t i = 0; i < scan.binding_count; i++)
        FUZZ_CHECK(scan.bindings[i].name && scan.bindings[i].type);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena arena;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    arena_init(&arena);
    check_frames(text, size, &arena);
    check_texts(text, &arena);
    arena_release(&arena);
    free(text);
    return 0;
}
