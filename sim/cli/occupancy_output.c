/* Printing an answer of wgsim occupancy. */
#include "sim/cli/occupancy_output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Text ---- */

static void print_limiters(uint32_t limiters) {
    const char *before = "";
    for (int r = 0; r < RESOURCE_COUNT; r++)
        if (limiters >> r & 1) {
            printf("%s%s", before, resource_words[r]);
            before = ", ";
        }
}

static void print_row(const struct occupancy *occupancy, int resource) {
    const struct occupancy_row *row = &occupancy->rows[resource];
    bool fits = row->allows > 0;
    printf("  %-18s", resource_words[resource]);
    if (fits)
        printf("%14" PRIu64 "%14" PRIu64, row->uses, row->uses * occupancy->workgroups);
    else
        printf("%14s%14s", "too much", "-");
    if (row->total)
        printf("%14" PRIu64, row->total);
    else
        printf("%14s", "no limit");
    if (row->allows == UNLIMITED)
        printf("%10s", "any");
    else
        printf("%10" PRIu32, row->allows);
    printf("%s\n", occupancy->limiters >> resource & 1 ? "  <- limits" : "");
}

static void print_unit(const struct occupancy_question *question, uint32_t cu) {
    struct occupancy occupancy = occupancy_of(question->device, cu, &question->needs);
    if (question->device->unit_count)
        printf("\nunit %" PRIu32 ": %" PRIu32 " fit; limited by ", cu, occupancy.workgroups);
    else
        printf("limited by ");
    print_limiters(occupancy.limiters);
    printf("\n\n  %-18s%14s%14s%14s%10s\n", "resource", "a workgroup", "used", "of", "allows");
    for (int r = 0; r < RESOURCE_COUNT; r++)
        if (occupancy.rows[r].uses || occupancy.rows[r].total)
            print_row(&occupancy, r);
}

static const struct {
    const char *before, *after;
} advice_words[ADVICE_COUNT] = {
    [ADVICE_WORKGROUP_MEMORY] = {"", " B of workgroup memory"},
    [ADVICE_REGISTERS] = {"", " registers a lane"},
    [ADVICE_INVOCATIONS] = {"workgroups of ", " invocations"},
};

static void print_advice(const struct occupancy_question *question) {
    struct occupancy_advice advice = occupancy_advise(question->device, 0, &question->needs);
    const char *before = "";
    if (!advice.possible) {
        printf("\nNo change of the kernel fits %" PRIu32 ".\n", advice.workgroups);
        return;
    }
    printf("\n%" PRIu32 " would fit with ", advice.workgroups);
    for (int kind = 0; kind < ADVICE_COUNT; kind++) {
        const struct advice_change *change = &advice.changes[kind];
        if (!change->given)
            continue;
        printf("%s%s%" PRIu64 "%s (now %" PRIu64 ")", before, advice_words[kind].before, change->to,
               advice_words[kind].after, change->from);
        before = advice.together ? " and " : ", or ";
    }
    printf("\n");
}

/* A pipeline that the limits refuse has an occupancy all the same; it only cannot be created. */
static void print_violations(const struct limits_violations *violations) {
    for (size_t i = 0; i < violations->count; i++)
        printf("\nNote: pipeline creation would refuse this: %s\n", violations->items[i].text);
}

void occupancy_print_text(const struct occupancy_question *question) {
    const struct device *device = question->device;
    struct occupancy occupancy = occupancy_of(device, 0, &question->needs);
    uint64_t residents = occupancy_residents(device, &question->needs);
    if (question->entry)
        printf("%s on ", question->entry);
    printf("%s: %" PRIu32 " workgroup%s of %" PRIu32 " fit%s on %s, %" PRIu64 " on all %" PRIu32
           "; ",
           device->name, occupancy.workgroups, occupancy.workgroups == 1 ? "" : "s",
           question->needs.invocations, occupancy.workgroups == 1 ? "s" : "",
           device->unit_count ? "unit 0" : "a compute unit", residents, device->cus);
    if (device->unit_count)
        printf("the units differ\n");
    uint32_t kinds = device->unit_count ? device->unit_count : 1;
    for (uint32_t cu = 0; cu < kinds; cu++)
        print_unit(question, cu);
    print_advice(question);
    print_violations(&question->violations);
}

/* ---- JSON ---- */

static json_t *names_to_json(uint32_t limiters) {
    json_t *names = json_array();
    for (int r = 0; r < RESOURCE_COUNT; r++)
        if (limiters >> r & 1)
            json_array_append_new(names, json_string(resource_names[r]));
    return names;
}

static json_t *rows_to_json(const struct occupancy *occupancy) {
    json_t *rows = json_array();
    for (int r = 0; r < RESOURCE_COUNT; r++) {
        const struct occupancy_row *row = &occupancy->rows[r];
        json_t *object = json_pack("{s:s}", "name", resource_names[r]);
        bool fits = row->allows > 0;
        json_object_set_new(object, "uses",
                            fits ? json_integer((json_int_t)row->uses) : json_null());
        json_object_set_new(object, "capacity",
                            row->total ? json_integer((json_int_t)row->total) : json_null());
        json_object_set_new(object, "allows",
                            row->allows != UNLIMITED ? json_integer(row->allows) : json_null());
        json_array_append_new(rows, object);
    }
    return rows;
}

static json_t *advice_to_json(const struct occupancy_question *question) {
    static const char *const keys[ADVICE_COUNT] = {"workgroup_memory_bytes", "registers_per_lane",
                                                   "invocations"};
    struct occupancy_advice advice = occupancy_advise(question->device, 0, &question->needs);
    json_t *object = json_pack("{s:i, s:b, s:b}", "workgroups_per_cu", (int)advice.workgroups,
                               "possible", advice.possible, "together", advice.together);
    for (int kind = 0; advice.possible && kind < ADVICE_COUNT; kind++)
        if (advice.changes[kind].given)
            json_object_set_new(object, keys[kind],
                                json_integer((json_int_t)advice.changes[kind].to));
    return object;
}

static json_t *units_to_json(const struct occupancy_question *question) {
    json_t *units = json_array();
    for (uint32_t cu = 0; cu < question->device->unit_count; cu++)
        json_array_append_new(
            units, json_integer(occupancy_of(question->device, cu, &question->needs).workgroups));
    return units;
}

static json_t *violations_to_json(const struct limits_violations *violations) {
    json_t *refused = json_array();
    for (size_t i = 0; i < violations->count; i++)
        json_array_append_new(refused, json_string(violations->items[i].text));
    return refused;
}

json_t *occupancy_to_json(const struct occupancy_question *question) {
    const struct device *device = question->device;
    struct occupancy occupancy = occupancy_of(device, 0, &question->needs);
    json_t *object = json_object();
    if (question->entry)
        json_object_set_new(object, "entry", json_string(question->entry));
    json_object_set_new(object, "workgroups_per_cu", json_integer(occupancy.workgroups));
    json_object_set_new(object, "limiters", names_to_json(occupancy.limiters));
    json_object_set_new(object, "device", json_string(device->name));
    json_object_set_new(object, "cus", json_integer(device->cus));
    json_object_set_new(object, "residents",
                        json_integer((json_int_t)occupancy_residents(device, &question->needs)));
    json_object_set_new(object, "resources", rows_to_json(&occupancy));
    json_object_set_new(object, "one_more", advice_to_json(question));
    if (device->unit_count)
        json_object_set_new(object, "units", units_to_json(question));
    json_object_set_new(object, "refused", violations_to_json(&question->violations));
    return object;
}
