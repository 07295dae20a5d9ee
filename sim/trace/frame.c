/* Beginnings and ends of traces. */
#include "sim/trace/frame.h"

#include "sim/error.h"
#include "sim/trace/inputs.h"

void frame_begin(struct trace_file *file) {
    trace_file_puts(file, "{\"schema\":\"wgsim-trace/1\",\"displayTimeUnit\":\"ns\",\n"
                          "\"traceEvents\":[\n");
}

/* The last event has no comma behind it. */
static void write_last_event(struct trace_file *file, const char *label) {
    events_json(file,
                json_pack("{s:s, s:i, s:i, s:i, s:s, s:{s:s}}", "ph", "M", "pid", EVENTS_RUN, "tid",
                          0, "ts", 0, "name", "process_labels", "args", "labels", label));
}

void frame_end(struct trace_file *file, const char *label, json_t *object) {
    char hash[17];

    write_last_event(file, label);
    trace_file_puts(file, "\n],\n\"wgsim\":");
    uint64_t at = trace_file_at(file);
    events_json(file, object);
    trace_file_puts(file, ",\n\"trailer\":{\"wgsim\":\"");
    trace_file_puts(file, trace_hex(hash, at));
    trace_file_puts(file, "\",\"checksum\":\"");
    trace_file_puts(file, trace_hex(hash, trace_file_hash(file)));
    trace_file_puts(file, "\"}}\n");
}

int frame_check_arguments(char *const *arguments, int count, struct wgsim_error *err) {
    for (int i = 0; i < count; i++) {
        json_t *word = json_string(arguments[i]);
        if (!word)
            return error_set(err, "a trace cannot keep '%s': it is not UTF-8", arguments[i]);
        json_decref(word);
    }
    return 0;
}

json_t *frame_arguments(char *const *arguments, int count) {
    json_t *array = json_array();

    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_string(arguments[i]));
    return array;
}
