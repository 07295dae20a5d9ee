/* Device files. */
#include "sim/device_file.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/preset.h"
#include "sim/read_file.h"

static const char schema[] = "wgsim-device/1";

/* ---- Reading ---- */

static int read_choice(enum device_field field, const json_t *value, uint64_t *out,
                       struct wgsim_error *err) {
    const char *const *choices = device_choices(field);
    const char *text = json_string_value(value);
    for (unsigned i = 0; text && choices[i]; i++)
        if (strcmp(choices[i], text) == 0) {
            *out = i;
            return 0;
        }
    char names[128] = "";
    for (unsigned i = 0; choices[i]; i++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s\"%s\"", i ? ", " : "", choices[i]);
    }
    return error_set(err, "%s must be one of %s", device_fields[field].name, names);
}

static int read_decimal(enum device_field field, const json_t *value, uint64_t *out,
                        struct wgsim_error *err) {
    double number = json_number_value(value);
    if (!json_is_number(value) || !(number >= 0 && number <= 4e6))
        return error_set(err, "%s must be a number from 0 to 4000000", device_fields[field].name);
    *out = (uint64_t)llround(number * 1000);
    return 0;
}

static int read_value(enum device_field field, const json_t *value, uint64_t *out,
                      struct wgsim_error *err) {
    const char *name = device_fields[field].name;
    if (device_choices(field))
        return read_choice(field, value, out, err);
    if (device_fields[field].kind == KIND_DECIMAL)
        return read_decimal(field, value, out, err);
    if (device_fields[field].kind == KIND_FLAG) {
        if (!json_is_boolean(value))
            return error_set(err, "%s must be true or false", name);
        *out = json_is_true(value);
        return 0;
    }
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return error_set(err, "%s must be a whole number, 0 or more", name);
    *out = (uint64_t)json_integer_value(value);
    return 0;
}

static int read_unit(struct device_unit *unit, size_t index, const json_t *object,
                     struct wgsim_error *err) {
    const char *key;
    json_t *value;
    struct wgsim_error why;
    if (!json_is_object(object))
        return error_set(err, "units[%zu] must be an object", index);
    json_object_foreach((json_t *)object, key, value) {
        enum device_field field = device_field_find(key);
        uint64_t number;
        if (field >= DEVICE_UNIT_FIELDS)
            return error_set(err, "units[%zu]: unknown key \"%s\"", index, key);
        if (read_value(field, value, &number, &why) != 0 ||
            device_check_value(field, number, &why) != 0)
            return error_set(err, "units[%zu]: %s", index, why.message);
        uint32_t stored = (uint32_t)number;
        memcpy((uint32_t *)unit + field, &stored, sizeof stored);
    }
    return 0;
}

static int read_units(struct device *device, const json_t *array, struct arena *arena,
                      struct wgsim_error *err) {
    size_t count = json_array_size(array);
    if (!json_is_array(array) || count == 0 || count > device_fields[DEVICE_cus].most)
        return error_set(err, "units must be an array of 1 to %u objects",
                         device_fields[DEVICE_cus].most);
    struct device_unit *units = arena_alloc(arena, count * sizeof *units);
    if (!units)
        return error_set(err, "out of memory");
    for (size_t i = 0; i < count; i++) {
        units[i] = device_unit(device, 0);
        if (read_unit(&units[i], i, json_array_get(array, i), err) != 0)
            return -1;
    }
    device->units = units;
    device->unit_count = (uint32_t)count;
    return 0;
}

/* An entry of "sources": where the value of the field of the same name comes from. */
static int read_source(struct device *device, const char *key, const json_t *value,
                       struct arena *arena, struct wgsim_error *err) {
    enum device_field field = device_field_find(key);
    const char *provenance, *source;
    if (field == DEVICE_FIELD_COUNT)
        return error_set(err, "sources: unknown key \"%s\"", key);
    if (json_unpack((json_t *)value, "{s:s, s:s !}", "provenance", &provenance, "source",
                    &source) != 0)
        return error_set(err, "sources: %s must be {\"provenance\": TEXT, \"source\": TEXT}", key);
    int p = 0;
    while (p < PROVENANCE_COUNT && strcmp(provenance_names[p], provenance) != 0)
        p++;
    if (p == PROVENANCE_COUNT)
        return error_set(err, "sources: %s: unknown provenance \"%s\"", key, provenance);
    const char *copy = arena_strdup(arena, source);
    if (!copy)
        return error_set(err, "out of memory");
    device->origin[field] = (struct device_origin){(enum provenance)p, copy};
    return 0;
}

static int read_sources(struct device *device, const json_t *object, struct arena *arena,
                        struct wgsim_error *err) {
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return error_set(err, "sources must be an object");
    json_object_foreach((json_t *)object, key, value) {
        if (read_source(device, key, value, arena, err) != 0)
            return -1;
    }
    return 0;
}

static int read_text(const json_t *root, const char *key, const char **out,
                     struct wgsim_error *err) {
    const json_t *value = json_object_get(root, key);
    if (value && !json_is_string(value))
        return error_set(err, "%s must be a string", key);
    if (value)
        *out = json_string_value(value);
    return 0;
}

/* The keys that are no fields. */
static int read_head(struct device *device, const json_t *root, struct arena *arena,
                     struct wgsim_error *err) {
    const char *base = "default", *name = NULL, *title = NULL, *stated = schema;
    if (read_text(root, "schema", &stated, err) != 0 || read_text(root, "base", &base, err) != 0 ||
        read_text(root, "name", &name, err) != 0 || read_text(root, "title", &title, err) != 0)
        return -1;
    if (strcmp(stated, schema) != 0)
        return error_set(err, "schema is \"%s\"; only \"%s\" can be read", stated, schema);
    if (preset_find(device, base, err) != 0)
        return -1;
    if (name && (!*name || strlen(name) >= sizeof device->name))
        return error_set(err, "name must have 1 to %zu bytes", sizeof device->name - 1);
    if (name)
        snprintf(device->name, sizeof device->name, "%s", name);
    if (title && !(device->title = arena_strdup(arena, title)))
        return error_set(err, "out of memory");
    return 0;
}

static bool is_head(const char *key) {
    static const char *const keys[] = {"schema", "base", "name", "title", "units", "sources"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

static int read_fields(struct device *device, const json_t *root, struct wgsim_error *err) {
    static const struct device_origin given = {PROVENANCE_GIVEN, "device file"};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)root, key, value) {
        enum device_field field = device_field_find(key);
        uint64_t number;
        if (is_head(key))
            continue;
        if (field == DEVICE_FIELD_COUNT)
            return error_set(err, "unknown key \"%s\"", key);
        if (read_value(field, value, &number, err) != 0 ||
            device_set(device, field, number, given, err) != 0)
            return -1;
    }
    return 0;
}

static int read_device(struct device *device, const json_t *root, struct arena *arena,
                       struct wgsim_error *err) {
    const json_t *units = json_object_get(root, "units");
    const json_t *sources = json_object_get(root, "sources");
    if (!json_is_object(root))
        return error_set(err, "a device file holds one JSON object");
    if (read_head(device, root, arena, err) != 0 || read_fields(device, root, err) != 0)
        return -1;
    if (units && read_units(device, units, arena, err) != 0)
        return -1;
    if (units && !json_object_get(root, "cus"))
        device->cus = device->unit_count;
    if (sources && read_sources(device, sources, arena, err) != 0)
        return -1;
    return device_check(device, err);
}

/* Takes root over; NULL: it could not be parsed. Texts of the file may be part of the message,
 * which is one line all the same. */
static int read_root(struct device *device, const char *name, json_t *root,
                     const json_error_t *parse, struct arena *arena, struct wgsim_error *err) {
    struct wgsim_error why;
    bool parsed = root != NULL;
    int result = parsed ? read_device(device, root, arena, &why) : -1;
    json_decref(root);
    if (result == 0)
        return 0;
    if (parsed)
        error_format(err, "%s: %s", name, why.message);
    else if (parse->line > 0)
        error_format(err, "%s:%d: %s", name, parse->line, parse->text);
    else
        error_format(err, "%s", parse->text);
    return -1;
}

int device_file_read(struct device *device, const char *path, struct arena *arena,
                     struct wgsim_error *err) {
    enum { LIMIT_BYTES = 8 << 20 };
    json_error_t parse;
    size_t length;
    char *text = read_file(path, "a device", LIMIT_BYTES, &length, err);
    if (!text)
        return -1;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &parse);
    free(text);
    return read_root(device, path, root, &parse, arena, err);
}

int device_file_parse(struct device *device, const char *text, size_t length, struct arena *arena,
                      struct wgsim_error *err) {
    json_error_t parse;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &parse);
    return read_root(device, "device", root, &parse, arena, err);
}

/* ---- Writing ---- */

static json_t *value_to_json(enum device_field field, uint32_t value) {
    const char *const *choices = device_choices(field);
    if (choices)
        return json_string(choices[value]);
    if (device_fields[field].kind == KIND_FLAG)
        return json_boolean(value);
    if (device_fields[field].kind == KIND_DECIMAL && value % 1000 != 0)
        return json_real(value / 1000.0);
    if (device_fields[field].kind == KIND_DECIMAL)
        value /= 1000;
    return json_integer(value);
}

static json_t *unit_to_json(const struct device_unit *unit) {
    json_t *object = json_object();
    for (size_t i = 0; i < DEVICE_UNIT_FIELDS; i++) {
        uint32_t value;
        memcpy(&value, (const uint32_t *)unit + i, sizeof value);
        json_object_set_new(object, device_fields[i].name,
                            value_to_json((enum device_field)i, value));
    }
    return object;
}

json_t *device_to_json(const struct device *device) {
    json_t *root = json_pack("{s:s, s:s, s:s}", "schema", schema, "name", device->name, "title",
                             device->title);
    json_t *sources = json_object();
    for (int i = 0; i < DEVICE_FIELD_COUNT; i++) {
        const struct device_origin *origin = &device->origin[i];
        const char *name = device_fields[i].name;
        enum device_field field = (enum device_field)i;
        json_object_set_new(root, name, value_to_json(field, device_get(device, field)));
        json_object_set_new(sources, name,
                            json_pack("{s:s, s:s}", "provenance",
                                      provenance_names[origin->provenance], "source",
                                      origin->source));
    }
    if (device->unit_count) {
        json_t *units = json_array();
        for (uint32_t i = 0; i < device->unit_count; i++)
            json_array_append_new(units, unit_to_json(&device->units[i]));
        json_object_set_new(root, "units", units);
    }
    json_object_set_new(root, "sources", sources);
    return root;
}
