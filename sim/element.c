/* Names of elements and of their members. */
#include "sim/element.h"

#include <string.h>

#include "sim/texture_spec.h"

const char *element_operand(struct findings *findings, const char *text) {
    const char *open = strpbrk(text, "([");
    const char *from = open && strncmp(text, "atomic", 6) == 0 ? strchr(open, '&') : NULL;
    int depth = 0;

    if (!from || *open == '[')
        return text;
    const char *to = ++from;
    while (*to && (depth > 0 || (*to != ',' && *to != ')'))) {
        depth += *to == '(' || *to == '[';
        depth -= *to == ')' || *to == ']';
        to++;
    }
    return findings_text(findings, "%.*s", (int)(to - from), from);
}

/* Whether the indices in a text are numbers. */
static bool is_exact(const char *text) {
    while ((text = strchr(text, '[')) != NULL) {
        size_t length = strspn(++text, "0123456789u");
        if (!length || text[length] != ']')
            return false;
    }
    return true;
}

/* "box.x" says which element it is; "box.items[i]" does not say where in the box. */
static const char *member_text(struct findings *findings, const struct wg_var *var, uint64_t byte,
                               const char *text) {
    size_t length = strlen(var->name);
    uint64_t element = var->stride ? byte / var->stride : 0;

    if (strncmp(text, var->name, length) != 0 || text[length] != '.')
        return findings_text(findings, "%s[%llu] (%s)", var->name, (unsigned long long)element,
                             text);
    if (is_exact(text))
        return text;
    return findings_text(findings, "%s (byte %llu of %s)", text, (unsigned long long)byte,
                         var->name);
}

const char *element_text(struct findings *findings, const struct wg_var *var, uint64_t byte,
                         const struct wg_site *site) {
    uint64_t element = var->stride ? byte / var->stride : 0;

    if (texture_spec_is_texture(var->type))
        return var->name;
    if (var->scalar == WG_STRUCT && *site->text)
        return member_text(findings, var, byte, element_operand(findings, site->text));
    if (var->columns)
        return findings_text(findings, "%s[%llu][%llu]", var->name,
                             (unsigned long long)(element / var->columns),
                             (unsigned long long)(element % var->columns));
    return findings_text(findings, "%s[%llu]", var->name, (unsigned long long)element);
}
