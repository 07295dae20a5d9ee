/* Counterexamples as traces. */
#include "sim/trace/example.h"

#include <stdio.h>
#include <string.h>

#include "sim/error.h"
#include "sim/json_text.h"
#include "sim/progress/words.h"
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
        json_t *args = site ? json_pack("{s:o, s:i, s:b}", "file", json_text(site->file), "line",
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

/* ---- As JSON ---- */

static json_t *set_json(uint32_t set) {
    json_t *array = json_array();

    for (; set; set &= set - 1)
        json_array_append_new(array, json_integer(__builtin_ctz(set)));
    return array;
}

static json_t *steps_json(const struct decision_step *steps, size_t count) {
    json_t *array = json_array();

    for (size_t i = 0; i < count; i++) {
        json_t *step = json_object();
        json_object_set_new(step, "workgroup", json_integer(steps[i].process));
        if (steps[i].step.site) {
            json_object_set_new(step, "file", json_text(steps[i].step.site->file));
            json_object_set_new(step, "line", json_integer(steps[i].step.site->line));
            json_object_set_new(step, "changes", json_boolean(steps[i].step.changed));
        }
        json_array_append_new(array, step);
    }
    return array;
}

json_t *example_json(const struct counterexample *example) {
    return json_pack("{s:o, s:o, s:o}", "guaranteed", set_json(example->guaranteed), "prefix",
                     steps_json(example->prefix, example->prefix_count), "cycle",
                     steps_json(example->cycle, example->cycle_count));
}

static const char *const class_names[] = {[WORD_READ] = "read", [WORD_SHARED] = "shared"};

static json_t *classes_json(const struct class_list *list, const struct kernel *kernel) {
    json_t *array = json_array();

    for (size_t i = 0; i < list->count; i++) {
        const struct class_range *range = &list->items[i];
        json_array_append_new(
            array, json_pack("{s:s, s:I, s:I, s:s}", "variable", kernel->vars[range->var]->name,
                             "first", (json_int_t)range->first, "count", (json_int_t)range->count,
                             "class", class_names[range->class]));
    }
    return array;
}

json_t *example_choices_json(const struct example_choices *choices, const struct kernel *kernel) {
    json_t *json = json_pack("{s:s, s:o}", "model", models[choices->model].name, "words",
                             classes_json(&choices->classes, kernel));

    if (json)
        json_object_update_new(json, example_json(&choices->example));
    return json;
}

/* ---- From JSON ---- */

static int read_model(enum model *model, const char *name) {
    for (int m = 0; m < MODEL_COUNT; m++)
        if (strcmp(models[m].name, name) == 0) {
            *model = (enum model)m;
            return 0;
        }
    return -1;
}

static int read_steps(struct decision_step **steps, size_t *count, const json_t *json,
                      struct arena *arena) {
    json_int_t workgroup;

    *count = json_array_size(json);
    *steps = arena_alloc(arena, (*count + 1) * sizeof **steps);
    if (!*steps)
        return -1;
    for (size_t i = 0; i < *count; i++) {
        if (json_unpack(json_array_get(json, i), "{s:I}", "workgroup", &workgroup) < 0 ||
            workgroup < 0 || workgroup >= SYSTEM_MAX)
            return -1;
        (*steps)[i].process = (uint32_t)workgroup;
    }
    return 0;
}

static uint32_t var_by_name(const struct kernel *kernel, const char *name) {
    for (uint32_t id = 0; id < kernel->var_limit; id++)
        if (kernel->vars[id] && strcmp(kernel->vars[id]->name, name) == 0)
            return id;
    return WG_MAX_VARS;
}

static int read_range(struct class_range *range, const json_t *json, const struct kernel *kernel) {
    const char *name, *class;
    json_int_t first, count;

    if (json_unpack((json_t *)json, "{s:s, s:I, s:I, s:s}", "variable", &name, "first", &first,
                    "count", &count, "class", &class) < 0 ||
        first < 0 || count < 0)
        return -1;
    *range = (struct class_range){
        .var = var_by_name(kernel, name),
        .class = strcmp(class, class_names[WORD_SHARED]) == 0 ? WORD_SHARED : WORD_READ,
        .first = (uint64_t)first,
        .count = (uint64_t)count};
    return 0;
}

static int read_classes(struct class_list *list, const json_t *json, const struct kernel *kernel,
                        struct arena *arena) {
    list->count = json_array_size(json);
    list->items = arena_alloc(arena, (list->count + 1) * sizeof *list->items);
    if (!list->items)
        return -1;
    for (size_t i = 0; i < list->count; i++)
        if (read_range(&list->items[i], json_array_get(json, i), kernel) < 0)
            return -1;
    return 0;
}

int example_read(struct example_choices *choices, const json_t *json, const struct kernel *kernel,
                 struct arena *arena, struct wgsim_error *err) {
    struct counterexample *example = &choices->example;
    json_t *words, *prefix, *cycle;
    const char *model;

    *choices = (struct example_choices){0};
    if (json_unpack((json_t *)json, "{s:s, s:o, s:o, s:o}", "model", &model, "words", &words,
                    "prefix", &prefix, "cycle", &cycle) < 0 ||
        read_model(&choices->model, model) < 0 ||
        read_classes(&choices->classes, words, kernel, arena) < 0 ||
        read_steps(&example->prefix, &example->prefix_count, prefix, arena) < 0 ||
        read_steps(&example->cycle, &example->cycle_count, cycle, arena) < 0)
        return error_set(err, "it has no counterexample that this version can follow");
    return 0;
}

/* ---- The whole ---- */

static json_t *about_json(const struct example_about *about, const struct decision *decision,
                          enum model model, struct wgsim_error *err) {
    const struct example_choices choices = {model, decision->examples[model], decision->classes};
    struct buf text = {0};
    json_t *inputs = trace_inputs(&about->subject, err);

    if (!inputs)
        return NULL;
    counterexample_words(&text, about->opening, model, &choices.example, SIZE_MAX);
    json_t *object = json_pack(
        "{s:s, s:o, s:b, s:i, s:o, s:{s:{s:I}}, s:s, s:s, s:O, s:o}", "version", PACKAGE_VERSION,
        "arguments", frame_arguments(about->arguments, about->argument_count), "interrupted", 0,
        "status", about->status, "inputs", inputs, "outcome", "schedule", "records",
        (json_int_t)choices.example.prefix_count + (json_int_t)choices.example.cycle_count,
        "first_screen", text.failed ? NULL : text.data, "text", text.data, "report", about->report,
        "counterexample", example_choices_json(&choices, about->subject.job->kernel));
    buf_release(&text);
    if (!object)
        error_format(err, "out of memory");
    return object;
}

int example_write(const char *path, const struct decision *decision, enum model model,
                  const struct example_about *about, struct wgsim_error *err) {
    const struct counterexample *example = &decision->examples[model];
    json_t *object = about_json(about, decision, model, err);
    struct trace_file file;

    if (!object)
        return -1;
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
