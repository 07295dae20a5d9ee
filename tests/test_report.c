/* Tests of the JSON report: the keys that programs rely on, by table: a path and what stands there.
 */
#include "tests/check_main.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wgsim/wgsim.h>

static struct wgsim_error err;

static json_t *report_of(const char *kernel, const char *set_memory) {
    char path[256];
    struct wgsim *sim = wgsim_new(NULL, &err);
    snprintf(path, sizeof path, "kernels/%s.so", kernel);
    ck_assert_msg(wgsim_load(sim, path, &err) == 0, "%s", err.message);
    if (set_memory)
        ck_assert_int_eq(wgsim_set(sim, "workgroup_memory", set_memory, &err), 0);
    ck_assert_msg(wgsim_plan(sim, 0, &err) == 0, "%s", err.message);
    ck_assert_msg(wgsim_run(sim, &err) == 0, "%s", err.message);
    char *text = wgsim_report_json(sim, &err);
    json_t *root = json_loads(text, 0, NULL);
    ck_assert_msg(strncmp(text, "{\n  \"schema\":", 13) == 0, "the schema comes first");
    free(text);
    wgsim_free(sim);
    return root;
}

/* What stands at "key.0.key"; NULL: nothing. */
static const json_t *at(const json_t *value, const char *path) {
    char key[64];
    while (value && *path) {
        size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        value = json_is_array(value) ? json_array_get(value, (size_t)atoi(key))
                                     : json_object_get(value, key);
        path += length + (path[length] == '.');
    }
    return value;
}

/* A value as text: integers in decimal, strings as they are, or the name of the type. */
static const char *shown(const json_t *value, char text[static 64]) {
    static const char *const names[] = {"object", "array", "string", "integer",
                                        "real",   "true",  "false",  "null"};
    if (!value)
        return "nothing";
    if (json_is_integer(value))
        snprintf(text, 64, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(text, 64, "%g", json_real_value(value));
    else
        snprintf(text, 64, "%s",
                 json_is_string(value) ? json_string_value(value) : names[json_typeof(value)]);
    return text;
}

struct row {
    const char *path;
    const char *value; /* or "integer", "string": any such */
};

static void check_rows(const json_t *root, const struct row *rows) {
    char text[64];
    for (; rows->path; rows++) {
        const json_t *value = at(root, rows->path);
        bool ok = strcmp(rows->value, "integer") == 0  ? json_is_integer(value)
                  : strcmp(rows->value, "string") == 0 ? json_is_string(value)
                                                       : !strcmp(rows->value, shown(value, text));
        ck_assert_msg(ok, "%s is %s, not %s", rows->path, shown(value, text), rows->value);
    }
}

START_TEST(finished) {
    static const struct row rows[] = {
        {"schema", "wgsim-report/1"},
        {"kernel", "reduce"},
        {"verdict", "finished"},
        {"device.name", "default"},
        {"device.cus", "4"},
        {"device.subgroup", "32"},
        {"device.workgroup_memory_bytes", "65536"},
        {"device.slots", "32"},
        {"occupancy.workgroups_per_cu", "8"},
        {"occupancy.limiters.0", "invocations"},
        {"occupancy.limiters.2", "registers"},
        {"occupancy.limiters.3", "nothing"},
        {"cycles", "integer"},
        {"dispatches.0.groups.0", "4"},
        {"dispatches.0.groups.2", "1"},
        {"dispatches.0.cycles", "integer"},
        {"dispatches.0.peak_resident", "4"},
        {"dispatches.0.counts.workgroup_load.requests", "100"},
        {"dispatches.0.counts.workgroup_load.wavefronts", "100"},
        {"dispatches.0.counts.workgroup_store.wavefronts", "80"},
        {"dispatches.0.counts.workgroup_store.conflicts", "0"},
        {"dispatches.0.counts.workgroup_atomic.bytes", "0"},
        {"dispatches.0.counts.storage_load.requests", "32"},
        {"dispatches.0.counts.storage_load.sectors", "128"},
        {"dispatches.0.counts.storage_load.bytes", "4096"},
        {"dispatches.0.counts.storage_store.sectors", "4"},
        {"dispatches.0.counts.storage_atomic.requests", "0"},
        {"dispatches.0.counts.barriers", "36"},
        {"dispatches.2", "nothing"},
        {"counts.storage_load.requests", "33"},
        {"counts.barriers", "45"},
        {"sites.0.file", "kernels/reduce.c"},
        {"sites.0.line", "integer"},
        {"sites.0.column", "0"},
        {"sites.0.variable", "partial"},
        {"sites.0.access", "workgroup_store"},
        {"sites.0.requests", "40"},
        {"sites.0.wavefronts", "40"},
        {"sites.0.conflicts", "0"},
        {"sites.0.sectors", "0"},
        {"sites.0.bytes", "integer"},
        {"variables.0.name", "input"},
        {"variables.0.space", "storage_read"},
        {"variables.0.bytes", "4096"},
        {"variables.3.name", "partial"},
        {"variables.3.space", "workgroup"},
        {"variables.3.bytes", "1024"},
        {"variables.3.reuse", "1"},
        {"findings", "array"},
        {"deadlock", "nothing"},
        {"outputs.1.name", "total"},
        {"outputs.1.elements", "1"},
        {"outputs.1.check", "match"},
        {"seed", "0"},
        {"command", "string"},
        {NULL, NULL},
    };
    json_t *root = report_of("reduce", NULL);
    check_rows(root, rows);
    json_decref(root);
}
END_TEST

START_TEST(deadlock) {
    static const struct row rows[] = {
        {"verdict", "deadlock"},
        {"deadlock.proved", "true"},
        {"deadlock.cycle_steps", "1"},
        {"deadlock.waiting.0.workgroup", "0"},
        {"deadlock.waiting.0.cu", "0"},
        {"deadlock.waiting.0.slot", "0"},
        {"deadlock.waiting.0.invocation", "0"},
        {"deadlock.waiting.0.file", "kernels/spinwait.c"},
        {"deadlock.waiting.0.line", "integer"},
        {"deadlock.waiting.0.variable", "ready"},
        {"deadlock.waiting.0.element", "0"},
        {"deadlock.waiting.0.value", "0"},
        {"deadlock.waiting.0.needs_workgroup", "32"},
        {"deadlock.waiting.0.needs_file", "kernels/spinwait.c"},
        {"deadlock.waiting.0.needs_line", "integer"},
        {"deadlock.waiting.31.workgroup", "31"},
        {"deadlock.waiting.32", "nothing"},
        {"deadlock.pending.count", "1"},
        {"deadlock.pending.first", "32"},
        {"deadlock.pending.limiter", "invocations"},
        {"deadlock.largest_dispatch_that_ends", "32"},
        {"deadlock.smallest_residency_that_ends", "33"},
        {"outputs.0.check", "unchecked"},
        {NULL, NULL},
    };
    json_t *root = report_of("spinwait", NULL);
    check_rows(root, rows);
    json_decref(root);
}
END_TEST

START_TEST(rejected) {
    static const struct row rows[] = {
        {"schema", "wgsim-report/1"},
        {"verdict", "rejected"},
        {"dispatches", "array"},
        {"dispatches.0", "nothing"},
        {"cycles", "0"},
        {"findings.0.kind", "limit"},
        {"findings.0.severity", "error"},
        {"findings.0.text", "string"},
        {"outputs.0.check", "unchecked"},
        {NULL, NULL},
    };
    json_t *root = report_of("spinwait", "20000");
    check_rows(root, rows);
    json_decref(root);
}
END_TEST

CHECK_MAIN("report", finished, deadlock, rejected)
