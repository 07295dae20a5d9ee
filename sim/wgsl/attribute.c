/* Attributes. */
#include <string.h>

#include "sim/wgsl/resolve.h"

static const struct {
    const char *name;
    unsigned places; /* of enum wgsl_place */
} allowed[] = {
    {"align", PLACE_MEMBER},
    {"binding", PLACE_VAR},
    {"blend_src", PLACE_PARAM | PLACE_RESULT | PLACE_MEMBER},
    {"builtin", PLACE_PARAM | PLACE_RESULT | PLACE_MEMBER},
    {"compute", PLACE_FUNCTION},
    {"diagnostic", PLACE_FUNCTION | PLACE_STATEMENT},
    {"fragment", PLACE_FUNCTION},
    {"group", PLACE_VAR},
    {"id", PLACE_OVERRIDE},
    {"interpolate", PLACE_PARAM | PLACE_RESULT | PLACE_MEMBER},
    {"invariant", PLACE_PARAM | PLACE_RESULT | PLACE_MEMBER},
    {"location", PLACE_PARAM | PLACE_RESULT | PLACE_MEMBER},
    {"must_use", PLACE_FUNCTION},
    {"size", PLACE_MEMBER},
    {"vertex", PLACE_FUNCTION},
    {"workgroup_size", PLACE_FUNCTION},
};

static bool is_allowed(const char *name, enum wgsl_place place) {
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        if (strcmp(allowed[i].name, name) == 0)
            return allowed[i].places & place;
    return false;
}

static bool check_filters(struct wgsl_resolver *r, const struct wgsl_attribute *a,
                          const struct wgsl_attribute *b) {
    if (strcmp(a->filter->rule, b->filter->rule) != 0)
        return true;
    wgsl_note(r->diagnostics,
              RESOLVE_ERROR(r, b->span, "this says again how to treat '%s'", a->filter->rule),
              a->span, "said here already");
    return false;
}

/* Whether a later attribute of a list may stand beside an earlier one. */
static bool check_pair(struct wgsl_resolver *r, const struct wgsl_attribute *a,
                       const struct wgsl_attribute *b) {
    if (strcmp(a->name, b->name) != 0)
        return true;
    if (a->filter && b->filter)
        return check_filters(r, a, b);
    wgsl_note(r->diagnostics, RESOLVE_ERROR(r, b->span, "'@%s' stands here twice", b->name),
              a->span, "first here");
    return false;
}

/* The rules that WGSL itself names; other names are warned about, names with a dot are others'. */
static void check_rule(struct wgsl_resolver *r, const struct wgsl_filter *filter) {
    if (strchr(filter->rule, '.') || strcmp(filter->rule, "derivative_uniformity") == 0 ||
        strcmp(filter->rule, "subgroup_uniformity") == 0)
        return;
    wgsl_diagnose(r->diagnostics, WGSL_WARNING, filter->span, "there is no rule '%s'",
                  filter->rule);
}

bool attributes_check(struct wgsl_resolver *r, const struct wgsl_attribute *list,
                      enum wgsl_place place, const char *what) {
    bool ok = true;
    for (const struct wgsl_attribute *a = list; a; a = a->next) {
        if (!is_allowed(a->name, place)) {
            RESOLVE_ERROR(r, a->span, "'@%s' is not for %s", a->name, what);
            ok = false;
        }
        if (a->filter)
            check_rule(r, a->filter);
        for (const struct wgsl_attribute *b = a->next; b; b = b->next)
            ok = check_pair(r, a, b) && ok;
    }
    return ok;
}

struct wgsl_attribute *attributes_find(struct wgsl_attribute *list, const char *name) {
    while (list && strcmp(list->name, name) != 0)
        list = list->next;
    return list;
}

bool attributes_integer(struct wgsl_resolver *r, struct wgsl_attribute *list, const char *name,
                        int64_t least, int64_t *value) {
    struct wgsl_attribute *a = attributes_find(list, name);
    char what[32] = "@";
    if (!a || !resolve_const_integer(r, &a->args[0], value, strncat(what, name, 20)))
        return false;
    if (*value >= least)
        return true;
    RESOLVE_ERROR(r, a->args[0]->span, "%s must be at least %lld, not %lld", what, (long long)least,
                  (long long)*value);
    return false;
}

/* -- input and output -- */

static const struct {
    const char *name;
    enum wgsl_interpolation interpolation;
} interpolations[] = {
    {"perspective", INTERPOLATE_PERSPECTIVE},
    {"linear", INTERPOLATE_LINEAR},
    {"flat", INTERPOLATE_FLAT},
};

static const struct {
    const char *name;
    enum wgsl_sampling sampling;
    bool flat;
} samplings[] = {
    {"center", SAMPLING_CENTER, false}, {"centroid", SAMPLING_CENTROID, false},
    {"sample", SAMPLING_SAMPLE, false}, {"first", SAMPLING_FIRST, true},
    {"either", SAMPLING_EITHER, true},
};

/* Name that an argument is, "" if it is none. */
static const char *argument_name(const struct wgsl_attribute *a, uint32_t index) {
    const struct wgsl_expr *e = a->args[index];
    return e->kind == EX_IDENT && !e->has_template && !e->parenthesised ? e->name : "";
}

static bool read_builtin(struct wgsl_resolver *r, const struct wgsl_attribute *a,
                         struct wgsl_io *io) {
    static const struct {
        enum wgsl_builtin_value value;
        enum wgsl_extension extension;
        const char *name;
    } needs[] = {
        {BV_clip_distances, EXT_CLIP_DISTANCES, "clip_distances"},
        {BV_primitive_index, EXT_PRIMITIVE_INDEX, "primitive_index"},
        {BV_subgroup_invocation_id, EXT_SUBGROUPS, "subgroups"},
        {BV_subgroup_size, EXT_SUBGROUPS, "subgroups"},
        {BV_subgroup_id, EXT_SUBGROUPS, "subgroups"},
        {BV_num_subgroups, EXT_SUBGROUPS, "subgroups"},
    };
    const char *name = argument_name(a, 0);
    for (enum wgsl_builtin_value v = 1; v < BV_COUNT; v++)
        if (strcmp(builtin_value_name(v), name) == 0)
            io->builtin = v;
    if (!io->builtin) {
        RESOLVE_ERROR(r, a->args[0]->span, "there is no builtin value '%s'", name);
        return false;
    }
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        if (needs[i].value == io->builtin && !(r->module->extensions & needs[i].extension)) {
            wgsl_diagnose(r->diagnostics, resolve_beyond_standard(r), a->args[0]->span,
                          "'%s' needs 'enable %s;'", name, needs[i].name);
            return r->dialect == WGSL_NAGA;
        }
    return true;
}

static bool read_interpolation(struct wgsl_resolver *r, const struct wgsl_attribute *a,
                               struct wgsl_io *io) {
    for (size_t i = 0; i < sizeof interpolations / sizeof interpolations[0]; i++)
        if (strcmp(interpolations[i].name, argument_name(a, 0)) == 0)
            io->interpolation = interpolations[i].interpolation;
    if (!io->interpolation) {
        RESOLVE_ERROR(r, a->args[0]->span, "expected 'perspective', 'linear' or 'flat'");
        return false;
    }
    if (a->arg_count == 1)
        return true;
    bool flat = false;
    for (size_t i = 0; i < sizeof samplings / sizeof samplings[0]; i++)
        if (strcmp(samplings[i].name, argument_name(a, 1)) == 0) {
            io->sampling = samplings[i].sampling;
            flat = samplings[i].flat;
        }
    if (!io->sampling) {
        RESOLVE_ERROR(r, a->args[1]->span,
                      "expected 'center', 'centroid', 'sample', 'first' or 'either'");
        return false;
    }
    if (flat != (io->interpolation == INTERPOLATE_FLAT)) {
        RESOLVE_ERROR(r, a->span, "'%s' does not go with '%s'", argument_name(a, 1),
                      argument_name(a, 0));
        return false;
    }
    return true;
}

static bool read_number(struct wgsl_resolver *r, struct wgsl_attribute *list, const char *name,
                        bool *has, uint32_t *number) {
    int64_t value;
    if (!attributes_find(list, name))
        return true;
    if (!attributes_integer(r, list, name, 0, &value))
        return false;
    *has = true;
    *number = (uint32_t)value;
    return true;
}

static bool check_io(struct wgsl_resolver *r, const struct wgsl_attribute *list,
                     const struct wgsl_io *io) {
    struct wgsl_span span = list->span;
    if (io->builtin && io->has_location)
        RESOLVE_ERROR(r, span, "either '@builtin' or '@location' can stand here, not both");
    else if (io->interpolation && !io->has_location)
        RESOLVE_ERROR(r, span, "'@interpolate' needs '@location'");
    else if (io->invariant && io->builtin != BV_position)
        RESOLVE_ERROR(r, span, "'@invariant' is for '@builtin(position)' only");
    else if (io->has_blend_src && !io->has_location)
        RESOLVE_ERROR(r, span, "'@blend_src' needs '@location'");
    else if (io->has_blend_src && io->blend_src > 1)
        RESOLVE_ERROR(r, span, "'@blend_src' is 0 or 1");
    else if (io->has_blend_src && !(r->module->extensions & EXT_DUAL_SOURCE_BLENDING))
        RESOLVE_ERROR(r, span, "'@blend_src' needs 'enable dual_source_blending;'");
    else
        return true;
    return false;
}

bool attributes_io(struct wgsl_resolver *r, struct wgsl_attribute *list, struct wgsl_io *io) {
    bool ok = true;
    for (struct wgsl_attribute *a = list; a; a = a->next) {
        if (strcmp(a->name, "builtin") == 0)
            ok = read_builtin(r, a, io) && ok;
        if (strcmp(a->name, "interpolate") == 0)
            ok = read_interpolation(r, a, io) && ok;
        if (strcmp(a->name, "invariant") == 0)
            io->invariant = true;
    }
    ok = read_number(r, list, "location", &io->has_location, &io->location) && ok;
    ok = read_number(r, list, "blend_src", &io->has_blend_src, &io->blend_src) && ok;
    if (list)
        io->span = list->span;
    return ok && (!list || check_io(r, list, io));
}

/* -- diagnostic filters -- */

const struct wgsl_filter *attributes_push_filters(struct wgsl_resolver *r,
                                                  const struct wgsl_attribute *list) {
    const struct wgsl_filter *before = r->filters;
    for (; list; list = list->next)
        if (list->filter) {
            struct wgsl_filter *copy = HEAP_NEW(r->heap, struct wgsl_filter);
            *copy = *list->filter;
            copy->next = (struct wgsl_filter *)r->filters;
            r->filters = copy;
        }
    return before;
}

void attributes_module_filters(struct wgsl_resolver *r) {
    for (struct wgsl_filter *a = r->module->filters; a; a = a->next) {
        check_rule(r, a);
        for (struct wgsl_filter *b = a->next; b; b = b->next)
            if (strcmp(a->rule, b->rule) == 0 && a->severity != b->severity)
                wgsl_note(r->diagnostics,
                          RESOLVE_ERROR(r, a->span, "'%s' is given two severities", a->rule),
                          b->span, "given another one here");
    }
    r->filters = r->module->filters;
}

enum wgsl_severity attributes_severity(const struct wgsl_resolver *r, enum wgsl_builtin builtin) {
    unsigned flags = builtin_flags(builtin);
    const char *rule = flags & BF_DERIVATIVE ? "derivative_uniformity" : "subgroup_uniformity";
    if (!(flags & (BF_DERIVATIVE | BF_SUBGROUP)))
        return WGSL_ERROR;
    for (const struct wgsl_filter *f = r->filters; f; f = f->next)
        if (strcmp(f->rule, rule) == 0)
            return f->severity;
    return WGSL_ERROR;
}
