/* Parsing of attributes and diagnostic controls. */
#include "sim/wgsl/parse.h"

#include <string.h>

/* Which attributes there are and how many arguments they take. A limit of 0 means no parentheses
 * at all. */
static const struct {
    const char *name;
    uint32_t least, most;
} attributes[] = {
    {"align", 1, 1},    {"binding", 1, 1},     {"blend_src", 1, 1}, {"builtin", 1, 1},
    {"compute", 0, 0},  {"const", 0, 0},       {"fragment", 0, 0},  {"group", 1, 1},
    {"id", 1, 1},       {"interpolate", 1, 2}, {"invariant", 0, 0}, {"location", 1, 1},
    {"must_use", 0, 0}, {"size", 1, 1},        {"vertex", 0, 0},    {"workgroup_size", 1, 3},
};

static const struct {
    const char *name;
    enum wgsl_severity severity;
} severities[] = {
    {"off", WGSL_OFF},
    {"info", WGSL_INFO},
    {"warning", WGSL_WARNING},
    {"error", WGSL_ERROR},
};

static bool read_severity(struct wgsl_parser *p, enum wgsl_severity *severity) {
    for (size_t i = 0; i < sizeof severities / sizeof severities[0]; i++)
        if (is_next(p, TK_IDENT) && strcmp(peek(p)->text, severities[i].name) == 0) {
            *severity = severities[i].severity;
            parse_take(p);
            return true;
        }
    parse_error(p, "expected 'off', 'info', 'warning' or 'error'");
    return false;
}

/* diagnostic_control: "(" severity "," IDENT ("." IDENT)? ","? ")" */
struct wgsl_filter *parse_diagnostic_control(struct wgsl_parser *p) {
    struct wgsl_filter *filter = HEAP_NEW(p->heap, struct wgsl_filter);
    if (!parse_expect(p, TK_PAREN_OPEN, "after 'diagnostic'") ||
        !read_severity(p, &filter->severity) || !parse_expect(p, TK_COMMA, "after the severity"))
        return NULL;
    filter->span = peek(p)->span;
    const struct wgsl_token *name = parse_name(p, "the name of a rule");
    if (!name)
        return NULL;
    filter->rule = name->text;
    if (parse_accept(p, TK_DOT)) {
        const struct wgsl_token *second = parse_name(p, "the name of a rule after '.'");
        if (!second)
            return NULL;
        filter->rule = heap_printf(p->heap, "%s.%s", name->text, second->text);
    }
    parse_accept(p, TK_COMMA);
    return parse_expect(p, TK_PAREN_CLOSE, "after the rule") ? filter : NULL;
}

static bool check_arguments(struct wgsl_parser *p, const struct wgsl_attribute *a) {
    size_t count = sizeof attributes / sizeof attributes[0], i = 0;
    while (i < count && strcmp(attributes[i].name, a->name) != 0)
        i++;
    if (i == count) {
        wgsl_diagnose(p->diagnostics, WGSL_ERROR, a->span, "there is no attribute '@%s'", a->name);
        return false;
    }
    if (a->has_parens ? a->arg_count >= attributes[i].least && a->arg_count <= attributes[i].most &&
                            attributes[i].most > 0
                      : attributes[i].least == 0)
        return true;
    if (attributes[i].most == 0)
        wgsl_diagnose(p->diagnostics, WGSL_ERROR, a->span, "'@%s' takes no parentheses", a->name);
    else
        wgsl_diagnose(p->diagnostics, WGSL_ERROR, a->span, "'@%s' takes %u argument%s, has %u",
                      a->name, attributes[i].most, attributes[i].most == 1 ? "" : "s at most",
                      a->arg_count);
    return false;
}

/* attribute: "@" ("diagnostic" diagnostic_control | IDENT argument_list?) */
static struct wgsl_attribute *parse_attribute(struct wgsl_parser *p) {
    struct wgsl_attribute *a = HEAP_NEW(p->heap, struct wgsl_attribute);
    const struct wgsl_token *token = peek(p);
    a->span = token->span;
    if (parse_accept(p, TK_diagnostic)) {
        a->name = "diagnostic";
        a->filter = parse_diagnostic_control(p);
        return a->filter ? a : NULL;
    }
    if (parse_accept(p, TK_const))
        a->name = "const";
    else if (parse_name(p, "the name of an attribute"))
        a->name = token->text;
    else
        return NULL;
    if (is_next(p, TK_PAREN_OPEN)) {
        a->has_parens = true;
        if (!parse_arguments(p, &a->args, &a->arg_count))
            return NULL;
    }
    return check_arguments(p, a) ? a : NULL;
}

/* attribute* */
struct wgsl_attribute *parse_attributes(struct wgsl_parser *p) {
    struct wgsl_attribute *first = NULL, **link = &first;
    while (!p->broken && parse_accept(p, TK_AT)) {
        struct wgsl_attribute *a = parse_attribute(p);
        if (a) {
            *link = a;
            link = &a->next;
        }
    }
    return first;
}
