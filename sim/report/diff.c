/* Comparing reports. */
#include "sim/report/diff.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

static void add_members(json_t *changes, const char *prefix, const json_t *a, const json_t *b);

/* A value that has a key in one object or both, or the values in it, each under "prefix.key". */
static void add_member(json_t *changes, const char *prefix, const char *key, const json_t *a,
                       const json_t *b) {
    char what[128];

    snprintf(what, sizeof what, "%s%s%s", prefix, *prefix ? "." : "", key);
    if (json_is_object(a) || json_is_object(b))
        add_members(changes, what, a, b);
    else
        add_change(changes, what, a, b);
}

static void add_members(json_t *changes, const char *prefix, const json_t *a, const json_t *b) {
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)a, key, value) {
        add_member(changes, prefix, key, value, json_object_get(b, key));
    }
    json_object_foreach((json_t *)b, key, value) {
        if (!json_object_get(a, key))
            add_member(changes, prefix, key, NULL, value);
    }
}

/* ---- Pairs: which elements of two arrays are the same thing ---- */

typedef bool same_thing(const json_t *a, const json_t *b);
/* Told of each pair; of what only one array has the other is NULL. */
typedef void add_pair(void *to, const json_t *a, const json_t *b);

struct pairs {
    const json_t *a, *b;
    size_t *of_a, *of_b; /* by index: the other's index, or ALONE */
};

#define ALONE SIZE_MAX

static void pair_up(struct pairs *pairs, same_thing *same) {
    size_t a_count = json_array_size(pairs->a), b_count = json_array_size(pairs->b), next = 0;

    for (size_t i = 0; i < a_count; i++)
        for (size_t n = 0; n < b_count && pairs->of_a[i] == ALONE; n++) {
            size_t j = (next + n) % b_count; /* most often the one behind the last */
            if (pairs->of_b[j] != ALONE ||
                !same(json_array_get(pairs->a, i), json_array_get(pairs->b, j)))
                continue;
            pairs->of_a[i] = j;
            pairs->of_b[j] = i;
            next = j + 1;
        }
}

static size_t *all_alone(size_t count) {
    size_t *others = malloc((count + 1) * sizeof *others);

    for (size_t i = 0; others && i < count; i++)
        others[i] = ALONE;
    return others;
}

/* same: relations, the closest first, ended by NULL. -1: out of memory. */
static int for_pairs(const json_t *a, const json_t *b, same_thing *const *same, add_pair *add,
                     void *to) {
    size_t a_count = json_array_size(a), b_count = json_array_size(b);
    struct pairs pairs = {a, b, all_alone(a_count), all_alone(b_count)};
    int result = pairs.of_a && pairs.of_b ? 0 : -1;

    while (result == 0 && *same)
        pair_up(&pairs, *same++);
    for (size_t i = 0; result == 0 && i < a_count; i++)
        add(to, json_array_get(a, i),
            pairs.of_a[i] == ALONE ? NULL : json_array_get(b, pairs.of_a[i]));
    for (size_t i = 0; result == 0 && i < b_count; i++)
        if (pairs.of_b[i] == ALONE)
            add(to, NULL, json_array_get(b, i));
    free(pairs.of_a);
    free(pairs.of_b);
    return result;
}

static bool same_text(const json_t *a, const json_t *b, const char *key) {
    return strcmp(text_of(a, key), text_of(b, key)) == 0;
}

static long long number_of(const json_t *object, const char *key) {
    return (long long)json_integer_value(json_object_get(object, key));
}

/* ---- Lines: they move, and their expressions are edited ---- */

static bool same_access(const json_t *a, const json_t *b) {
    return same_text(a, b, "variable") && same_text(a, b, "access");
}

static bool same_expression(const json_t *a, const json_t *b) {
    return same_access(a, b) && same_text(a, b, "text");
}

static bool same_position(const json_t *a, const json_t *b) {
    return same_access(a, b) && number_of(a, "line") == number_of(b, "line") &&
           number_of(a, "column") == number_of(b, "column");
}

static bool same_site(const json_t *a, const json_t *b) {
    return same_expression(a, b) && same_position(a, b);
}

static void add_site(void *lines, const json_t *a, const json_t *b) {
    static const char *const counts[] = {"requests", "wavefronts", "conflicts", "sectors", "bytes"};
    const json_t *site = a ? a : b;

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char what[256];
        snprintf(what, sizeof what, "%s:%lld %s %s %s", text_of(site, "file"),
                 number_of(site, "line"), text_of(site, "variable"), text_of(site, "access"),
                 counts[i]);
        add_change(lines, what, json_object_get(a, counts[i]), json_object_get(b, counts[i]));
    }
}

static int add_sites(json_t *lines, const json_t *a, const json_t *b) {
    static same_thing *const same[] = {same_site, same_expression, same_position, NULL};

    return for_pairs(a, b, same, add_site, lines);
}

/* ---- Outputs ---- */

static bool same_name(const json_t *a, const json_t *b) {
    return same_text(a, b, "name");
}

static void add_output(void *changes, const json_t *a, const json_t *b) {
    char what[128];

    snprintf(what, sizeof what, "outputs.%s", text_of(a ? a : b, "name"));
    add_change(changes, what, json_object_get(a, "check"), json_object_get(b, "check"));
}

static int add_outputs(json_t *changes, const json_t *a, const json_t *b) {
    static same_thing *const same[] = {same_name, NULL};

    return for_pairs(a, b, same, add_output, changes);
}

/* ---- Findings ---- */

static bool same_kind(const json_t *a, const json_t *b) {
    return same_text(a, b, "kind") && same_text(a, b, "variable");
}

static bool same_place(const json_t *a, const json_t *b, const char *place, const char *key) {
    const json_t *one = json_object_get(a, place), *other = json_object_get(b, place);

    return same_text(one, other, key) && number_of(one, key) == number_of(other, key);
}

static bool same_lines(const json_t *a, const json_t *b) {
    return same_kind(a, b) && same_place(a, b, "first", "line") &&
           same_place(a, b, "second", "line");
}

static bool same_expressions(const json_t *a, const json_t *b) {
    return same_kind(a, b) && same_place(a, b, "first", "text") &&
           same_place(a, b, "second", "text");
}

struct findings_diff {
    json_t *gone, *new;
};

static void add_finding(void *to, const json_t *a, const json_t *b) {
    struct findings_diff *diff = to;

    if (!b)
        json_array_append(diff->gone, (json_t *)a);
    if (!a)
        json_array_append(diff->new, (json_t *)b);
}

static int add_findings(struct findings_diff *diff, const json_t *a, const json_t *b) {
    static same_thing *const same[] = {same_lines, same_expressions, NULL};

    return for_pairs(a, b, same, add_finding, diff);
}

/* ---- The whole ---- */

static void add_values(json_t *changes, const json_t *a, const json_t *b) {
    static const char *const keys[] = {"kernel", "device", "seed",     "verdict",
                                       "cycles", "counts", "occupancy"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        add_member(changes, "", keys[i], json_object_get(a, keys[i]), json_object_get(b, keys[i]));
}

json_t *report_diff(const json_t *a, const json_t *b) {
    json_t *changes = json_array(), *lines = json_array();
    struct findings_diff findings = {json_array(), json_array()};

    add_values(changes, a, b);
    bool whole =
        add_outputs(changes, json_object_get(a, "outputs"), json_object_get(b, "outputs")) == 0 &&
        add_sites(lines, json_object_get(a, "sites"), json_object_get(b, "sites")) == 0 &&
        add_findings(&findings, json_object_get(a, "findings"), json_object_get(b, "findings")) ==
            0;
    json_t *diff = json_pack("{s:s, s:o, s:o, s:o, s:o}", "schema", "wgsim-diff/1", "changes",
                             changes, "lines", lines, "gone", findings.gone, "new", findings.new);
    if (whole)
        return diff;
    json_decref(diff);
    return NULL;
}
