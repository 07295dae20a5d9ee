/* Coverage of buffers, kept over the dispatches of a job. */
#include "sim/coverage.h"

#include <stdlib.h>

#include "sim/element.h"
#include "sim/texture_spec.h"

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

static const struct wg_site *store_site(const struct kernel *kernel, const struct wg_var *var) {
    for (size_t id = 0; id < kernel->site_limit; id++)
        if (kernel->sites[id] && kernel->sites[id]->op == WG_OP_STORE &&
            kernel->sites[id]->var == var->id)
            return kernel->sites[id];
    return NULL;
}

static int add_written(struct coverage_buffer *buffer, const struct wg_var *var,
                       const struct shadow_var *known) {
    const struct cells *cells = &known->cells;
    const cell_tag *tags = cells->who[CELL_WRITE].tag[0];

    buffer->complete |= known->written == cells->pieces;
    if (buffer->complete)
        return 0;
    buffer->elements = (cells->pieces << cells->shift) / var->stride;
    if (!buffer->written)
        buffer->written = calloc(buffer->elements + 1, 1);
    if (!buffer->written)
        return -1;
    for (uint64_t piece = 0; piece < cells->pieces; piece++)
        if (tags[piece])
            buffer->written[(piece << cells->shift) / var->stride] = 1;
    return 0;
}

static int add_var(struct coverage_buffer *buffer, const struct shadow *shadow,
                   const struct dispatch *d, const struct wg_var *var) {
    const struct shadow_var *known = &shadow->vars[var->id];
    const uint32_t atomic = 1u << CELL_ATOMIC_WRITE | 1u << CELL_ATOMIC_READ;

    if (dispatch_total(d) == 0 && known->cells.memory && store_site(shadow->kernel, var)) {
        buffer->idle = true;
        buffer->var = var;
        buffer->size = d->launch.invocations;
        buffer->elements = (known->cells.pieces << known->cells.shift) / var->stride;
    }
    buffer->excluded |= shadow->forgot;
    buffer->excluded |= d->judge.vars[var->id].loaded_bytes > 0 || (known->accesses & atomic);
    if (!known->cells.memory || !known->lanes_storing)
        return 0;
    buffer->stores += known->lanes_storing;
    buffer->var = var;
    buffer->groups = d->launch.groups[0];
    buffer->size = d->launch.size[0];
    buffer->one_row =
        dispatch_total(d) == d->launch.groups[0] && d->launch.invocations == d->launch.size[0];
    buffer->invocations += dispatch_total(d) * d->launch.invocations;
    return buffer->excluded ? 0 : add_written(buffer, var, known);
}

int coverage_add(struct coverage *coverage, const struct shadow *shadow, const struct dispatch *d) {
    for (size_t id = 0; id < shadow->kernel->var_limit; id++) {
        const struct wg_var *var = shadow->kernel->vars[id];
        struct coverage_buffer *buffer = buffer_of(coverage, d->launch.buffers[id].data);
        if (var && buffer && var->space != WG_SPACE_WORKGROUP &&
            !texture_spec_is_texture(var->type) && kernel_entry_uses(d->launch.entry, var->id) &&
            add_var(buffer, shadow, d, var) < 0)
            return -1;
    }
    return 0;
}

/* ---- Never written ---- */

struct gaps {
    uint64_t count, first, last;
    bool tail;    /* everything from the first on */
    bool regular; /* as far apart from each other, and as long, but for those before the end */
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

static struct gaps find_gaps(const struct coverage_buffer *buffer) {
    struct gaps gaps = {.first = UINT64_MAX, .regular = true};
    struct gap_run run = {0};
    uint64_t length = 0;

    for (uint64_t i = 0; i < buffer->elements; i++) {
        if (buffer->written[i]) {
            if (length)
                end_run(&run, i - length, length, &gaps.regular);
            length = 0;
            continue;
        }
        gaps.first = gaps.count ? gaps.first : i;
        gaps.last = i;
        gaps.count++;
        length++;
    }
    gaps.tail = gaps.count && gaps.first + gaps.count == buffer->elements;
    return gaps;
}

/* A result whose length depends on the data: written from the start, by some of the invocations. */
static bool is_compaction(const struct coverage_buffer *buffer, const struct gaps *gaps) {
    return gaps->tail && buffer->stores < buffer->invocations && buffer->stores <= gaps->first;
}

/* There were invocations enough, and some chose not to store, here and there: the data decided. */
static bool is_choice(const struct coverage_buffer *buffer, const struct gaps *gaps) {
    return !gaps->regular && buffer->invocations >= buffer->elements &&
           buffer->stores < buffer->invocations;
}

static const char *gap_advice(const struct coverage_buffer *buffer, const struct gaps *gaps,
                              struct findings *findings) {
    if (!gaps->tail || !buffer->one_row || !buffer->groups || gaps->first % buffer->groups)
        return NULL;
    uint64_t each = gaps->first / buffer->groups;
    if (!each)
        return NULL;
    return findings_text(findings,
                         "dispatch ceil(%llu / %llu) = %llu workgroups, and guard the last one",
                         (unsigned long long)buffer->elements, (unsigned long long)each,
                         (unsigned long long)((buffer->elements + each - 1) / each));
}

static void report_gaps(const struct coverage *coverage, size_t index, struct findings *findings) {
    const struct coverage_buffer *buffer = &coverage->buffers[index];
    struct gaps gaps = find_gaps(buffer);

    if (!gaps.count || is_compaction(buffer, &gaps) || is_choice(buffer, &gaps))
        return;
    struct finding finding = {.kind = FINDING_NOT_COVERED,
                              .variable = coverage->job->buffers[index].name,
                              .element = gaps.first,
                              .first = FINDING_NO_PLACE,
                              .second = FINDING_NO_PLACE,
                              .count = gaps.count};
    finding.first.site = store_site(coverage->job->kernel, buffer->var);
    finding.text =
        findings_text(findings, "%s: %llu of %llu elements were never written, %s%llu to %llu",
                      coverage->job->buffers[index].name, (unsigned long long)gaps.count,
                      (unsigned long long)buffer->elements,
                      gaps.last - gaps.first + 1 == gaps.count ? "" : "among ",
                      (unsigned long long)gaps.first, (unsigned long long)gaps.last);
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
            return !coverage->buffers[i].excluded;
    return false;
}

static void report_idle(const struct coverage *coverage, size_t index, struct findings *findings) {
    const struct coverage_buffer *buffer = &coverage->buffers[index];
    unsigned long long elements = buffer->elements, size = buffer->size;
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

void coverage_report(const struct coverage *coverage, const struct races *races,
                     struct findings *findings) {
    for (size_t i = 0; i < coverage->job->buffer_count; i++)
        if (coverage->buffers[i].idle && !coverage->buffers[i].written &&
            !coverage->buffers[i].complete && !coverage->buffers[i].excluded)
            report_idle(coverage, i, findings);
    for (size_t i = 0; i < coverage->job->buffer_count; i++)
        if (coverage->buffers[i].written && !coverage->buffers[i].complete &&
            !coverage->buffers[i].excluded && !coverage->appends)
            report_gaps(coverage, i, findings);
    for (size_t i = 0; i < races->count; i++) {
        const struct race *race = &races->items[i].example;
        if (race->first.access == CELL_WRITE && race->second.access == CELL_WRITE &&
            races->items[i].changes && is_output(coverage, race->var))
            report_twice(coverage, &races->items[i], findings);
    }
}
