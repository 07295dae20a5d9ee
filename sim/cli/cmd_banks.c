/* wgsim banks: what one access pattern of a subgroup costs. */
#include <inttypes.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/banks.h"
#include "sim/cli/commands.h"
#include "sim/cli/device_options.h"
#include "sim/cli/output.h"
#include "sim/error.h"
#include "sim/sectors.h"
#include "sim/units.h"

struct banks_options {
    uint32_t bytes, stride;
    unsigned op; /* enum bank_op */
    const char *mask, *lanes;
    bool json;
};

#define AT(member) offsetof(struct banks_options, member)

static const char *const op_names[] = {"load", "store", "atomic", "increment", NULL};

static const struct cli_option options_table[] = {
    {"bytes", NULL, 0, CLI_U32, AT(bytes), "N", NULL,
     "bytes of a lane's access: 4, 8, 12 (a vec3, 16 apart) or 16 (4)"},
    {"op", NULL, 0, CLI_CHOICE, AT(op), NULL, op_names, "what the lanes do (load)"},
    {"mask", NULL, 0, CLI_STRING, AT(mask), "HEX", NULL, "active lanes, lane 0 lowest (all)"},
    {"lanes", NULL, 0, CLI_STRING, AT(lanes), "I0,I1,...", NULL,
     "index of each lane's element; others are inactive"},
    {"stride", NULL, 0, CLI_U32, AT(stride), "N", NULL, "or lane i takes element i * N (1)"},
    {"json", NULL, 0, CLI_FLAG, AT(json), NULL, NULL, "print the result as JSON"},
    {0},
};

enum { INDEX_MAX = 1 << 26 };

struct pattern {
    struct device device;
    enum bank_op op;
    uint32_t bytes;
    uint32_t lanes; /* for which an index is known */
    uint32_t index[REQUEST_LANES_MAX];
    uint64_t active[2];
};

struct answer {
    struct bank_cost banks;
    uint32_t sectors;
};

/* ---- The pattern ---- */

static int parse_lanes(const char *text, struct pattern *pattern, struct wgsim_error *err) {
    char number[16];
    struct wgsim_error why;
    uint32_t count = 0;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        snprintf(number, sizeof number, "%.*s", (int)length, at);
        if (count == pattern->device.subgroup_width)
            return error_set(err, "--lanes: more than the %" PRIu32 " lanes of a subgroup",
                             pattern->device.subgroup_width);
        if (parse_u32(number, &pattern->index[count], &why) != 0)
            return error_set(err, "--lanes: %s", why.message);
        if (pattern->index[count] > INDEX_MAX)
            return error_set(err, "--lanes: index %" PRIu32 " is above %d", pattern->index[count],
                             INDEX_MAX);
        count++;
        at += length;
        if (!*at)
            break;
    }
    pattern->lanes = count;
    return 0;
}

static int take_stride(uint32_t stride, struct pattern *pattern, struct wgsim_error *err) {
    pattern->lanes = pattern->device.subgroup_width;
    if (stride > INDEX_MAX / REQUEST_LANES_MAX)
        return error_set(err, "--stride: %" PRIu32 " is above %d", stride,
                         INDEX_MAX / REQUEST_LANES_MAX);
    for (uint32_t i = 0; i < pattern->lanes; i++)
        pattern->index[i] = i * stride;
    return 0;
}

static bool is_active(const struct pattern *pattern, uint32_t lane) {
    return pattern->active[lane / 64] >> lane % 64 & 1;
}

/* Up to 32 hexadecimal digits, with or without 0x. */
static int parse_mask(const char *text, struct pattern *pattern, struct wgsim_error *err) {
    const char *digits = strncmp(text, "0x", 2) == 0 ? text + 2 : text;
    size_t length = strlen(digits);
    if (length == 0 || length > 32 || strspn(digits, "0123456789abcdefABCDEF") != length)
        return error_set(err, "--mask: '%s' is not 1 to 32 hexadecimal digits", text);
    char low[17], high[17];
    size_t split = length > 16 ? length - 16 : 0;
    snprintf(high, sizeof high, "%.*s", (int)split, digits);
    snprintf(low, sizeof low, "%s", digits + split);
    pattern->active[0] = strtoull(low, NULL, 16);
    pattern->active[1] = strtoull(high, NULL, 16);
    for (uint32_t lane = pattern->lanes; lane < REQUEST_LANES_MAX; lane++)
        if (is_active(pattern, lane))
            return error_set(err,
                             "--mask: lane %" PRIu32 " is active but has no index; there are "
                             "%" PRIu32 " lanes",
                             lane, pattern->lanes);
    return 0;
}

static void activate_all(struct pattern *pattern) {
    for (uint32_t lane = 0; lane < pattern->lanes; lane++)
        pattern->active[lane / 64] |= UINT64_C(1) << lane % 64;
}

static int read_pattern(const struct cli_table *table, struct pattern *pattern,
                        struct wgsim_error *err) {
    const struct banks_options *options = table->target;
    uint32_t bytes = options->bytes;
    pattern->op = (enum bank_op)options->op;
    pattern->bytes = bytes;
    if (bytes != 4 && bytes != 8 && bytes != 12 && bytes != 16)
        return error_set(err, "--bytes: %" PRIu32 " is none of 4, 8, 12, 16", bytes);
    if (bytes != 4 && (pattern->op == BANK_ATOMIC || pattern->op == BANK_INCREMENT))
        return error_set(err, "--bytes: atomics have 4 bytes, not %" PRIu32, bytes);
    if (options->lanes && cli_given(table, "stride"))
        return error_set(err, "--lanes and --stride exclude each other");
    int result = options->lanes ? parse_lanes(options->lanes, pattern, err)
                                : take_stride(options->stride, pattern, err);
    if (result != 0)
        return -1;
    if (options->mask)
        return parse_mask(options->mask, pattern, err);
    activate_all(pattern);
    return 0;
}

static struct answer judge(const struct pattern *pattern) {
    uint32_t address[REQUEST_LANES_MAX], apart = pattern->bytes == 12 ? 16 : pattern->bytes;
    uint64_t offset[REQUEST_LANES_MAX];
    for (uint32_t i = 0; i < pattern->lanes; i++)
        offset[i] = address[i] = pattern->index[i] * apart;
    const uint64_t *active = pattern->active;
    struct bank_request banks = {
        pattern->op, pattern->bytes, pattern->lanes, {active[0], active[1]}, address};
    struct sector_request sectors = {
        pattern->bytes, pattern->lanes, {active[0], active[1]}, offset};
    return (struct answer){banks_cost(&pattern->device, &banks), sectors_count(&sectors)};
}

/* ---- Text ---- */

/* Accesses of a bank: distinct words, or lanes where each is served on its own. */
struct use {
    uint32_t count;
    uint32_t words[REQUEST_LANES_MAX * 4];
    uint32_t lanes[REQUEST_LANES_MAX * 4];
};

static bool counts_lanes(const struct pattern *pattern) {
    return pattern->op == BANK_ATOMIC ||
           (pattern->op == BANK_INCREMENT && !pattern->device.merge_increments);
}

static void note_use(struct use *use, uint32_t word, uint32_t lane, bool every_lane) {
    for (uint32_t i = 0; !every_lane && i < use->count; i++)
        if (use->words[i] == word)
            return;
    use->words[use->count] = word;
    use->lanes[use->count++] = lane;
}

static void collect(const struct pattern *pattern, struct use *uses) {
    uint32_t apart = pattern->bytes == 12 ? 16 : pattern->bytes;
    uint32_t bank_bytes = pattern->device.bank_bytes;
    for (uint32_t lane = 0; lane < pattern->lanes; lane++) {
        if (!is_active(pattern, lane))
            continue;
        uint32_t first = pattern->index[lane] * apart;
        for (uint32_t word = first / bank_bytes; word * bank_bytes < first + pattern->bytes; word++)
            note_use(&uses[word % pattern->device.banks], word, lane, counts_lanes(pattern));
    }
}

static char degree(uint32_t count) {
    static const char digits[] = ".123456789abcdefghijklmnopqrstuvwxyz";
    return count < sizeof digits - 1 ? digits[count] : '+';
}

/* A character for each bank, with a ruler every eight. */
static void print_banks(const struct pattern *pattern, const struct use *uses) {
    enum { GROUP = 8 };
    uint32_t banks = pattern->device.banks, most = 0;
    printf("\n  bank  ");
    for (uint32_t b = 0; b < banks; b += GROUP)
        printf(b + GROUP < banks ? "%-9" PRIu32 : "%" PRIu32, b);
    printf("\n        ");
    for (uint32_t b = 0; b < banks; b++) {
        printf("%s%c", b && b % GROUP == 0 ? " " : "", degree(uses[b].count));
        most = uses[b].count > most ? uses[b].count : most;
    }
    printf("   %s in each%s%s%s\n", counts_lanes(pattern) ? "lanes" : "distinct words",
           pattern->bytes > 4 ? ", of all lanes" : "", most > 9 ? "; a is 10, w is 32" : "",
           degree(most) == '+' ? ", + is more than 35" : "");
}

static void print_busiest(const struct pattern *pattern, const struct use *uses) {
    enum { LISTED = 6 };
    uint32_t busiest = 0;
    for (uint32_t b = 1; b < pattern->device.banks; b++)
        if (uses[b].count > uses[busiest].count)
            busiest = b;
    const struct use *use = &uses[busiest];
    if (use->count < 2)
        return;
    printf("\n  bank %" PRIu32 ":", busiest);
    for (uint32_t i = 0; i < use->count && i < LISTED; i++)
        printf("%s lane %" PRIu32 " word %" PRIu32, i ? "," : "", use->lanes[i], use->words[i]);
    printf("%s\n", use->count > LISTED ? ", ..." : "");
}

/* With a stride: the next one that has no conflict. */
static void print_padding(const struct pattern *pattern, uint32_t stride) {
    struct pattern padded = *pattern;
    for (uint32_t more = 1; more <= pattern->device.banks; more++) {
        if (take_stride(stride + more, &padded, NULL) != 0)
            return;
        if (judge(&padded).banks.conflicts == 0) {
            printf("\n  A stride of %" PRIu32 " would have none.\n", stride + more);
            return;
        }
    }
}

static int print_text(const struct pattern *pattern, const struct answer *answer,
                      const struct cli_table *table, struct wgsim_error *err) {
    const struct banks_options *options = table->target;
    const struct bank_cost *cost = &answer->banks;
    struct use *uses = calloc(pattern->device.banks, sizeof *uses);
    if (!uses)
        return error_set(err, "out of memory");
    collect(pattern, uses);
    printf("%s of %" PRIu32 " bytes a lane on %s: %" PRIu32 " wavefront%s, ideal %" PRIu32
           ", %" PRIu32 " conflict%s; as storage %" PRIu32 " sector%s of %d bytes\n",
           op_names[pattern->op], pattern->bytes, pattern->device.name, cost->wavefronts,
           cost->wavefronts == 1 ? "" : "s", cost->ideal, cost->conflicts,
           cost->conflicts == 1 ? "" : "s", answer->sectors, answer->sectors == 1 ? "" : "s",
           SECTOR_BYTES);
    print_banks(pattern, uses);
    print_busiest(pattern, uses);
    if (cost->conflicts && !options->lanes && !options->mask)
        print_padding(pattern, options->stride);
    free(uses);
    return 0;
}

static json_t *answer_to_json(const struct answer *answer) {
    return json_pack("{s:s, s:i, s:i, s:i, s:i}", "schema", "wgsim-banks/1", "wavefronts",
                     (int)answer->banks.wavefronts, "ideal", (int)answer->banks.ideal, "conflicts",
                     (int)answer->banks.conflicts, "sectors", (int)answer->sectors);
}

/* ---- The command ---- */

static int run(const struct cli_table tables[2], struct arena *arena, struct wgsim_error *err) {
    const struct banks_options *options = tables[0].target;
    struct pattern pattern = {.lanes = 0};
    if (cli_given(&tables[1], "cus"))
        return error_set(err, "--cus: one access does not depend on the number of compute units");
    if (device_options_get(&tables[1], tables[1].target, arena, &pattern.device, err) != 0 ||
        read_pattern(&tables[0], &pattern, err) != 0)
        return -1;
    struct answer answer = judge(&pattern);
    if (!options->json)
        return print_text(&pattern, &answer, &tables[0], err);
    return output_json(answer_to_json(&answer), err);
}

int cmd_banks(int argc, char **argv) {
    struct banks_options options = {.bytes = 4, .stride = 1};
    struct device_options device_options = DEVICE_OPTIONS_DEFAULT;
    struct cli_table tables[] = {
        {.title = "Options", .options = options_table, .target = &options},
        {.title = DEVICE_OPTIONS_TITLE, .options = device_option_table, .target = &device_options},
    };
    struct cli_usage usage = {
        .command = "banks",
        .about = "Says what one access of a subgroup costs: wavefronts and bank conflicts in "
                 "workgroup\nmemory, sectors in storage.\n",
        .tables = tables,
        .table_count = 2,
    };
    struct cli_operands operands;
    struct wgsim_error err;
    struct arena arena;
    int status;
    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    arena_init(&arena);
    status = run(tables, &arena, &err) == 0 ? 0 : cli_fail(&err);
    arena_release(&arena);
    return status;
}
