/* Writing events. Those that a run has many of are put together by hand. */
#include "sim/trace/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/json_text.h"

/* ---- Many ---- */

static inline char *put(char *to, const char *text) {
    return mempcpy(to, text, strlen(text));
}

static inline char *put_pair(char *to, uint64_t below_100) {
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";

    return mempcpy(to, pairs + below_100 * 2, 2);
}

static inline int count_digits(uint64_t value) {
    int count = 1;

    for (; value >= 10000; value /= 10000)
        count += 4;
    return count + (value >= 10) + (value >= 100) + (value >= 1000);
}

static char *put_number(char *to, uint64_t value) {
    char *end = to + count_digits(value);

    for (char *at = end; value >= 100; value /= 100)
        put_pair(at -= 2, value % 100);
    if (value >= 10)
        put_pair(to, value);
    else
        *to = (char)('0' + value);
    return end;
}

static char *put_slice(char *to, struct events_track track, uint64_t start, uint64_t end,
                       const char *name) {
    to = put_number(put(to, "{\"ph\":\"X\",\"pid\":"), track.process);
    to = put_number(put(to, ",\"tid\":"), track.thread);
    to = put_number(put(to, ",\"ts\":"), start);
    to = put_number(put(to, ",\"dur\":"), end - start);
    return put(put(to, ",\"name\":\""), name);
}

void events_slice(struct trace_file *file, struct events_track track, uint64_t start, uint64_t end,
                  const char *name) {
    char *to = put_slice(trace_file_room(file), track, start, end, name);

    trace_file_took(file, put(to, "\"},\n"));
}

void events_numbered(struct trace_file *file, struct events_track track, uint64_t start,
                     uint64_t end, const char *name, uint64_t number) {
    char *to = put_slice(trace_file_room(file), track, start, end, name);

    trace_file_took(file, put(put_number(put(to, " "), number), "\"},\n"));
}

void events_counter(struct trace_file *file, uint64_t cycle, const char *name, uint64_t value) {
    char *to = put_number(put(trace_file_room(file), "{\"ph\":\"C\",\"pid\":"), EVENTS_RUN);

    to = put_number(put(to, ",\"ts\":"), cycle);
    to = put(put(put(to, ",\"name\":\""), name), "\",\"args\":{\"workgroups\":");
    trace_file_took(file, put(put_number(to, value), "}},\n"));
}

/* ---- Few ---- */

void events_json(struct trace_file *file, json_t *value) {
    char *text =
        value ? json_dumps(value, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12))
              : NULL;

    if (text)
        trace_file_puts(file, text);
    else if (!file->out.failed)
        file->out.failed = ENOMEM;
    free(text);
    json_decref(value);
}

static void write_event(struct trace_file *file, json_t *event) {
    events_json(file, event);
    trace_file_puts(file, ",\n");
}

static json_t *event_at(const char *phase, struct events_track track, uint64_t cycle,
                        const char *name) {
    return json_pack("{s:s, s:I, s:I, s:I, s:o}", "ph", phase, "pid", (json_int_t)track.process,
                     "tid", (json_int_t)track.thread, "ts", (json_int_t)cycle, "name",
                     json_text(name));
}

void events_detailed(struct trace_file *file, struct events_track track, uint64_t start,
                     uint64_t end, const char *name, json_t *args) {
    json_t *event = event_at("X", track, start, name);

    json_object_set_new(event, "dur", json_integer((json_int_t)(end - start)));
    json_object_set_new(event, "args", args);
    write_event(file, event);
}

void events_instant(struct trace_file *file, struct events_track track, uint64_t cycle,
                    const char *name, json_t *args) {
    json_t *event = event_at("i", track, cycle, name);

    json_object_set_new(event, "s", json_string("p"));
    json_object_set_new(event, "args", args);
    write_event(file, event);
}

void events_arrow(struct trace_file *file, uint64_t id, uint64_t cycle, struct events_track from,
                  struct events_track to) {
    json_t *start = event_at("s", from, cycle, "waits for");
    json_t *end = event_at("f", to, cycle, "waits for");

    json_object_update_new(start, json_pack("{s:s, s:I}", "cat", "wait", "id", (json_int_t)id));
    json_object_update_new(
        end, json_pack("{s:s, s:I, s:s}", "cat", "wait", "id", (json_int_t)id, "bp", "e"));
    write_event(file, start);
    write_event(file, end);
}

void events_name(struct trace_file *file, struct events_track track, const char *name,
                 uint64_t place) {
    const char *what = track.thread ? "thread" : "process";
    char key[32];

    for (int sort = 0; sort < 2; sort++) {
        snprintf(key, sizeof key, "%s_%s", what, sort ? "sort_index" : "name");
        json_t *event = event_at("M", track, 0, key);
        json_object_set_new(event, "args",
                            sort ? json_pack("{s:I}", "sort_index", (json_int_t)place)
                                 : json_pack("{s:s}", "name", name));
        write_event(file, event);
    }
}
