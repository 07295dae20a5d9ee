/* Comparing runs. */
#include "sim/trace/compare.h"

#include <stdlib.h>
#include <string.h>

/* ---- JSON ---- */

enum { VALUE_MAX = 60 };

static void put_value(struct buf *values, const json_t *value) {
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_PRESERVE_ORDER |
                                               JSON_REAL_PRECISION(12))
                       : NULL;

    buf_printf(values, strlen(text ? text : "-") > VALUE_MAX ? "%.*s..." : "%.*s", VALUE_MAX,
               text ? text : "-");
    free(text);
}

static bool differ(const json_t *then, const json_t *now, struct buf *values) {
    put_value(values, then);
    buf_puts(values, " then, ");
    put_value(values, now);
    buf_puts(values, " now");
    return false;
}

static bool same_scalar(const json_t *then, const json_t *now) {
    if (json_is_real(then) || json_is_real(now))
        return json_is_number(then) && json_is_number(now) &&
               json_number_value(then) == json_number_value(now);
    return json_equal(then, now);
}

static void cut(struct buf *text, size_t length) {
    text->len = length;
    if (text->data)
        text->data[length] = '\0';
}

static bool compare_objects(const json_t *then, const json_t *now, struct buf *where,
                            struct buf *values) {
    const char *key;
    json_t *value;
    size_t length = where->len;

    json_object_foreach((json_t *)then, key, value) {
        buf_printf(where, length ? ".%s" : "%s", key);
        if (!compare_json(value, json_object_get(now, key), where, values))
            return false;
        cut(where, length);
    }
    return true;
}

static bool compare_arrays(const json_t *then, const json_t *now, struct buf *where,
                           struct buf *values) {
    size_t count = json_array_size(then), length = where->len;

    if (json_array_size(now) > count)
        count = json_array_size(now);
    for (size_t i = 0; i < count; i++) {
        buf_printf(where, "[%zu]", i);
        if (!compare_json(json_array_get(then, i), json_array_get(now, i), where, values))
            return false;
        cut(where, length);
    }
    return true;
}

bool compare_json(const json_t *then, const json_t *now, struct buf *where, struct buf *values) {
    if (json_is_object(then) && json_is_object(now))
        return compare_objects(then, now, where, values);
    if (json_is_array(then) && json_is_array(now))
        return compare_arrays(then, now, where, values);
    return same_scalar(then, now) || differ(then, now, values);
}

/* ---- Schedules ---- */

static long long number(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

void compare_schedules(const json_t *then, const json_t *now, struct buf *words) {
    const json_t *stops = json_object_get(then, "stops"), *others = json_object_get(now, "stops");
    const json_t *same = NULL, *other = NULL;

    if (json_equal(json_object_get(then, "hash"), json_object_get(now, "hash")))
        return;
    for (size_t i = 0; i < json_array_size(stops) && !other; i++)
        for (size_t k = 0; k < json_array_size(others); k++) {
            const json_t *a = json_array_get(stops, i), *b = json_array_get(others, k);
            if (number(a, "records") != number(b, "records"))
                continue;
            if (json_equal(a, b))
                same = a;
            else
                other = a;
        }
    buf_printf(words, "%lld records then, %lld now; ", number(then, "records"),
               number(now, "records"));
    if (same)
        buf_printf(words, "the same for %lld, up to cycle %lld of dispatch %lld",
                   number(same, "records"), number(same, "cycle"), number(same, "dispatch"));
    else
        buf_puts(words, "different from the start");
    if (same && other)
        buf_printf(words, "; no longer by record %lld", number(other, "records"));
}
