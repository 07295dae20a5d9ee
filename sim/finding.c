/* Lists of findings. */
#include "sim/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"

const char *const finding_severity_names[] = {"error", "warning", "advice", NULL};

const struct finding_kind_info finding_kinds[FINDING_KIND_COUNT] = {
#define KIND(id, name, severity, meaning, example, fix)                                            \
    {name, SEVERITY_##severity, meaning, example, fix},
#include "sim/finding.def"
#undef KIND
};

_Static_assert(FINDING_KIND_COUNT <= 64, "a finding_set has 64 bits");

enum finding_kind finding_kind_find(const char *name) {
    for (size_t kind = 0; kind < FINDING_KIND_COUNT; kind++)
        if (strcmp(name, finding_kinds[kind].name) == 0)
            return (enum finding_kind)kind;
    return FINDING_KIND_COUNT;
}

void findings_init(struct findings *findings) {
    *findings = (struct findings){0};
    arena_init(&findings->arena);
}

void findings_release(struct findings *findings) {
    free(findings->items);
    arena_release(&findings->arena);
    *findings = (struct findings){0};
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same(const struct finding *a, const struct finding *b) {
    return a->kind == b->kind && a->first.site == b->first.site &&
           a->second.site == b->second.site && a->line == b->line &&
           same_text(a->variable, b->variable) && same_text(a->file, b->file);
}

static struct finding *append(struct findings *findings) {
    if (findings->count == findings->capacity) {
        size_t capacity = findings->capacity ? findings->capacity * 2 : 16;
        struct finding *grown = realloc(findings->items, capacity * sizeof *grown);
        if (!grown) {
            findings->failed = true;
            return NULL;
        }
        findings->items = grown;
        findings->capacity = capacity;
    }
    return &findings->items[findings->count++];
}

static struct finding *find(const struct findings *findings, const struct finding *finding) {
    for (size_t i = 0; i < findings->count; i++)
        if (same(&findings->items[i], finding))
            return &findings->items[i];
    return NULL;
}

void findings_add(struct findings *findings, const struct finding *finding) {
    struct finding *known = find(findings, finding);

    if (known) {
        known->count += finding->count;
        return;
    }
    struct finding *added = append(findings);
    if (added)
        *added = *finding;
}

void findings_add_what_if(struct findings *findings, const struct findings *hypothetical) {
    for (size_t i = 0; i < hypothetical->count; i++) {
        struct finding finding = hypothetical->items[i];
        finding.what_if = true;
        if (!find(findings, &finding))
            findings_add(findings, &finding);
    }
    findings->failed |= hypothetical->failed;
}

const char *findings_text(struct findings *findings, const char *format, ...) {
    char text[2048];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *copy = arena_strdup(&findings->arena, text);
    findings->failed |= !copy;
    return copy ? copy : "";
}

static int compare_numbers(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int compare_sites(const struct wg_site *a, const struct wg_site *b) {
    if (!a || !b)
        return compare_numbers(!a, !b);
    int order = strcmp(a->file, b->file);
    if (!order)
        order = compare_numbers(a->line, b->line);
    if (!order)
        order = compare_numbers(a->column, b->column);
    return order ? order : compare_numbers(a->id, b->id);
}

static int compare(const void *left, const void *right) {
    const struct finding *a = left, *b = right;
    int order = compare_numbers(a->kind, b->kind);

    if (!order)
        order = compare_sites(a->first.site, b->first.site);
    if (!order)
        order = compare_sites(a->second.site, b->second.site);
    if (!order)
        order = strcmp(a->variable ? a->variable : "", b->variable ? b->variable : "");
    return order ? order : compare_numbers(a->line, b->line);
}

void findings_sort(struct findings *findings) {
    if (findings->count)
        qsort(findings->items, findings->count, sizeof *findings->items, compare);
}

/* ---- Sets of kinds ---- */

static finding_set of_severity(size_t severity) {
    finding_set set = 0;

    for (size_t kind = 0; kind < FINDING_KIND_COUNT; kind++)
        if (finding_kinds[kind].severity == severity)
            set |= UINT64_C(1) << kind;
    return set;
}

static int add_named(const char *name, finding_set *set, struct wgsim_error *err) {
    for (size_t severity = 0; finding_severity_names[severity]; severity++)
        if (strcmp(name, finding_severity_names[severity]) == 0) {
            *set |= of_severity(severity);
            return 0;
        }
    if (strcmp(name, "all") == 0) {
        *set |= (UINT64_C(1) << FINDING_KIND_COUNT) - 1;
        return 0;
    }
    if (strcmp(name, "none") == 0)
        return 0;
    enum finding_kind kind = finding_kind_find(name);
    if (kind == FINDING_KIND_COUNT)
        return error_set(err, "unknown kind of finding '%s' (see 'wgsim explain')", name);
    *set |= UINT64_C(1) << kind;
    return 0;
}

int finding_set_parse(const char *text, finding_set *set, struct wgsim_error *err) {
    *set = 0;
    while (true) {
        char name[64];
        size_t length = strcspn(text, ",");
        if (length >= sizeof name)
            return error_set(err, "unknown kind of finding '%s'", text);
        memcpy(name, text, length);
        name[length] = 0;
        if (add_named(name, set, err) < 0)
            return -1;
        if (!text[length])
            return 0;
        text += length + 1;
    }
}

finding_set finding_set_default(void) {
    return of_severity(SEVERITY_ERROR) | of_severity(SEVERITY_WARNING);
}

bool findings_any(const struct findings *findings, finding_set set) {
    for (size_t i = 0; i < findings->count; i++)
        if (set >> findings->items[i].kind & 1)
            return true;
    return false;
}
