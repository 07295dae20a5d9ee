/* Device jobs as JSON. */
#include "sim/webgpu/device_job.h"

#include <string.h>

#include "sim/error.h"

static const char *const kind_names[] = {"storage", "read-only-storage", "uniform"};

enum { MAX_BUFFERS = 1024, MAX_DISPATCHES = 100000, MAX_BINDINGS = 1024, MAX_CONSTANTS = 1024 };

static json_t *encode_bindings(const struct device_dispatch *dispatch) {
    json_t *list = json_array();
    for (size_t i = 0; i < dispatch->binding_count; i++) {
        const struct device_binding *b = &dispatch->bindings[i];
        json_array_append_new(list, json_pack("{s:i, s:i, s:s, s:i}", "group", (int)b->group,
                                              "binding", (int)b->binding, "kind",
                                              kind_names[b->kind], "buffer", (int)b->buffer));
    }
    return list;
}

static json_t *encode_dispatch(const struct device_dispatch *dispatch) {
    json_t *constants = json_object();
    for (size_t i = 0; i < dispatch->constant_count; i++)
        json_object_set_new(
            constants, dispatch->constants[i].name,
            json_pack("[f, f]", dispatch->constants[i].value, dispatch->constants[i].value_on_cpu));
    return json_pack("{s:s, s:[I,I,I], s:o, s:o}", "entry", dispatch->entry, "groups",
                     (json_int_t)dispatch->groups[0], (json_int_t)dispatch->groups[1],
                     (json_int_t)dispatch->groups[2], "bindings", encode_bindings(dispatch),
                     "constants", constants);
}

json_t *device_job_encode(const struct device_job *job) {
    json_t *buffers = json_array();
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct device_buffer *b = &job->buffers[i];
        json_array_append_new(buffers, json_pack("{s:s, s:I, s:b, s:b}", "name", b->name, "bytes",
                                                 (json_int_t)b->bytes, "init", b->init != NULL,
                                                 "read", (int)b->read));
    }
    json_t *dispatches = json_array();
    for (size_t i = 0; i < job->dispatch_count; i++)
        json_array_append_new(dispatches, encode_dispatch(&job->dispatches[i]));
    return json_pack("{s:s?, s:s?, s:s?, s:s?, s:s?, s:b, s:b, s:b, s:b, s:o, s:o}", "library",
                     job->target.library, "vulkan_driver", job->target.vulkan_driver, "adapter",
                     job->target.adapter, "label", job->label, "shader", job->shader, "only_list",
                     (int)job->only_list, "device_limits", (int)job->target.device_limits,
                     "spins_unbounded", (int)job->spins_unbounded, "allow_hang",
                     (int)job->target.allow_hang, "buffers", buffers, "dispatches", dispatches);
}

/* --- Decoding: each reads one member and says what is wrong with it --- */

static int bad(struct wgsim_error *err, const char *key) {
    return error_set(err, "device job: bad or missing \"%s\"", key);
}

static int read_text(const json_t *json, const char *key, struct arena *arena, const char **out,
                     struct wgsim_error *err) {
    const json_t *value = json_object_get(json, key);
    *out = NULL;
    if (!value || json_is_null(value))
        return 0;
    if (!json_is_string(value))
        return bad(err, key);
    *out = arena_strdup(arena, json_string_value(value));
    return *out ? 0 : error_set(err, "out of memory");
}

static int read_u64(const json_t *json, const char *key, uint64_t limit, uint64_t *out,
                    struct wgsim_error *err) {
    const json_t *value = json_object_get(json, key);
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || (uint64_t)number > limit)
        return bad(err, key);
    *out = (uint64_t)number;
    return 0;
}

static int read_u32(const json_t *json, const char *key, uint32_t limit, uint32_t *out,
                    struct wgsim_error *err) {
    uint64_t wide = 0;
    if (read_u64(json, key, limit, &wide, err) != 0)
        return -1;
    *out = (uint32_t)wide;
    return 0;
}

/* Allocates one zeroed element of size bytes for each member of the list (or object) at key. */
static int read_list(const json_t *json, const char *key, size_t limit, struct arena *arena,
                     size_t size, void **out, size_t *count, struct wgsim_error *err) {
    const json_t *list = json_object_get(json, key);
    *count = json_is_object(list) ? json_object_size(list) : json_array_size(list);
    if (!(json_is_array(list) || json_is_object(list)) || *count > limit)
        return bad(err, key);
    *out = arena_alloc(arena, *count * size);
    return *out ? 0 : error_set(err, "out of memory");
}

static int decode_buffers(const json_t *json, struct arena *arena, struct device_job *job,
                          bool **has_init, struct wgsim_error *err) {
    void *items;
    if (read_list(json, "buffers", MAX_BUFFERS, arena, sizeof *job->buffers, &items,
                  &job->buffer_count, err) != 0)
        return -1;
    job->buffers = items;
    *has_init = arena_alloc(arena, job->buffer_count * sizeof **has_init);
    if (!*has_init)
        return error_set(err, "out of memory");
    for (size_t i = 0; i < job->buffer_count; i++) {
        const json_t *item = json_array_get(json_object_get(json, "buffers"), i);
        struct device_buffer *buffer = &job->buffers[i];
        if (read_text(item, "name", arena, &buffer->name, err) != 0 ||
            read_u64(item, "bytes", UINT64_C(1) << 32, &buffer->bytes, err) != 0)
            return -1;
        (*has_init)[i] = json_is_true(json_object_get(item, "init"));
        buffer->read = json_is_true(json_object_get(item, "read"));
    }
    return 0;
}

static int decode_kind(const json_t *item, enum binding_kind *kind, struct wgsim_error *err) {
    const char *name = json_string_value(json_object_get(item, "kind"));
    for (size_t i = 0; name && i < sizeof kind_names / sizeof *kind_names; i++) {
        if (strcmp(name, kind_names[i]) == 0) {
            *kind = (enum binding_kind)i;
            return 0;
        }
    }
    return bad(err, "kind");
}

static int decode_bindings(const json_t *json, struct arena *arena, size_t buffer_count,
                           struct device_dispatch *dispatch, struct wgsim_error *err) {
    void *items;
    if (read_list(json, "bindings", MAX_BINDINGS, arena, sizeof *dispatch->bindings, &items,
                  &dispatch->binding_count, err) != 0)
        return -1;
    dispatch->bindings = items;
    for (size_t i = 0; i < dispatch->binding_count; i++) {
        const json_t *item = json_array_get(json_object_get(json, "bindings"), i);
        struct device_binding *binding = &dispatch->bindings[i];
        if (buffer_count == 0)
            return bad(err, "buffer");
        if (read_u32(item, "group", 31, &binding->group, err) != 0 ||
            read_u32(item, "binding", UINT16_MAX, &binding->binding, err) != 0 ||
            read_u32(item, "buffer", (uint32_t)buffer_count - 1, &binding->buffer, err) != 0 ||
            decode_kind(item, &binding->kind, err) != 0)
            return -1;
    }
    return 0;
}

static int decode_constants(json_t *json, struct arena *arena, struct device_dispatch *dispatch,
                            struct wgsim_error *err) {
    void *items;
    const char *name;
    json_t *value;
    size_t i = 0;
    if (read_list(json, "constants", MAX_CONSTANTS, arena, sizeof *dispatch->constants, &items,
                  &dispatch->constant_count, err) != 0)
        return -1;
    dispatch->constants = items;
    json_object_foreach(json_object_get(json, "constants"), name, value) {
        struct device_constant *constant = &dispatch->constants[i];
        if (json_unpack(value, "[F, F]", &constant->value, &constant->value_on_cpu) != 0)
            return bad(err, "constants");
        constant->name = arena_strdup(arena, name);
        if (!dispatch->constants[i++].name)
            return error_set(err, "out of memory");
    }
    return 0;
}

static int decode_dispatch(json_t *json, struct arena *arena, size_t buffer_count,
                           struct device_dispatch *dispatch, struct wgsim_error *err) {
    const json_t *groups = json_object_get(json, "groups");
    if (json_array_size(groups) != 3)
        return bad(err, "groups");
    for (size_t axis = 0; axis < 3; axis++) {
        json_int_t count = json_integer_value(json_array_get(groups, axis));
        if (count < 0 || count > UINT32_MAX)
            return bad(err, "groups");
        dispatch->groups[axis] = (uint32_t)count;
    }
    if (read_text(json, "entry", arena, &dispatch->entry, err) != 0 || !dispatch->entry)
        return bad(err, "entry");
    if (decode_bindings(json, arena, buffer_count, dispatch, err) != 0)
        return -1;
    return decode_constants(json, arena, dispatch, err);
}

int device_job_decode(const json_t *json, struct arena *arena, struct device_job *job,
                      bool **has_init, struct wgsim_error *err) {
    void *items;
    memset(job, 0, sizeof *job);
    if (!json_is_object(json))
        return error_set(err, "device job: not an object");
    job->only_list = json_is_true(json_object_get(json, "only_list"));
    job->target.device_limits = json_is_true(json_object_get(json, "device_limits"));
    job->spins_unbounded = json_is_true(json_object_get(json, "spins_unbounded"));
    job->target.allow_hang = json_is_true(json_object_get(json, "allow_hang"));
    if (read_text(json, "library", arena, &job->target.library, err) != 0 ||
        read_text(json, "vulkan_driver", arena, &job->target.vulkan_driver, err) != 0 ||
        read_text(json, "adapter", arena, &job->target.adapter, err) != 0 ||
        read_text(json, "label", arena, &job->label, err) != 0 ||
        read_text(json, "shader", arena, &job->shader, err) != 0 ||
        decode_buffers(json, arena, job, has_init, err) != 0 ||
        read_list(json, "dispatches", MAX_DISPATCHES, arena, sizeof *job->dispatches, &items,
                  &job->dispatch_count, err) != 0)
        return -1;
    job->dispatches = items;
    if (!job->only_list && !job->shader)
        return bad(err, "shader");
    for (size_t i = 0; i < job->dispatch_count; i++)
        if (decode_dispatch(json_array_get(json_object_get(json, "dispatches"), i), arena,
                            job->buffer_count, &job->dispatches[i], err) != 0)
            return -1;
    return 0;
}
