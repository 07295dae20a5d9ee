/* Rows of accesses on their way to judgement. */
#include "sim/follow.h"

#include "sim/stale.h"
#include "sim/touch.h"

#define SILENT (UINT64_C(1) << WG_LOG_SILENT_SHIFT)

static void find_segments(struct shape *shape, const uint64_t *words, uint32_t mask) {
    uint32_t first = (uint32_t)__builtin_ctz(mask);

    shape->mask = mask;
    shape->segment_count = 0;
    for (uint32_t i = 0; i < WG_LOG_ROW; i++)
        shape->pattern[i] = mask >> i & 1 ? (words[i] & ~SILENT) - (words[first] & ~SILENT) : 0;
    for (uint32_t i = first; i < WG_LOG_ROW; i++) {
        if (!(mask >> i & 1))
            continue;
        struct segment *last = &shape->segments[shape->segment_count - 1];
        bool follows = shape->segment_count && last->lane + last->count == (int)i;
        int64_t step = follows ? (int64_t)(shape->pattern[i] - shape->pattern[i - 1]) : 0;
        if (follows && step == (int32_t)step && (last->count == 1 || step == last->step)) {
            last->step = (int32_t)step;
            last->count++;
        } else {
            shape->segments[shape->segment_count++] = (struct segment){(uint8_t)i, 1, 0};
        }
    }
}

/* What an access touches: a store to a component of a vector is one to all of it. */
static void set_extent(struct row *row) {
    row->bytes = row->site->bytes;
    row->align = 1;
    if (row->access != CELL_WRITE || !row->site->vector_bytes)
        return;
    row->bytes = row->site->vector_bytes;
    while (row->align < row->bytes)
        row->align *= 2;
}

static void note_trip(const struct row *row, uint32_t mask) {
    const struct track *track =
        judge_track(row->subgroup, row->first_lane + (uint32_t)__builtin_ctz(mask));
    struct trip *trip =
        &row->seat->trips[(size_t)row->subgroup->index * row->shadow->kernel->site_limit +
                          row->site->id];

    if (track && trip->key == track->key && trip->depth)
        return;
    trip_take(trip, track);
}

static bool locate(struct row *row) {
    const struct wg_var *var = row->shadow->kernel->vars[row->var];
    struct seat *seat = row->seat;

    row->is_workgroup = var->space == WG_SPACE_WORKGROUP;
    row->cells =
        row->is_workgroup ? &seat->vars[row->var].cells : &row->shadow->vars[row->var].cells;
    if (!row->cells->memory)
        return false;
    if (row->is_workgroup) {
        row->tag = cell_tag_of(seat->phase, row->subgroup->first + row->first_lane);
        return true;
    }
    if (!seat->storage_phase)
        seat->storage_phase = shadow_new_storage_phase(row->shadow, row->workgroup->id);
    row->tag = cell_tag_of(seat->storage_phase, row->subgroup->first + row->first_lane);
    return seat->storage_phase != 0;
}

/* Whether a lane has read the piece in this phase. */
static bool has_read(const struct row *row, uint32_t lane, uint64_t piece) {
    const struct cell_pair *readers = &row->cells->who[CELL_READ];

    return readers->tag[0] &&
           (readers->tag[0][piece] == row->tag + lane || readers->tag[1][piece] == row->tag + lane);
}

/* ---- Quiet reads ---- */

/* Whether a read can find nothing: nobody has written the variable in this phase, and all of it was
 * written in one phase before. */
static bool is_quiet(const struct row *row) {
    const struct shadow_var *known = &row->shadow->vars[row->var];
    const struct seat_var *var = &row->seat->vars[row->var];

    return row->access == CELL_READ && row->is_workgroup && known->shared && !known->mixed &&
           !known->ordering && var->write_phase != row->seat->phase &&
           var->write_phase >= row->seat->first_phase && var->fresh == var->cells.pieces;
}

/* Somebody writes: the reads so far in this phase count. */
static void wake_quiet_reads(struct shadow *shadow, struct seat *seat) {
    uint32_t count = seat->quiet_count;

    for (uint32_t i = 0; i < count; i++) {
        const struct quiet_read *read = &seat->quiet[i];
        struct shape *shape = &shadow->shapes[read->site];
        uint64_t words[WG_LOG_ROW];
        struct row row = {.shadow = shadow,
                          .seat = seat,
                          .workgroup = seat->workgroup,
                          .subgroup = &seat->workgroup->subgroups[read->subgroup],
                          .site = shadow->kernel->sites[read->site],
                          .words = words,
                          .first_lane = read->first_lane,
                          .var = read->first >> WG_LOG_VAR_SHIFT & 127,
                          .access = CELL_READ};
        for (uint32_t lane = 0; lane < WG_LOG_ROW; lane++)
            words[lane] = read->first + shape->pattern[lane];
        locate(&row);
        set_extent(&row);
        touch_row(&row, shape);
    }
    shadow_forget_quiet_reads(shadow, seat);
}

static void read_quietly(const struct row *row, struct shape *shape, uint64_t first) {
    struct seat *seat = row->seat;

    if (seat->quiet_count == QUIET_READS)
        wake_quiet_reads(row->shadow, seat);
    seat->quiet[seat->quiet_count++] =
        (struct quiet_read){first, row->site->id, row->subgroup->index, row->first_lane};
    shape->waiting++;
}

static struct shape *shape_of(struct shadow *shadow, const struct row *row, uint32_t mask) {
    struct shape *shape = &shadow->shapes[row->site->id];
    uint64_t first = row->words[__builtin_ctz(mask)] & ~SILENT;

    if (shape->mask == mask && !(~shadow->match(row->words, first, shape->pattern) & mask))
        return shape;
    for (size_t i = 0; shape->waiting && i < shadow->seat_count; i++)
        if (shadow->seats[i])
            wake_quiet_reads(shadow, shadow->seats[i]);
    find_segments(shape, row->words, mask);
    return shape;
}

static void note_write(const struct row *row, uint32_t mask) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    struct seat_var *var = &row->seat->vars[row->var];

    if (!row->is_workgroup)
        return;
    wake_quiet_reads(row->shadow, row->seat);
    row->seat->stores[row->site->id].updates = has_read(row, lane, touch_first_piece(row, lane));
    if (var->write_phase != row->seat->phase) {
        var->earlier_phase = var->write_phase;
        var->fresh = 0;
        var->write_phase = row->seat->phase;
    }
    stale_note_store(
        row->seat, row->site,
        &row->seat->trips[(size_t)row->subgroup->index * row->shadow->kernel->site_limit +
                          row->site->id],
        (uint32_t)__builtin_popcount(mask));
}

/* Counts workgroups that write storage. */
static void note_effect(struct shadow *shadow, struct seat *seat, const struct wg_site *site) {
    if (seat->effect || site->space != WG_SPACE_STORAGE || shadow_access_of(site) == CELL_READ ||
        shadow_access_of(site) == CELL_ATOMIC_READ)
        return;
    seat->effect = true;
    shadow->effective++;
}

void follow_outside(struct shadow *shadow, const struct record *record) {
    if (record->var == WG_VAR_DYNAMIC) /* of the invocation's own */
        return;
    const struct wg_var *var = shadow->kernel->vars[record->var];
    uint64_t bytes = record->count * var->stride;

    if (record->dispatch->options->outside != OUTSIDE_CLAMP || !record->count ||
        bytes != record->dispatch->launch.buffers[record->var].bytes)
        return;
    shadow->vars[record->var].clamped_from = bytes - var->stride;
    shadow->vars[record->var].clamped_to = bytes;
}

/* Where the order of atomics is looked at: which loops wait for one. */
static void note_poll(const struct row *row, uint32_t lane) {
    size_t place = (size_t)row->subgroup->index * row->shadow->kernel->site_limit + row->site->id;

    spins_note(&row->shadow->spins, row->site, judge_track(row->subgroup, row->first_lane + lane),
               row->first_lane + lane, row->words[lane], &row->seat->polls[place]);
}

void follow_row(struct shadow *shadow, const struct workgroup *w, const struct subgroup *s,
                uint32_t first_lane, const uint64_t *words, uint32_t mask) {
    uint64_t any = words[__builtin_ctz(mask)];
    struct row row = {.shadow = shadow,
                      .seat = shadow_seat(shadow, w),
                      .workgroup = w,
                      .subgroup = s,
                      .site = shadow->kernel->sites[any >> WG_LOG_SITE_SHIFT],
                      .words = words,
                      .first_lane = first_lane,
                      .var = any >> WG_LOG_VAR_SHIFT & 127};
    struct shadow_var *known = &shadow->vars[row.var];

    if (!row.seat)
        return;
    note_effect(shadow, row.seat, row.site);
    if (shadow->orders)
        note_poll(&row, (uint32_t)__builtin_ctz(mask));
    if (!known->tracked || !locate(&row))
        return;
    row.access = shadow_access_of(row.site);
    set_extent(&row);
    note_trip(&row, mask);
    if (row.access == CELL_WRITE) {
        known->lanes_storing += (uint32_t)__builtin_popcount(mask);
        note_write(&row, mask);
    }
    if (known->ordering) {
        touch_in_order(&row, mask);
        return;
    }
    struct shape *shape = shape_of(shadow, &row, mask);
    if (is_quiet(&row))
        read_quietly(&row, shape, any & ~SILENT);
    else
        touch_row(&row, shape);
}
