/* Errors about control flow and values that are not uniform. */
#include <stdio.h>

#include "sim/wgsl/uniformity.h"

enum { TEXT_BYTES = 512 };

/* -- what is wrong -- */

/* Whom a demand is about. */
static const char *company(const struct uniform_demand *d) {
    if (builtin_flags(d->cause->builtin) & BF_DERIVATIVE)
        return "draw command";
    return d->scope == SCOPE_SUBGROUP ? "subgroup" : "workgroup";
}

static struct wgsl_diagnostic *report_control(struct uniformity *u, const struct uniform_demand *d,
                                              enum wgsl_severity severity) {
    const char *name = builtin_name(d->cause->builtin);
    if (d->call == d->cause)
        return wgsl_diagnose(u->diagnostics, severity, d->call->span,
                             "'%s' must be called in uniform control flow: by all invocations of "
                             "the %s or by none",
                             name, company(d));
    return wgsl_diagnose(u->diagnostics, severity, d->call->span,
                         "'%s' must be called in uniform control flow, by all invocations of the "
                         "%s or by none: it comes to '%s' in line %u",
                         d->call->function->name, company(d), name, d->cause->span.line);
}

static struct wgsl_diagnostic *report_value(struct uniformity *u, const struct uniform_demand *d,
                                            enum wgsl_severity severity) {
    const char *name = builtin_name(d->cause->builtin);
    struct wgsl_span span = d->call->args[d->arg]->span;
    const char *part = d->contents ? "what the pointer refers to" : "this argument";
    if (d->call == d->cause)
        return wgsl_diagnose(u->diagnostics, severity, span,
                             "this argument of '%s' must be the same in all invocations of the %s",
                             name, company(d));
    return wgsl_diagnose(u->diagnostics, severity, span,
                         "%s must be the same in all invocations of the %s: '%s' in line %u "
                         "depends on it",
                         part, company(d), name, d->cause->span.line);
}

/* -- why -- */

static void describe_input(const struct wgsl_variable *input, char *text) {
    if (input->io.builtin)
        snprintf(text, TEXT_BYTES, "'%s' (%s) differs between invocations", input->name,
                 builtin_value_name(input->io.builtin));
    else
        snprintf(text, TEXT_BYTES, "'%s' differs between invocations", input->name);
}

static void describe_source(const struct uniform_node *node, char *text) {
    const struct wgsl_expr *e = node->source;
    if (e->kind == EX_BUILTIN || (e->kind == EX_USER && !node->changed))
        snprintf(text, TEXT_BYTES, "'%s' may give invocations different values",
                 e->kind == EX_USER ? e->function->name : builtin_name(e->builtin));
    else if (e->kind == EX_USER)
        snprintf(text, TEXT_BYTES, "'%s' may leave different values in '%s'", e->function->name,
                 node->changed->name);
    else
        snprintf(text, TEXT_BYTES,
                 "invocations may find different values in '%s', %s memory that can be written",
                 e->lhs->root ? e->lhs->root->name : "", space_name(e->lhs->type->space));
}

/* Whether a condition is not uniform because control flow before it is not. */
static bool is_by_flow(const struct uniform_node *condition, enum uniform_scope scope) {
    const struct uniform_node *node = condition;
    for (; node->blame[scope] != node; node = node->blame[scope])
        if (node == condition->outer)
            return true;
    return false;
}

/* The outermost condition that is not uniform. In a loop none is outermost, for each trip depends
 * on the one before: there it is one that is not uniform by itself. */
static const struct uniform_node *find_condition(struct uniformity *u,
                                                 const struct uniform_demand *d) {
    uint32_t seen = ++u->graph.mark;
    struct uniform_node *node = d->node;
    while (node->blame[d->scope] != node) {
        bool again = node->mark == seen;
        node->mark = seen;
        if (!node->condition)
            node = node->blame[d->scope];
        else if (again ? is_by_flow(node, d->scope) : node->outer->blame[d->scope] != NULL)
            node = node->outer;
        else
            return node;
    }
    return NULL;
}

/* Where a difference comes from. */
struct origin {
    const struct uniform_node *node; /* has a source or input */
    struct wgsl_span span;           /* of it, or of a condition that it comes by */
};

static struct origin find_origin(const struct uniform_node *node, enum uniform_scope scope) {
    struct origin o = {node, {0}};
    for (; !o.node->source && !o.node->input; o.node = o.node->blame[scope])
        if (o.node->condition)
            o.span = o.node->condition->span;
    if (o.node->source)
        o.span = o.node->source->span;
    else if (!o.span.line)
        o.span = o.node->input->span;
    return o;
}

static void note_reason(struct uniformity *u, const struct uniform_demand *d,
                        struct wgsl_diagnostic *diagnostic) {
    const struct uniform_node *condition = d->arg < 0 ? find_condition(u, d) : NULL;
    struct origin from = find_origin(condition ? condition : d->node, d->scope);
    char text[TEXT_BYTES];
    if (from.node->input)
        describe_input(from.node->input, text);
    else
        describe_source(from.node, text);
    struct wgsl_span place = condition ? condition->condition->span : from.span;
    if (!condition)
        wgsl_note(u->diagnostics, diagnostic, place, "%s", text);
    else if (place.line == from.span.line)
        wgsl_note(u->diagnostics, diagnostic, place, "control flow depends on this condition: %s",
                  text);
    else
        wgsl_note(u->diagnostics, diagnostic, place,
                  "control flow depends on this condition, and it on line %u: %s", from.span.line,
                  text);
}

void uniform_report(struct uniformity *u, const struct uniform_demand *d) {
    enum wgsl_severity severity = d->severity == WGSL_ERROR ? u->worst : d->severity;
    struct wgsl_diagnostic *diagnostic =
        d->arg < 0 ? report_control(u, d, severity) : report_value(u, d, severity);
    note_reason(u, d, diagnostic);
}
