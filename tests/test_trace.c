/* Tests of trace files: that they are what Perfetto and chrome://tracing ask for, by table of runs;
 * comparisons; files that are taken back in part. */
#include "tests/check_main.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/schedule.h"
#include "sim/trace/compare.h"
#include "sim/trace/file.h"
#include "sim/trace/fingerprint.h"
#include "sim/trace/read.h"

/* ---- Events ---- */

struct slice {
    long long process, thread, start, end;
};

static long long number(const json_t *event, const char *key) {
    const json_t *value = json_object_get(event, key);

    ck_assert_msg(json_is_integer(value), "an event has an integer %s", key);
    return json_integer_value(value);
}

static int by_track(const void *a, const void *b) {
    const struct slice *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->end > y->end ? -1 : x->end < y->end;
}

/* A slice lies in the one before it on its thread, or behind it, or behind one that holds that. */
static void check_nested(const char *name, struct slice *slices, size_t count) {
    struct slice open[16];
    size_t depth = 0;

    qsort(slices, count, sizeof *slices, by_track);
    for (size_t i = 0; i < count; i++) {
        const struct slice *slice = &slices[i];
        if (i && (slice->process != slices[i - 1].process || slice->thread != slices[i - 1].thread))
            depth = 0;
        while (depth && open[depth - 1].end <= slice->start)
            depth--;
        ck_assert_msg(depth == 0 || slice->end <= open[depth - 1].end,
                      "%s: slices overlap at %lld of thread %lld of process %lld", name,
                      slice->start, slice->thread, slice->process);
        ck_assert_uint_lt(depth, 16);
        open[depth++] = *slice;
    }
}

/* Whether some slice is there at a moment, for an arrow to stand on. */
static bool is_in_slice(const json_t *event, const struct slice *slices, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (slices[i].process == number(event, "pid") && slices[i].thread == number(event, "tid") &&
            slices[i].start <= number(event, "ts") && slices[i].end > number(event, "ts"))
            return true;
    return false;
}

static size_t collect(const char *name, const json_t *events, struct slice *slices) {
    size_t count = 0;

    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        const char *phase = json_string_value(json_object_get(event, "ph"));
        ck_assert_msg(phase && strchr("XCMisf", *phase), "%s: a phase that is known", name);
        ck_assert_msg(number(event, "ts") >= 0, "%s: no negative time", name);
        if (*phase != 'X')
            continue;
        ck_assert_msg(number(event, "dur") >= 0, "%s: no negative duration", name);
        slices[count++] =
            (struct slice){number(event, "pid"), number(event, "tid"), number(event, "ts"),
                           number(event, "ts") + number(event, "dur")};
    }
    return count;
}

static size_t count_named(const json_t *events, const char *phase, const char *name) {
    size_t count = 0;

    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        count += !strcmp(json_string_value(json_object_get(event, "ph")), phase) &&
                 !strncmp(json_string_value(json_object_get(event, "name")), name, strlen(name));
    }
    return count;
}

static void check_events(const char *name, const json_t *events) {
    struct slice *slices = calloc(json_array_size(events) + 1, sizeof *slices);
    size_t count = collect(name, events, slices);

    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        char phase = *json_string_value(json_object_get(event, "ph"));
        if (phase == 's' || phase == 'f')
            ck_assert_msg(is_in_slice(event, slices, count), "%s: an arrow's end is in a slice",
                          name);
    }
    check_nested(name, slices, count);
    free(slices);
}

static const struct events_case {
    const char *run;
    const char *phase, *name; /* of events that there are */
    size_t count;
} events_cases[] = {
    {"reduce --size 1024", "X", "workgroup ", 5},
    {"reduce --size 1024", "X", "dispatch ", 2},
    {"reduce --size 1024", "X", "barrier", 45},
    {"reduce --size 1024", "M", "process_name", 5},
    {"spinwait --cus 2", "X", "spins on ready[0]", 16},
    {"spinwait --cus 2", "X", "unfinished workgroup", 16},
    {"spinwait --cus 2", "X", "never start", 1},
    {"spinwait --cus 2", "s", "waits for", 16},
    {"spinwait --cus 2", "f", "waits for", 16},
    {"spinwait --max-steps 600", "X", "unfinished workgroup", 32},
    {"spinwait --max-steps 300", "X", "not past this still", 32},
    {"waitlast --groups 64", "X", "spins at line ", 1},
    {"late_producer", "X", "spins at line ", 4},
    {"reduce_atomic --size 100000", "X", "spins at line ", 0},
    {"neighbour_race", "i", "race", 1},
    {"scan_block", "X", "workgroup ", 1},
    {"bitonic --trace-level steps", "M", "thread_name", 21},
    {"divergent_barrier --trace-level steps", "i", "divergence", 1},
    {"matmul --trace-level steps", "X", "dispatch 1: main", 1},
    {"blur --size 100000 --placement static", "C", "queued", 753},
};

START_TEST(test_events) {
    for (size_t i = 0; i < sizeof events_cases / sizeof *events_cases; i++) {
        const struct events_case *c = &events_cases[i];
        char command[256], path[64];
        snprintf(path, sizeof path, "test-trace-%d.json", (int)getpid());
        snprintf(command, sizeof command, "\"$WGSIM\" run %s --trace %s >/dev/null", c->run, path);
        ck_assert_msg(system(command) >= 0, "%s", command);
        json_t *root = json_load_file(path, 0, NULL);
        remove(path);
        ck_assert_msg(root != NULL, "%s: a trace in JSON", c->run);
        const json_t *events = json_object_get(root, "traceEvents");
        check_events(c->run, events);
        ck_assert_msg(count_named(events, c->phase, c->name) == c->count, "%s: %zu of %s, not %zu",
                      c->run, count_named(events, c->phase, c->name), c->name, c->count);
        json_decref(root);
    }
}
END_TEST

/* ---- Comparisons ---- */

static const struct compare_case {
    const char *then, *now, *where; /* NULL: they are the same */
} compare_cases[] = {
    {"{}", "{}", NULL},
    {"{\"a\":1}", "{\"a\":1,\"b\":2}", NULL},
    {"{\"a\":1,\"b\":2}", "{\"a\":1}", "b"},
    {"{\"a\":{\"b\":[1,2]}}", "{\"a\":{\"b\":[1,3]}}", "a.b[1]"},
    {"{\"a\":[1]}", "{\"a\":[1,2]}", "a[1]"},
    {"{\"a\":[1,2]}", "{\"a\":[1]}", "a[1]"},
    {"{\"a\":9007199254740993}", "{\"a\":9007199254740992}", "a"},
    {"{\"a\":1.0}", "{\"a\":1}", NULL},
    {"{\"a\":1.5}", "{\"a\":1}", "a"},
    {"{\"a\":1}", "{\"a\":\"1\"}", "a"},
    {"{\"a\":null}", "{\"a\":false}", "a"},
    {"{\"a\":{}}", "{\"a\":[]}", "a"},
};

START_TEST(test_compare) {
    for (size_t i = 0; i < sizeof compare_cases / sizeof *compare_cases; i++) {
        const struct compare_case *c = &compare_cases[i];
        json_t *then = json_loads(c->then, 0, NULL), *now = json_loads(c->now, 0, NULL);
        struct buf where = {0}, values = {0};
        bool same = compare_json(then, now, &where, &values);
        ck_assert_msg(same == !c->where, "%s against %s", c->then, c->now);
        if (!same)
            ck_assert_str_eq(where.data, c->where);
        buf_release(&where);
        buf_release(&values);
        json_decref(then);
        json_decref(now);
    }
}
END_TEST

START_TEST(test_stops_stay_few) {
    struct fingerprint print;
    struct record record = {.type = RECORD_VERDICT};

    fingerprint_init(&print);
    for (uint64_t i = 0; i < 100000; i++) {
        record.cycle = i;
        fingerprint_hear(&print, &record);
        ck_assert_uint_lt(print.now.stop_count, FINGERPRINT_STOPS);
    }
    ck_assert_uint_ge(print.now.stop_count, FINGERPRINT_STOPS / 2 - 1);
    for (size_t i = 0; i < print.now.stop_count; i++)
        ck_assert_uint_eq(print.now.stops[i].records, (i + 1) * print.now.stride);
}
END_TEST

/* A barrier is one record, whoever arrived when. */
START_TEST(test_arrivals_count) {
    static const uint64_t rows[][2] = {{7, 8}, {8, 7}, {7, 9}, {6, 8}, {8, 8}, {0, 8}, {8, 0}};
    enum { ROWS = sizeof rows / sizeof *rows };
    uint64_t hashes[ROWS];
    struct schedule *schedule = schedule_new(2);

    for (size_t i = 0; i < ROWS; i++) {
        struct record record = {.type = RECORD_BARRIER_OPEN, .cycle = 10};
        struct fingerprint print;
        for (int j = 0; j < 2; j++) {
            schedule->subgroups[j].clock = timing_clock_at(rows[i][j]);
            schedule->subgroups[j].at_barrier = rows[i][j] != 0;
        }
        struct arrivals arrivals = schedule_arrivals(schedule, 2);
        ck_assert_uint_eq(arrivals.first, rows[i][1] && (!rows[i][0] || rows[i][1] < rows[i][0])
                                              ? rows[i][1]
                                              : rows[i][0]);
        record.since = arrivals.first;
        record.arrivals = arrivals.hash;
        fingerprint_init(&print);
        fingerprint_hear(&print, &record);
        hashes[i] = print.now.hash;
        for (size_t k = 0; k < i; k++)
            ck_assert_msg(hashes[k] != hashes[i], "rows %zu and %zu have one fingerprint", k, i);
    }
    schedule_free(schedule, 2);
}
END_TEST

/* ---- Files ---- */

/* What is taken back leaves neither bytes nor a trace in the hash, wherever it began. */
START_TEST(test_rewind) {
    static const size_t lengths[] = {0, 1, 7, 8, 9, 31, 32, 33, 511, 65000, 65535, 65536, 200001};
    char *text = malloc(200001);
    struct wgsim_error err;

    memset(text, 'x', 200001);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct trace_file plain, file;
        ck_assert_msg(trace_file_open(&plain, "plain.json", &err) == 0, "%s", err.message);
        ck_assert_msg(trace_file_open(&file, "file.json", &err) == 0, "%s", err.message);
        trace_file_write(&plain, text, lengths[i]);
        trace_file_write(&file, text, lengths[i]);
        struct trace_mark mark = trace_file_mark(&file);
        trace_file_write(&file, text, 100003);
        trace_file_rewind(&file, &mark);
        trace_file_puts(&plain, "end");
        trace_file_puts(&file, "end");
        ck_assert_uint_eq(trace_file_at(&file), lengths[i] + 3);
        ck_assert_uint_eq(trace_file_hash(&file), trace_file_hash(&plain));
        ck_assert_int_eq(lseek(file.out.fd, 0, SEEK_END), (off_t)file.written);
        trace_file_release(&plain);
        trace_file_release(&file);
    }
    ck_assert_int_ne(access("file.json", F_OK), 0);
    free(text);
}
END_TEST

static const struct {
    const char *text, *message;
} parse_cases[] = {
    {"", "t is not a trace of wgsim"},
    {"[]", "t is not a trace of wgsim"},
    {"{\"schema\":\"wgsim-report/1\"}", "t is not a trace of wgsim"},
    {"{\"schema\":\"wgsim-trace/1\",",
     "t is not whole: it was cut off or edited after it was written"},
    {"{\"schema\":\"wgsim-trace/2\",",
     "t is not whole: it was cut off or edited after it was written"},
};

START_TEST(test_parse) {
    struct trace_read trace;
    struct wgsim_error err;

    for (size_t i = 0; i < sizeof parse_cases / sizeof *parse_cases; i++) {
        const char *text = parse_cases[i].text;
        ck_assert_int_eq(trace_parse(&trace, "t", text, strlen(text), &err), -1);
        ck_assert_str_eq(err.message, parse_cases[i].message);
    }
}
END_TEST

CHECK_MAIN("trace", test_events, test_compare, test_stops_stay_few, test_arrivals_count,
           test_rewind, test_parse)
