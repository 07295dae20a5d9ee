/* Checking reports. */
#include "sim/report/check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/error.h"

enum kind { TEXT, NUMBER, OBJECT, ARRAY };

static const char *const kind_names[] = {"a text", "a whole number", "an object", "an array"};

struct member {
    const char *key;
    enum kind kind;
    bool optional;
    const struct member *inside; /* of the object, or of each object in the array */
};

static const struct member place_members[] = {
    {"file", TEXT, true, NULL},
    {"line", NUMBER, true, NULL},
    {"text", TEXT, true, NULL},
    {0},
};

static const struct member finding_members[] = {
    {"kind", TEXT, false, NULL},
    {"text", TEXT, false, NULL},
    {"variable", TEXT, true, NULL},
    {"first", OBJECT, true, place_members},
    {"second", OBJECT, true, place_members},
    {0},
};

static const struct member site_members[] = {
    {"file", TEXT, false, NULL},       {"line", NUMBER, false, NULL},
    {"variable", TEXT, false, NULL},   {"access", TEXT, false, NULL},
    {"column", NUMBER, true, NULL},    {"text", TEXT, true, NULL},
    {"requests", NUMBER, true, NULL},  {"wavefronts", NUMBER, true, NULL},
    {"conflicts", NUMBER, true, NULL}, {"sectors", NUMBER, true, NULL},
    {"bytes", NUMBER, true, NULL},     {0},
};

static const struct member output_members[] = {
    {"name", TEXT, false, NULL},
    {"check", TEXT, false, NULL},
    {0},
};

static const struct member report_members[] = {
    {"kernel", TEXT, false, NULL},
    {"verdict", TEXT, false, NULL},
    {"device", OBJECT, false, NULL},
    {"occupancy", OBJECT, false, NULL},
    {"cycles", NUMBER, false, NULL},
    {"counts", OBJECT, false, NULL},
    {"sites", ARRAY, false, site_members},
    {"findings", ARRAY, false, finding_members},
    {"outputs", ARRAY, false, output_members},
    {"seed", NUMBER, false, NULL},
    {0},
};

static bool has_kind(const json_t *value, enum kind kind) {
    const bool is[] = {json_is_string(value), json_is_integer(value), json_is_object(value),
                       json_is_array(value)};

    return is[kind];
}

/* where: of the object in the report, "" or such as "findings[2]." */
static int check_members(const json_t *object, const struct member *members, const char *where,
                         const char *name, struct wgsim_error *err);

static int check_elements(const json_t *array, const struct member *member, const char *where,
                          const char *name, struct wgsim_error *err) {
    char inside[128];

    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *element = json_array_get(array, i);
        snprintf(inside, sizeof inside, "%s%s[%zu]", where, member->key, i);
        if (!json_is_object(element))
            return error_set(err, "%s: not a report: %s is not an object", name, inside);
        snprintf(inside, sizeof inside, "%s%s[%zu].", where, member->key, i);
        if (check_members(element, member->inside, inside, name, err) < 0)
            return -1;
    }
    return 0;
}

static int check_member(const json_t *value, const struct member *member, const char *where,
                        const char *name, struct wgsim_error *err) {
    char inside[128];

    if (!value)
        return member->optional
                   ? 0
                   : error_set(err, "%s: not a report: it has no %s%s", name, where, member->key);
    if (!has_kind(value, member->kind))
        return error_set(err, "%s: not a report: %s%s is not %s", name, where, member->key,
                         kind_names[member->kind]);
    if (!member->inside)
        return 0;
    if (member->kind == ARRAY)
        return check_elements(value, member, where, name, err);
    snprintf(inside, sizeof inside, "%s%s.", where, member->key);
    return check_members(value, member->inside, inside, name, err);
}

static int check_members(const json_t *object, const struct member *members, const char *where,
                         const char *name, struct wgsim_error *err) {
    for (; members->key; members++)
        if (check_member(json_object_get(object, members->key), members, where, name, err) < 0)
            return -1;
    return 0;
}

int report_check(const json_t *report, const char *name, struct wgsim_error *err) {
    return check_members(report, report_members, "", name, err);
}
