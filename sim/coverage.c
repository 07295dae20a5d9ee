/* Coverage of buffers, kept over the dispatches of a job. */
#include "sim/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "sim/element.h"
#include "sim/texture_spec.h"
#include "wgsim/wgsl_format.h"

/* Whether results of atomics are used: they may reserve places in a buffer. */
static bool reserves_places(const struct kernel *kernel) {
    for (size_t id = 0; id < kernel->site_limit; id++) {
        const struct wg_site *site = kernel->sites[id];
        if (site && site->op > WG_OP_ATOMIC_STORE && site->op <= WG_OP_ATOMIC_COMPARE_EXCHANGE &&
            !(site->flags & WG_SITE_UNUSED))
            return true;
    }
    return false;
}

int coverage_init(struct coverage *coverage, const struct job *job) {
    *coverage = (struct coverage){.job = job, .appends = reserves_places(job->kernel)};
    coverage->buffers = calloc(job->buffer_count + 1, sizeof *coverage->buffers);
    return coverage->buffers ? 0 : -1;
}

void coverage_release(struct coverage *coverage) {
    for (size_t i = 0; coverage->buffers && i < coverage->job->buffer_count; i++)
        free(coverage->buffers[i].written);
    free(coverage->buffers);
    *coverage = (struct coverage){0};
}

static struct coverage_buffer *buffer_of(const struct coverage *coverage, const uint8_t *data) {
    for (size_t i = 0; data && i < coverage->job->buffer_count; i++)
        if (coverage->job->buffers[i].data == data)
            return &coverage->buffers[i];
    return NULL;
}

/* The first site of that operation on a variable, or NULL. */
static const struct wg_site *site_of(const struct kernel *kernel, const struct wg_var *var,
                                     uint8_t op) {
    for (size_t id = 0; id < kernel->site_limit; id++)
        if (kernel->sites[id] && kernel->sites[id]->op == op && kernel->sites[id]->var == var->id)
            return kernel->sites[id];
    return NULL;
}

static const struct wg_site *store_site(const struct kernel *kernel, const struct wg_var *var) {
    return site_of(kernel, var, WG_OP_STORE);
}

/* Where the elements of a buffer lie: the texels of a texture begin behind its header. */
struct layout {
    uint64_t base, stride, elements;
    uint32_t extent[3]; /* of a texture */
};

/* elements 0: it is not one whose elements are all meant to be written: layers and levels of a
 * texture are, one at a time. */
static struct layout layout_of(const struct wg_var *var, const struct wg_view *view) {
    const struct wgsl_texture *texture = (const void *)view->data;

    if (!texture_spec_is_texture(var->type))
        return (struct layout){0, var->stride, view->bytes / var->stride, {0}};
    if (texture_spec_is_sampler(var->type) || view->bytes < sizeof *texture ||
        texture->levels != 1 || (!texture->is_3d && texture->size[2] != 1))
        return (struct layout){0};
    return (struct layout){sizeof *texture,
                           texture->texel_bytes,
                           (view->bytes - sizeof *texture) / texture->texel_bytes,
                           {texture->size[0], texture->size[1], texture->size[2]}};
}

/* How an element was written, as a set. At an end along an axis: by an invocation behind which no
 * other of its workgroup stores; the last: and its workgroup is the dispatch's last along it. */
enum { WRITTEN = 1, WRITTEN_AT_END = 1 << 1, WRITTEN_LAST = 1 << 4, AXES = 7 };

/* Who wrote, by axis. */
struct writer {
    uint64_t group[3];
    uint32_t lane[3];
};

static struct writer writer_of(const struct shadow *shadow, const struct launch *launch,
                               cell_tag tag) {
    uint64_t group = shadow->phase_workgroup[cell_phase(tag)];
    uint32_t lane = cell_lane(tag);
    struct writer writer;

    for (int axis = 0; axis < 3; axis++) {
        writer.group[axis] = group % launch->groups[axis];
        writer.lane[axis] = lane % launch->size[axis];
        group /= launch->groups[axis];
        lane /= launch->size[axis];
    }
    return writer;
}

/* Where one invocation of a workgroup stores, an end is one of the dispatch. */
static uint8_t how_written(const struct writer *writer, const uint32_t most[3],
                           const struct launch *launch) {
    uint8_t how = WRITTEN;

    for (int axis = 0; axis < 3; axis++) {
        bool one = launch->groups[axis] == 1 && launch->size[axis] == 1;
        bool last = writer->group[axis] + 1 == launch->groups[axis];
        if (one || writer->lane[axis] != most[axis] || (most[axis] == 0 && !last))
            continue;
        how |= (uint8_t)(WRITTEN_AT_END << axis);
        if (last)
            how |= (uint8_t)(WRITTEN_LAST << axis);
    }
    return how;
}

static int add_written(struct coverage_buffer *buffer, const struct shadow *shadow,
                       const struct launch *launch, const struct wg_var *var) {
    const struct shadow_var *known = &shadow->vars[var->id];
    const struct cells *cells = &known->cells;
    const cell_tag *tags = cells->who[CELL_WRITE].tag[0];
    const struct layout layout = layout_of(var, &launch->buffers[var->id]);

    buffer->complete |= known->written == cells->pieces || !layout.elements;
    if (buffer->complete)
        return 0;
    buffer->elements = layout.elements;
    memcpy(buffer->extent, layout.extent, sizeof buffer->extent);
    if (!buffer->written)
        buffer->written = calloc(buffer->elements + 1, 1);
    if (!buffer->written)
        return -1;
    uint32_t most[3] = {0}; /* the greatest local id that stores, by axis */
    for (uint64_t piece = 0; piece < cells->pieces; piece++) {
        struct writer writer = {0};
        if (tags[piece])
            writer = writer_of(shadow, launch, tags[piece]);
        for (int axis = 0; axis < 3; axis++)
            most[axis] = writer.lane[axis] > most[axis] ? writer.lane[axis] : most[axis];
    }
    for (uint64_t piece = 0; piece < cells->pieces; piece++) {
        if (!tags[piece])
            continue;
        struct writer writer = writer_of(shadow, launch, tags[piece]);
        buffer->written[((piece << cells->shift) - layout.base) / layout.stride] |=
            how_written(&writer, most, launch);
    }
    return 0;
}

/* Whether two sites are accesses for members that one store stores; a place without bytes is that
 * of its index. */
static bool is_same_store(const struct wg_site *a, const struct wg_site *b) {
    return a && b && a->op == WG_OP_STORE && b->op == WG_OP_STORE && a->bytes && b->bytes &&
           a->var == b->var && a->line == b->line && a->column && a->column == b->column &&
           strcmp(a->file, b->file) == 0;
}

/* How often a member was stored by a store that had stored another one of the element before. */
static uint64_t stored_again(const struct kernel *kernel, const struct judge *judge, uint32_t var) {
    uint64_t again = 0;

    for (size_t id = 1; id < kernel->site_limit; id++)
        if (is_same_store(kernel->sites[id - 1], kernel->sites[id]) &&
            kernel->sites[id]->var == var)
            again += judge->sites[id].lanes;
    return again;
}

static int add_var(struct coverage_buffer *buffer, const struct shadow *shadow,
                   const struct dispatch *d, const struct wg_var *var) {
    const struct shadow_var *known = &shadow->vars[var->id];
    const uint32_t atomic = 1u << CELL_ATOMIC_WRITE | 1u << CELL_ATOMIC_READ;

    if (!known->lanes_storing && known->cells.memory && store_site(shadow->kernel, var)) {
        buffer->idle |= dispatch_total(d) == 0;
        buffer->passed_by |= !site_of(shadow->kernel, var, WG_OP_LOAD); /* else it may be sorted */
        buffer->var = var;
        buffer->invocations_each = d->launch.invocations;
        buffer->elements = layout_of(var, &d->launch.buffers[var->id]).elements;
    }
    buffer->excluded |= shadow->forgot;
    buffer->excluded |= d->judge.vars[var->id].loaded_bytes > 0 || (known->accesses & atomic);
    if (!known->cells.memory || !known->lanes_storing)
        return 0;
    buffer->stores += known->lanes_storing - stored_again(shadow->kernel, &d->judge, var->id);
    buffer->var = var;
    for (int axis = 0; axis < 3; axis++) {
        buffer->groups[axis] = d->launch.groups[axis];
        buffer->size[axis] = d->launch.size[axis];
    }
    buffer->one_row =
        dispatch_total(d) == d->launch.groups[0] && d->launch.invocations == d->launch.size[0];
    buffer->invocations += dispatch_total(d) * d->launch.invocations;
    return buffer->excluded ? 0 : add_written(buffer, shadow, &d->launch, var);
}

int coverage_add(struct coverage *coverage, const struct shadow *shadow, const struct dispatch *d) {
    coverage->invocations += dispatch_total(d) * d->launch.invocations;
    for (size_t id = 0; id < shadow->kernel->var_limit; id++) {
        const struct wg_var *var = shadow->kernel->vars[id];
        struct coverage_buffer *buffer = buffer_of(coverage, d->launch.buffers[id].data);
        if (var && (var->space == WG_SPACE_STORAGE || var->space == WG_SPACE_STORAGE_READ))
            coverage->touched |=
                d->judge.vars[id].stored_bytes > 0 || d->judge.vars[id].loaded_bytes > 0;
        if (var && buffer && var->space != WG_SPACE_WORKGROUP &&
            kernel_entry_uses(d->launch.entry, var->id) && add_var(buffer, shadow, d, var) < 0)
            return -1;
    }
    return 0;
}

/* ---- Never written ---- */

struct gaps {
    uint64_t count, first, last_element;
    bool tail;    /* everything from the first on */
    bool regular; /* as far apart from each other, and as long, but for those before the end */
    bool at_ends; /* each begins where the invocations end */
    bool last;    /* and the dispatch */
};

/* The last run of elements that were not written. */
struct gap_run {
    uint64_t start, length, distance; /* distance: from the one before */
    uint64_t runs;
};

/* A run ended, before the end of the buffer. */
static void end_run(struct gap_run *run, uint64_t start, uint64_t length, bool *regular) {
    uint64_t distance = start - run->start;

    if (run->runs > 0)
        *regular &= length == run->length;
    if (run->runs > 1)
        *regular &= distance == run->distance;
    *run = (struct gap_run){start, length, distance, run->runs + 1};
}

/* A run begins behind an element that was written so. */
static void note_begin(struct gaps *gaps, uint8_t how) {
    gaps->at_ends &= (how / WRITTEN_AT_END & AXES) != 0;
    gaps->last &= (how / WRITTEN_LAST & AXES) != 0;
}

static struct gaps find_gaps(const struct coverage_buffer *buffer) {
    struct gaps gaps = {.first = UINT64_MAX, .regular = true, .at_ends = true, .last = true};
    struct gap_run run = {0};
    uint64_t length = 0;

    for (uint64_t i = 0; i < buffer->elements; i++) {
        if (buffer->written[i]) {
            if (length)
                end_run(&run, i - length, length, &gaps.regular);
            length = 0;
            continue;
        }
        if (!length)
            note_begin(&gaps, i > 0 ? buffer->written[i - 1] : 0);
        gaps.first = gaps.count ? gaps.first : i;
        gaps.last_element = i;
        gaps.count++;
        length++;
    }
    gaps.tail = gaps.count && gaps.first + gaps.count == buffer->elements;
    return gaps;
}

/* Whether the last row, of several, that an axis of the dispatch has is what was written last: more
 * of them would have gone on, whatever the guards along the other axes left out. */
static bool ends_with_a_row(const struct coverage_buffer *buffer, const struct gaps *gaps) {
    for (int axis = 0; axis < 3; axis++) {
        uint8_t last = (uint8_t)(WRITTEN_LAST << axis);
        uint64_t row = 0, all = 0;
        while (row < gaps->first && buffer->written[gaps->first - 1 - row] & last)
            row++;
        for (uint64_t i = 0; i < gaps->first; i++)
            all += (buffer->written[i] & last) != 0;
        if (row > 1 && row < gaps->first && row == all && gaps->first % row == 0)
            return true;
    }
    return false;
}

/* A result whose length depends on the data: written from the start, by some of the invocations. */
static bool is_compaction(const struct coverage_buffer *buffer, const struct gaps *gaps) {
    return gaps->tail && buffer->stores < buffer->invocations && buffer->stores <= gaps->first &&
           !ends_with_a_row(buffer, gaps);
}

/* There were invocations enough, and some chose not to store, here and there: the data decided. */
static bool is_choice(const struct coverage_buffer *buffer, const struct gaps *gaps) {
    return !gaps->regular && buffer->invocations >= buffer->elements &&
           buffer->stores < buffer->invocations;
}

/* The first elements were left out, or there were more invocations behind one that wrote next to a
 * gap: the place of the elements is meant so, as of rows that are padded or of a table that is
 * filled here and there. */
static bool is_layout(const struct gaps *gaps) {
    return !gaps->at_ends;
}

static const char *gap_advice(const struct coverage_buffer *buffer, const struct gaps *gaps,
                              struct findings *findings) {
    uint64_t groups = buffer->groups[0], each = groups ? gaps->first / groups : 0;

    if (!gaps->last)
        return "every workgroup leaves out the same places: look at how many elements an "
               "invocation takes, and how often its loop turns";
    if (gaps->tail && buffer->one_row && each && gaps->first % groups == 0 &&
        buffer->stores == gaps->first)
        return findings_text(findings,
                             "dispatch ceil(%llu / %llu) = %llu workgroups, and guard the last one",
                             (unsigned long long)buffer->elements, (unsigned long long)each,
                             (unsigned long long)((buffer->elements + each - 1) / each));
    return findings_text(
        findings,
        "the dispatch ends there: it has %u,%u,%u workgroups of %u,%u,%u; dispatch "
        "more along the axis that falls short, rounded up, and guard the last ones",
        buffer->groups[0], buffer->groups[1], buffer->groups[2], buffer->size[0], buffer->size[1],
        buffer->size[2]);
}

/* An element, or the place of a texel. */
static const char *place_text(const struct coverage_buffer *buffer, uint64_t element,
                              struct findings *findings) {
    uint64_t width = buffer->extent[0], height = buffer->extent[1];

    if (!width)
        return findings_text(findings, "%llu", (unsigned long long)element);
    if (buffer->extent[2] > 1)
        return findings_text(findings, "(%llu, %llu, %llu)", (unsigned long long)(element % width),
                             (unsigned long long)(element / width % height),
                             (unsigned long long)(element / width / height));
    return findings_text(findings, "(%llu, %llu)", (unsigned long long)(element % width),
                         (unsigned long long)(element / width));
}

static void report_gaps(const struct coverage *coverage, size_t index, struct findings *findings) {
    const struct coverage_buffer *buffer = &coverage->buffers[index];
    struct gaps gaps = find_gaps(buffer);

    if (!gaps.count || coverage->job->buffers[index].length_is_guessed ||
        is_compaction(buffer, &gaps) || is_choice(buffer, &gaps) || is_layout(&gaps))
        return;
    struct finding finding = {.kind = FINDING_NOT_COVERED,
                              .variable = coverage->job->buffers[index].name,
                              .element = gaps.first,
                              .first = FINDING_NO_PLACE,
                              .second = FINDING_NO_PLACE,
                              .count = gaps.count};
    finding.first.site = store_site(coverage->job->kernel, buffer->var);
    const char *first = place_text(buffer, gaps.first, findings);
    finding.text =
        findings_text(findings, "%s: %llu of %llu %s %s never written, %s%s%s%s",
                      coverage->job->buffers[index].name, (unsigned long long)gaps.count,
                      (unsigned long long)buffer->elements,
                      buffer->extent[0] ? "texels" : "elements", gaps.count == 1 ? "was" : "were",
                      gaps.last_element - gaps.first + 1 == gaps.count ? "" : "among ", first,
                      gaps.count == 1 ? "" : " to ",
                      gaps.count == 1 ? "" : place_text(buffer, gaps.last_element, findings));
    finding.advice = gap_advice(buffer, &gaps, findings);
    findings_add(findings, &finding);
}

/* ---- Written more than once ---- */

static void report_twice(const struct coverage *coverage, const struct race_entry *entry,
                         struct findings *findings) {
    const struct race *race = &entry->example;
    const struct wg_var *var = coverage->job->kernel->vars[race->var];
    struct finding finding = {
        .kind = FINDING_COVERED_TWICE,
        .dispatch = entry->dispatch,
        .variable = var->name,
        .element = race->byte / var->stride,
        .first = {race->first.site, race->first.workgroup, race->first.lane, FINDING_UNKNOWN},
        .second = {race->second.site, race->second.workgroup, race->second.lane, FINDING_UNKNOWN},
        .count = entry->count};

    finding.text = findings_text(
        findings,
        "%s is written by invocation %u of workgroup %llu and by invocation %u of workgroup %llu: "
        "what stays depends on the order",
        element_text(findings, var, race->byte, race->first.site), race->first.lane,
        (unsigned long long)race->first.workgroup, race->second.lane,
        (unsigned long long)race->second.workgroup);
    findings_add(findings, &finding);
}

/* Whether the variable was bound to a buffer that is an output and nothing else. */
static bool is_output(const struct coverage *coverage, uint32_t var) {
    for (size_t i = 0; i < coverage->job->buffer_count; i++)
        if (coverage->buffers[i].var && coverage->buffers[i].var->id == var)
            return !coverage->buffers[i].excluded &&
                   !texture_spec_is_texture(coverage->buffers[i].var->type);
    return false;
}

static void report_idle(const struct coverage *coverage, size_t index, struct findings *findings) {
    const struct coverage_buffer *buffer = &coverage->buffers[index];
    unsigned long long elements = buffer->elements, size = buffer->invocations_each;
    struct finding finding = {.kind = FINDING_NOT_COVERED,
                              .variable = coverage->job->buffers[index].name,
                              .element = 0,
                              .first = FINDING_NO_PLACE,
                              .second = FINDING_NO_PLACE,
                              .count = elements};

    finding.first.site = store_site(coverage->job->kernel, buffer->var);
    finding.text = findings_text(findings,
                                 "%s: none of its %llu elements was written, for the dispatch has "
                                 "no workgroups",
                                 finding.variable, elements);
    finding.advice =
        findings_text(findings, "dispatch ceil(%llu / %llu) = %llu, and guard the last workgroup",
                      elements, size, (elements + size - 1) / size);
    findings_add(findings, &finding);
}

/* A buffer of zeros that nobody gave, which says whether there is anything to do; NULL: there is
 * none. */
static const struct wg_var *unset(const struct coverage *coverage) {
    for (size_t i = 0; i < coverage->job->buffer_count; i++) {
        const struct job_buffer *buffer = &coverage->job->buffers[i];
        const struct wg_var *var = coverage->job->kernel->vars[buffer->like];
        if (buffer->is_default && var->space == WG_SPACE_UNIFORM)
            return var;
    }
    return NULL;
}

/* The whole job stored nothing, and not because of data: it loaded none either. */
static void report_nothing(const struct coverage *coverage, size_t index,
                           struct findings *findings) {
    const struct coverage_buffer *buffer = &coverage->buffers[index];
    const struct wg_site *site = store_site(coverage->job->kernel, buffer->var);
    struct finding finding = {.kind = FINDING_NOT_COVERED,
                              .variable = coverage->job->buffers[index].name,
                              .element = 0,
                              .first = FINDING_NO_PLACE,
                              .second = FINDING_NO_PLACE,
                              .count = buffer->elements};

    finding.first.site = site;
    finding.text =
        findings_text(findings,
                      "%s: none of its %llu elements was written: %llu invocations ran, and none "
                      "came to the store at line %u, nor to any other",
                      finding.variable, (unsigned long long)buffer->elements,
                      (unsigned long long)coverage->invocations, site->line);
    finding.advice = "look at what the conditions around the store are made of: a member of a "
                     "buffer's struct lies elsewhere than the host puts it where the host packs, "
                     "for a vec3 begins at a multiple of 16 bytes";
    const struct wg_var *zero = unset(coverage);
    if (zero)
        finding.advice = findings_text(findings,
                                       "no --buffer %u:%u=... says what %s holds, so it is zeros: "
                                       "give what the conditions around the store ask for",
                                       zero->group, zero->binding, zero->name);
    findings_add(findings, &finding);
}

void coverage_report(const struct coverage *coverage, const struct races *races,
                     struct findings *findings) {
    for (size_t i = 0; i < coverage->job->buffer_count; i++)
        if (coverage->buffers[i].idle && !coverage->buffers[i].written &&
            !coverage->buffers[i].complete && !coverage->buffers[i].excluded)
            report_idle(coverage, i, findings);
    for (size_t i = 0; i < coverage->job->buffer_count; i++)
        if (coverage->invocations && !coverage->touched && !coverage->appends &&
            coverage->buffers[i].passed_by && !coverage->buffers[i].excluded) {
            report_nothing(coverage, i, findings);
            break;
        }
    for (size_t i = 0; i < coverage->job->buffer_count; i++)
        if (coverage->buffers[i].written && !coverage->buffers[i].complete &&
            !coverage->buffers[i].excluded && !coverage->appends)
            report_gaps(coverage, i, findings);
    for (size_t i = 0; i < races->count; i++) {
        const struct race *race = &races->items[i].example;
        if (race->first.access == CELL_WRITE && race->second.access == CELL_WRITE &&
            races_entry_changes(&races->items[i]) && is_output(coverage, race->var))
            report_twice(coverage, &races->items[i], findings);
    }
}
