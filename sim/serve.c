/* A session with another program. */
#include "sim/serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/json_text.h"
#include "sim/run.h"
#include "sim/shader.h"

/* -- what a session holds ------------------------------------------------------------------------
 */

struct serve_shader {
    char *code;
    size_t length;
};

struct serve_pipeline {
    struct kernel kernel;
};

struct serve_buffer {
    uint8_t *data;
    uint64_t bytes;
};

/* Things by number from 1; a destroyed one leaves NULL. */
struct table {
    void **items;
    size_t count;
};

struct serve {
    struct device device;
    char *include;
    struct table shaders, pipelines, buffers;
};

static void **table_slot(const struct table *table, const json_t *number) {
    json_int_t k = json_integer_value(number);
    return k >= 1 && (uint64_t)k <= table->count && table->items[k - 1] ? &table->items[k - 1]
                                                                        : NULL;
}

static void free_shader(void *item) {
    struct serve_shader *shader = item;
    if (shader)
        free(shader->code);
    free(shader);
}

static void free_pipeline(void *item) {
    struct serve_pipeline *pipeline = item;
    if (pipeline)
        kernel_release(&pipeline->kernel);
    free(pipeline);
}

static void free_buffer(void *item) {
    struct serve_buffer *buffer = item;
    if (buffer)
        free(buffer->data);
    free(buffer);
}

/* The table owns the item then; frees it when there is no room. Returns its number, or 0. */
static int table_add(struct table *table, void *item, void (*free_item)(void *item)) {
    void **items = item ? realloc(table->items, (table->count + 1) * sizeof *items) : NULL;
    if (!items) {
        free_item(item);
        return 0;
    }
    table->items = items;
    items[table->count++] = item;
    return (int)table->count;
}

static void table_release(struct table *table, void (*free_item)(void *item)) {
    for (size_t k = 0; k < table->count; k++)
        free_item(table->items[k]);
    free(table->items);
}

struct serve *serve_new(const struct device *device, const char *include) {
    struct serve *serve = calloc(1, sizeof *serve);
    if (!serve || !(serve->include = strdup(include))) {
        free(serve);
        return NULL;
    }
    serve->device = *device;
    return serve;
}

void serve_free(struct serve *serve) {
    if (!serve)
        return;
    table_release(&serve->shaders, free_shader);
    table_release(&serve->pipelines, free_pipeline);
    table_release(&serve->buffers, free_buffer);
    free(serve->include);
    free(serve);
}

/* -- answers ----------------------------------------------------------------------------------- */

static json_t *refuse(const char *message) {
    return json_pack("{s:b, s:o}", "ok", 0, "error", json_text(message));
}

static json_t *made(const char *what, int number) {
    return number ? json_pack("{s:b, s:i}", "ok", 1, what, number) : NULL;
}

static json_t *done(void) {
    return json_pack("{s:b}", "ok", 1);
}

/* -- shaders and pipelines -----------------------------------------------------------------------
 */

static json_t *do_shader(struct serve *serve, const json_t *request) {
    const json_t *code = json_object_get(request, "code");
    if (!json_is_string(code))
        return refuse("\"code\" is not a string");
    struct wgsl_diagnostics diagnostics;
    wgsl_diagnostics_init(&diagnostics);
    struct wgsl_module *module =
        wgsl_front("shader", json_string_value(code), json_string_length(code), NULL, &diagnostics);
    json_t *answer;
    if (module) {
        struct serve_shader *shader = calloc(1, sizeof *shader);
        if (shader) {
            shader->length = json_string_length(code);
            shader->code = malloc(shader->length + 1);
            if (shader->code)
                memcpy(shader->code, json_string_value(code), shader->length + 1);
        }
        answer = made("shader", table_add(&serve->shaders, shader, free_shader));
    } else {
        answer = refuse("the shader is rejected");
    }
    if (answer)
        json_object_set_new(answer, "diagnostics", shader_diagnostics_json(&diagnostics));
    if (module)
        wgsl_free(module);
    wgsl_diagnostics_release(&diagnostics);
    return answer;
}

static uint32_t read_constants(const json_t *object, struct wgsl_setting *settings,
                               uint32_t limit) {
    uint32_t count = 0;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        if (count < limit)
            settings[count++] = (struct wgsl_setting){
                key, json_is_boolean(value) ? json_is_true(value) : json_number_value(value),
                WRITTEN_FOR_API};
    }
    return count;
}

static json_t *make_pipeline(struct serve *serve, struct shader *shader) {
    struct wgsim_error err;
    struct serve_pipeline *pipeline = calloc(1, sizeof *pipeline);
    const char *object = pipeline ? shader_object(shader, serve->include, &err) : NULL;
    if (!object ||
        kernel_load_compiled(&pipeline->kernel, object, shader->module->files[0].name, &err)) {
        bool answerable = pipeline != NULL;
        free(pipeline);
        return answerable ? refuse(err.message) : NULL;
    }
    json_t *answer = made("pipeline", table_add(&serve->pipelines, pipeline, free_pipeline));
    const uint32_t *size = shader->pipelines[0]->workgroup_size;
    if (answer)
        json_object_set_new(answer, "workgroup_size",
                            json_pack("[iii]", (int)size[0], (int)size[1], (int)size[2]));
    return answer;
}

static json_t *do_pipeline(struct serve *serve, const json_t *request) {
    void **slot = table_slot(&serve->shaders, json_object_get(request, "shader"));
    if (!slot)
        return refuse("there is no such shader");
    const struct serve_shader *from = *slot;
    struct wgsl_setting settings[256];
    const char *entry = json_string_value(json_object_get(request, "entry"));
    struct shader_options options = {
        .entries = &entry,
        .entry_count = 1,
        .settings = settings,
        .setting_count = read_constants(json_object_get(request, "constants"), settings, 256)};
    struct wgsl_diagnostics diagnostics;
    struct wgsim_error err;
    struct shader shader;
    wgsl_diagnostics_init(&diagnostics);
    int status =
        shader_open(&shader, "shader", from->code, from->length, &options, &diagnostics, &err);
    json_t *answer = status ? refuse(diagnostics.first ? diagnostics.first->message : err.message)
                            : make_pipeline(serve, &shader);
    if (answer)
        json_object_set_new(answer, "diagnostics", shader_diagnostics_json(&diagnostics));
    shader_release(&shader);
    wgsl_diagnostics_release(&diagnostics);
    return answer;
}

/* -- buffers ----------------------------------------------------------------------------------- */

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Writes bytes given as hexadecimal digits. */
static bool put_hex(const json_t *text, uint8_t *to, uint64_t room) {
    const char *hex = json_string_value(text);
    size_t length = json_string_length(text);
    if (!hex || length % 2 || length / 2 > room)
        return false;
    for (size_t k = 0; k < length / 2; k++) {
        int high = hex_digit(hex[2 * k]), low = hex_digit(hex[2 * k + 1]);
        if (high < 0 || low < 0)
            return false;
        to[k] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static json_t *do_buffer(struct serve *serve, const json_t *request) {
    json_int_t bytes = json_integer_value(json_object_get(request, "bytes"));
    if (bytes < 1 || bytes > (json_int_t)1 << 32)
        return refuse("\"bytes\" is not a size of a buffer");
    struct serve_buffer *buffer = calloc(1, sizeof *buffer);
    if (buffer)
        *buffer = (struct serve_buffer){calloc(1, (size_t)bytes), (uint64_t)bytes};
    if (!buffer || !buffer->data) {
        free(buffer);
        return refuse("no memory for the buffer");
    }
    const json_t *data = json_object_get(request, "data");
    if (data && !put_hex(data, buffer->data, buffer->bytes)) {
        free_buffer(buffer);
        return refuse("\"data\" is not as many hexadecimal bytes as fit");
    }
    return made("buffer", table_add(&serve->buffers, buffer, free_buffer));
}

/* The buffer and the part of it that a request names: "buffer", "offset", "bytes". */
static struct serve_buffer *part_of(const struct serve *serve, const json_t *request,
                                    uint64_t *offset, uint64_t *bytes) {
    void **slot = table_slot(&serve->buffers, json_object_get(request, "buffer"));
    struct serve_buffer *buffer = slot ? *slot : NULL;
    const json_t *count = json_object_get(request, "bytes");
    *offset = (uint64_t)json_integer_value(json_object_get(request, "offset"));
    if (!buffer || *offset > buffer->bytes)
        return NULL;
    *bytes = count ? (uint64_t)json_integer_value(count) : buffer->bytes - *offset;
    return *bytes <= buffer->bytes - *offset ? buffer : NULL;
}

static json_t *do_write(struct serve *serve, const json_t *request) {
    uint64_t offset, room;
    struct serve_buffer *buffer = part_of(serve, request, &offset, &room);
    if (!buffer || !put_hex(json_object_get(request, "data"), buffer->data + offset, room))
        return refuse("there is no such part of a buffer");
    return done();
}

static json_t *do_read(struct serve *serve, const json_t *request) {
    static const char digits[] = "0123456789abcdef";
    uint64_t offset, bytes;
    const struct serve_buffer *buffer = part_of(serve, request, &offset, &bytes);
    if (!buffer)
        return refuse("there is no such part of a buffer");
    char *hex = malloc(2 * bytes + 1);
    for (uint64_t k = 0; hex && k < bytes; k++) {
        hex[2 * k] = digits[buffer->data[offset + k] >> 4];
        hex[2 * k + 1] = digits[buffer->data[offset + k] & 15];
    }
    json_t *answer = hex ? json_pack("{s:b, s:s#}", "ok", 1, "data", hex, (int)(2 * bytes)) : NULL;
    free(hex);
    return answer;
}

/* -- dispatches -------------------------------------------------------------------------------- */

static const struct wg_var *var_at(const struct kernel *kernel, const json_t *binding) {
    uint32_t group = (uint32_t)json_integer_value(json_object_get(binding, "group"));
    uint32_t number = (uint32_t)json_integer_value(json_object_get(binding, "binding"));
    for (const struct wg_var *var = kernel->desc->vars; var < kernel->desc->vars_end; var++) {
        if (var->space != WG_SPACE_WORKGROUP && var->group == group && var->binding == number)
            return var;
    }
    return NULL;
}

/* Copies the bound parts of buffers into the job, or back from it. */
static int copy_bindings(struct serve *serve, const json_t *bindings, struct job *job, bool back,
                         struct wgsim_error *err) {
    size_t index, next = 0;
    json_t *binding;
    json_array_foreach((json_t *)bindings, index, binding) {
        uint64_t offset, bytes;
        const struct wg_var *var = var_at(job->kernel, binding);
        struct serve_buffer *buffer = part_of(serve, binding, &offset, &bytes);
        if (!buffer)
            return error_set(err, "binding %zu of the list is no part of a buffer", index);
        if (!var)
            continue;
        struct job_buffer *own =
            back ? &job->buffers[next++] : job_add_buffer(job, var->name, var->id, bytes, err);
        if (!own)
            return -1;
        memcpy(back ? buffer->data + offset : own->data, back ? own->data : buffer->data + offset,
               bytes);
    }
    return 0;
}

static int prepare(struct serve *serve, const json_t *request, struct job *job,
                   struct wgsim_error *err) {
    const json_t *groups = json_object_get(request, "groups");
    if (copy_bindings(serve, json_object_get(request, "bindings"), job, false, err))
        return -1;
    struct job_dispatch *dispatch = job_add_dispatch(job, &job->kernel->desc->entries[0]);
    if (!dispatch)
        return error_set(err, "out of memory");
    for (size_t k = 0; k < 3; k++) {
        const json_t *count = json_array_get(groups, k);
        dispatch->groups[k] = count ? (uint32_t)json_integer_value(count) : 1;
    }
    for (uint32_t k = 0; k < job->buffer_count; k++)
        dispatch->bound[job->buffers[k].like] = k;
    return job_seal(job, err);
}

static json_t *do_dispatch(struct serve *serve, const json_t *request) {
    void **slot = table_slot(&serve->pipelines, json_object_get(request, "pipeline"));
    if (!slot)
        return refuse("there is no such pipeline");
    const struct serve_pipeline *pipeline = *slot;
    const struct limits limits = limits_webgpu();
    struct run_options options = {.max_steps = 100000000};
    struct wgsim_error err;
    struct job job;
    struct run run = {0};
    job_init(&job, &pipeline->kernel);
    job.limits = &limits;
    json_t *answer = NULL;
    if (prepare(serve, request, &job, &err) ||
        run_job(&run, &job, &serve->device, &options, &limits, NULL, &err) ||
        copy_bindings(serve, json_object_get(request, "bindings"), &job, true, &err))
        answer = refuse(err.message);
    else
        answer = json_pack("{s:b, s:s, s:I}", "ok", 1, "verdict", verdict_names[run.verdict],
                           "cycles", (json_int_t)run.cycles);
    run_release(&run);
    job_release(&job);
    return answer;
}

/* -- requests ---------------------------------------------------------------------------------- */

static json_t *do_destroy(struct serve *serve, const json_t *request) {
    const struct {
        const char *key;
        struct table *table;
        void (*free_item)(void *item);
    } kinds[] = {{"shader", &serve->shaders, free_shader},
                 {"pipeline", &serve->pipelines, free_pipeline},
                 {"buffer", &serve->buffers, free_buffer}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        void **slot = table_slot(kinds[k].table, json_object_get(request, kinds[k].key));
        if (slot) {
            kinds[k].free_item(*slot);
            *slot = NULL;
            return done();
        }
    }
    return refuse("there is nothing of that number");
}

static const struct {
    const char *op;
    json_t *(*answer)(struct serve *serve, const json_t *request);
} requests[] = {
    {"shader", do_shader}, {"pipeline", do_pipeline}, {"buffer", do_buffer},   {"write", do_write},
    {"read", do_read},     {"dispatch", do_dispatch}, {"destroy", do_destroy},
};

json_t *serve_answer(struct serve *serve, const json_t *request) {
    const char *op = json_string_value(json_object_get(request, "op"));
    const json_t *id = json_object_get(request, "id");
    json_t *answer = NULL;
    size_t k = 0, count = sizeof requests / sizeof *requests;
    while (k < count && (!op || strcmp(requests[k].op, op)))
        k++;
    answer =
        k < count ? requests[k].answer(serve, request) : refuse("\"op\" is none that is known");
    if (answer && id)
        json_object_set(answer, "id", (json_t *)id);
    return answer;
}
