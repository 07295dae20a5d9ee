/* Reports of sweeps. */
#include "sim/cli/sweep_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/error.h"
#include "sim/json_text.h"

/* ---- Items ---- */

static json_t *kinds_json(finding_set found) {
    json_t *kinds = json_array();

    for (size_t kind = 0; kind < FINDING_KIND_COUNT; kind++)
        if (found >> kind & 1)
            json_array_append_new(kinds, json_string(finding_kinds[kind].name));
    return kinds;
}

static json_t *difference_json(const struct sweep_variant *variant,
                               const struct sweep_difference *difference) {
    const struct results_difference *at = &difference->at;
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s}", "kind", finding_kinds[difference->kind].name, "a", "",
                  "b", variant->text, "text", sweep_cause_texts[difference->cause]);

    if (at->a)
        json_object_update_new(object, json_pack("{s:s, s:I, s:I}", "buffer", at->a->name,
                                                 "element", (json_int_t)at->element, "differing",
                                                 (json_int_t)at->differing));
    if (*at->texel)
        json_object_set_new(object, "texel", json_string(at->texel));
    json_object_update_new(object,
                           json_pack("{s:s, s:s}", "a_value", at->a_value, "b_value", at->b_value));
    return object;
}

static const char *unit_of(const struct sweep_result *result) {
    return result->turns ? "turns" : "cycles";
}

static const char *check_of(const struct sweep_result *result) {
    return result->wrong ? "differ" : result->checked ? "match" : "unchecked";
}

static json_t *with_reason(json_t *item, const struct sweep_result *result) {
    if (result->reason)
        json_object_set_new(json_object_get(item, "run"), "reason", json_text(result->reason));
    return item;
}

/* Results of another size are judged by themselves. */
static json_t *sized_item(const struct sweep_variant *variant, const struct sweep_result *result) {
    return json_pack("{s:{s:s, s:I, s:s, s:I, s:s, s:o, s:s, s:i}}", "run", "options",
                     variant->text, "size", (json_int_t)variant->size, "verdict",
                     verdict_names[result->verdict], "cycles", (json_int_t)result->cycles, "unit",
                     unit_of(result), "findings", kinds_json(result->found), "check",
                     check_of(result), "status", result->status);
}

json_t *sweep_item(const struct sweep_variant *variant, const struct sweep_result *base,
                   const struct sweep_result *result) {
    if (variant->sized)
        return with_reason(sized_item(variant, result), result);
    struct sweep_difference difference = sweep_compare(base, result, variant->width);
    json_t *item =
        json_pack("{s:{s:s, s:s, s:I, s:s, s:o, s:i, s:b}}", "run", "options", variant->text,
                  "verdict", verdict_names[result->verdict], "cycles", (json_int_t)result->cycles,
                  "unit", unit_of(result), "findings", kinds_json(result->found), "status",
                  result->status, "same", difference.cause == SWEEP_NOTHING);

    if (difference.cause != SWEEP_NOTHING)
        json_object_set_new(item, "difference", difference_json(variant, &difference));
    return with_reason(item, result);
}

json_t *sweep_item_failed(const struct sweep_variant *variant, const struct wgsim_error *why) {
    return json_pack("{s:{s:s, s:o}}", "run", "options", variant->text, "error",
                     json_text(why->message));
}

static const json_t *part_of(const struct sweep_findings *findings, size_t item, const char *part) {
    return json_object_get(findings->items[item], part);
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static json_int_t number_of(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

static const char *options_of(const json_t *run) {
    const char *options = text_of(run, "options");

    return *options ? options : "as it is";
}

static bool is_rejected(const json_t *run) {
    return json_object_get(run, "reason") != NULL;
}

/* ---- What is telling ---- */

static bool same_text(const json_t *a, const json_t *b, const char *key) {
    return strcmp(text_of(a, key), text_of(b, key)) == 0;
}

/* Of runs that differ for one reason and end alike the first is told in full. */
static bool is_first_to_differ(const struct sweep_findings *findings, size_t item) {
    const json_t *difference = part_of(findings, item, "difference");

    if (!difference)
        return false;
    for (size_t i = 0; i < item; i++) {
        const json_t *other = part_of(findings, i, "difference");
        if (other && same_text(difference, other, "kind") && same_text(difference, other, "text") &&
            same_text(part_of(findings, item, "run"), part_of(findings, i, "run"), "verdict"))
            return false;
    }
    return true;
}

static bool some_differ(const struct sweep_findings *findings) {
    for (size_t i = 0; i < findings->count; i++)
        if (part_of(findings, i, "difference"))
            return true;
    return false;
}

static bool ended(const json_t *run) {
    return !json_object_get(run, "verdict") ||
           strcmp(text_of(run, "verdict"), verdict_names[VERDICT_FINISHED]) == 0;
}

bool sweep_is_telling(const struct sweep_findings *findings, size_t item) {
    if (item > 0)
        return is_first_to_differ(findings, item);
    return some_differ(findings) || !ended(part_of(findings, 0, "run"));
}

char *sweep_trace_path(const char *prefix, size_t item) {
    char *path;

    return asprintf(&path, "%s-%zu.json", prefix, item) < 0 ? NULL : path;
}

/* ---- Text ---- */

/* Of a run whose exit status would not be 0. */
static void print_kinds(const json_t *run) {
    const json_t *kinds = json_object_get(run, "findings");

    for (size_t i = 0; i < json_array_size(kinds); i++)
        printf("%s%s", i ? ", " : "   found: ", json_string_value(json_array_get(kinds, i)));
}

/* Why it was rejected; once for all that are so for one reason. */
static void print_rejected(const struct sweep_findings *findings, size_t item) {
    const json_t *run = part_of(findings, item, "run");

    printf("  %-32s rejected", options_of(run));
    if (item > 0 &&
        strcmp(text_of(part_of(findings, 0, "run"), "reason"), text_of(run, "reason")) == 0)
        printf(", as it is\n");
    else
        printf(": %s\n", text_of(run, "reason"));
}

static void print_run(const struct sweep_findings *findings, size_t item) {
    const json_t *run = part_of(findings, item, "run");

    if (!run)
        return;
    if (json_object_get(run, "error")) {
        printf("  %-32s could not run: %s\n", options_of(run), text_of(run, "error"));
        return;
    }
    if (is_rejected(run)) {
        print_rejected(findings, item);
        return;
    }
    printf("  %-32s %-11s %12lld %s%s", options_of(run), text_of(run, "verdict"),
           (long long)number_of(run, "cycles"), text_of(run, "unit"),
           part_of(findings, item, "difference") ? "   DIFFERS" : "");
    if (strcmp(text_of(run, "check"), "differ") == 0)
        printf("   WRONG by the kernel's check");
    if (number_of(run, "status"))
        print_kinds(run);
    putchar('\n');
}

static void print_difference(const json_t *difference) {
    const char *buffer = text_of(difference, "buffer");
    const char *texel = text_of(difference, "texel");
    long long differing = number_of(difference, "differing");
    char place[512];

    if (*texel)
        snprintf(place, sizeof place, "%s at %s", buffer, texel);
    else
        snprintf(place, sizeof place, "%s[%lld]", buffer,
                 (long long)number_of(difference, "element"));

    printf("\n%s: with %s %s\n", text_of(difference, "kind"), text_of(difference, "b"),
           text_of(difference, "text"));
    if (strncmp(text_of(difference, "b"), "--lanes", 7) == 0)
        printf("  only the lanes of a subgroup differ: in lockstep, or each at its own pace\n");
    if (!*buffer)
        printf("  %s as it is, %s with it\n", text_of(difference, "a_value"),
               text_of(difference, "b_value"));
    else
        printf("  %s is %s as it is and %s with it; %lld %s%s of %s differ%s\n", place,
               text_of(difference, "a_value"), text_of(difference, "b_value"), differing,
               *texel ? "texel" : "element", differing == 1 ? "" : "s", buffer,
               differing == 1 ? "s" : "");
}

static bool is_sized(const json_t *run) {
    return json_object_get(run, "size") != NULL;
}

/* Whether every run was made and, where it is compared, came out like the run as it is. */
static bool all_alike(const struct sweep_findings *findings) {
    size_t compared = 0;

    for (size_t i = 0; i < findings->count; i++) {
        const json_t *run = part_of(findings, i, "run");
        if (!run || json_object_get(run, "error") || part_of(findings, i, "difference"))
            return false;
        compared += !is_sized(run);
    }
    return compared > 1 || findings->count == 1;
}

/* Whether no run was made because all are over a limit. */
static bool all_rejected(const struct sweep_findings *findings) {
    size_t rejected = 0;

    for (size_t i = 0; i < findings->count; i++) {
        const json_t *run = part_of(findings, i, "run");
        if (run && !is_rejected(run))
            return false;
        rejected += run != NULL;
    }
    return rejected > 0;
}

/* The sizes at which a run found something, does not end or gives a wrong result. */
static void print_sizes(const struct sweep_findings *findings) {
    size_t sized = 0, failed = 0;

    for (size_t i = 0; i < findings->count; i++) {
        const json_t *run = part_of(findings, i, "run");
        if (!is_sized(run))
            continue;
        sized++;
        if (number_of(run, "status"))
            printf("%s%s", failed++ ? ", " : "\nFails with ", options_of(run));
    }
    if (failed)
        printf(".\n");
    else if (sized)
        printf("\nAt no other size does it fail.\n");
}

static void print_traces(const struct sweep_findings *findings) {
    bool any = false;

    for (size_t i = 0; findings->trace && i < findings->count; i++) {
        const json_t *run = part_of(findings, i, "run");
        if (!sweep_is_telling(findings, i))
            continue;
        if (!any)
            printf("\nRecorded, for 'wgsim replay' and 'wgsim report':\n");
        printf("  %s-%zu.json: %s\n", findings->trace, i, options_of(run));
        any = true;
    }
}

static void print_text(const struct sweep_findings *findings) {
    printf("%s: %zu run%s\n\n", findings->kernel, findings->count, findings->count == 1 ? "" : "s");
    for (size_t i = 0; i < findings->count; i++)
        print_run(findings, i);
    for (size_t i = 0; i < findings->count; i++)
        if (is_first_to_differ(findings, i))
            print_difference(part_of(findings, i, "difference"));
    print_sizes(findings);
    if (all_rejected(findings))
        printf("\nEvery run is rejected: nothing ran.\n");
    else if (all_alike(findings))
        printf("\nNo run ends otherwise or gives another result than the run as it is.\n");
    print_traces(findings);
}

/* ---- JSON ---- */

static json_t *run_json(const struct sweep_findings *findings, size_t item) {
    json_t *run = json_copy((json_t *)part_of(findings, item, "run"));

    if (findings->trace && sweep_is_telling(findings, item)) {
        char *path = sweep_trace_path(findings->trace, item);
        json_object_set_new(run, "trace", path ? json_string(path) : NULL);
        free(path);
    }
    return run;
}

static json_t *findings_json(const struct sweep_findings *findings) {
    json_t *runs = json_array(), *differences = json_array();

    for (size_t i = 0; i < findings->count; i++) {
        json_t *difference = (json_t *)part_of(findings, i, "difference");
        if (findings->items[i])
            json_array_append_new(runs, run_json(findings, i));
        if (difference)
            json_array_append(differences, difference);
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "schema", "wgsim-sweep/1", "kernel",
                     json_text(findings->kernel), "runs", runs, "differences", differences,
                     "command", json_text(findings->command));
}

/* ---- The whole ---- */

int sweep_status(const struct sweep_findings *findings) {
    if (all_rejected(findings))
        return 2;
    for (size_t i = 0; i < findings->count; i++) {
        if (part_of(findings, i, "difference") || number_of(part_of(findings, i, "run"), "status"))
            return 1;
    }
    return 0;
}

/* The first reason why a run was rejected. */
static const char *reason_of_any(const struct sweep_findings *findings) {
    size_t i = 0;

    while (i + 1 < findings->count && !part_of(findings, i, "run"))
        i++;
    return text_of(part_of(findings, i, "run"), "reason");
}

int sweep_print(const struct sweep_findings *findings, bool json) {
    struct wgsim_error err;

    if (!json)
        print_text(findings);
    else if (output_json(findings_json(findings), &err) < 0)
        return cli_fail(&err);
    if (!all_rejected(findings))
        return sweep_status(findings);
    error_format(&err, "%s: %s", findings->kernel, reason_of_any(findings));
    return cli_fail(&err);
}
