/* Tests of the time model: single requests by table, and whole kernels as streams of requests held
 * to times measured on an H200. */
#include "tests/check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/occupancy.h"
#include "sim/preset.h"
#include "sim/timing.h"
#include "tests/csv.h"

static struct device device_named(const char *name) {
    struct device device;
    struct wgsim_error err;
    ck_assert_msg(preset_find(&device, name, &err) == 0, "%s", err.message);
    return device;
}

static struct timing *timing_new(const struct device *device) {
    struct timing *timing = malloc(timing_bytes(device));
    ck_assert_ptr_nonnull(timing);
    timing_init(timing, device, 0);
    return timing;
}

/* ---- Kernels as streams of requests, run by a small engine ---- */

enum { BARRIER = 100, STREAM_MAX = 4096, SUBGROUPS_MAX = 8 };

/* What every subgroup of a workgroup does. */
struct stream {
    const char *name;
    uint32_t groups, invocations, workgroup_memory_bytes;
    struct timing_request requests[STREAM_MAX];
    size_t count;
};

static void add(struct stream *stream, struct timing_request request) {
    ck_assert_uint_lt(stream->count, STREAM_MAX);
    stream->requests[stream->count++] = request;
}

static void operations(struct stream *stream, uint32_t count) {
    add(stream, (struct timing_request){.kind = TIMING_OPERATIONS, .operations = count});
}

static void load(struct stream *stream, uint32_t sectors) {
    add(stream, (struct timing_request){.kind = TIMING_STORAGE_LOAD, .sectors = sectors});
}

static void store(struct stream *stream, uint32_t sectors) {
    add(stream,
        (struct timing_request){.kind = TIMING_STORAGE_STORE, .sectors = sectors, .bytes = 128});
}

static void local(struct stream *stream, enum timing_kind kind, uint32_t wavefronts) {
    add(stream, (struct timing_request){
                    .kind = (uint8_t)kind, .wavefronts = wavefronts, .conflicts = wavefronts - 1});
}

static void barrier(struct stream *stream) {
    add(stream, (struct timing_request){.kind = BARRIER});
}

struct group {
    uint32_t cu, subgroups, arrived, ended;
    uint64_t start;
    struct timing_clock clocks[SUBGROUPS_MAX];
    size_t at[SUBGROUPS_MAX];
};

struct event {
    uint64_t cycle;
    uint32_t group, subgroup;
};

struct engine {
    struct timing *timing;
    const struct device *device;
    const struct stream *stream;
    struct group *groups;
    uint32_t *residents; /* of each unit */
    uint32_t next, per_unit;
    struct event *heap;
    size_t events;
    uint64_t end;
};

static int before(struct event a, struct event b) {
    if (a.cycle != b.cycle)
        return a.cycle < b.cycle;
    return a.group != b.group ? a.group < b.group : a.subgroup < b.subgroup;
}

static void push(struct engine *engine, uint64_t cycle, uint32_t group, uint32_t subgroup) {
    struct event event = {cycle, group, subgroup}, *heap = engine->heap;
    size_t i = engine->events++;
    for (; i && before(event, heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = event;
}

static struct event pop(struct engine *engine) {
    struct event *heap = engine->heap, top = heap[0], last = heap[--engine->events];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < engine->events) {
        if (child + 1 < engine->events && before(heap[child + 1], heap[child]))
            child++;
        if (!before(heap[child], last))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return top;
}

/* Admits workgroups, each to the unit with the fewest residents, until none fits. */
static void admit(struct engine *engine, uint64_t cycle) {
    while (engine->next < engine->stream->groups) {
        uint32_t cu = 0;
        for (uint32_t i = 1; i < engine->device->cus; i++)
            if (engine->residents[i] < engine->residents[cu])
                cu = i;
        if (engine->residents[cu] == engine->per_unit)
            return;
        engine->residents[cu]++;
        struct group *group = &engine->groups[engine->next];
        *group = (struct group){.cu = cu, .subgroups = engine->stream->invocations / 32};
        group->start = timing_launch(engine->timing, cu, cycle);
        for (uint32_t s = 0; s < group->subgroups; s++) {
            group->clocks[s] = timing_clock_at(group->start);
            push(engine, group->start, engine->next, s);
        }
        engine->next++;
    }
}

static void arrive(struct engine *engine, uint32_t id, uint32_t subgroup) {
    struct group *group = &engine->groups[id];
    struct timing_clock *clocks[SUBGROUPS_MAX];
    group->at[subgroup]++;
    if (++group->arrived < group->subgroups)
        return;
    group->arrived = 0;
    for (uint32_t s = 0; s < group->subgroups; s++)
        clocks[s] = &group->clocks[s];
    timing_open(engine->timing, clocks, group->subgroups);
    for (uint32_t s = 0; s < group->subgroups; s++)
        push(engine, timing_cycle(clocks[s]), id, s);
}

static void finish(struct engine *engine, struct group *group, uint64_t cycle) {
    if (++group->ended < group->subgroups)
        return;
    for (uint32_t s = 0; s < group->subgroups; s++)
        if (timing_cycle(&group->clocks[s]) > cycle)
            cycle = timing_cycle(&group->clocks[s]);
    timing_finish(engine->timing, group->cu, group->subgroups, group->start, cycle);
    engine->residents[group->cu]--;
    engine->end = cycle > engine->end ? cycle : engine->end;
    admit(engine, cycle);
}

static void step(struct engine *engine, struct event event) {
    struct group *group = &engine->groups[event.group];
    struct timing_clock *clock = &group->clocks[event.subgroup];
    const struct timing_request *requests = engine->stream->requests;
    size_t *at = &group->at[event.subgroup], last = *at;
    while (last < engine->stream->count && requests[last].kind != BARRIER)
        last++;
    *at += timing_play(engine->timing, group->cu, clock, requests + *at, last - *at);
    if (*at < last || !timing_drain(engine->timing, clock)) {
        push(engine, timing_cycle(clock), event.group, event.subgroup);
        return;
    }
    if (last < engine->stream->count)
        arrive(engine, event.group, event.subgroup);
    else
        finish(engine, group, timing_cycle(clock));
}

/* per_unit: residents of a unit; 0: as many as fit. */
static struct timing_report run(const struct device *device, const struct stream *stream,
                                uint32_t per_unit) {
    struct workgroup_needs needs = {.invocations = stream->invocations,
                                    .workgroup_memory_bytes = stream->workgroup_memory_bytes};
    struct engine engine = {
        .timing = timing_new(device),
        .device = device,
        .stream = stream,
        .groups = calloc(stream->groups, sizeof(struct group)),
        .residents = calloc(device->cus, sizeof(uint32_t)),
        .heap = calloc((size_t)stream->groups * SUBGROUPS_MAX, sizeof(struct event)),
        .per_unit = per_unit ? per_unit : occupancy_of(device, 0, &needs).workgroups,
    };
    engine.end = timing_dispatch(engine.timing, 0);
    admit(&engine, engine.end);
    while (engine.events)
        step(&engine, pop(&engine));
    ck_assert_uint_eq(engine.next, stream->groups);
    struct timing_report report =
        timing_report(engine.timing, timing_complete(engine.timing, engine.end));
    free(engine.timing);
    free(engine.groups);
    free(engine.residents);
    free(engine.heap);
    return report;
}

/* ---- The measured kernels ---- */

enum { STAGED = 1 };

static struct stream copy(uint32_t groups, uint32_t workgroup_memory_bytes, int staged) {
    struct stream stream = {
        .groups = groups, .invocations = 64, .workgroup_memory_bytes = workgroup_memory_bytes};
    operations(&stream, 4);
    load(&stream, 4);
    if (staged) {
        local(&stream, TIMING_WORKGROUP_STORE, 1);
        barrier(&stream);
        local(&stream, TIMING_WORKGROUP_LOAD, 1);
    }
    operations(&stream, 1);
    store(&stream, 4);
    return stream;
}

/* 32x8 invocations on a tile of 32x32: each has four elements. */
static struct stream transpose(uint32_t load_wavefronts, uint32_t store_sectors) {
    struct stream stream = {
        .groups = 4096, .invocations = 256, .workgroup_memory_bytes = load_wavefronts ? 4096 : 0};
    for (int i = 0; i < 4; i++) {
        operations(&stream, 4);
        load(&stream, 4);
        if (load_wavefronts)
            local(&stream, TIMING_WORKGROUP_STORE, 1);
        else
            store(&stream, store_sectors);
    }
    if (!load_wavefronts)
        return stream;
    barrier(&stream);
    for (int i = 0; i < 4; i++) {
        operations(&stream, 4);
        local(&stream, TIMING_WORKGROUP_LOAD, load_wavefronts);
        store(&stream, store_sectors);
    }
    return stream;
}

static struct stream strided(uint32_t stride) {
    struct stream stream = {.groups = 132, .invocations = 256, .workgroup_memory_bytes = 32768};
    for (int i = 0; i < 2000; i++) {
        operations(&stream, 2);
        local(&stream, TIMING_WORKGROUP_LOAD, stride);
    }
    store(&stream, 4);
    return stream;
}

static double measured(const char *variant) {
    struct csv csv = csv_open("hardware/h200-times.csv");
    double microseconds = 0;
    while (csv_next(&csv))
        if (strncmp(csv.column[0], variant, strlen(variant)) == 0)
            microseconds = strtod(csv.column[2], NULL);
    ck_assert_msg(microseconds > 0, "no row %s", variant);
    return microseconds;
}

/* Each row's time over the first of its family, which is measured and modelled alike. */
START_TEST(ratios_measured_on_the_h200) {
    struct device device = device_named("h200");
    static const struct {
        const char *variant;
        bool first; /* of a family */
        int kind;
        uint32_t a, b;
    } rows[] = {
        {"copy_direct", true, 0, 0, 0},
        {"copy_staged n=", false, 0, 256, STAGED},
        {"copy_staged_16KB", false, 0, 16384, STAGED},
        {"transpose_padded", true, 1, 1, 4},
        {"transpose_unpadded", false, 1, 32, 4},
        {"transpose_naive", false, 1, 0, 32},
        {"shared_stride1 ", true, 2, 1, 0},
        {"shared_stride2 ", false, 2, 2, 0},
        {"shared_stride4 ", false, 2, 4, 0},
        {"shared_stride8 ", false, 2, 8, 0},
        {"shared_stride16 ", false, 2, 16, 0},
        {"shared_stride32 ", false, 2, 32, 0},
    };
    double first_modelled = 0, first_measured = 0;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct stream stream = rows[r].kind == 0   ? copy(65536, rows[r].a, (int)rows[r].b)
                               : rows[r].kind == 1 ? transpose(rows[r].a, rows[r].b)
                                                   : strided(rows[r].a);
        double modelled = (double)run(&device, &stream, 0).cycles / device.clock_mhz;
        double real = measured(rows[r].variant);
        if (rows[r].first) {
            first_modelled = modelled;
            first_measured = real;
        }
        double ratio = (modelled / first_modelled) / (real / first_measured);
        ck_assert_msg(fabs(ratio - 1) < 0.25, "%s: %.2f us, measured %.2f us: ratio off by %.0f %%",
                      rows[r].variant, modelled, real, 100 * (ratio - 1));
    }
}
END_TEST

/* ---- The default device ---- */

static struct stream blur(bool staged) {
    enum { RADIUS = 4 };
    struct stream stream = {
        .groups = 4096, .invocations = 64, .workgroup_memory_bytes = staged ? 288 : 0};
    operations(&stream, 4);
    if (staged) {
        load(&stream, 5);
        local(&stream, TIMING_WORKGROUP_STORE, 1);
        load(&stream, 1); /* the halo */
        local(&stream, TIMING_WORKGROUP_STORE, 1);
        barrier(&stream);
    }
    for (int i = 0; i <= 2 * RADIUS; i++) {
        operations(&stream, 1);
        if (staged)
            local(&stream, TIMING_WORKGROUP_LOAD, 1);
        else
            load(&stream, 5);
    }
    store(&stream, 4);
    return stream;
}

START_TEST(staging_pays_only_with_reuse) {
    struct device device = device_named("default");
    for (uint32_t groups = 1; groups <= 4096; groups *= 4) {
        struct stream direct = copy(groups, 0, 0), staged = copy(groups, 256, STAGED);
        struct timing_report direct_copy = run(&device, &direct, 0);
        struct timing_report staged_copy = run(&device, &staged, 0);
        ck_assert_uint_gt(staged_copy.cycles, direct_copy.cycles + 15);
        ck_assert_uint_gt(staged_copy.spent[TIMING_BARRIERS], 0);
    }
    struct stream direct = blur(false), staged = blur(true);
    struct timing_report direct_blur = run(&device, &direct, 0);
    struct timing_report staged_blur = run(&device, &staged, 0);
    ck_assert_uint_lt(staged_blur.cycles, direct_blur.cycles * 80 / 100);
    ck_assert_int_eq(direct_blur.bound, TIMING_BOUND_STORAGE);
    ck_assert_uint_gt(direct_blur.spent[TIMING_STORAGE], staged_blur.spent[TIMING_STORAGE]);
}
END_TEST

START_TEST(residents_hide_latency_until_the_bandwidth_is_reached) {
    struct device device = device_named("default");
    struct stream stream = {.groups = 2048, .invocations = 64};
    for (int i = 0; i < 4; i++)
        load(&stream, 4);
    store(&stream, 4);
    uint64_t at[33];
    for (uint32_t residents = 1; residents <= 32; residents *= 2) {
        struct timing_report report = run(&device, &stream, residents);
        at[residents] = report.cycles - report.spent[TIMING_LAUNCH];
        ck_assert_int_eq(report.bound == TIMING_BOUND_STORAGE, residents == 32);
    }
    for (uint32_t residents = 1; residents <= 8; residents *= 2)
        ck_assert_double_eq_tol((double)at[residents] / (double)at[2 * residents], 2, 0.1);
    ck_assert_double_lt((double)at[16] / (double)at[32], 1.7);
    /* 40 sectors a workgroup, 8 a cycle. */
    ck_assert_uint_ge(at[32], 2048 * 40 / 8);
    ck_assert_uint_le(at[32], 2048 * 40 / 8 * 11 / 10);
}
END_TEST

START_TEST(the_launcher_binds_small_copies_on_the_h200) {
    struct device device = device_named("h200");
    struct stream stream = copy(65536, 0, 0);
    struct timing_report report = run(&device, &stream, 0);
    ck_assert_int_eq(report.bound, TIMING_BOUND_LAUNCH);
    ck_assert_uint_gt(report.spent[TIMING_LAUNCH], report.cycles * 9 / 10);
}
END_TEST

/* ---- Single requests ---- */

/* On the default device a subgroup issues 1 instruction a cycle; storage moves 8 sectors a cycle;
 * latencies are 5 and 500. */
START_TEST(single_requests) {
    static const struct {
        const char *name;
        struct timing_request requests[3];
        size_t count;
        uint64_t drained; /* cycle at which the subgroup has waited for everything */
    } rows[] = {
        {"nothing", {{0}}, 0, 0},
        {"operations", {{.kind = TIMING_OPERATIONS, .operations = 7}}, 1, 7},
        {"load", {{.kind = TIMING_WORKGROUP_LOAD, .wavefronts = 1}}, 1, 1 + 1 + 5},
        {"conflicts",
         {{.kind = TIMING_WORKGROUP_LOAD, .wavefronts = 32, .conflicts = 31}},
         1,
         1 + 32 + 5},
        {"two loads overlap",
         {{.kind = TIMING_WORKGROUP_LOAD, .wavefronts = 1},
          {.kind = TIMING_WORKGROUP_LOAD, .wavefronts = 1}},
         2,
         2 + 1 + 5},
        {"a store is not waited for", {{.kind = TIMING_WORKGROUP_STORE, .wavefronts = 32}}, 1, 1},
        {"storage load", {{.kind = TIMING_STORAGE_LOAD, .sectors = 8}}, 1, 1 + 1 + 500},
        {"storage loads overlap",
         {{.kind = TIMING_STORAGE_LOAD, .sectors = 8}, {.kind = TIMING_STORAGE_LOAD, .sectors = 8}},
         2,
         2 + 1 + 500},
        {"atomic, result unused", {{.kind = TIMING_STORAGE_ATOMIC, .lanes_on_word = 32}}, 1, 1},
        {"atomic, result used",
         {{.kind = TIMING_STORAGE_ATOMIC, .lanes_on_word = 32, .waits = true}},
         1,
         1 + 40 + 31},
        {"workgroup atomic, result used",
         {{.kind = TIMING_WORKGROUP_ATOMIC, .wavefronts = 32, .waits = true}},
         1,
         1 + 32 + 5},
        {"load that is waited for",
         {{.kind = TIMING_STORAGE_LOAD, .sectors = 8, .waits = true},
          {.kind = TIMING_OPERATIONS, .operations = 1}},
         2,
         502 + 1},
    };
    struct device device = device_named("default");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct timing *timing = timing_new(&device);
        struct timing_clock clock = timing_clock_at(0);
        for (size_t played = 0; played < rows[r].count;)
            played +=
                timing_play(timing, 0, &clock, rows[r].requests + played, rows[r].count - played);
        timing_drain(timing, &clock);
        ck_assert_msg(timing_cycle(&clock) == rows[r].drained, "%s: cycle %lu, not %lu",
                      rows[r].name, (unsigned long)timing_cycle(&clock),
                      (unsigned long)rows[r].drained);
        free(timing);
    }
}
END_TEST

START_TEST(loads_in_flight_are_limited) {
    struct device device = device_named("default");
    struct timing *timing = timing_new(&device);
    struct timing_clock clock = timing_clock_at(0);
    struct timing_request loads[9];
    for (int i = 0; i < 9; i++)
        loads[i] = (struct timing_request){.kind = TIMING_STORAGE_LOAD, .sectors = 1};
    ck_assert_uint_eq(timing_play(timing, 0, &clock, loads, 9), 8);
    ck_assert_uint_eq(timing_cycle(&clock), 502); /* the first is there */
    ck_assert_uint_eq(timing_play(timing, 0, &clock, loads + 8, 1), 1);
    timing_drain(timing, &clock);
    ck_assert_uint_eq(timing_cycle(&clock), 1003);
    free(timing);
}
END_TEST

START_TEST(barriers_as_measured_on_the_h200) {
    static const struct {
        size_t subgroups;
        uint64_t cycles;
    } rows[] = {{1, 15}, {2, 17}, {8, 29}, {32, 77}};
    struct device device = device_named("h200");
    struct timing *timing = timing_new(&device);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct timing_clock clocks[32], *arrived[32];
        for (size_t s = 0; s < 32; s++) {
            clocks[s] = timing_clock_at(s == 0 ? 100 : 90);
            arrived[s] = &clocks[s];
        }
        timing_open(timing, arrived, rows[r].subgroups);
        for (size_t s = 0; s < rows[r].subgroups; s++)
            ck_assert_uint_eq(timing_cycle(&clocks[s]), 100 + rows[r].cycles);
    }
    free(timing);
}
END_TEST

START_TEST(atomics_on_one_word_wait_for_each_other) {
    struct device device = device_named("h200");
    struct timing *timing = timing_new(&device);
    struct timing_request add_one = {.kind = TIMING_STORAGE_ATOMIC, .waits = true, .word = 7};
    uint64_t last = 0;
    for (uint32_t cu = 0; cu < 100; cu++) {
        struct timing_clock clock = timing_clock_at(0);
        ck_assert_uint_eq(timing_play(timing, cu, &clock, &add_one, 1), 1);
        ck_assert_uint_ge(timing_cycle(&clock), last + 89);
        last = timing_cycle(&clock);
    }
    ck_assert_uint_ge(last, 9000);
    ck_assert_uint_ge(timing_complete(timing, 0), 9000);
    free(timing);
}
END_TEST

START_TEST(parts_of_an_account_add_up) {
    static const char *const devices[] = {"default", "h200", "webgpu-min", "ref4"};
    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; d++) {
        struct device device = device_named(devices[d]);
        struct stream streams[] = {copy(100, 256, STAGED), blur(true), transpose(32, 4)};
        for (size_t i = 0; i < 3; i++) {
            if (strcmp(devices[d], "webgpu-min") == 0)
                streams[i].groups = 3;
            struct timing_report report = run(&device, &streams[i], 0);
            uint64_t sum = 0;
            for (int c = 0; c < TIMING_CAUSE_COUNT; c++)
                sum += report.spent[c];
            ck_assert_uint_eq(sum, report.cycles);
            ck_assert_uint_le(report.occupancy, 1000);
        }
    }
}
END_TEST

/* A copy of the state taken in the middle goes on as the state itself, and later as earlier. */
START_TEST(states_can_be_copied_and_compared) {
    struct device device = device_named("default");
    struct timing *one = timing_new(&device), *two = timing_new(&device);
    struct timing_request requests[] = {
        {.kind = TIMING_STORAGE_LOAD, .sectors = 9},
        {.kind = TIMING_WORKGROUP_LOAD, .wavefronts = 3, .conflicts = 2},
        {.kind = TIMING_STORAGE_ATOMIC, .lanes_on_word = 2, .word = 5},
    };
    struct timing_clock a = timing_clock_at(1000), b = timing_clock_at(5000);
    timing_play(one, 1, &a, requests, 2);
    memcpy(two, one, timing_bytes(&device));
    ck_assert(timing_same(one, 1000, two, 1000));
    timing_play(two, 1, &b, requests, 2);
    ck_assert(timing_same(one, 1000, two, 5000));
    ck_assert(timing_clock_same(&a, 1000, &b, 5000));
    ck_assert(!timing_same(one, 1001, two, 5000));
    timing_drain(two, &b);
    ck_assert(!timing_clock_same(&a, 1000, &b, 5000));
    timing_play(two, 2, &b, requests + 2, 1);
    ck_assert(!timing_same(one, 1000, two, 5000));
    free(one);
    free(two);
}
END_TEST

CHECK_MAIN("timing", ratios_measured_on_the_h200, staging_pays_only_with_reuse,
           residents_hide_latency_until_the_bandwidth_is_reached,
           the_launcher_binds_small_copies_on_the_h200, single_requests,
           loads_in_flight_are_limited, barriers_as_measured_on_the_h200,
           atomics_on_one_word_wait_for_each_other, parts_of_an_account_add_up,
           states_can_be_copied_and_compared)
