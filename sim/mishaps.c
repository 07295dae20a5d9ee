/* Mishaps, one entry for each place. */
#include "sim/mishaps.h"

#include <string.h>

#include "sim/buf.h"
#include "sim/element.h"
#include "sim/spelling.h"
#include "wgsim/wgsl_format.h"

void mishaps_init(struct mishaps *mishaps, const struct kernel *kernel) {
    memset(mishaps, 0, sizeof *mishaps);
    mishaps->kernel = kernel;
}

void mishaps_begin(struct mishaps *mishaps, uint32_t dispatch) {
    mishaps->dispatch = dispatch;
    mishaps->outside_count = mishaps->texel_count = mishaps->arithmetic_count = 0;
    mishaps->wrapped_count = mishaps->divergence_count = 0;
}

/* ---- Out of bounds ---- */

static bool is_runtime_sized(const struct mishaps *mishaps, const struct record *record) {
    const struct wg_var *var =
        record->var == WG_VAR_DYNAMIC ? NULL : mishaps->kernel->vars[record->var];

    return var && var->space != WG_SPACE_WORKGROUP && !var->fixed_bytes &&
           record->count * var->stride == record->dispatch->launch.buffers[record->var].bytes;
}

static struct outside_entry *outside_at(struct mishaps *mishaps, const struct record *record) {
    for (size_t i = 0; i < mishaps->outside_count; i++)
        if (mishaps->outside[i].site == record->site && mishaps->outside[i].var == record->var)
            return &mishaps->outside[i];
    if (mishaps->outside_count == MISHAPS_MAX)
        return NULL;
    const struct launch *launch = &record->dispatch->launch;
    struct outside_entry *entry = &mishaps->outside[mishaps->outside_count++];
    *entry = (struct outside_entry){.site = record->site,
                                    .var = record->var,
                                    .dispatch = mishaps->dispatch,
                                    .index = record->index,
                                    .least = record->index,
                                    .most = record->index,
                                    .extent = record->count,
                                    .workgroup = record->workgroup->id,
                                    .invocation = record->invocation,
                                    .runtime_sized = is_runtime_sized(mishaps, record),
                                    .own_index = true,
                                    .groups = launch->groups[0],
                                    .size = launch->size[0],
                                    .invocations = (uint64_t)launch->groups[0] * launch->size[0],
                                    .policy = record->dispatch->options->outside};
    return entry;
}

static void hear_outside(struct mishaps *mishaps, const struct record *record) {
    struct outside_entry *entry = outside_at(mishaps, record);

    if (!entry)
        return;
    const struct launch *launch = &record->dispatch->launch;
    uint64_t own = record->workgroup->ctx.workgroup_id[0] * (uint64_t)launch->size[0] +
                   record->invocation % launch->size[0];
    entry->own_index &= record->index >= 0 && (uint64_t)record->index == own;
    entry->least = record->index < entry->least ? record->index : entry->least;
    entry->most = record->index > entry->most ? record->index : entry->most;
    entry->count++;
}

static const char *const policy_texts[] = {
    [OUTSIDE_CLAMP] = "the last element was used instead",
    [OUTSIDE_DROP] = "the access was dropped",
    [OUTSIDE_ZERO] = "loads gave zero and stores were dropped",
    [OUTSIDE_TRAP] = "the run was stopped",
};

/* Whether a buffer of vec3 elements has all that were asked for once each takes 12 bytes. */
static bool packed_vec3(const struct outside_entry *entry, const struct wg_var *var) {
    return entry->runtime_sized && var->components == 3 && var->stride == 16 && entry->least >= 0 &&
           ((uint64_t)entry->most + 1) * 12 <= (entry->extent + 1) * 16;
}

enum { INDEX_LENGTH_MAX = 40 };

/* The end of what a bracket at `from` opens, at its closing one; NULL: it does not close. */
static const char *closing(const char *from) {
    int depth = 0;

    for (const char *at = from; *at; at++) {
        depth += (*at == '[') - (*at == ']');
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* The bracket of the last index with which a text ends; NULL: it ends otherwise. */
static const char *last_bracket(const char *text) {
    const char *at = text + strlen(text);
    int depth = 0;

    do {
        if (at == text)
            return NULL;
        at--;
        depth += (*at == ']') - (*at == '[');
    } while (depth > 0);
    return *at == '[' ? at : NULL;
}

/* The bracket of the index that a site checks. One that accesses nothing is of the index that ends
 * its text; else it is the only one. NULL: it is not known. */
static const char *bracket_of(const struct wg_site *site, const char *text) {
    size_t length = strspn(text, "(*&");

    if (site->bytes == 0 && last_bracket(text))
        return last_bracket(text);
    length += strspn(text + length, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                    "0123456789_.)");
    const char *from = text + length, *to = *from == '[' ? closing(from) : NULL;
    return to && !strchr(to, '[') ? from : NULL;
}

/* The index as the source writes it, ready for a comparison; NULL: it is not known, or too long to
 * be repeated. */
static const char *index_as_written(const struct wg_site *site, struct findings *findings) {
    const char *from = bracket_of(site, element_operand(findings, site->text)),
               *to = from ? closing(from) : NULL;

    if (!to || to == from + 1 || to - from > INDEX_LENGTH_MAX ||
        memchr(from, '\n', (size_t)(to - from)))
        return NULL;
    from++;
    bool weak = strcspn(from, "&|^?<>=") < (size_t)(to - from);
    return findings_text(findings, weak ? "(%.*s)" : "%.*s", (int)(to - from), from);
}

/* The array whose index ends the text of a site; NULL: it is not there as it could be repeated. */
static const char *indexed_array(const struct wg_site *site, struct findings *findings) {
    const char *text = element_operand(findings, site->text), *at = last_bracket(text);

    return at && text[strspn(text, "(*&")] == *text && at - text <= INDEX_LENGTH_MAX &&
                   !memchr(text, '\n', (size_t)(at - text))
               ? findings_text(findings, "%.*s", (int)(at - text), text)
               : NULL;
}

/* What an index is outside of: of one behind another, "v[i]" of "v[i][j]". */
static const char *outside_name(const struct wg_site *site, const char *name,
                                struct findings *findings) {
    const char *array = site->bytes == 0 ? indexed_array(site, findings) : NULL;

    return array && strchr(array, '[') ? array : name;
}

/* "if (k < 65)", or "if (k < arrayLength(&data))" where the array is as long as its buffer. */
static const char *guard_text(const struct outside_entry *entry, const struct wg_var *var,
                              struct findings *findings) {
    const char *index = index_as_written(entry->site, findings);
    const char *array = entry->runtime_sized ? var->name
                        : entry->site->flags & WG_SITE_RUNTIME
                            ? indexed_array(entry->site, findings)
                            : NULL;
    const char *limit = array ? findings_text(findings, "arrayLength(&%s)", array)
                              : findings_text(findings, "%llu", (unsigned long long)entry->extent);

    if (!index)
        return findings_text(findings, "its index has to be %sbelow %s",
                             entry->least < 0 ? "at least 0 and " : "", limit);
    if (entry->least < 0)
        return findings_text(findings, "if (%s >= 0 && %s < %s)", index, index, limit);
    return findings_text(findings, "if (%s < %s)", index, limit);
}

/* Whether an index was meant to be less than zero: by no more than there are elements, or few. */
static bool is_below_zero(const struct outside_entry *entry) {
    uint64_t few = 65536;
    return entry->least > INT32_MAX && entry->least <= UINT32_MAX &&
           UINT32_MAX - (uint64_t)entry->least < entry->extent + few;
}

static const char *outside_advice(const struct outside_entry *entry, const struct wg_var *var,
                                  bool in_c, struct findings *findings) {
    if (entry->most <= UINT32_MAX && is_below_zero(entry))
        return "an index below zero wraps around: leave the first elements out, or treat them "
               "apart";
    if (packed_vec3(entry, var))
        return findings_text(
            findings,
            "an element takes 16 bytes, for a vec3 is aligned like a vec4: %llu "
            "bytes hold %llu of them; where the data are packed, declare %s",
            (unsigned long long)(entry->extent * 16), (unsigned long long)entry->extent,
            in_c ? "the scalars, three for each" : "array<array<f32, 3>> or the like");
    const char *guard = guard_text(entry, var, findings);
    if (!entry->own_index)
        return findings_text(findings, "guard the access: %s", guard);
    if (!var || var->space == WG_SPACE_WORKGROUP)
        return findings_text(findings, "%llu invocations for %llu elements: guard the access: %s",
                             (unsigned long long)entry->size, (unsigned long long)entry->extent,
                             guard);
    return findings_text(
        findings,
        "%llu workgroup%s of %llu ha%s %llu invocation%s for %llu element%s: guard "
        "the access: %s",
        (unsigned long long)entry->groups, entry->groups == 1 ? "" : "s",
        (unsigned long long)entry->size, entry->groups == 1 ? "s" : "ve",
        (unsigned long long)entry->invocations, entry->invocations == 1 ? "" : "s",
        (unsigned long long)entry->extent, entry->extent == 1 ? "" : "s", guard);
}

/* A u32 near 2^32 was meant to be less than zero. */
static const char *index_text(struct findings *findings, int64_t index) {
    if (index <= INT32_MAX || index > UINT32_MAX)
        return findings_text(findings, "%lld", (long long)index);
    return findings_text(findings, "%lld (%d as i32)", (long long)index, (int32_t)(uint32_t)index);
}

/* Whether the buffer is as long as it is for want of a better guess. */
static bool is_guessed(const struct job *job, const struct outside_entry *entry,
                       const struct wg_var *var) {
    uint32_t bound = var && var->space != WG_SPACE_WORKGROUP
                         ? job->dispatches[entry->dispatch].bound[var->id]
                         : JOB_UNBOUND;
    return bound != JOB_UNBOUND && job->buffers[bound].length_is_guessed;
}

static void report_outside(const struct mishaps *mishaps, const struct job *job,
                           const struct outside_entry *entry, struct findings *findings) {
    bool own = entry->var == WG_VAR_DYNAMIC;
    const struct wg_var *var = own ? NULL : mishaps->kernel->vars[entry->var];
    const char *what = entry->site->op == WG_OP_LOAD    ? "load of "
                       : entry->site->op == WG_OP_STORE ? "store of "
                       : own                            ? ""
                                                        : "atomic of ";
    const char *name = !own                     ? var->name
                       : *entry->site->variable ? entry->site->variable
                                                : entry->site->text;
    struct finding finding = {
        .kind = FINDING_OUT_OF_BOUNDS,
        .dispatch = entry->dispatch,
        .variable = name,
        .element = (uint64_t)entry->index,
        .first = {entry->site, entry->workgroup, entry->invocation, FINDING_UNKNOWN},
        .second = FINDING_NO_PLACE,
        .count = entry->count};
    const char *indices =
        entry->least == entry->most
            ? findings_text(findings, "index %s", index_text(findings, entry->least))
            : findings_text(findings, "indices %s to %s", index_text(findings, entry->least),
                            index_text(findings, entry->most));

    finding.text = findings_text(
        findings, "%s%s outside: %s of %llu element%s, %llu time%s, at line %u; %s", what,
        outside_name(entry->site, name, findings), indices, (unsigned long long)entry->extent,
        entry->extent == 1 ? "" : "s", (unsigned long long)entry->count,
        entry->count == 1 ? "" : "s", entry->site->line, policy_texts[entry->policy]);
    finding.advice = outside_advice(entry, var, spelling_is_c(mishaps->kernel->desc), findings);
    if (is_guessed(job, entry, var))
        finding.advice = findings_text(
            findings,
            "no --buffer %u:%u=... says how long %s is, so it has an element for each "
            "invocation; if it shall have: %s",
            var->group, var->binding, var->name, finding.advice);
    findings_add(findings, &finding);
}

/* ---- Texels that there are not ---- */

static struct texel_entry *texel_at(struct mishaps *mishaps, const struct record *record) {
    for (size_t i = 0; i < mishaps->texel_count; i++)
        if (mishaps->texels[i].site == record->site && mishaps->texels[i].var == record->var)
            return &mishaps->texels[i];
    if (mishaps->texel_count == MISHAPS_MAX)
        return NULL;
    const struct wgsl_texture *texture =
        (const void *)record->dispatch->launch.buffers[record->var].data;
    struct texel_entry *entry = &mishaps->texels[mishaps->texel_count++];
    *entry = (struct texel_entry){
        .site = record->site,
        .var = record->var,
        .dispatch = mishaps->dispatch,
        .invocation = record->invocation,
        .workgroup = record->workgroup->id,
        .extent = {texture->size[0], texture->size[1], texture->size[2], texture->levels},
        .trapped = record->dispatch->options->outside == OUTSIDE_TRAP};
    memcpy(entry->first, record->texel, sizeof entry->first);
    return entry;
}

static void hear_texel(struct mishaps *mishaps, const struct record *record) {
    struct texel_entry *entry = texel_at(mishaps, record);

    if (!entry)
        return;
    entry->count++;
    entry->several |= memcmp(entry->first, record->texel, sizeof entry->first) != 0;
    for (int axis = 0; axis < 4; axis++) {
        int32_t at = record->texel[axis];
        if (at >= 0 && (uint32_t)at < entry->extent[axis])
            continue;
        entry->least[axis] =
            !entry->outside[axis] || at < entry->least[axis] ? at : entry->least[axis];
        entry->most[axis] =
            !entry->outside[axis] || at > entry->most[axis] ? at : entry->most[axis];
        entry->outside[axis] = true;
    }
}

/* What there is along an axis of struct texel_entry: of a texture's type, "texture_2d<f32>". */
static const char *axis_name(const char *type, int axis) {
    static const char *const names[] = {"x", "y", "z", "level"};
    return axis == 2 && !strstr(type, "_3d") ? "layer" : names[axis];
}

/* Coordinates of a texel in a texture's type. */
static int axes_of(const char *type) {
    return strstr(type, "_1d") ? 1 : strstr(type, "_3d") ? 3 : 2;
}

/* "texel (-1, 0), layer 4" */
static void put_texel(struct buf *text, const struct texel_entry *entry, const char *type) {
    buf_puts(text, "texel ");
    for (int axis = 0; axis < axes_of(type); axis++)
        buf_printf(text, "%s%d", axis ? ", " : "(", entry->first[axis]);
    buf_puts(text, ")");
    for (int axis = axes_of(type); axis < 4; axis++)
        if (entry->outside[axis])
            buf_printf(text, ", %s %d", axis_name(type, axis), entry->first[axis]);
}

/* "texels with x -1 to 20 or y 20" */
static void put_texels(struct buf *text, const struct texel_entry *entry, const char *type) {
    const char *before = "texels with";

    for (int axis = 0; axis < 4; axis++) {
        if (!entry->outside[axis])
            continue;
        buf_printf(text, "%s %s %d", before, axis_name(type, axis), entry->least[axis]);
        if (entry->least[axis] != entry->most[axis])
            buf_printf(text, " to %d", entry->most[axis]);
        before = " or";
    }
}

/* "20 x 20" */
static void put_extent(struct buf *text, const struct texel_entry *entry, const char *type) {
    for (int axis = 0; axis < axes_of(type); axis++)
        buf_printf(text, "%s%u", axis ? " x " : "", entry->extent[axis]);
    for (int axis = axes_of(type); axis < 4; axis++)
        if (entry->outside[axis])
            buf_printf(text, ", %u %s%s", entry->extent[axis], axis_name(type, axis),
                       entry->extent[axis] == 1 ? "" : "s");
}

static const char *texel_advice(const struct texel_entry *entry, const struct wg_var *var,
                                struct findings *findings) {
    int axes = axes_of(var->type);
    bool below = false;

    for (int axis = 3; axis >= axes; axis--)
        if (entry->outside[axis])
            return findings_text(findings, "the %s has to be %sbelow textureNum%s(%s)",
                                 axis_name(var->type, axis),
                                 entry->least[axis] < 0 ? "at least 0 and " : "",
                                 axis == 3 ? "Levels" : "Layers", var->name);
    for (int axis = 0; axis < axes; axis++)
        below |= entry->outside[axis] && entry->least[axis] < 0;
    return findings_text(findings,
                         "guard the access, or clamp its coordinates: they have to be %sbelow "
                         "textureDimensions(%s)",
                         below ? "at least 0 and " : "", var->name);
}

static void report_texel(const struct mishaps *mishaps, const struct texel_entry *entry,
                         struct findings *findings) {
    const struct wg_var *var = mishaps->kernel->vars[entry->var];
    bool store = entry->site->op == WG_OP_STORE;
    struct buf text = {0};
    struct finding finding = {
        .kind = store ? FINDING_TEXEL_DISCARDED : FINDING_OUT_OF_BOUNDS,
        .dispatch = entry->dispatch,
        .variable = var->name,
        .element = FINDING_UNKNOWN,
        .first = {entry->site, entry->workgroup, entry->invocation, FINDING_UNKNOWN},
        .second = FINDING_NO_PLACE,
        .count = entry->count};

    buf_printf(&text, "%s of %s outside: ", store ? "store" : "load", var->name);
    (entry->several ? put_texels : put_texel)(&text, entry, var->type);
    buf_puts(&text, ", of ");
    put_extent(&text, entry, var->type);
    buf_printf(&text, ", %llu time%s, at line %u; %s", (unsigned long long)entry->count,
               entry->count == 1 ? "" : "s", entry->site->line,
               entry->trapped ? "the run was stopped"
               : store        ? "nothing was stored, as in WebGPU"
                              : "zeros were read, where WebGPU may give another texel");
    finding.text = findings_text(findings, "%s", text.data ? text.data : "a texel outside");
    if (!store)
        finding.advice = texel_advice(entry, var, findings);
    findings->failed |= text.failed;
    buf_release(&text);
    findings_add(findings, &finding);
}

/* ---- Arithmetic ---- */

static void hear_arithmetic(struct mishaps *mishaps, const struct record *record) {
    for (size_t i = 0; i < mishaps->arithmetic_count; i++)
        if (mishaps->arithmetic[i].site == record->site &&
            mishaps->arithmetic[i].kind == record->kind) {
            mishaps->arithmetic[i].count++;
            return;
        }
    if (mishaps->arithmetic_count < MISHAPS_MAX)
        mishaps->arithmetic[mishaps->arithmetic_count++] =
            (struct arithmetic_entry){.site = record->site,
                                      .kind = record->kind,
                                      .dispatch = mishaps->dispatch,
                                      .invocation = record->invocation,
                                      .workgroup = record->workgroup->id,
                                      .count = 1};
}

static enum finding_kind arithmetic_kind(uint32_t kind) {
    switch (kind) {
    case WG_ARITHMETIC_GROUPING:
    case WG_ARITHMETIC_FLOAT_ATOMIC:
        return FINDING_FLOAT_ORDER;
    default:
        return FINDING_ARITHMETIC;
    }
}

static const char *const arithmetic_texts[] = {
    [WG_ARITHMETIC_DIVIDE_BY_ZERO] =
        "division by zero: in WGSL x / 0 is x and x % 0 is 0, elsewhere anything",
    [WG_ARITHMETIC_OVERFLOW] = "overflow of a signed operation: it wraps in WGSL, and is undefined "
                               "in C, CUDA and Metal",
    [WG_ARITHMETIC_SHIFT] = "shift by the width or more: WGSL takes the amount modulo the width, "
                            "elsewhere it is undefined",
    [WG_ARITHMETIC_CONVERSION] =
        "conversion of a value out of range: WGSL clamps it, elsewhere it is undefined",
    [WG_ARITHMETIC_GROUPING] = "float sum that comes out otherwise when it is grouped otherwise, "
                               "which WGSL allows a compiler to do",
    [WG_ARITHMETIC_FLOAT_ATOMIC] = "floats combined by atomic exchanges: where they do not add "
                                   "exactly, the result depends on the order of the invocations",
};

static void report_arithmetic(const struct arithmetic_entry *entry, struct findings *findings) {
    struct finding finding = {
        .kind = arithmetic_kind(entry->kind),
        .dispatch = entry->dispatch,
        .element = FINDING_UNKNOWN,
        .first = {entry->site, entry->workgroup, entry->invocation, FINDING_UNKNOWN},
        .second = FINDING_NO_PLACE,
        .count = entry->count};

    finding.text = findings_text(findings, "%s (line %u, %llu time%s)",
                                 arithmetic_texts[entry->kind], entry->site->line,
                                 (unsigned long long)entry->count, entry->count == 1 ? "" : "s");
    findings_add(findings, &finding);
}

/* ---- Indices that wrapped ---- */

static void hear_wrapped(struct mishaps *mishaps, const struct record *record) {
    for (size_t i = 0; i < mishaps->wrapped_count; i++)
        if (mishaps->wrapped[i].source == record->source &&
            mishaps->wrapped[i].site == record->site) {
            mishaps->wrapped[i].count++;
            return;
        }
    if (mishaps->wrapped_count < MISHAPS_MAX)
        mishaps->wrapped[mishaps->wrapped_count++] =
            (struct wrapped_entry){.source = record->source,
                                   .site = record->site,
                                   .var = record->var,
                                   .dispatch = mishaps->dispatch,
                                   .invocation = record->invocation,
                                   .workgroup = record->workgroup->id,
                                   .count = 1,
                                   .below = record->kind,
                                   .element = record->index,
                                   .exact = record->exact};
}

static void report_wrapped(const struct mishaps *mishaps, const struct wrapped_entry *entry,
                           struct findings *findings) {
    const char *name = entry->var != WG_VAR_DYNAMIC ? mishaps->kernel->vars[entry->var]->name
                       : *entry->site->variable     ? entry->site->variable
                                                    : entry->site->text;
    struct finding finding = {
        .kind = FINDING_INDEX_OVERFLOW,
        .dispatch = entry->dispatch,
        .variable = name,
        .element = (uint64_t)entry->element,
        .first = {entry->source, entry->workgroup, entry->invocation, FINDING_UNKNOWN},
        .second = {entry->site, entry->workgroup, entry->invocation, FINDING_UNKNOWN},
        .count = entry->count};

    finding.text = findings_text(
        findings,
        "%s[%lld] is used in place of %s[%lld]: the index %s at line %u, wraps around 2^32, and is "
        "inside again at line %u, where no bounds check sees it; %llu time%s",
        name, (long long)entry->element, name, (long long)entry->exact,
        entry->below ? "goes below zero" : "passes 4294967295", entry->source->line,
        entry->site->line, (unsigned long long)entry->count, entry->count == 1 ? "" : "s");
    finding.advice = entry->below
                         ? "look whether it would be below zero before the difference is taken, or "
                           "take it as i32 and clamp that; in a ring of n elements add n first: "
                           "(i + n - 1) % n"
                         : "split the buffer, or check the product, or the sum, before it is used";
    findings_add(findings, &finding);
}

/* ---- Divergence ---- */

static struct divergence_party *party_of(struct divergence_entry *entry,
                                         const struct wg_site *site) {
    for (uint32_t i = 0; i < entry->party_count; i++)
        if (entry->parties[i].site == site)
            return &entry->parties[i];
    if (entry->party_count == sizeof entry->parties / sizeof *entry->parties)
        return NULL;
    entry->parties[entry->party_count] = (struct divergence_party){.site = site};
    return &entry->parties[entry->party_count++];
}

static void join_party(struct divergence_party *party, uint32_t index) {
    uint32_t(*last)[2] = party->ranges ? &party->range[party->ranges - 1] : NULL;

    party->count++;
    if (last && (*last)[1] + 1 == index)
        (*last)[1] = index;
    else if (party->ranges < sizeof party->range / sizeof *party->range)
        party->range[party->ranges][0] = party->range[party->ranges][1] = index, party->ranges++;
}

static void hear_divergence(struct mishaps *mishaps, const struct record *record) {
    const struct workgroup *w = record->workgroup;
    struct divergence_entry entry = {.dispatch = mishaps->dispatch,
                                     .returned = w->launch->invocations - w->live,
                                     .invocations = w->launch->invocations,
                                     .workgroup = w->id,
                                     .count = 1};
    uint32_t lane;

    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        const struct subgroup *s = &w->subgroups[i];
        for (LANES_EACH(lane, s->at_barrier)) {
            struct divergence_party *party =
                party_of(&entry, w->launch->kernel->sites[stop_site(subgroup_stop(s, lane))]);
            if (party)
                join_party(party, s->first + lane);
        }
    }
    entry.first = entry.parties[0].site;
    entry.second = entry.party_count > 1 ? entry.parties[1].site : NULL;
    for (size_t i = 0; i < mishaps->divergence_count; i++)
        if (mishaps->divergence[i].first == entry.first &&
            mishaps->divergence[i].second == entry.second) {
            mishaps->divergence[i].count++;
            return;
        }
    if (mishaps->divergence_count < MISHAPS_MAX)
        mishaps->divergence[mishaps->divergence_count++] = entry;
}

static void put_party(struct buf *text, const struct divergence_party *party) {
    buf_printf(text, "%u invocation%s (", party->count, party->count == 1 ? "" : "s");
    for (uint32_t i = 0; i < party->ranges; i++)
        if (party->range[i][0] == party->range[i][1])
            buf_printf(text, "%s%u", i ? ", " : "", party->range[i][0]);
        else
            buf_printf(text, "%s%u to %u", i ? ", " : "", party->range[i][0], party->range[i][1]);
    if (party->ranges == sizeof party->range / sizeof *party->range)
        buf_puts(text, ", ...");
    buf_printf(text, ") wait%s at line %u", party->count == 1 ? "s" : "", party->site->line);
}

static const char *divergence_advice(const struct divergence_entry *entry,
                                     struct findings *findings) {
    uint32_t line = entry->first->line;

    if (entry->second)
        return findings_text(
            findings,
            "all invocations must pass the same barrier: move those at line %u and "
            "line %u out of branches and loops that not all take, and guard the "
            "work alone",
            line, entry->second->line);
    if (entry->returned)
        return findings_text(
            findings,
            "let all invocations come to the barrier at line %u as often: guard the "
            "work alone, in place of a return, a break, or a branch or loop around "
            "the barrier",
            line);
    return findings_text(findings,
                         "call the function of the barrier at line %u from one place that all "
                         "invocations pass",
                         line);
}

static void report_divergence(const struct divergence_entry *entry, struct findings *findings) {
    struct buf text = {0};

    buf_printf(&text, "barrier divergence in workgroup %llu: of %u invocations ",
               (unsigned long long)entry->workgroup, entry->invocations);
    for (uint32_t i = 0; i < entry->party_count; i++) {
        buf_puts(&text, i ? ", " : "");
        put_party(&text, &entry->parties[i]);
    }
    if (entry->returned)
        buf_printf(&text, ", and %u ha%s returned", entry->returned,
                   entry->returned == 1 ? "s" : "ve");
    else if (entry->party_count == 1)
        buf_puts(&text, ", in different calls of the function that it stands in");
    struct finding finding = {
        .kind = FINDING_DIVERGENCE,
        .dispatch = entry->dispatch,
        .element = FINDING_UNKNOWN,
        .first = {entry->first, entry->workgroup, entry->parties[0].range[0][0], FINDING_UNKNOWN},
        .second = FINDING_NO_PLACE,
        .count = entry->count};
    if (entry->second)
        finding.second = (struct finding_place){entry->second, entry->workgroup,
                                                entry->parties[1].range[0][0], FINDING_UNKNOWN};
    finding.text = findings_text(findings, "%s", text.data ? text.data : "barrier divergence");
    finding.advice = divergence_advice(entry, findings);
    findings->failed |= text.failed;
    buf_release(&text);
    findings_add(findings, &finding);
}

/* ---- All ---- */

void mishaps_hear(struct mishaps *mishaps, const struct record *record) {
    if (record->type == RECORD_OUTSIDE)
        hear_outside(mishaps, record);
    else if (record->type == RECORD_NO_TEXEL)
        hear_texel(mishaps, record);
    else if (record->type == RECORD_ARITHMETIC)
        hear_arithmetic(mishaps, record);
    else if (record->type == RECORD_WRAPPED)
        hear_wrapped(mishaps, record);
    else if (record->type == RECORD_DIVERGENCE)
        hear_divergence(mishaps, record);
}

void mishaps_report(const struct mishaps *mishaps, const struct job *job,
                    struct findings *findings) {
    for (size_t i = 0; i < mishaps->divergence_count; i++)
        report_divergence(&mishaps->divergence[i], findings);
    for (size_t i = 0; i < mishaps->outside_count; i++)
        report_outside(mishaps, job, &mishaps->outside[i], findings);
    for (size_t i = 0; i < mishaps->texel_count; i++)
        report_texel(mishaps, &mishaps->texels[i], findings);
    for (size_t i = 0; i < mishaps->arithmetic_count; i++)
        report_arithmetic(&mishaps->arithmetic[i], findings);
    for (size_t i = 0; i < mishaps->wrapped_count; i++)
        report_wrapped(mishaps, &mishaps->wrapped[i], findings);
}
