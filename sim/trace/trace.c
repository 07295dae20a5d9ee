/* Recording. The file: events, then an object that says how to run it again and what came out, then
 * where that object starts and a checksum of all before it, of fixed length. */
#include "sim/trace/trace.h"

#include <stdlib.h>

#include "sim/error.h"
#include "sim/report/json.h"
#include "sim/report/maker.h"
#include "sim/trace/fingerprint.h"
#include "sim/trace/waits.h"

struct trace {
    struct trace_file file;
    struct recorder recorder;
    struct fingerprint print;
};

struct trace *trace_open(const char *path, bool steps, struct wgsim_error *err) {
    struct trace *trace = calloc(1, sizeof *trace);

    if (!trace) {
        error_format(err, "out of memory");
        return NULL;
    }
    if (trace_file_open(&trace->file, path, err) < 0) {
        free(trace);
        return NULL;
    }
    recorder_init(&trace->recorder, &trace->file, steps);
    fingerprint_init(&trace->print);
    trace_file_puts(&trace->file, "{\"schema\":\"wgsim-trace/1\",\"displayTimeUnit\":\"ns\",\n"
                                  "\"traceEvents\":[\n");
    return trace;
}

void trace_free(struct trace *trace) {
    if (!trace)
        return;
    recorder_release(&trace->recorder);
    trace_file_release(&trace->file);
    free(trace);
}

static void hear(void *self, const struct record *record) {
    struct trace *trace = self;

    fingerprint_hear(&trace->print, record);
    recorder_hear(&trace->recorder, record);
}

struct listener trace_listener(struct trace *trace) {
    return (struct listener){trace, hear};
}

/* ---- What is known at the end ---- */

static json_t *schedule_json(const struct fingerprint *print) {
    char hash[17];
    json_t *stops = json_array();

    for (size_t i = 0; i < print->stop_count; i++) {
        const struct fingerprint_stop *stop = &print->stops[i];
        json_array_append_new(
            stops, json_pack("{s:I, s:I, s:I, s:s}", "records", (json_int_t)stop->records,
                             "dispatch", (json_int_t)stop->dispatch, "cycle",
                             (json_int_t)stop->cycle, "hash", trace_hex(hash, stop->hash)));
    }
    return json_pack("{s:o, s:I, s:s}", "stops", stops, "records", (json_int_t)print->records,
                     "hash", trace_hex(hash, print->hash));
}

json_t *trace_outcome(const struct fingerprint *print, const struct job *job) {
    return json_pack("{s:o, s:o}", "schedule", schedule_json(print), "buffers",
                     trace_contents(job));
}

static json_t *arguments_json(const struct trace_about *about) {
    json_t *array = json_array();

    for (int i = 0; i < about->argument_count; i++)
        json_array_append_new(array, json_string(about->arguments[i]));
    return array;
}

static json_t *about_json(const struct trace *trace, const struct trace_about *about,
                          struct wgsim_error *err) {
    struct maker m = {false};
    json_t *inputs = trace_inputs(&about->subject, err), *object = json_object();

    if (!inputs) {
        json_decref(object);
        return NULL;
    }
    maker_text(&m, object, "version", PACKAGE_VERSION);
    maker_put(&m, object, "arguments", arguments_json(about));
    maker_put(&m, object, "interrupted", json_boolean(about->report->interrupted));
    maker_int(&m, object, "status", (uint64_t)about->status);
    maker_put(&m, object, "inputs", inputs);
    maker_put(&m, object, "outcome", trace_outcome(&trace->print, about->subject.job));
    maker_text(&m, object, "first_screen", about->first_screen);
    maker_text(&m, object, "text", about->text);
    maker_put(&m, object, "report", report_to_json(about->report));
    if (m.failed) {
        error_format(err, "out of memory");
        json_decref(object);
        return NULL;
    }
    return object;
}

/* The last event has no comma behind it. */
static void write_last_event(struct trace_file *file, const struct report *report) {
    events_json(file, json_pack("{s:s, s:i, s:i, s:i, s:s, s:{s:s}}", "ph", "M", "pid", EVENTS_RUN,
                                "tid", 0, "ts", 0, "name", "process_labels", "args", "labels",
                                verdict_names[report->run.verdict]));
}

int trace_finish(struct trace *trace, const struct trace_about *about, struct wgsim_error *err) {
    struct trace_file *file = &trace->file;
    char hash[17];

    if (trace->recorder.failed)
        return error_set(err, "out of memory");
    json_t *object = about_json(trace, about, err);
    if (!object)
        return -1;
    waits_write(&trace->recorder, about->report);
    recorder_names(&trace->recorder);
    write_last_event(file, about->report);
    trace_file_puts(file, "\n],\n\"wgsim\":");
    uint64_t at = trace_file_at(file);
    events_json(file, object);
    trace_file_puts(file, ",\n\"trailer\":{\"wgsim\":\"");
    trace_file_puts(file, trace_hex(hash, at));
    trace_file_puts(file, "\",\"checksum\":\"");
    trace_file_puts(file, trace_hex(hash, trace_file_hash(file)));
    trace_file_puts(file, "\"}}\n");
    return trace_file_publish(file, err);
}
