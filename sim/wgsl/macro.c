/* Macros of the preprocessor. */
#include "sim/wgsl/macro.h"

#include <ctype.h>
#include <string.h>

/* The text of one argument. */
struct argument {
    const char *text;
    size_t length;
};

enum { MAX_ARGUMENTS = 64 };

static bool is_word_char(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

size_t macro_word(const char *p, const char *end) {
    size_t length = 0;
    if (p < end && !isdigit((unsigned char)*p))
        while (p + length < end && is_word_char(p[length]))
            length++;
    return length;
}

static bool same_word(const char *name, const char *p, size_t length) {
    return strlen(name) == length && memcmp(name, p, length) == 0;
}

struct wgsl_macro *macro_find(const struct wgsl_macros *macros, const char *name, size_t length) {
    for (struct wgsl_macro *m = macros->first; m; m = m->next)
        if (same_word(m->name, name, length))
            return m;
    return NULL;
}

void macro_remove(struct wgsl_macros *macros, const char *name, size_t length) {
    for (struct wgsl_macro **link = &macros->first; *link; link = &(*link)->next)
        if (same_word((*link)->name, name, length)) {
            *link = (*link)->next;
            return;
        }
}

static const char *skip_spaces(const char *p, const char *end) {
    while (p < end && isspace((unsigned char)*p))
        p++;
    return p;
}

/* "(a, b)" after the name of a macro that takes arguments. */
static const char *read_params(struct wgsl_macros *macros, struct wgsl_macro *m, const char *p,
                               const char *end) {
    m->takes_arguments = true;
    p = skip_spaces(p + 1, end);
    while (p < end && *p != ')') {
        size_t length = macro_word(p, end);
        if (!length || m->param_count == MAX_ARGUMENTS)
            return NULL;
        HEAP_PUSH(macros->heap, m->params, m->param_count, heap_text(macros->heap, p, length));
        p = skip_spaces(p + length, end);
        if (p < end && *p == ',')
            p = skip_spaces(p + 1, end);
    }
    return p < end ? p + 1 : NULL;
}

bool macro_define(struct wgsl_macros *macros, const char *definition, size_t length) {
    const char *end = definition + length, *p = skip_spaces(definition, end);
    size_t name_length = macro_word(p, end);
    if (!name_length)
        return false;
    struct wgsl_macro *m = HEAP_NEW(macros->heap, struct wgsl_macro);
    m->name = heap_text(macros->heap, p, name_length);
    p += name_length;
    if (p < end && *p == '(' && !(p = read_params(macros, m, p, end)))
        return false;
    p = skip_spaces(p, end);
    while (end > p && isspace((unsigned char)end[-1]))
        end--;
    m->body = heap_text(macros->heap, p, (size_t)(end - p));
    macro_remove(macros, m->name, name_length);
    m->next = macros->first;
    macros->first = m;
    return true;
}

/* Reads "(a, (b, c), d)" at p; returns what is behind it, NULL if it does not end. */
static const char *read_arguments(const char *p, const char *end, struct argument *arguments,
                                  uint32_t *count) {
    uint32_t depth = 0;
    const char *start = p + 1;
    *count = 0;
    for (; p < end; p++) {
        if (*p == '(' || *p == '[')
            depth++;
        if (*p == ']')
            depth -= depth > 1;
        if ((*p == ',' && depth == 1) || (*p == ')' && depth == 1)) {
            if (*count == MAX_ARGUMENTS)
                return NULL;
            start = skip_spaces(start, p);
            arguments[(*count)++] = (struct argument){start, (size_t)(p - start)};
            start = p + 1;
        }
        if (*p == ')' && --depth == 0)
            return p + 1;
    }
    return NULL;
}

static void expand_text(struct wgsl_macros *macros, const char *p, const char *end,
                        struct buf *out) {
    while (p < end && out->len < MACRO_OUTPUT_LIMIT) {
        size_t length = macro_word(p, end);
        size_t used = length ? macro_expand(macros, p, end, out) : 0;
        if (used) {
            p += used;
            continue;
        }
        if (!length)
            while (p + length < end && (!length || is_word_char(p[length])) &&
                   is_word_char(p[0])) /* a number is no place for a macro */
                length++;
        length = length ? length : 1;
        buf_append(out, p, length);
        p += length;
    }
}

/* The body with the parameters replaced by the arguments, which are expanded first. */
static void substitute(struct wgsl_macros *macros, const struct wgsl_macro *m,
                       const struct argument *arguments, struct buf *out) {
    const char *p = m->body, *end = p + strlen(p);
    while (p < end && out->len < MACRO_OUTPUT_LIMIT) {
        size_t length = macro_word(p, end);
        uint32_t i = 0;
        while (length && i < m->param_count && !same_word(m->params[i], p, length))
            i++;
        if (length && i < m->param_count)
            expand_text(macros, arguments[i].text, arguments[i].text + arguments[i].length, out);
        else if (p[0] == '#' && p[1] == '#')
            length = 2;
        else
            buf_append(out, p, length ? length : 1);
        p += length ? length : 1;
    }
}

size_t macro_expand(struct wgsl_macros *macros, const char *p, const char *end, struct buf *out) {
    size_t length = macro_word(p, end);
    struct wgsl_macro *m = macro_find(macros, p, length);
    struct argument arguments[MAX_ARGUMENTS] = {{NULL, 0}};
    uint32_t count = 0;
    const char *after = p + length;
    if (!m || m->expanding)
        return 0;
    if (m->takes_arguments) {
        const char *open = skip_spaces(after, end);
        if (open >= end || *open != '(')
            return 0;
        after = read_arguments(open, end, arguments, &count);
        if (!after)
            return 0;
        if (count == 1 && m->param_count == 0 && arguments[0].length == 0)
            count = 0;
        if (count != m->param_count)
            return 0;
    }
    struct buf body = {0};
    substitute(macros, m, arguments, &body);
    m->expanding = true;
    if (body.len)
        expand_text(macros, body.data, body.data + body.len, out);
    m->expanding = false;
    buf_release(&body);
    return (size_t)(after - p);
}
