/* wgsim occupancy: how many workgroups a compute unit holds, and why not more. */
#include <inttypes.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/device_options.h"
#include "sim/error.h"
#include "sim/occupancy.h"
#include "sim/units.h"

struct occupancy_options {
    const char *workgroup_size;
    uint64_t workgroup_memory_bytes;
    uint32_t registers;
    bool no_barrier, json;
};

#define AT(member) offsetof(struct occupancy_options, member)

static const struct cli_option options_table[] = {
    {"workgroup-size", NULL, 0, CLI_STRING, AT(workgroup_size), "X[,Y[,Z]]", NULL,
     "invocations of a workgroup (64)"},
    {"workgroup-memory", NULL, 0, CLI_SIZE, AT(workgroup_memory_bytes), "BYTES", NULL,
     "workgroup memory that a workgroup declares (0)"},
    {"registers", NULL, 0, CLI_U32, AT(registers), "N", NULL,
     "registers of a lane (the device's default)"},
    {"no-barrier", NULL, 0, CLI_FLAG, AT(no_barrier), NULL, NULL, "the kernel has no barrier"},
    {"json", NULL, 0, CLI_FLAG, AT(json), NULL, NULL, "print the result as JSON"},
    {0},
};

/* What is asked, on what. */
struct question {
    struct device device;
    struct limits limits;
    uint32_t size[3];
    struct workgroup_needs needs;
};

/* "16x8" is as good as "16,8". */
static int parse_workgroup_size(const char *text, uint32_t size[3], struct wgsim_error *err) {
    char copy[64];
    if (strlen(text) >= sizeof copy || strncmp(text, "0x", 2) == 0)
        return parse_groups(text, size, err);
    strcpy(copy, text);
    for (char *x = copy; (x = strchr(x, 'x'));)
        *x = ',';
    return parse_groups(copy, size, err);
}

static int parse_size_option(const char *text, struct question *question, struct wgsim_error *err) {
    struct wgsim_error why;
    uint32_t *size = question->size;
    if (parse_workgroup_size(text, size, &why) != 0)
        return error_set(err, "--workgroup-size: %s", why.message);
    double product = (double)size[0] * size[1] * size[2];
    if (product < 1 || product > 65536)
        return error_set(err,
                         "--workgroup-size: %s has %.0f invocations; 1 to 65536 can be asked "
                         "about",
                         text, product);
    question->needs.invocations = size[0] * size[1] * size[2];
    return 0;
}

/* ---- Text ---- */

/* "workgroup memory" for "workgroup_memory". */
static const char *words_of(const char *name, char words[static 32]) {
    snprintf(words, 32, "%s", name);
    for (char *c = words; *c; c++)
        if (*c == '_')
            *c = ' ';
    return words;
}

static void print_limiters(uint32_t limiters) {
    const char *before = "";
    char words[32];
    for (int r = 0; r < RESOURCE_COUNT; r++)
        if (limiters >> r & 1) {
            printf("%s%s", before, words_of(resource_names[r], words));
            before = ", ";
        }
}

static void print_row(const struct occupancy *occupancy, int resource) {
    const struct occupancy_row *row = &occupancy->rows[resource];
    char words[32];
    bool fits = row->allows > 0;
    printf("  %-18s", words_of(resource_names[resource], words));
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

static void print_unit(const struct question *question, uint32_t cu) {
    struct occupancy occupancy = occupancy_of(&question->device, cu, &question->needs);
    if (question->device.unit_count)
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

static void print_advice(const struct question *question) {
    struct occupancy_advice advice = occupancy_advise(&question->device, 0, &question->needs);
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

static void print_text(const struct question *question,
                       const struct limits_violations *violations) {
    const struct device *device = &question->device;
    struct occupancy occupancy = occupancy_of(device, 0, &question->needs);
    uint64_t residents = occupancy_residents(device, &question->needs);
    printf("%s: %" PRIu32 " workgroups of %" PRIu32 " fit on a compute unit, %" PRIu64
           " on all %" PRIu32 "; ",
           device->name, occupancy.workgroups, question->needs.invocations, residents, device->cus);
    if (device->unit_count)
        printf("the units differ\n");
    uint32_t kinds = device->unit_count ? device->unit_count : 1;
    for (uint32_t cu = 0; cu < kinds; cu++)
        print_unit(question, cu);
    print_advice(question);
    print_violations(violations);
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

static json_t *advice_to_json(const struct question *question) {
    static const char *const keys[ADVICE_COUNT] = {"workgroup_memory_bytes", "registers_per_lane",
                                                   "invocations"};
    struct occupancy_advice advice = occupancy_advise(&question->device, 0, &question->needs);
    json_t *object = json_pack("{s:i, s:b, s:b}", "workgroups_per_cu", (int)advice.workgroups,
                               "possible", advice.possible, "together", advice.together);
    for (int kind = 0; advice.possible && kind < ADVICE_COUNT; kind++)
        if (advice.changes[kind].given)
            json_object_set_new(object, keys[kind],
                                json_integer((json_int_t)advice.changes[kind].to));
    return object;
}

static void print_json(const struct question *question,
                       const struct limits_violations *violations) {
    const struct device *device = &question->device;
    struct occupancy occupancy = occupancy_of(device, 0, &question->needs);
    json_t *root = json_pack("{s:s, s:i, s:o, s:s, s:I, s:I, s:o, s:o}", "schema",
                             "wgsim-occupancy/1", "workgroups_per_cu", (int)occupancy.workgroups,
                             "limiters", names_to_json(occupancy.limiters), "device", device->name,
                             "cus", (json_int_t)device->cus, "residents",
                             (json_int_t)occupancy_residents(device, &question->needs), "resources",
                             rows_to_json(&occupancy), "one_more", advice_to_json(question));
    json_t *units = json_array(), *refused = json_array();
    for (uint32_t cu = 0; cu < device->unit_count; cu++)
        json_array_append_new(units,
                              json_integer(occupancy_of(device, cu, &question->needs).workgroups));
    if (device->unit_count)
        json_object_set(root, "units", units);
    for (size_t i = 0; i < violations->count; i++)
        json_array_append_new(refused, json_string(violations->items[i].text));
    json_object_set(root, "refused", refused);
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(units);
    json_decref(refused);
    json_decref(root);
}

/* ---- The command ---- */

static int ask(const struct cli_table tables[2], struct arena *arena, struct question *question,
               struct wgsim_error *err) {
    const struct occupancy_options *options = tables[0].target;
    const struct device_options *device_options = tables[1].target;
    if (device_options_get(&tables[1], device_options, arena, &question->device, err) != 0)
        return -1;
    if (parse_size_option(options->workgroup_size, question, err) != 0)
        return -1;
    question->limits = device_options_limits(device_options, &question->device);
    question->needs.workgroup_memory_bytes = options->workgroup_memory_bytes;
    question->needs.barrier = !options->no_barrier;
    if (cli_given(&tables[0], "registers") && options->registers == 0)
        return error_set(err, "--registers must be at least 1");
    question->needs.registers_per_lane = options->registers;
    if (options->workgroup_memory_bytes > INT32_MAX)
        return error_set(err, "--workgroup-memory: at most 2147483647 bytes can be asked about");
    return 0;
}

static int answer(const struct question *question, bool json, struct arena *arena,
                  struct wgsim_error *err) {
    struct limits_variable memory = {.name = "workgroup variables",
                                     .bytes = question->needs.workgroup_memory_bytes};
    struct limits_violations violations = {.count = 0};
    if (limits_check_pipeline(&question->limits, question->size, &memory, 1, arena, &violations) !=
        0)
        return error_set(err, "out of memory");
    if (json)
        print_json(question, &violations);
    else
        print_text(question, &violations);
    return 0;
}

int cmd_occupancy(int argc, char **argv) {
    struct occupancy_options options = {.workgroup_size = "64"};
    struct device_options device_options = DEVICE_OPTIONS_DEFAULT;
    struct cli_table tables[] = {
        {.title = "Options", .options = options_table, .target = &options},
        {.title = DEVICE_OPTIONS_TITLE, .options = device_option_table, .target = &device_options},
    };
    struct cli_usage usage = {
        .command = "occupancy",
        .about = "Says how many workgroups a compute unit holds at once, which resources limit "
                 "them,\nand what would have to change to fit one more.\n",
        .tables = tables,
        .table_count = 2,
    };
    struct cli_operands operands;
    struct question question = {.size = {1, 1, 1}};
    struct wgsim_error err;
    struct arena arena;
    int status;
    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    arena_init(&arena);
    status = ask(tables, &arena, &question, &err) == 0 &&
                     answer(&question, options.json, &arena, &err) == 0
                 ? 0
                 : cli_fail(&err);
    arena_release(&arena);
    return status;
}
