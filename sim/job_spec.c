/* Job files: JSON into a job_spec. */
#include "sim/job_spec.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "sim/buf.h"
#include "sim/error.h"
#include "sim/read_file.h"

/* What a parse carries. */
struct reader {
    struct job_spec *spec;
    const char *folder;
    struct wgsim_error *err;
};

static const char *keep(struct reader *r, const char *text) {
    return text ? arena_strdup(&r->spec->arena, text) : NULL;
}

static const char *keep_path(struct reader *r, const char *path) {
    return r->folder && path[0] != '/' ? arena_printf(&r->spec->arena, "%s/%s", r->folder, path)
                                       : keep(r, path);
}

/* Refuses keys that are not in the list, which ends with NULL: a misspelt one would be ignored
 * otherwise. */
static int check_keys(struct reader *r, json_t *object, const char *what,
                      const char *const *known) {
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return error_set(r->err, "%s is not an object", what);
    json_object_foreach(object, key, value) {
        size_t k = 0;
        while (known[k] && strcmp(known[k], key))
            k++;
        if (!known[k])
            return error_set(r->err, "%s has an unknown key \"%s\"", what, key);
    }
    return 0;
}

static int get_text(struct reader *r, json_t *object, const char *key, const char **text) {
    json_t *value = json_object_get(object, key);
    if (value && !json_is_string(value))
        return error_set(r->err, "\"%s\" is not a string", key);
    *text = value ? keep(r, json_string_value(value)) : NULL;
    return 0;
}

static int get_number(struct reader *r, json_t *object, const char *key, uint64_t limit,
                      uint64_t *number) {
    json_t *value = json_object_get(object, key);
    if (!value)
        return 0;
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        (uint64_t)json_integer_value(value) > limit)
        return error_set(r->err, "\"%s\" is not a whole number up to %llu", key,
                         (unsigned long long)limit);
    *number = (uint64_t)json_integer_value(value);
    return 0;
}

/* -- buffers ----------------------------------------------------------------------------------- */

/* Numbers, booleans and arrays of them as a list with commas. */
static int add_values(struct reader *r, json_t *value, struct buf *list) {
    size_t index;
    json_t *item;
    if (json_is_array(value)) {
        json_array_foreach(value, index, item) {
            if (add_values(r, item, list))
                return -1;
        }
        return 0;
    }
    buf_puts(list, list->len ? "," : "");
    if (json_is_integer(value))
        buf_printf(list, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        buf_printf(list, "%.17g", json_real_value(value));
    else if (json_is_string(value))
        buf_puts(list, json_string_value(value)); /* "nan", "inf", "0x7fc00000" */
    else
        return error_set(r->err, "a value of a buffer is not a number");
    return 0;
}

/* One text in the form of --buffer: a whole SPEC, or its kind alone beside "type" and "count". */
static int text_contents(struct reader *r, const char *text, const char *type, uint64_t count,
                         struct buffer_spec *contents) {
    struct arena *arena = &r->spec->arena;
    if (strncmp(text, "file:", 5) == 0) {
        const char *path = keep_path(r, text + 5);
        text = path ? arena_printf(arena, "file:%s", path) : NULL;
    } else if (!strchr(text, ':')) {
        const char *at = strchr(text, '@');
        text =
            arena_printf(arena, "%.*s:%s[%llu]%s", (int)(at ? (size_t)(at - text) : strlen(text)),
                         text, type, (unsigned long long)count, at ? at : "");
    } else {
        text = keep(r, text);
    }
    if (!text)
        return error_set(r->err, "out of memory");
    if (buffer_spec_parse_contents(arena, text, contents, r->err))
        return -1;
    return contents->init == BUFFER_FILE ? buffer_type_parse(type, &contents->type, r->err) : 0;
}

static int read_contents(struct reader *r, json_t *value, const char *type, uint64_t count,
                         struct buffer_spec *contents) {
    if (!value)
        return text_contents(r, "zero", type, count, contents);
    if (json_is_string(value))
        return text_contents(r, json_string_value(value), type, count, contents);
    struct buf list = {0};
    int status = add_values(r, value, &list);
    if (status == 0) {
        contents->init = BUFFER_VALUES;
        contents->text = keep(r, list.data ? list.data : "");
        status = contents->text ? buffer_type_parse(type, &contents->type, r->err)
                                : error_set(r->err, "out of memory");
    }
    buf_release(&list);
    return status;
}

static int read_buffer(struct reader *r, json_t *object, struct job_spec_buffer *buffer) {
    static const char *const keys[] = {"group", "binding", "name", "type", "count",
                                       "init",  "expect",  "rule", NULL};
    const char *type;
    uint64_t group = 0, binding = 0, count = 1;
    if (check_keys(r, object, "a buffer", keys) || get_text(r, object, "name", &buffer->name) ||
        get_text(r, object, "rule", &buffer->rule) || get_text(r, object, "type", &type) ||
        get_number(r, object, "group", 65535, &group) ||
        get_number(r, object, "binding", 65535, &binding) ||
        get_number(r, object, "count", UINT64_C(1) << 36, &count))
        return -1;
    type = type ? type : "u32";
    buffer->bound = json_object_get(object, "binding") != NULL;
    if (!buffer->bound && !buffer->name)
        return error_set(r->err, "a buffer has neither a binding nor a name");
    json_t *expect = json_object_get(object, "expect");
    buffer->has_expect = expect && !json_is_null(expect);
    if (read_contents(r, json_object_get(object, "init"), type, count, &buffer->contents) ||
        (buffer->has_expect && read_contents(r, expect, type, count, &buffer->expect)))
        return -1;
    buffer->contents.group = (uint32_t)group;
    buffer->contents.binding = (uint32_t)binding;
    return 0;
}

/* -- dispatches -------------------------------------------------------------------------------- */

static int read_groups(struct reader *r, json_t *groups, uint32_t out[3]) {
    out[0] = out[1] = out[2] = 1;
    if (json_is_integer(groups) && json_integer_value(groups) >= 0 &&
        json_integer_value(groups) <= UINT32_MAX) {
        out[0] = (uint32_t)json_integer_value(groups);
        return 0;
    }
    size_t count = json_array_size(groups);
    if (count == 0 || count > 3)
        return error_set(r->err, "\"groups\" is not a list of one to three numbers");
    for (size_t k = 0; k < count; k++) {
        json_t *value = json_array_get(groups, k);
        if (!json_is_integer(value) || json_integer_value(value) < 0 ||
            json_integer_value(value) > UINT32_MAX)
            return error_set(r->err, "\"groups\" is not a list of one to three numbers");
        out[k] = (uint32_t)json_integer_value(value);
    }
    return 0;
}

static int read_binds(struct reader *r, json_t *object, struct job_spec_dispatch *dispatch) {
    const char *key;
    json_t *value;
    if (object && !json_is_object(object))
        return error_set(r->err, "\"buffers\" of a dispatch is not an object");
    dispatch->binds =
        arena_alloc(&r->spec->arena, (json_object_size(object) + 1) * sizeof *dispatch->binds);
    json_object_foreach(object, key, value) {
        if (!dispatch->binds || !json_is_string(value))
            return error_set(r->err, "\"%s\" is not bound to the name of a buffer", key);
        dispatch->binds[dispatch->bind_count++] =
            (struct job_spec_bind){keep(r, key), keep(r, json_string_value(value))};
    }
    return 0;
}

static int read_dispatch(struct reader *r, json_t *object, struct job_spec_dispatch *dispatch) {
    static const char *const keys[] = {"entry", "groups", "buffers", NULL};
    if (check_keys(r, object, "a dispatch", keys) ||
        get_text(r, object, "entry", &dispatch->entry) ||
        read_groups(r, json_object_get(object, "groups"), dispatch->groups))
        return -1;
    return read_binds(r, json_object_get(object, "buffers"), dispatch);
}

/* -- the file ---------------------------------------------------------------------------------- */

static int read_overrides(struct reader *r, json_t *object) {
    struct job_spec *spec = r->spec;
    const char *key;
    json_t *value;
    if (object && !json_is_object(object))
        return error_set(r->err, "\"overrides\" is not an object");
    spec->overrides =
        arena_alloc(&spec->arena, (json_object_size(object) + 1) * sizeof *spec->overrides);
    json_object_foreach(object, key, value) {
        if (!spec->overrides || !(json_is_number(value) || json_is_boolean(value)))
            return error_set(r->err, "override \"%s\" has no number", key);
        spec->overrides[spec->override_count++] = (struct job_spec_override){
            keep(r, key), json_is_number(value) ? json_number_value(value) : json_is_true(value),
            json_is_boolean(value)};
    }
    return 0;
}

static int read_buffers(struct reader *r, json_t *array) {
    struct job_spec *spec = r->spec;
    size_t index;
    json_t *object;
    spec->buffers = arena_alloc(&spec->arena, (json_array_size(array) + 1) * sizeof *spec->buffers);
    if (!spec->buffers)
        return error_set(r->err, "out of memory");
    json_array_foreach(array, index, object) {
        if (read_buffer(r, object, &spec->buffers[spec->buffer_count++]))
            return -1;
    }
    return 0;
}

static int read_dispatches(struct reader *r, json_t *array) {
    struct job_spec *spec = r->spec;
    size_t index;
    json_t *object;
    spec->dispatches =
        arena_alloc(&spec->arena, (json_array_size(array) + 1) * sizeof *spec->dispatches);
    if (!spec->dispatches)
        return error_set(r->err, "out of memory");
    json_array_foreach(array, index, object) {
        if (read_dispatch(r, object, &spec->dispatches[spec->dispatch_count++]))
            return -1;
    }
    return spec->dispatch_count ? 0 : error_set(r->err, "the job has no dispatches");
}

static int read_job(struct reader *r, json_t *root) {
    static const char *const keys[] = {"schema",  "shader",     "entry", "overrides",
                                       "buffers", "dispatches", NULL};
    const char *shader;
    if (check_keys(r, root, "the job", keys) || get_text(r, root, "shader", &shader) ||
        get_text(r, root, "entry", &r->spec->entry))
        return -1;
    if (!shader)
        return error_set(r->err, "the job names no \"shader\"");
    r->spec->shader = keep_path(r, shader);
    return read_overrides(r, json_object_get(root, "overrides")) ||
                   read_buffers(r, json_object_get(root, "buffers")) ||
                   read_dispatches(r, json_object_get(root, "dispatches"))
               ? -1
               : 0;
}

static int read_root(struct job_spec *spec, json_t *root, const json_error_t *error,
                     const char *folder, struct wgsim_error *err) {
    struct reader reader = {.spec = spec, .folder = folder, .err = err};
    if (!root)
        return error_set(err, "line %d: %s", error->line, error->text);
    int status = read_job(&reader, root);
    json_decref(root);
    return status;
}

int job_spec_parse(struct job_spec *spec, const char *text, const char *folder,
                   struct wgsim_error *err) {
    json_error_t error;
    *spec = (struct job_spec){0};
    arena_init(&spec->arena);
    return read_root(spec, json_loads(text, JSON_REJECT_DUPLICATES, &error), &error, folder, err);
}

int job_spec_read(struct job_spec *spec, const char *path, struct wgsim_error *err) {
    enum { LIMIT_BYTES = 64 << 20 };
    json_error_t error;
    struct wgsim_error inner;
    size_t length;
    *spec = (struct job_spec){0};
    arena_init(&spec->arena);
    char *text = read_file(path, "a job", LIMIT_BYTES, &length, err);
    if (!text)
        return -1;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    free(text);
    const char *slash = strrchr(path, '/');
    const char *folder =
        slash ? arena_printf(&spec->arena, "%.*s", (int)(slash - path), path) : NULL;
    if (read_root(spec, root, &error, folder, &inner))
        return error_set(err, "%s: %s", path, inner.message);
    return 0;
}

void job_spec_release(struct job_spec *spec) {
    arena_release(&spec->arena);
    *spec = (struct job_spec){0};
}
