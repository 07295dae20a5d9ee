/* A shader on its way to a kernel. */
#include "sim/shader.h"

#include "sim/compile.h"
#include "sim/error.h"
#include "sim/json_text.h"
#include "sim/read_file.h"
#include "sim/wgsl/emit.h"

/* The names of all compute entry points. */
static const char *const *all_entries(struct shader *shader, uint32_t *count) {
    const struct wgsl_module *module = shader->module;
    const char **names = arena_alloc(&shader->arena, (module->function_count + 1) * sizeof *names);
    *count = 0;
    for (uint32_t k = 0; names && k < module->function_count; k++) {
        if (module->functions[k]->stage == SHADER_COMPUTE)
            names[(*count)++] = module->functions[k]->name;
    }
    return names;
}

int shader_open(struct shader *shader, const char *name, const char *text, size_t length,
                const struct shader_options *options, struct wgsl_diagnostics *diagnostics,
                struct wgsim_error *err) {
    *shader = (struct shader){0};
    arena_init(&shader->arena);
    shader->module = wgsl_front(name, text, length, &options->front, diagnostics);
    if (!shader->module)
        return error_set(err, "%s is rejected", name);
    const char *const *entries = options->entries;
    uint32_t count = options->entry_count;
    if (count == 0)
        entries = all_entries(shader, &count);
    if (entries && count == 0 && !options->partial)
        return error_set(err, "%s has no compute entry point", name);
    if (count == 0)
        count = 1; /* whose name is NULL */
    shader->pipelines = arena_alloc(&shader->arena, count * sizeof *shader->pipelines);
    if (!entries || !shader->pipelines)
        return error_set(err, "out of memory");
    for (uint32_t k = 0; k < count; k++) {
        struct wgsl_pipeline *pipeline = (options->partial ? wgsl_pipeline_partial : wgsl_pipeline)(
            shader->module, entries[k], options->settings, options->setting_count, diagnostics);
        if (!pipeline)
            return error_set(err, "%s is rejected", name);
        shader->pipelines[shader->pipeline_count++] = pipeline;
    }
    return 0;
}

void shader_release(struct shader *shader) {
    for (uint32_t k = 0; k < shader->pipeline_count; k++)
        wgsl_pipeline_free(shader->pipelines[k]);
    if (shader->module)
        wgsl_free(shader->module);
    arena_release(&shader->arena);
    *shader = (struct shader){0};
}

const char *shader_object(struct shader *shader, const char *include, struct wgsim_error *err) {
    struct buf text = {0};
    const char *object = NULL;
    if (wgsl_emit(shader->pipelines, shader->pipeline_count, &text, err) == 0)
        object =
            compile_text(&shader->arena, shader->module->files[0].name, text.data, include, err);
    buf_release(&text);
    return object;
}

static json_t *note_json(const struct wgsl_diagnostic *diagnostic) {
    return json_pack("{s:i, s:i, s:s}", "line", (int)diagnostic->note_span.line, "column",
                     (int)diagnostic->note_span.column, "message", diagnostic->note);
}

json_t *shader_diagnostics_json(const struct wgsl_diagnostics *diagnostics) {
    static const char *const severities[] = {"off", "info", "warning", "error"};
    json_t *array = json_array();
    for (const struct wgsl_diagnostic *d = diagnostics->first; d; d = d->next) {
        json_t *one = json_pack("{s:s, s:i, s:i, s:i, s:s}", "severity", severities[d->severity],
                                "line", (int)d->span.line, "column", (int)d->span.column, "length",
                                (int)d->span.length, "message", d->message);
        if (one && d->span.file < diagnostics->file_count)
            json_object_set_new(one, "file", json_text(diagnostics->files[d->span.file].name));
        if (one && d->note)
            json_object_set_new(one, "note", note_json(d));
        json_array_append_new(array, one);
    }
    return array;
}

char *shader_read(const char *path, size_t *length, struct wgsim_error *err) {
    enum { LIMIT_BYTES = 16 << 20 };
    return read_file(path, "a shader", LIMIT_BYTES, length, err);
}
