/* Tests of verdicts: what the simulator and the device did, and what follows. */
#include "tests/check_main.h"

#include <string.h>

#include "sim/webgpu/crosscheck.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

enum { ELEMENTS = 4 };

/* A kernel with an output of four u32. */
struct row {
    const char *name;
    enum simulated_end end;
    bool waits, bounded, models_this_device, result_free;
    enum own_check own_check;
    const char *race, *open;
    enum device_status status;
    uint32_t output[ELEMENTS], gave_up;
    bool reads_unwritten;
    const char *device, *driver; /* NULL: one without known faults */
    const char *verdict;
};

/* The simulator's outcomes: stores out of bounds clamped, or dropped. */
static const uint32_t clamped[ELEMENTS] = {1, 2, 3, 9}, dropped[ELEMENTS] = {1, 2, 3, 4};

static void judge_row(const struct row *row, struct arena *arena, struct crosscheck *check,
                      struct device_answer *answer, struct shader_scan *scan) {
    static const void *first[] = {clamped}, *second[] = {dropped};
    static const struct simulated_outcome outcomes[] = {{"stores clamped", first},
                                                        {"stores dropped", second}};
    static struct crosscheck_buffer buffers[1];
    static const void *outputs[1];
    memset(scan, 0, sizeof *scan);
    memset(buffers, 0, sizeof buffers);
    outputs[0] = row->output;
    buffers[0] = (struct crosscheck_buffer){
        .name = "output", .type = {ELEMENT_U32, 1, 4}, .elements = ELEMENTS};
    *answer = (struct device_answer){
        .status = row->status,
        .message = "4:2: why",
        .step = "dispatch 0",
        .outputs = outputs,
        .device = json_pack("{s:s, s:s, s:s}", "name", row->device ? row->device : "GPU", "driver",
                            row->driver ? row->driver : "", "library", "wgpu-native")};
    *check = (struct crosscheck){.kernel = "k",
                                 .simulator = "default",
                                 .verdict = "finished",
                                 .end = row->end,
                                 .models_this_device = row->models_this_device,
                                 .race = row->race,
                                 .outcomes = outcomes,
                                 .outcome_count = 2,
                                 .device = answer,
                                 .context = {.scan = scan, .reads_unwritten = row->reads_unwritten},
                                 .waits = row->waits,
                                 .bounded = row->bounded,
                                 .result_free = row->result_free,
                                 .open = row->open,
                                 .own_check = row->own_check,
                                 .own_check_text = "no",
                                 .gave_up = row->gave_up,
                                 .buffers = buffers,
                                 .buffer_count = 1};
    struct wgsim_error err = {""};
    ck_assert_msg(crosscheck_judge(check, arena, &err) == 0, "%s: %s", row->name, err.message);
}

START_TEST(verdicts) {
    static const struct row rows[] = {
        {.name = "first outcome", .output = {1, 2, 3, 9}, .verdict = "agree"},
        {.name = "second outcome", .output = {1, 2, 3, 4}, .verdict = "agree"},
        {.name = "no outcome", .output = {1, 2, 3, 5}, .verdict = "differ"},
        {.name = "a known fault that applies",
         .output = {1, 2, 7, 4},
         .device = "llvmpipe (LLVM)",
         .driver = "Mesa 22.3.6",
         .reads_unwritten = true,
         .verdict = "device-suspect"},
        {.name = "a known fault that does not",
         .output = {1, 2, 7, 4},
         .device = "llvmpipe (LLVM)",
         .driver = "Mesa 22.3.6",
         .verdict = "differ"},
        {.name = "race", .race = "x.c:1", .output = {7, 7, 7, 7}, .verdict = "undefined"},
        {.name = "free results, accepted",
         .result_free = true,
         .own_check = OWN_CHECK_ACCEPTS,
         .output = {7, 7, 7, 7},
         .verdict = "agree"},
        {.name = "free results, refused",
         .result_free = true,
         .own_check = OWN_CHECK_REFUSES,
         .output = {1, 2, 3, 9},
         .verdict = "differ"},
        {.name = "depends on the order",
         .open = "order",
         .output = {7, 7, 7, 7},
         .verdict = "undefined"},
        {.name = "depends on the order, yet agrees",
         .open = "order",
         .output = {1, 2, 3, 9},
         .verdict = "agree"},
        {.name = "own check refuses a bounded wait",
         .end = SIMULATED_NEVER_ENDS,
         .waits = true,
         .bounded = true,
         .own_check = OWN_CHECK_REFUSES,
         .verdict = "agree"},
        {.name = "the simulator gave up", .end = SIMULATED_UNKNOWN, .verdict = "undefined"},
        {.name = "device rejects", .status = DEVICE_REJECTED, .verdict = "device-rejected"},
        {.name = "both reject",
         .status = DEVICE_REJECTED,
         .end = SIMULATED_REJECTED,
         .verdict = "agree"},
        {.name = "only the simulator rejects", .end = SIMULATED_REJECTED, .verdict = "differ"},
        {.name = "device hangs", .status = DEVICE_HUNG, .verdict = "device-hung"},
        {.name = "both hang",
         .status = DEVICE_HUNG,
         .end = SIMULATED_NEVER_ENDS,
         .verdict = "agree"},
        {.name = "a wait hangs on an unknown device",
         .status = DEVICE_HUNG,
         .waits = true,
         .verdict = "undefined"},
        {.name = "a wait hangs on the modelled device",
         .status = DEVICE_HUNG,
         .waits = true,
         .models_this_device = true,
         .verdict = "differ"},
        {.name = "only the simulator hangs", .end = SIMULATED_NEVER_ENDS, .verdict = "differ"},
        {.name = "only the simulator hangs, on lavapipe",
         .end = SIMULATED_NEVER_ENDS,
         .device = "llvmpipe (LLVM)",
         .driver = "Mesa 22.3.6",
         .verdict = "device-suspect"},
        {.name = "bounded wait gives up where the simulator hangs",
         .end = SIMULATED_NEVER_ENDS,
         .waits = true,
         .bounded = true,
         .gave_up = 1,
         .verdict = "agree"},
        {.name = "bounded wait ends where the simulator hangs",
         .end = SIMULATED_NEVER_ENDS,
         .waits = true,
         .bounded = true,
         .models_this_device = true,
         .verdict = "differ"},
        {.name = "bounded wait ends on an unknown device",
         .end = SIMULATED_NEVER_ENDS,
         .waits = true,
         .bounded = true,
         .verdict = "undefined"},
        {.name = "bounded wait gives up where the simulator ends",
         .waits = true,
         .bounded = true,
         .gave_up = 3,
         .models_this_device = true,
         .verdict = "differ"},
        {.name = "bounded wait ends on both, data agree",
         .waits = true,
         .bounded = true,
         .output = {1, 2, 3, 4},
         .verdict = "agree"},
        {.name = "bounded wait ends on both, data differ",
         .waits = true,
         .bounded = true,
         .output = {1, 2, 3, 5},
         .verdict = "differ"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena arena;
        struct crosscheck check;
        struct device_answer answer;
        struct shader_scan scan;
        arena_init(&arena);
        judge_row(&rows[i], &arena, &check, &answer, &scan);
        ck_assert_msg(strcmp(crosscheck_verdict_name(check.result), rows[i].verdict) == 0, "%s: %s",
                      rows[i].name, crosscheck_verdict_name(check.result));
        ck_assert_msg((check.fault != NULL) >= (check.result == CROSSCHECK_SUSPECT), "%s",
                      rows[i].name);
        device_answer_release(&answer);
        arena_release(&arena);
    }
}
END_TEST

START_TEST(differences_are_reported) {
    static const struct row row = {.name = "two differ", .output = {1, 5, 3, 6}};
    struct arena arena;
    struct crosscheck check;
    struct device_answer answer;
    struct shader_scan scan;
    struct buf text = {0};
    arena_init(&arena);
    judge_row(&row, &arena, &check, &answer, &scan);
    crosscheck_print(&check, &text);
    ck_assert_str_eq(text.data, "crosscheck k: DIFFER\n"
                                "  simulator   default: finished\n"
                                "  device      GPU, by wgpu-native: ended, 0.0 s\n"
                                "  output      4 elements, exact: 2 differ\n"
                                "         element             simulator                device\n"
                                "               1                     2                     5\n"
                                "               3                     9                     6\n"
                                "  because     compared with: stores clamped\n");
    json_t *json = crosscheck_json(&check);
    json_t *first = json_object_get(json_array_get(json_object_get(json, "buffers"), 0), "first");
    ck_assert_str_eq(json_string_value(json_object_get(json, "schema")), "wgsim-crosscheck/1");
    ck_assert_str_eq(json_string_value(json_object_get(json, "verdict")), "differ");
    ck_assert_int_eq(json_integer_value(json_object_get(first, "element")), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(first, "simulator")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(first, "device")), 5);
    ck_assert_int_eq(crosscheck_exit_status(check.result), 1);
    json_decref(json);
    buf_release(&text);
    device_answer_release(&answer);
    arena_release(&arena);
}
END_TEST

CHECK_MAIN("crosscheck", verdicts, differences_are_reported)
