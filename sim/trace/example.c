/* Counterexamples as traces. */
#include "sim/trace/example.h"

#include <stdio.h>

#include "sim/buf.h"
#include "sim/error.h"
#include "sim/trace/frame.h"

/* The process that has a thread for each workgroup. */
enum { WORKGROUPS = EVENTS_FIRST_UNIT };

/* How often the cycle is shown. */
enum { CYCLES_SHOWN = 2 };

/* ---- Events ---- */

static uint64_t write_steps(struct trace_file *file, const struct decision_step *steps,
                            size_t count, uint64_t time) {
    for (size_t i = 0; i < count; i++, time++) {
        const struct wg_site *site = steps[i].step.site;
        struct events_track track = {WORKGROUPS, steps[i].process + UINT64_C(1)};
        json_t *args = site ? json_pack("{s:s, s:i, s:b}", "file", site->file, "line",
                                        (int)site->line, "changes", (int)steps[i].step.changed)
                            : json_object();
        events_detailed(file, track, time, time + 1, site ? site->text : "ends", args);
    }
    return time;
}

static void write_part(struct trace_file *file, const char *name, uint64_t start, uint64_t end) {
    if (end > start)
        events_slice(file, (struct events_track){EVENTS_RUN, EVENTS_DISPATCHES}, start, end, name);
}

static void write_names(struct trace_file *file, uint32_t workgroups) {
    char name[32];

    events_name(file, (struct events_track){EVENTS_RUN, 0}, "counterexample", 0);
    events_name(file, (struct events_track){EVENTS_RUN, EVENTS_DISPATCHES}, "parts", 0);
    events_name(file, (struct events_track){WORKGROUPS, 0}, "workgroups", 1);
    for (uint32_t i = 0; i < workgroups; i++) {
        snprintf(name, sizeof name, "workgroup %u", i);
        events_name(file, (struct events_track){WORKGROUPS, i + UINT64_C(1)}, name, i);
    }
}

static void write_events(struct trace_file *file, const struct counterexample *example) {
    uint64_t time = write_steps(file, example->prefix, example->prefix_count, 0);

    write_part(file, "the way there", 0, time);
    for (int i = 0; i < CYCLES_SHOWN; i++) {
        uint64_t start = time;
        time = write_steps(file, example->cycle, example->cycle_count, time);
        write_part(file, "and again for ever", start, time);
    }
}

/* ---- Words ---- */

static void put_steps(struct buf *text, const struct decision_step *steps, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct wg_site *site = steps[i].step.site;
        buf_printf(text, "    workgroup %u  ", steps[i].process);
        if (site)
            buf_printf(text, "%s:%u  %s%s\n", site->file, site->line, site->text,
                       steps[i].step.changed ? "  changes it" : "");
        else
            buf_puts(text, "ends\n");
    }
}

static void put_words(struct buf *text, const char *kernel, const struct counterexample *example,
                      int model) {
    buf_printf(text, "%s: under %s (%s) it need not end.\n  It can come to this:%s\n", kernel,
               models[model].name, models[model].promise,
               example->prefix_count ? "" : " the start");
    put_steps(text, example->prefix, example->prefix_count);
    if (models[model].strong) {
        buf_puts(text, "  From there steps of those that must run never reach the end.\n");
        return;
    }
    buf_puts(text, "  and from there this can be repeated for ever:\n");
    put_steps(text, example->cycle, example->cycle_count);
}

/* ---- The whole ---- */

static json_t *about_json(const struct example_about *about, const struct counterexample *example,
                          int model) {
    struct buf text = {0};

    put_words(&text, about->kernel, example, model);
    json_t *object = json_pack(
        "{s:s, s:o, s:b, s:i, s:{}, s:{s:{s:I}}, s:s, s:s, s:O}", "version", PACKAGE_VERSION,
        "arguments", frame_arguments(about->arguments, about->argument_count), "interrupted", 0,
        "status", about->status, "inputs", "outcome", "schedule", "records",
        (json_int_t)example->prefix_count + (json_int_t)example->cycle_count, "first_screen",
        text.failed ? NULL : text.data, "text", text.data, "report", about->report);
    buf_release(&text);
    return object;
}

int example_write(const char *path, const struct decision *decision, int model,
                  const struct example_about *about, struct wgsim_error *err) {
    const struct counterexample *example = &decision->examples[model];
    json_t *object = about_json(about, example, model);
    struct trace_file file;

    if (!object)
        return error_set(err, "out of memory");
    if (trace_file_open(&file, path, err) < 0) {
        json_decref(object);
        return -1;
    }
    frame_begin(&file);
    write_events(&file, example);
    write_names(&file, decision->processes);
    frame_end(&file, models[model].name, object);
    int result = trace_file_publish(&file, err);
    trace_file_release(&file);
    return result;
}
