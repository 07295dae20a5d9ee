/* Comparing reports. */
#include "sim/report/diff.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

/* Appends a change of one value, null where a report does not have it. */
static void add_change(json_t *changes, const char *what, const json_t *a, const json_t *b) {
    if (a == b || (a && b && json_equal((json_t *)a, (json_t *)b)))
        return;
    json_array_append_new(changes, json_pack("{s:s, s:o, s:o}", "what", what, "a",
                                             a ? json_deep_copy(a) : json_null(), "b",
                                             b ? json_deep_copy(b) : json_null()));
}

/* The members of two objects, each under "prefix.name". */
static void add_members(json_t *changes, const char *prefix, const json_t *a, const json_t *b) {
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)a, key, value) {
        char what[128];
        snprintf(what, sizeof what, "%s%s%s", prefix, *prefix ? "." : "", key);
        const json_t *other = json_object_get(b, key);
        if (json_is_object(value))
            add_members(changes, what, value, other);
        else
            add_change(changes, what, value, other);
    }
}

/* ---- Lines ---- */

/* Identifies a site across two versions of a source: lines move, so the expression counts. */
static bool same_site(const json_t *a, const json_t *b) {
    return strcmp(text_of(a, "variable"), text_of(b, "variable")) == 0 &&
           strcmp(text_of(a, "access"), text_of(b, "access")) == 0 &&
           json_equal(json_object_get(a, "line"), json_object_get(b, "line")) &&
           json_equal(json_object_get(a, "column"), json_object_get(b, "column"));
}

static const json_t *find_site(const json_t *sites, const json_t *site) {
    size_t i;
    json_t *candidate;

    json_array_foreach((json_t *)sites, i,
                       candidate) if (same_site(candidate, site)) return candidate;
    return NULL;
}

static void add_site(json_t *lines, const json_t *site, const json_t *other) {
    static const char *const counts[] = {"requests", "wavefronts", "conflicts", "sectors", "bytes"};

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char what[256];
        snprintf(what, sizeof what, "%s:%lld %s %s %s", text_of(site, "file"),
                 (long long)json_integer_value(json_object_get(site, "line")),
                 text_of(site, "variable"), text_of(site, "access"), counts[i]);
        add_change(lines, what, json_object_get(site, counts[i]),
                   json_object_get(other, counts[i]));
    }
}

static void add_sites(json_t *lines, const json_t *a, const json_t *b) {
    size_t i;
    json_t *site;

    json_array_foreach((json_t *)a, i, site) {
        const json_t *other = find_site(b, site);
        if (other)
            add_site(lines, site, other);
    }
}

/* ---- Findings ---- */

/* The line of a finding's place; 0: it has no such place. */
static long long line_of(const json_t *finding, const char *place) {
    return (long long)json_integer_value(json_object_get(json_object_get(finding, place), "line"));
}

static bool same_finding(const json_t *a, const json_t *b) {
    return strcmp(text_of(a, "kind"), text_of(b, "kind")) == 0 &&
           strcmp(text_of(a, "variable"), text_of(b, "variable")) == 0 &&
           line_of(a, "first") == line_of(b, "first") &&
           line_of(a, "second") == line_of(b, "second");
}

static bool has_finding(const json_t *findings, const json_t *finding) {
    size_t i;
    json_t *other;

    json_array_foreach((json_t *)findings, i, other) if (same_finding(other, finding)) return true;
    return false;
}

static json_t *only_in(const json_t *findings, const json_t *others) {
    json_t *only = json_array(), *finding;
    size_t i;

    json_array_foreach((json_t *)findings, i, finding) if (!has_finding(others, finding))
        json_array_append(only, finding);
    return only;
}

json_t *report_diff(const json_t *a, const json_t *b) {
    static const char *const values[] = {"kernel", "verdict", "cycles"};
    json_t *changes = json_array(), *lines = json_array();

    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        add_change(changes, values[i], json_object_get(a, values[i]),
                   json_object_get(b, values[i]));
    add_members(changes, "occupancy", json_object_get(a, "occupancy"),
                json_object_get(b, "occupancy"));
    add_members(changes, "counts", json_object_get(a, "counts"), json_object_get(b, "counts"));
    add_sites(lines, json_object_get(a, "sites"), json_object_get(b, "sites"));
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "schema", "wgsim-diff/1", "changes", changes,
                     "lines", lines, "gone",
                     only_in(json_object_get(a, "findings"), json_object_get(b, "findings")), "new",
                     only_in(json_object_get(b, "findings"), json_object_get(a, "findings")));
}
