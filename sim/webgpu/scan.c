/* Scanning WGSL for declarations. */
#include "sim/webgpu/scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"

enum { MAX_NESTING = 64 };

/* A word (name or number) or one character of punctuation; length 0 at the end. */
struct token {
    const char *at;
    size_t length;
};

/* Attributes apply to the declaration that follows them. */
struct scanner {
    const char *at;
    struct token token;
    struct arena *arena;
    struct shader_scan *scan;
    uint32_t group, binding;
    bool has_group, has_binding, is_compute;
    unsigned depth;
    bool loop_at[MAX_NESTING]; /* whether the brace of that depth opens a loop's body */
    bool loop_begins, out_of_memory;
};

static const char *skip_comment(const char *at) {
    if (at[1] == '/')
        return at + strcspn(at, "\n");
    unsigned depth = 0;
    do {
        if (at[0] == '/' && at[1] == '*')
            depth++, at += 2;
        else if (at[0] == '*' && at[1] == '/')
            depth--, at += 2;
        else
            at++;
    } while (depth > 0 && *at);
    return at;
}

static const char *skip_blank(const char *at) {
    for (;;) {
        if (isspace((unsigned char)*at))
            at++;
        else if (at[0] == '/' && (at[1] == '/' || at[1] == '*'))
            at = skip_comment(at);
        else
            return at;
    }
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static void advance(struct scanner *s) {
    s->at = skip_blank(s->at);
    s->token = (struct token){s->at, *s->at ? 1 : 0};
    while (is_word(*s->token.at) && is_word(s->at[s->token.length]))
        s->token.length++;
    s->at += s->token.length;
}

static bool is(const struct scanner *s, const char *text) {
    return s->token.length == strlen(text) && memcmp(s->token.at, text, s->token.length) == 0;
}

static bool take(struct scanner *s, const char *text) {
    bool taken = is(s, text);
    if (taken)
        advance(s);
    return taken;
}

static const char *copy_token(struct scanner *s) {
    const char *copy = arena_printf(s->arena, "%.*s", (int)s->token.length, s->token.at);
    s->out_of_memory |= !copy;
    return copy ? copy : "";
}

/* Appends one zeroed element to an array in the arena that grows by doubling. */
static void *append(struct scanner *s, void *items, size_t *count, size_t size) {
    if ((*count & (*count - 1)) == 0) { /* none, or a power of two: full */
        size_t room = *count ? *count * 2 : 1;
        void *larger = arena_alloc(s->arena, room * size);
        s->out_of_memory |= !larger;
        if (!larger)
            return items;
        if (*count)
            memcpy(larger, items, *count * size);
        items = larger;
    }
    (*count)++;
    return items;
}

static void append_name(struct scanner *s, const char ***names, size_t *count) {
    const char *name = copy_token(s);
    *names = append(s, *names, count, sizeof **names);
    if (!s->out_of_memory)
        (*names)[*count - 1] = name;
}

/* --- Declarations --- */

static void read_attribute(struct scanner *s) {
    if (take(s, "compute")) {
        s->is_compute = true;
        return;
    }
    bool group = is(s, "group"), binding = is(s, "binding");
    if (!group && !binding)
        return;
    advance(s);
    if (!take(s, "("))
        return;
    uint32_t number = (uint32_t)strtoul(s->token.at, NULL, 0);
    s->has_group |= group;
    s->has_binding |= binding;
    if (group)
        s->group = number;
    else
        s->binding = number;
}

/* The type up to a ";" or an initialiser, without spaces. */
static const char *read_type(struct scanner *s) {
    char text[256];
    size_t used = 0;
    text[0] = 0;
    while (s->token.length && !is(s, ";") && !is(s, "=")) {
        if (used + s->token.length < sizeof text) {
            memcpy(text + used, s->token.at, s->token.length);
            used += s->token.length;
            text[used] = 0;
        }
        advance(s);
    }
    const char *copy = arena_strdup(s->arena, text);
    s->out_of_memory |= !copy;
    return copy ? copy : "";
}

static void add_binding(struct scanner *s, enum binding_kind kind) {
    struct shader_scan *scan = s->scan;
    struct scanned_binding found = {.kind = kind, .group = s->group, .binding = s->binding};
    found.name = copy_token(s);
    advance(s);
    if (!take(s, ":"))
        return;
    found.type = read_type(s);
    scan->bindings = append(s, scan->bindings, &scan->binding_count, sizeof found);
    if (!s->out_of_memory)
        scan->bindings[scan->binding_count - 1] = found;
}

static bool inside_loop(const struct scanner *s) {
    for (unsigned i = 1; i <= s->depth && i < MAX_NESTING; i++)
        if (s->loop_at[i])
            return true;
    return false;
}

/* "var name: type;" without an initialiser. */
static void read_local(struct scanner *s) {
    bool in_loop = inside_loop(s);
    advance(s);
    if (!take(s, ":"))
        return;
    read_type(s);
    s->scan->has_uninitialised_loop_variable |= in_loop && is(s, ";");
}

static void read_workgroup_variable(struct scanner *s) {
    advance(s);
    if (take(s, ":"))
        s->scan->has_workgroup_atomics |= strstr(read_type(s), "atomic<") != NULL;
}

static void read_var(struct scanner *s) {
    if (!take(s, "<")) {
        read_local(s);
        return;
    }
    bool storage = is(s, "storage"), uniform = is(s, "uniform");
    bool workgroup = is(s, "workgroup");
    advance(s);
    bool writes = take(s, ",") && is(s, "read_write");
    while (s->token.length && !take(s, ">"))
        advance(s);
    if (s->has_group && s->has_binding && (storage || uniform))
        add_binding(s, uniform ? BINDING_UNIFORM : writes ? BINDING_STORAGE : BINDING_READ_ONLY);
    if (workgroup)
        read_workgroup_variable(s);
    s->has_group = s->has_binding = false;
}

static void read_override(struct scanner *s) {
    append_name(s, &s->scan->overrides, &s->scan->override_count);
}

static void read_function(struct scanner *s) {
    if (s->is_compute)
        append_name(s, &s->scan->entries, &s->scan->entry_count);
    s->is_compute = false;
}

static void open_brace(struct scanner *s) {
    s->depth++;
    if (s->depth < MAX_NESTING)
        s->loop_at[s->depth] = s->loop_begins;
    s->loop_begins = false;
}

/* Raises the accuracy class if the token is a builtin function of it. */
static void read_word(struct scanner *s) {
    static const struct {
        const char *name;
        enum float_accuracy accuracy;
    } rows[] = {
        {"sin", ACCURACY_TRIGONOMETRIC},     {"cos", ACCURACY_TRIGONOMETRIC},
        {"tan", ACCURACY_TRIGONOMETRIC},     {"asin", ACCURACY_TRIGONOMETRIC},
        {"acos", ACCURACY_TRIGONOMETRIC},    {"atan", ACCURACY_TRIGONOMETRIC},
        {"atan2", ACCURACY_TRIGONOMETRIC},   {"sinh", ACCURACY_EXPONENTIAL},
        {"cosh", ACCURACY_EXPONENTIAL},      {"tanh", ACCURACY_EXPONENTIAL},
        {"asinh", ACCURACY_EXPONENTIAL},     {"acosh", ACCURACY_EXPONENTIAL},
        {"atanh", ACCURACY_EXPONENTIAL},     {"exp", ACCURACY_EXPONENTIAL},
        {"exp2", ACCURACY_EXPONENTIAL},      {"log", ACCURACY_EXPONENTIAL},
        {"log2", ACCURACY_EXPONENTIAL},      {"pow", ACCURACY_EXPONENTIAL},
        {"sqrt", ACCURACY_EXPONENTIAL},      {"inverseSqrt", ACCURACY_EXPONENTIAL},
        {"length", ACCURACY_EXPONENTIAL},    {"distance", ACCURACY_EXPONENTIAL},
        {"normalize", ACCURACY_EXPONENTIAL}, {"smoothstep", ACCURACY_EXPONENTIAL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is(s, rows[i].name) && rows[i].accuracy > s->scan->accuracy)
            s->scan->accuracy = rows[i].accuracy;
    advance(s);
}

static void read_token(struct scanner *s) {
    if (take(s, "@"))
        read_attribute(s);
    else if (take(s, "var"))
        read_var(s);
    else if (take(s, "override"))
        read_override(s);
    else if (take(s, "fn"))
        read_function(s);
    else if (is(s, "for") || is(s, "while") || is(s, "loop"))
        s->loop_begins = true, advance(s);
    else if (take(s, "workgroupBarrier") || take(s, "workgroupUniformLoad"))
        s->scan->has_workgroup_barrier = true;
    else if (take(s, "{"))
        open_brace(s);
    else if (take(s, "}"))
        s->depth -= s->depth > 0;
    else
        read_word(s);
}

int shader_scan(const char *text, struct arena *arena, struct shader_scan *scan,
                struct wgsim_error *err) {
    struct scanner scanner = {.at = text, .arena = arena, .scan = scan};
    memset(scan, 0, sizeof *scan);
    advance(&scanner);
    while (scanner.token.length && !scanner.out_of_memory)
        read_token(&scanner);
    return scanner.out_of_memory ? error_set(err, "out of memory") : 0;
}

const struct scanned_binding *shader_scan_find(const struct shader_scan *scan, uint32_t group,
                                               uint32_t binding) {
    for (size_t i = 0; i < scan->binding_count; i++)
        if (scan->bindings[i].group == group && scan->bindings[i].binding == binding)
            return &scan->bindings[i];
    return NULL;
}

bool shader_scan_has_override(const struct shader_scan *scan, const char *name) {
    for (size_t i = 0; i < scan->override_count; i++)
        if (strcmp(scan->overrides[i], name) == 0)
            return true;
    return false;
}
