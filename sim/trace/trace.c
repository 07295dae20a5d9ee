/* Recording. */
#include "sim/trace/trace.h"

#include <stdlib.h>

#include "sim/error.h"
#include "sim/report/json.h"
#include "sim/report/maker.h"
#include "sim/trace/fingerprint.h"
#include "sim/trace/frame.h"
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
    frame_begin(&trace->file);
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
    return (struct listener){.self = trace, .hear = hear, .steps_ahead = trace->recorder.steps};
}

/* ---- What is known at the end ---- */

static json_t *schedule_json(const struct fingerprint_state *print) {
    char hash[17];
    json_t *stops = json_array();

    for (size_t i = 0; i < print->stop_count; i++) {
        const struct fingerprint_stop *stop = &print->stops[i];
        json_array_append_new(
            stops, json_pack("{s:I, s:I, s:I, s:s}", "records", (json_int_t)stop->records,
                             "dispatch", (json_int_t)stop->dispatch, "cycle",
                             (json_int_t)stop->cycle, "hash", trace_hex(hash, stop->hash)));
    }
    return json_pack("{s:o, s:I, s:b, s:s}", "stops", stops, "records", (json_int_t)print->records,
                     "ahead", (int)print->ahead, "hash", trace_hex(hash, print->hash));
}

json_t *trace_outcome(const struct fingerprint *print, const struct job *job) {
    return json_pack("{s:o, s:o}", "schedule", schedule_json(&print->now), "buffers",
                     trace_contents(job));
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
    maker_put(&m, object, "arguments", frame_arguments(about->arguments, about->argument_count));
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

int trace_finish(struct trace *trace, const struct trace_about *about, struct wgsim_error *err) {
    struct trace_file *file = &trace->file;

    if (trace->recorder.failed)
        return error_set(err, "out of memory");
    json_t *object = about_json(trace, about, err);
    if (!object)
        return -1;
    waits_write(&trace->recorder, about->report);
    recorder_names(&trace->recorder);
    frame_end(file, verdict_names[about->report->run.verdict], object);
    return trace_file_publish(file, err);
}
