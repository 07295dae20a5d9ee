/* Probes of a device. */
#include "sim/webgpu/probe.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"

/* Numbers are printed into the text: not every implementation sizes arrays by overrides. */
static const char residency_shader[] =
    "@group(0) @binding(0) var<storage, read_write> counters: array<atomic<u32>, 4>;\n"
    "@group(0) @binding(1) var<storage, read_write> order: array<u32>;\n"
    "var<workgroup> ballast: array<u32, %u>;\n"
    "@compute @workgroup_size(%u)\n"
    "fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {\n"
    "    if (i == 0u) {\n"
    "        order[atomicAdd(&counters[0], 1u)] = id.x;\n"
    "        ballast[id.x %% %uu] = atomicAdd(&counters[1], 1u);\n"
    "        for (var turn = 0u; turn < %uu; turn++) {\n"
    "            atomicMax(&counters[2], atomicLoad(&counters[1]));\n"
    "        }\n"
    "        atomicSub(&counters[1], 1u);\n"
    "    }\n"
    "    workgroupBarrier();\n"
    "    if (ballast[i %% %uu] == 4294967295u) { atomicAdd(&counters[3], 1u); }\n"
    "}\n";

static const char wait_shader[] =
    "@group(0) @binding(0) var<storage, read_write> counters: array<atomic<u32>, 4>;\n"
    "@group(0) @binding(1) var<storage, read_write> flags: array<atomic<u32>>;\n"
    "var<workgroup> ballast: array<u32, %u>;\n"
    "@compute @workgroup_size(%u)\n"
    "fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32,\n"
    "        @builtin(num_workgroups) count: vec3<u32>) {\n"
    "    let last = count.x - 1u;\n"
    "    if (i == 0u) {\n"
    "        ballast[id.x %% %uu] = id.x;\n"
    "        if (%s) { atomicStore(&flags[id.x], 1u); }\n"
    "        if (%s) {\n"
    "            var turn = 0u;\n"
    "            while (%s) {\n"
    "                turn++;\n"
    "                if (turn == %uu) { atomicAdd(&counters[0], 1u); break; }\n"
    "                atomicMax(&counters[2], turn); atomicMax(&counters[2], turn);\n"
    "                atomicMax(&counters[2], turn); atomicMax(&counters[2], turn);\n"
    "            }\n"
    "        }\n"
    "        atomicStore(&flags[id.x], 1u);\n"
    "        if (id.x > 0u) { atomicAdd(&counters[1], 1u); }\n"
    "    }\n"
    "    workgroupBarrier();\n"
    "    if (ballast[i %% %uu] == 4294967295u) { atomicAdd(&counters[3], 1u); }\n"
    "}\n";

static const char lock_shader[] =
    "@group(0) @binding(0) var<storage, read_write> counters: array<atomic<u32>, 4>;\n"
    "@compute @workgroup_size(64)\n"
    "fn main() {\n"
    "    var turn = 0u;\n"
    "    while (atomicExchange(&counters[1], 1u) != 0u) {\n"
    "        turn++;\n"
    "        if (turn == %uu) { atomicAdd(&counters[0], 1u); break; }\n"
    "    }\n"
    "    if (turn < %uu) { atomicStore(&counters[1], 0u); }\n"
    "}\n";

static const char subgroup_shader[] =
    "enable subgroups;\n"
    "@group(0) @binding(0) var<storage, read_write> counters: array<u32, 4>;\n"
    "@compute @workgroup_size(64)\n"
    "fn main(@builtin(subgroup_size) size: u32, @builtin(local_invocation_index) i: u32) {\n"
    "    if (i == 0u) { counters[0] = size; }\n"
    "}\n";

enum { COUNTER_BYTES = 16 };

/* Runs a shader whose buffers are four counters and, unless words is 0, an array of words; their
 * contents are in answer->outputs. */
static int run_probe(const struct device_target *target, const char *shader, uint32_t workgroups,
                     uint32_t words, struct arena *arena, struct device_answer *answer,
                     struct wgsim_error *err) {
    struct device_binding bindings[] = {{0, 0, BINDING_STORAGE, 0}, {0, 1, BINDING_STORAGE, 1}};
    struct device_buffer buffers[] = {{"counters", COUNTER_BYTES, NULL, true},
                                      {"words", (uint64_t)words * 4, NULL, true}};
    size_t count = words ? 2 : 1;
    struct device_dispatch dispatch = {.entry = "main",
                                       .groups = {workgroups, 1, 1},
                                       .bindings = bindings,
                                       .binding_count = count};
    struct device_job job = {.target = *target,
                             .label = "probe",
                             .shader = shader,
                             .buffers = buffers,
                             .buffer_count = count,
                             .dispatches = &dispatch,
                             .dispatch_count = 1};
    if (!shader)
        return error_set(err, "out of memory");
    if (driver_run(&job, arena, answer, err) != 0)
        return -1;
    if (answer->status == DEVICE_RAN)
        return 0;
    error_format(err, "a probe failed at \"%s\": %s", answer->step, answer->message);
    device_answer_release(answer);
    return -1;
}

static void read_order(const uint32_t *order, struct probe_residency *residency) {
    for (uint32_t place = 0; place < residency->launched; place++) {
        uint32_t id = order[place];
        uint32_t distance = id > place ? id - place : place - id;
        residency->in_order += place == 0 ? id == 0 : id == order[place - 1] + 1;
        if (distance > residency->disordered)
            residency->disordered = distance;
    }
}

int probe_residency(const struct device_target *target, const struct probe_load *load,
                    uint32_t workgroups, uint32_t turns, struct probe_residency *residency,
                    json_t **device, struct wgsim_error *err) {
    struct arena arena;
    struct device_answer answer;
    uint32_t words = load->memory_bytes / 4;
    arena_init(&arena);
    const char *shader =
        arena_printf(&arena, residency_shader, words, load->invocations, words, turns, words);
    int result = run_probe(target, shader, workgroups, workgroups, &arena, &answer, err);
    if (result == 0) {
        const uint32_t *counters = answer.outputs[0];
        *residency = (struct probe_residency){.peak = counters[2], .launched = workgroups};
        read_order(answer.outputs[1], residency);
        if (device)
            *device = json_incref(answer.device);
        device_answer_release(&answer);
    }
    arena_release(&arena);
    return result;
}

int probe_wait(const struct device_target *target, enum probe_wait wait,
               const struct probe_load *load, uint32_t workgroups, uint32_t turns,
               uint32_t *gave_up, struct wgsim_error *err) {
    static const struct {
        const char *sets_first; /* who sets its flag before it waits */
        const char *waits;      /* who waits */
        const char *condition;  /* as long as this holds */
    } rows[] = {
        [PROBE_WAIT_PREVIOUS] = {"id.x == 0u", "id.x > 0u",
                                 "atomicLoad(&flags[max(id.x, 1u) - 1u]) == 0u"},
        [PROBE_WAIT_NEXT] = {"true", "id.x < last",
                             "atomicLoad(&flags[min(id.x + 1u, last)]) == 0u"},
        [PROBE_WAIT_LAST] = {"true", "true", "atomicLoad(&flags[last]) == 0u"},
        [PROBE_FIRST_WAITS_ALL] = {"true", "id.x == 0u", "atomicLoad(&counters[1]) < last"},
    };
    struct arena arena;
    struct device_answer answer;
    uint32_t words = load->memory_bytes / 4;
    arena_init(&arena);
    const char *shader =
        arena_printf(&arena, wait_shader, words, load->invocations, words, rows[wait].sets_first,
                     rows[wait].waits, rows[wait].condition, turns, words);
    int result = run_probe(target, shader, workgroups, workgroups, &arena, &answer, err);
    if (result == 0) {
        *gave_up = ((const uint32_t *)answer.outputs[0])[0];
        device_answer_release(&answer);
    }
    arena_release(&arena);
    return result;
}

int probe_lock(const struct device_target *target, uint32_t turns, uint32_t *gave_up,
               struct wgsim_error *err) {
    struct arena arena;
    struct device_answer answer;
    arena_init(&arena);
    const char *shader = arena_printf(&arena, lock_shader, turns, turns);
    int result = run_probe(target, shader, 1, 0, &arena, &answer, err);
    if (result == 0) {
        *gave_up = *(const uint32_t *)answer.outputs[0];
        device_answer_release(&answer);
    }
    arena_release(&arena);
    return result;
}

static bool has_feature(const json_t *device, const char *name) {
    const json_t *features = json_object_get(device, "features");
    for (size_t i = 0; i < json_array_size(features); i++)
        if (strcmp(json_string_value(json_array_get(features, i)), name) == 0)
            return true;
    return false;
}

int probe_subgroup(const struct device_target *target, const json_t *device, uint32_t *size,
                   struct wgsim_error *err) {
    struct arena arena;
    struct device_answer answer;
    json_int_t least = json_integer_value(json_object_get(device, "subgroup_min"));
    *size =
        least == json_integer_value(json_object_get(device, "subgroup_max")) ? (uint32_t)least : 0;
    if (!has_feature(device, "subgroups"))
        return 0;
    arena_init(&arena);
    int result = run_probe(target, subgroup_shader, 1, 0, &arena, &answer, err);
    if (result == 0) {
        *size = *(const uint32_t *)answer.outputs[0];
        device_answer_release(&answer);
    }
    arena_release(&arena);
    return result;
}
