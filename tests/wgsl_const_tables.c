/* Constant evaluation against the conformance data's tables of abstract numbers.
 *
 *   wgsl_const_tables [-v] FILE.jsonl.gz...
 *
 * Each table is one operation with rows of operands and results that are allowed. The operation is
 * read off the beginning of the table's example program, then a shader with one constant a row is
 * made and checked. Fails if less than 995 rows of 1,000 come out as allowed. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/buf.h"
#include "sim/half.h"
#include "sim/wgsl/front.h"

/* A type as the tables write it. */
struct shape {
    char scalar[20];        /* "abstract-float", "f32", ... */
    unsigned columns, rows; /* a vector has 1 column, a scalar 1 row too */
    bool matrix;
};

/* Text around the operands: before OPERAND (between OPERAND)* after. */
struct operation {
    char before[96], between[16], after[24];
};

enum { OPERANDS_MAX = 4, LEAVES_MAX = 16 };

struct table {
    struct operation operation;
    struct shape params[OPERANDS_MAX], result;
    unsigned param_count;
    json_t *rows;
    bool verbose;
    const char *name;
    unsigned long total, wrong;
};

static bool read_shape(const char *text, struct shape *s) {
    char *open = strchr(text, '<');
    s->columns = s->rows = 1;
    s->matrix = strncmp(text, "mat", 3) == 0;
    if (s->matrix)
        sscanf(text, "mat%ux%u", &s->columns, &s->rows);
    else if (strncmp(text, "vec", 3) == 0)
        sscanf(text, "vec%u", &s->rows);
    snprintf(s->scalar, sizeof s->scalar, "%.*s", (int)strcspn(open ? open + 1 : text, ">"),
             open ? open + 1 : text);
    return s->columns * s->rows <= LEAVES_MAX;
}

static unsigned scalar_bytes(const struct shape *s) {
    return strncmp(s->scalar, "abstract", 8) == 0 ? 8 : strcmp(s->scalar, "f16") == 0 ? 2 : 4;
}

static bool is_float(const struct shape *s) {
    return s->scalar[0] == 'f' || strcmp(s->scalar, "abstract-float") == 0;
}

/* The scalars of a value written as little-endian hexadecimal, laid out as in memory. */
static void read_value(const struct shape *s, const char *hex, union wgsl_scalar *leaves) {
    unsigned bytes = scalar_bytes(s);
    unsigned stride = s->matrix ? bytes * (s->rows == 3 ? 4 : s->rows) : bytes * s->rows;
    for (unsigned c = 0; c < s->columns; c++)
        for (unsigned r = 0; r < s->rows; r++) {
            uint64_t bits = 0;
            for (unsigned i = bytes; i > 0; i--) {
                unsigned byte = 0;
                sscanf(hex + 2 * (c * stride + r * bytes + i - 1), "%2x", &byte);
                bits = bits << 8 | byte;
            }
            union wgsl_scalar *leaf = &leaves[c * s->rows + r];
            float single;
            uint32_t low = (uint32_t)bits;
            memcpy(&single, &low, sizeof single);
            leaf->i = strcmp(s->scalar, "i32") == 0 ? (int32_t)low : (int64_t)bits;
            if (strcmp(s->scalar, "f32") == 0)
                leaf->f = (double)single;
            if (strcmp(s->scalar, "f16") == 0)
                leaf->f = (double)half_to_float((uint16_t)bits);
        }
}

/* -- making shaders -- */

static void put_scalar(struct buf *out, const struct shape *s, union wgsl_scalar x) {
    if (strcmp(s->scalar, "bool") == 0)
        buf_puts(out, x.i ? "true" : "false");
    else if (strcmp(s->scalar, "abstract-int") == 0 && x.i == INT64_MIN)
        buf_puts(out, "(-9223372036854775807 - 1)");
    else if (!is_float(s))
        buf_printf(out, "%s(%lld)", strcmp(s->scalar, "abstract-int") == 0 ? "" : s->scalar,
                   (long long)x.i);
    else
        buf_printf(out, "%s(%.17e)", strcmp(s->scalar, "abstract-float") == 0 ? "" : s->scalar,
                   x.f);
}

static void put_operand(struct buf *out, const struct shape *s, const char *hex) {
    union wgsl_scalar leaves[LEAVES_MAX];
    read_value(s, hex, leaves);
    unsigned count = s->columns * s->rows;
    if (s->matrix)
        buf_printf(out, "mat%ux%u(", s->columns, s->rows);
    else if (count > 1)
        buf_printf(out, "vec%u(", s->rows);
    for (unsigned i = 0; i < count; i++) {
        buf_puts(out, i ? ", " : "");
        put_scalar(out, s, leaves[i]);
    }
    buf_puts(out, count > 1 ? ")" : "");
}

static bool is_concrete(const struct shape *s) {
    return strncmp(s->scalar, "abstract", 8) != 0;
}

static void put_row(struct buf *out, const struct table *t, size_t row) {
    const json_t *operands = json_array_get(json_array_get(t->rows, row), 0);
    const struct shape *r = &t->result;
    bool converted = !t->operation.before[0] && is_concrete(r);
    buf_printf(out, converted ? "const r%zu : %s = %s" : "const r%zu %s= %s", row,
               converted ? r->scalar : "", t->operation.before);
    for (unsigned i = 0; i < t->param_count; i++) {
        buf_puts(out, i ? t->operation.between : "");
        put_operand(out, &t->params[i], json_string_value(json_array_get(operands, i)));
    }
    buf_printf(out, "%s;\n", t->operation.after);
}

/* The end of an operand: the comma or parenthesis behind it. */
static const char *operand_end(const char *p) {
    int depth = 0;
    for (; *p; p++) {
        if (depth == 0 && (*p == ')' || *p == ','))
            return p;
        depth += (*p == '(') - (*p == ')');
    }
    return NULL;
}

static const char *find_expression(const char *example) {
    static const char *const starts[] = {
        "subnormal_or_zero : bool = (",
        "bitcast<u32>(i32(",
        "= select(0u, 1u, (",
        "= select(vec2<u32>(0u), vec2<u32>(1u), (",
        "= select(vec3<u32>(0u), vec3<u32>(1u), (",
        "= select(vec4<u32>(0u), vec4<u32>(1u), (",
        "outputs[0].value = ",
    };
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        const char *at = strstr(example, starts[i]);
        if (at)
            return at + strlen(starts[i]);
    }
    return NULL;
}

/* Reads the operation off the example. Where the example ends too early, the last table's text
 * between and after the operands stays: tables of one operation follow each other. */
static void read_operation(struct table *t, const char *example) {
    struct operation *op = &t->operation;
    const char *start = find_expression(example);
    if (!start)
        return;
    if (!memchr(start, '(', strcspn(start, " ;"))) { /* the operand alone */
        memset(op, 0, sizeof *op);
        return;
    }
    const char *p = strncmp(start, "((", 2) == 0 ? start + 2 : strchr(start, '(') + 1;
    snprintf(op->before, sizeof op->before, "%.*s", (int)(p - start), start);
    p = operand_end(p);
    if (p && t->param_count > 1) {
        const char *next = *p == ',' ? p + 2 : strchr(p, '(') + 1;
        snprintf(op->between, sizeof op->between, "%.*s", (int)(next - p), p);
        p = next;
        for (unsigned i = 1; p && i < t->param_count; i++)
            p = operand_end(i > 1 ? p + 2 : p);
    }
    if (!p)
        return;
    size_t closing = strncmp(start, "((", 2) == 0 ? 2 : 1;
    size_t suffix =
        p[closing] == '.' ? 1 + strspn(p + closing + 1, "abcdefghijklmnopqrstuvwxyz") : 0;
    snprintf(op->after, sizeof op->after, "%.*s", (int)(closing + suffix), p);
}

/* -- checking results -- */

static bool is_allowed(const json_t *e, const struct shape *s, const union wgsl_scalar *leaves,
                       unsigned count);

static double binary64(const json_t *hex) {
    static const struct shape af = {"abstract-float", 1, 1, false};
    union wgsl_scalar x;
    read_value(&af, json_string_value(hex), &x);
    return x.f;
}

static bool equals(const struct shape *s, const char *hex, const union wgsl_scalar *leaves,
                   unsigned count) {
    union wgsl_scalar expected[LEAVES_MAX] = {{0}};
    struct shape part = *s;
    if (count == 1)
        part.columns = part.rows = 1;
    read_value(&part, hex, expected);
    for (unsigned i = 0; i < count; i++)
        if (is_float(s) ? leaves[i].f != expected[i].f : leaves[i].i != expected[i].i)
            return false;
    return true;
}

/* "arr": one expectation a component, or a column. */
static bool is_allowed_array(const json_t *parts, const struct shape *s,
                             const union wgsl_scalar *leaves, unsigned count) {
    unsigned each = count / (unsigned)json_array_size(parts);
    for (size_t i = 0; i < json_array_size(parts); i++)
        if (!is_allowed(json_array_get(parts, i), s, leaves + i * each, each))
            return false;
    return true;
}

static bool is_allowed(const json_t *e, const struct shape *s, const union wgsl_scalar *leaves,
                       unsigned count) {
    const char *kind = json_string_value(json_object_get(e, "k"));
    const json_t *d = json_object_get(e, "d");
    if (strcmp(kind, "v") == 0)
        return equals(s, json_string_value(json_object_get(e, "h")), leaves, count);
    if (strcmp(kind, "iv") == 0)
        return leaves[0].f >= binary64(json_object_get(e, "lo")) &&
               leaves[0].f <= binary64(json_object_get(e, "hi"));
    if (strcmp(kind, "arr") == 0)
        return is_allowed_array(d, s, leaves, count);
    if (strcmp(kind, "anyOf") == 0) {
        for (size_t i = 0; i < json_array_size(d); i++)
            if (is_allowed(json_array_get(d, i), s, leaves, count))
                return true;
        return false;
    }
    return true; /* alwaysPass, skipUndefined */
}

static const struct wgsl_variable *find_row(const struct wgsl_module *m, size_t row) {
    char name[32];
    snprintf(name, sizeof name, "r%zu", row);
    for (uint32_t i = 0; i < m->global_count; i++)
        if (strcmp(m->globals[i]->name, name) == 0)
            return m->globals[i];
    return NULL;
}

/* The tables' own programs write subnormal abstract numbers as 0. */
static void flush_subnormals(const struct shape *s, union wgsl_scalar *leaves, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (strcmp(s->scalar, "abstract-float") == 0 && fabs(leaves[i].f) < 0x1.0000000000001p-1022)
            leaves[i].f = 0;
}

static void check_row(struct table *t, const struct wgsl_module *m, size_t row, const char *why) {
    const struct wgsl_variable *v = m ? find_row(m, row) : NULL;
    union wgsl_scalar leaves[LEAVES_MAX];
    unsigned count = t->result.columns * t->result.rows;
    bool right = v && v->value && v->value->type->leaf_count == count;
    for (unsigned i = 0; right && i < count; i++)
        leaves[i] = value_leaf(v->value, i);
    const json_t *expected = json_array_get(json_array_get(t->rows, row), 1);
    if (right && !is_allowed(expected, &t->result, leaves, count)) {
        flush_subnormals(&t->result, leaves, count);
        right = is_allowed(expected, &t->result, leaves, count);
    }
    t->total++;
    t->wrong += !right;
    if (right || !t->verbose)
        return;
    struct buf text = {0}, got = {0};
    put_row(&text, t, row);
    printf("%s: %.*s: ", t->name, (int)text.len - 1, text.data);
    for (unsigned i = 0; !why && i < count; i++)
        put_scalar(&got, &t->result, leaves[i]);
    printf("%s\n", why ? why : got.data ? got.data : "no value");
    buf_release(&text);
    buf_release(&got);
}

/* Rows from first on; false, with nothing counted, if the shader is rejected. */
static bool check_rows(struct table *t, size_t first, size_t end) {
    struct wgsl_diagnostics diagnostics;
    struct buf text = {0};
    wgsl_diagnostics_init(&diagnostics);
    if (strstr(t->result.scalar, "f16"))
        buf_puts(&text, "enable f16;\n");
    for (size_t i = first; i < end; i++)
        put_row(&text, t, i);
    struct wgsl_module *m = wgsl_front("table", text.data, text.len, NULL, &diagnostics);
    for (size_t i = first; i < end && (m || end - first == 1); i++)
        check_row(t, m, i, m ? NULL : diagnostics.first->message);
    bool done = m || end - first == 1;
    wgsl_free(m);
    wgsl_diagnostics_release(&diagnostics);
    buf_release(&text);
    return done;
}

static void check_table(struct table *t, const json_t *line) {
    const json_t *params = json_object_get(line, "params");
    const json_t *example = json_object_get(line, "wgsl_example");
    if (!json_is_string(example) ||
        strcmp(json_string_value(json_object_get(line, "source")), "const") != 0)
        return;
    t->rows = json_object_get(line, "rows");
    t->param_count = (unsigned)json_array_size(params);
    bool readable = read_shape(json_string_value(json_object_get(line, "result")), &t->result);
    for (unsigned i = 0; i < t->param_count; i++)
        readable =
            read_shape(json_string_value(json_array_get(params, i)), &t->params[i]) && readable;
    read_operation(t, json_string_value(example));
    size_t count = json_array_size(t->rows);
    if (!readable || check_rows(t, 0, count))
        return;
    for (size_t i = 0; i < count; i++)
        check_rows(t, i, i + 1);
}

static int check_file(struct table *t, const char *path) {
    char command[4096];
    snprintf(command, sizeof command, "gzip -dc '%s'", path);
    FILE *in = popen(command, "r");
    char *line = NULL;
    size_t size = 0;
    while (in && getline(&line, &size, in) > 0) {
        json_t *table = json_loads(line, 0, NULL);
        if (table)
            check_table(t, table);
        json_decref(table);
    }
    free(line);
    return in ? pclose(in) : -1;
}

int main(int argc, char **argv) {
    struct table t = {.verbose = argc > 1 && strcmp(argv[1], "-v") == 0};
    for (int i = 1 + t.verbose; i < argc; i++) {
        t.name = strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i];
        if (check_file(&t, argv[i]) != 0) {
            fprintf(stderr, "cannot read %s\n", argv[i]);
            return 2;
        }
    }
    printf("%lu rows, %lu wrong\n", t.total, t.wrong);
    return t.total == 0 || t.wrong * 200 > t.total;
}
