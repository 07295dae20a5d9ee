/* Rows of accesses on their way to judgement. */
#include "sim/follow.h"

#include "sim/order.h"
#include "sim/stale.h"
#include "sim/touch.h"
#include "sim/word.h"

/* Where the trip of the last access of a subgroup at a site is kept. */
static struct trip *trip_at(const struct seat *seat, const struct subgroup *s,
                            const struct wg_site *site, const struct shadow *shadow) {
    return &seat->trips[(size_t)s->index * shadow->kernel->site_limit + site->id];
}

static inline void note_trip(const struct shadow *shadow, const struct seat *seat,
                             const struct access_row *seen) {
    struct trip *trip = trip_at(seat, seen->subgroup, seen->site, shadow);

    if (trip->key != seen->track->key || !trip->depth)
        trip_take(trip, seen->track);
}

static struct row row_of(struct shadow *shadow, struct seat *seat, const struct access_row *seen) {
    const struct site_way *way = &shadow->ways[seen->site->id];

    return (struct row){.shadow = shadow,
                        .seat = seat,
                        .seen = seen,
                        .var = word_var(seen->first),
                        .access = way->access,
                        .bytes = way->bytes,
                        .align = way->align};
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
        row->tag = cell_tag_of(seat->phase, row->seen->subgroup->first + row->seen->first_lane);
        return true;
    }
    if (!seat->storage_phase)
        seat->storage_phase = shadow_new_storage_phase(row->shadow, row->seen->workgroup->id);
    row->tag = cell_tag_of(seat->storage_phase, row->seen->subgroup->first + row->seen->first_lane);
    return seat->storage_phase != 0;
}

/* Whether a lane has read the piece in this phase. */
static bool has_read(const struct row *row, uint32_t lane, uint64_t piece) {
    const struct cell_pair *readers = &row->cells->who[CELL_READ];

    return row->seat->vars[row->var].read_phase == row->seat->phase &&
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

static void touch_quiet_read(struct shadow *shadow, struct seat *seat,
                             const struct quiet_read *read) {
    struct access_row seen = {.workgroup = seat->workgroup,
                              .subgroup = &seat->workgroup->subgroups[read->subgroup],
                              .site = shadow->kernel->sites[word_site(read->first)],
                              .shape = read->shape,
                              .first = read->first,
                              .first_lane = read->first_lane};
    struct row row = row_of(shadow, seat, &seen);

    locate(&row);
    touch_row(&row);
}

/* The reads so far in this phase count: somebody writes, or their shapes are about to change. */
static void wake_quiet_reads(struct shadow *shadow, struct seat *seat) {
    for (uint32_t i = 0, count = seat->quiet_count; i < count; i++)
        touch_quiet_read(shadow, seat, &seat->quiet[i]);
    shadow_forget_quiet_reads(shadow, seat);
}

void follow_reshape(struct shadow *shadow) {
    for (size_t i = 0; shadow->quiet_reads && i < shadow->seat_count; i++)
        if (shadow->seats[i])
            wake_quiet_reads(shadow, shadow->seats[i]);
}

static inline void keep_quiet_read(struct shadow *shadow, struct seat *seat,
                                   const struct access_row *seen) {
    seat->quiet[seat->quiet_count++] =
        (struct quiet_read){seen->first, seen->shape, seen->subgroup->index, seen->first_lane};
    shadow->quiet_reads++;
}

static void note_write(const struct row *row, uint32_t mask) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    struct seat_var *var = &row->seat->vars[row->var];

    if (!row->is_workgroup)
        return;
    if (row->seat->quiet_count)
        wake_quiet_reads(row->shadow, row->seat);
    row->seat->stores[row->seen->site->id].updates =
        has_read(row, lane, touch_first_piece(row, lane));
    if (var->write_phase != row->seat->phase) {
        var->earlier_phase = var->write_phase;
        var->earlier = var->written;
        var->earlier_solid = var->fresh == var->written.to - var->written.from;
        var->fresh = 0;
        var->written = (struct span){0, 0};
        var->write_phase = row->seat->phase;
        var->quiet_phase = 0;
    }
    stale_note_store(row->seat, row->seen->site,
                     trip_at(row->seat, row->seen->subgroup, row->seen->site, row->shadow),
                     (uint32_t)__builtin_popcount(mask));
}

/* Counts workgroups that write storage. */
static void note_effect(struct shadow *shadow, struct seat *seat, const struct wg_site *site) {
    enum cell_access access = shadow->ways[site->id].access;

    if (seat->effect || site->space != WG_SPACE_STORAGE || access == CELL_READ ||
        access == CELL_ATOMIC_READ)
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
static void note_poll(struct shadow *shadow, struct seat *seat, const struct access_row *seen) {
    size_t place = (size_t)seen->subgroup->index * shadow->kernel->site_limit + seen->site->id;
    uint32_t lane = seen->first_lane + (uint32_t)__builtin_ctz(seen->mask);

    spins_note(&shadow->spins, seen->site, seen->track, lane, seen->first, &seat->polls[place]);
}

/* A row that may find something. Not inlined: most rows do without what it needs of the stack. */
static __attribute__((noinline)) void follow_closely(struct shadow *shadow, struct seat *seat,
                                                     const struct access_row *seen) {
    struct row row = row_of(shadow, seat, seen);

    if (!locate(&row))
        return;
    if (row.access == CELL_WRITE) {
        shadow->vars[row.var].lanes_storing += (uint32_t)__builtin_popcount(seen->mask);
        note_write(&row, seen->mask);
    }
    if (shadow->vars[row.var].ordering) {
        order_row(&row, seen->mask);
        return;
    }
    if (is_quiet(&row)) {
        seat->vars[row.var].quiet_phase = seat->phase;
        if (seat->quiet_count == QUIET_READS || seen->shape->passing)
            wake_quiet_reads(shadow, seat); /* they come before this one */
        if (!seen->shape->passing) {
            keep_quiet_read(shadow, seat, seen);
            return;
        }
    }
    touch_row(&row);
}

void follow_row(struct shadow *shadow, const struct access_row *seen) {
    struct seat *seat = shadow_seat(shadow, seen->workgroup);
    uint32_t var = word_var(seen->first);

    if (!seat)
        return;
    note_effect(shadow, seat, seen->site);
    if (shadow->orders)
        note_poll(shadow, seat, seen);
    if (!shadow->vars[var].tracked)
        return;
    note_trip(shadow, seat, seen);
    if (seat->vars[var].quiet_phase == seat->phase && !seen->shape->passing &&
        seat->quiet_count < QUIET_READS && shadow->ways[seen->site->id].access == CELL_READ)
        keep_quiet_read(shadow, seat, seen);
    else
        follow_closely(shadow, seat, seen);
}
