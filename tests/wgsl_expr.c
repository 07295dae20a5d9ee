/* Runs the expression tables of the conformance data whose inputs lie in a buffer: every result as
 * the standard's accuracy allows. One test a file; by default every 20th table is run, under
 * WGSIM_CTS=all every one. At least 99.5 % of the rows must pass. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/half.h"
#include "tests/wgsl_case.h"

struct tally {
    const char *file;
    size_t step, tables, rows, passed;
    size_t index; /* of tables over all files */
};

/* -- results ----------------------------------------------------------------------------------- */

/* A result type, as in "mat2x3<f16>" or "array<u32, 5>": its scalars and how they lie in memory. */
struct result_type {
    uint32_t outer, inner;        /* columns and rows; elements and components */
    uint32_t outer_stride, width; /* bytes */
    char kind;                    /* 'f' or 'h', 'i', 'u', of bool too */
};

static struct result_type parse_vector(const char *text) {
    struct result_type type = {1, 1, 0, 4, 'u'};
    const char *scalar = text;
    if (strncmp(text, "vec", 3) == 0) {
        type.inner = (uint32_t)(text[3] - '0');
        scalar = text + 5;
    }
    type.kind = strncmp(scalar, "f16", 3) == 0 ? 'h' : scalar[0] == 'b' ? 'u' : scalar[0];
    type.width = type.kind == 'h' ? 2 : 4;
    type.outer_stride = type.width * (type.inner == 3 ? 4 : type.inner);
    return type;
}

static struct result_type parse_type(const char *text) {
    struct result_type type;
    if (strncmp(text, "mat", 3) == 0) {
        char column[32];
        snprintf(column, sizeof column, "vec%c%s", text[5], text + 6);
        type = parse_vector(column);
        type.outer = (uint32_t)(text[3] - '0');
    } else if (strncmp(text, "array<", 6) == 0) {
        type = parse_vector(text + 6);
        type.outer = (uint32_t)strtoul(strrchr(text, ',') + 1, NULL, 10);
    } else {
        type = parse_vector(text);
    }
    return type;
}

static double scalar_at(struct result_type type, const uint8_t *at) {
    uint32_t bits = 0;
    float value;
    memcpy(&bits, at, type.width);
    memcpy(&value, &bits, 4);
    switch (type.kind) {
    case 'f':
        return value;
    case 'h':
        return half_to_float((uint16_t)bits);
    case 'i':
        return (int32_t)bits;
    default:
        return bits;
    }
}

/* -- expectations ------------------------------------------------------------------------------ */

static double real_of(json_t *object, const char *key) {
    uint64_t count;
    double value = NAN;
    uint8_t *bytes = case_bytes(json_string_value(json_object_get(object, key)), &count);
    if (bytes && count == 8)
        memcpy(&value, bytes, 8);
    free(bytes);
    return value;
}

static bool in_interval(json_t *interval, struct result_type type, const uint8_t *at) {
    double low = real_of(interval, "lo"), high = real_of(interval, "hi"),
           value = scalar_at(type, at);
    return isnan(value) ? isinf(low) && isinf(high) : low <= value && value <= high;
}

static bool exact(json_t *expected, const uint8_t *at) {
    uint64_t count;
    uint8_t *bytes = case_bytes(json_string_value(json_object_get(expected, "h")), &count);
    bool same = bytes && memcmp(bytes, at, count) == 0;
    free(bytes);
    return same;
}

static bool allowed(json_t *expected, struct result_type type, const uint8_t *at) {
    const char *kind = json_string_value(json_object_get(expected, "k"));
    json_t *parts = json_object_get(expected, "d"), *part;
    size_t index;
    if (strcmp(kind, "v") == 0)
        return exact(expected, at);
    if (strcmp(kind, "iv") == 0)
        return in_interval(expected, type, at);
    if (strcmp(kind, "anyOf") == 0) {
        json_array_foreach(parts, index, part) {
            if (allowed(part, type, at))
                return true;
        }
        return false;
    }
    if (strcmp(kind, "arr") == 0) {
        uint32_t stride = type.outer > 1 ? type.outer_stride : type.width;
        type.outer = 1;
        json_array_foreach(parts, index, part) {
            if (!allowed(part, type, at + index * stride))
                return false;
        }
    }
    return true; /* skipUndefined, alwaysPass, or an array of which all parts are as allowed */
}

/* -- tables ------------------------------------------------------------------------------------ */

static uint32_t number(json_t *object, const char *key) {
    return (uint32_t)json_integer_value(json_object_get(object, key));
}

static void put_inputs(json_t *rows, json_t *layout, uint8_t *data) {
    size_t row, param;
    json_t *pair, *input;
    json_array_foreach(rows, row, pair) {
        json_array_foreach(json_array_get(pair, 0), param, input) {
            uint64_t count;
            uint8_t *bytes = case_bytes(json_string_value(input), &count);
            uint64_t at = row * number(layout, "stride") +
                          (uint64_t)json_integer_value(
                              json_array_get(json_object_get(layout, "offsets"), param));
            memcpy(data + at, bytes, count);
            free(bytes);
        }
    }
}

static void judge(json_t *line, struct tally *tally, const uint8_t *output) {
    const char *result = json_string_value(json_object_get(line, "result"));
    struct result_type type = parse_type(result);
    uint32_t stride = number(json_object_get(line, "layout"), "outStride");
    size_t row, failed = 0;
    json_t *pair;
    json_array_foreach(json_object_get(line, "rows"), row, pair) {
        if (allowed(json_array_get(pair, 1), type, output + row * stride))
            tally->passed++;
        else if (failed++ == 0)
            printf("# %s: %s, row %zu\n", tally->file,
                   json_string_value(json_object_get(line, "expr")), row);
    }
}

static void run_table(json_t *line, size_t index, void *self) {
    struct tally *tally = self;
    struct wgsim_error err;
    json_t *layout = json_object_get(line, "layout"), *rows = json_object_get(line, "rows");
    (void)index;
    if (strcmp(json_string_value(json_object_get(line, "source")), "storage_r") ||
        tally->index++ % tally->step)
        return;
    uint64_t total = number(line, "total_rows");
    struct case_binding bindings[2] = {{.binding = 0, .bytes = total * number(layout, "outStride")},
                                       {.binding = 1, .bytes = total * number(layout, "stride")}};
    struct case_run run = {.name = tally->file,
                           .wgsl = json_string_value(json_object_get(line, "wgsl")),
                           .groups = {1, 1, 1},
                           .subgroup = 32,
                           .bindings = bindings,
                           .binding_count = 2};
    for (size_t k = 0; k < 2; k++)
        bindings[k].data = calloc(1, bindings[k].bytes + 16);
    put_inputs(rows, layout, bindings[1].data);
    tally->tables++;
    tally->rows += json_array_size(rows);
    if (case_run(&run, &err) == 0)
        judge(line, tally, bindings[0].data);
    else
        printf("# %s: %s: %s\n", tally->file, json_string_value(json_object_get(line, "expr")),
               err.message);
    free(bindings[0].data);
    free(bindings[1].data);
}

/* -- files ------------------------------------------------------------------------------------- */

static const char *const files[] = {
    "binary",
    "constructor",
    "unary",
    "call_builtin_abs",
    "call_builtin_acos",
    "call_builtin_acosh",
    "call_builtin_all",
    "call_builtin_any",
    "call_builtin_asin",
    "call_builtin_asinh",
    "call_builtin_atan",
    "call_builtin_atan2",
    "call_builtin_atanh",
    "call_builtin_bitcast",
    "call_builtin_ceil",
    "call_builtin_clamp",
    "call_builtin_cos",
    "call_builtin_cosh",
    "call_builtin_countLeadingZeros",
    "call_builtin_countOneBits",
    "call_builtin_countTrailingZeros",
    "call_builtin_cross",
    "call_builtin_degrees",
    "call_builtin_determinant",
    "call_builtin_distance",
    "call_builtin_dot",
    "call_builtin_dot4I8Packed",
    "call_builtin_dot4U8Packed",
    "call_builtin_exp",
    "call_builtin_exp2",
    "call_builtin_extractBits",
    "call_builtin_faceForward",
    "call_builtin_firstLeadingBit",
    "call_builtin_firstTrailingBit",
    "call_builtin_floor",
    "call_builtin_fma",
    "call_builtin_fract",
    "call_builtin_frexp",
    "call_builtin_insertBits",
    "call_builtin_inversesqrt",
    "call_builtin_ldexp",
    "call_builtin_length",
    "call_builtin_log",
    "call_builtin_log2",
    "call_builtin_max",
    "call_builtin_min",
    "call_builtin_mix",
    "call_builtin_modf",
    "call_builtin_normalize",
    "call_builtin_pack2x16float",
    "call_builtin_pack2x16snorm",
    "call_builtin_pack2x16unorm",
    "call_builtin_pack4x8snorm",
    "call_builtin_pack4x8unorm",
    "call_builtin_pack4xI8",
    "call_builtin_pack4xI8Clamp",
    "call_builtin_pack4xU8",
    "call_builtin_pack4xU8Clamp",
    "call_builtin_pow",
    "call_builtin_quantizeToF16",
    "call_builtin_radians",
    "call_builtin_reflect",
    "call_builtin_refract",
    "call_builtin_reverseBits",
    "call_builtin_round",
    "call_builtin_saturate",
    "call_builtin_select",
    "call_builtin_sign",
    "call_builtin_sin",
    "call_builtin_sinh",
    "call_builtin_smoothstep",
    "call_builtin_sqrt",
    "call_builtin_step",
    "call_builtin_tan",
    "call_builtin_tanh",
    "call_builtin_transpose",
    "call_builtin_trunc",
    "call_builtin_unpack2x16float",
    "call_builtin_unpack2x16snorm",
    "call_builtin_unpack2x16unorm",
    "call_builtin_unpack4x8snorm",
    "call_builtin_unpack4x8unorm",
    "call_builtin_unpack4xI8",
    "call_builtin_unpack4xU8",
};

int main(void) {
    size_t count = sizeof files / sizeof *files, rows = 0, passed = 0, index = 0;
    if (!case_data()) {
        printf("1..0 # SKIP no conformance data in ../shared or $WGSIM_DATA\n");
        return 0;
    }
    printf("1..%zu\n", count + 1);
    for (size_t k = 0; k < count; k++) {
        char file[128];
        struct tally tally = {.file = files[k], .step = case_step(20), .index = index};
        snprintf(file, sizeof file, "expr/%s.jsonl.gz", files[k]);
        bool found = case_each_line(file, run_table, &tally);
        bool good = found && tally.passed * 1000 >= tally.rows * 995;
        printf("%sok %zu - %s: %zu of %zu rows of %zu tables\n", good ? "" : "not ", k + 1,
               files[k], tally.passed, tally.rows, tally.tables);
        fflush(stdout);
        index = tally.index;
        rows += tally.rows;
        passed += tally.passed;
    }
    printf("%sok %zu - all: %zu of %zu rows\n", rows && passed * 1000 >= rows * 995 ? "" : "not ",
           count + 1, passed, rows);
    return 0;
}
