/* wgsim diff: what changed between two reports. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/error.h"
#include "sim/read_file.h"
#include "sim/report/check.h"
#include "sim/report/diff.h"

static const struct cli_option options_table[] = {
    {"json", NULL, 0, CLI_FLAG, 0, NULL, NULL, "print the changes as JSON"},
    {0},
};

/* Reads a report that `wgsim run --json` printed; NULL with a message. */
static json_t *read_report(const char *path, struct wgsim_error *err) {
    enum { LIMIT_BYTES = 256 << 20 };
    json_error_t why;
    size_t length;
    char *text = read_file(path, "a report", LIMIT_BYTES, &length, err);

    if (!text)
        return NULL;
    json_t *report = json_loadb(text, length, 0, &why);
    free(text);
    if (!report) {
        error_format(err, "%s: line %d: %s", path, why.line, why.text);
        return NULL;
    }
    const char *schema = json_string_value(json_object_get(report, "schema"));
    if (!schema || strcmp(schema, "wgsim-report/1") != 0) {
        json_decref(report);
        error_format(err, "%s is not a report of 'wgsim run --json'", path);
        return NULL;
    }
    if (report_check(report, path, err) < 0) {
        json_decref(report);
        return NULL;
    }
    return report;
}

static void print_value(const json_t *value) {
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));

    printf("%s", json_is_null(value) ? "none" : text ? text : "?");
    free(text);
}

static void print_percent(double percent) {
    if (percent < 1000)
        printf(" (%+.3g %%)", percent);
    else
        printf(" (%+.0f %%)", percent);
}

/* "conflicts   992 -> 0 (-100 %)" */
static void print_change(const json_t *change) {
    const json_t *a = json_object_get(change, "a"), *b = json_object_get(change, "b");

    printf("  %-44s ", json_string_value(json_object_get(change, "what")));
    print_value(a);
    printf(" -> ");
    print_value(b);
    if (json_is_number(a) && json_is_number(b) && json_number_value(a) != 0)
        print_percent((json_number_value(b) - json_number_value(a)) * 100 / json_number_value(a));
    putchar('\n');
}

static void print_changes(const char *title, const json_t *changes) {
    json_t *change;
    size_t i;

    if (json_array_size(changes))
        printf("%s\n", title);
    json_array_foreach((json_t *)changes, i, change) {
        print_change(change);
    }
}

static void print_findings(const char *title, const json_t *findings) {
    json_t *finding;
    size_t i;

    if (json_array_size(findings))
        printf("%s\n", title);
    json_array_foreach((json_t *)findings, i, finding) {
        printf("  %s: %s\n", json_string_value(json_object_get(finding, "kind")),
               json_string_value(json_object_get(finding, "text")));
    }
}

static void print_text(const json_t *diff) {
    static const char *const parts[] = {"changes", "lines", "gone", "new"};
    size_t size = 0;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        size += json_array_size(json_object_get(diff, parts[i]));
    if (!size)
        puts("no change");
    print_changes("Changed", json_object_get(diff, "changes"));
    print_changes("By line", json_object_get(diff, "lines"));
    print_findings("Findings that are gone", json_object_get(diff, "gone"));
    print_findings("New findings", json_object_get(diff, "new"));
}

static int compare(char *const *paths, bool as_json, struct wgsim_error *err) {
    json_t *a = read_report(paths[0], err), *b = a ? read_report(paths[1], err) : NULL;
    json_t *diff = b ? report_diff(a, b) : NULL;
    int result = b ? 0 : -1;

    if (b && (as_json || !diff)) {
        result = output_json(diff, err);
    } else if (diff) {
        print_text(diff);
        json_decref(diff);
    }
    json_decref(b);
    json_decref(a);
    return result;
}

int cmd_diff(int argc, char **argv) {
    bool as_json = false;
    struct cli_table tables[] = {
        {.title = "Options", .options = options_table, .target = &as_json}};
    struct cli_usage usage = {
        .command = "diff",
        .operands = "A.json B.json",
        .about =
            "Says what changed from one report to another, both printed by "
            "'wgsim run --json':\ndevice, verdict, cycles, outputs, counts in total and by line, "
            "findings.\n",
        .min_operands = 2,
        .max_operands = 2,
        .tables = tables,
        .table_count = 1};
    struct cli_operands operands;
    struct wgsim_error err;
    int status;

    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    return compare(operands.items, as_json, &err) < 0 ? cli_fail(&err) : 0;
}
