/* Rows of accesses on their way to judgement. */
#include "sim/follow.h"

#include "sim/order.h"
#include "sim/stale.h"
#include "sim/tags.h"
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
    uint32_t *phase =
        row->shadow->vars[row->var].is_texture ? &seat->texture_phase : &seat->storage_phase;
    if (!*phase)
        *phase = shadow_new_storage_phase(row->shadow, row->seen->workgroup->id);
    row->tag = cell_tag_of(*phase, row->seen->subgroup->first + row->seen->first_lane);
    return *phase != 0;
}

/* Whether a lane has read the piece in this phase. */
static bool has_read(const struct row *row, uint32_t lane, uint64_t piece) {
    const struct cell_pair *readers = &row->cells->who[CELL_READ];

    return row->seat->vars[row->var].read_phase == row->seat->phase &&
           (readers->tag[0][piece] == row->tag + lane || readers->tag[1][piece] == row->tag + lane);
}

/* ---- Quiet reads ---- */

/* Whether the lanes of a row are side by side, and access one piece each, that are side by side. */
static inline bool are_neighbours(const struct shadow *shadow, const struct access_row *seen,
                                  uint32_t var) {
    const struct segment *only = &seen->shape->segments[0];
    uint32_t bytes = 1u << shadow->vars[var].shift;

    return seen->shape->segment_count == 1 && shadow->ways[seen->site->id].bytes == bytes &&
           (only->step == (int32_t)bytes || only->count == 1);
}

static inline uint32_t first_piece(const struct shadow *shadow, const struct access_row *seen,
                                   uint32_t var) {
    return (uint32_t)((seen->first & WORD_OFFSET) >> shadow->vars[var].shift);
}

/* Of lanes side by side that access pieces side by side: the tag of each less its piece. */
static inline cell_tag diagonal_of(const struct seat *seat, const struct access_row *seen,
                                   uint32_t piece) {
    uint32_t lane = seen->first_lane + seen->shape->segments[0].lane;

    return cell_tag_of(seat->phase, seen->subgroup->first + lane) - piece;
}

/* Whether reads of the variable find nothing, wherever they are: nobody has written it in this
 * phase, and all of it was written in one phase before. */
static bool is_quiet(const struct seat *seat, const struct seat_var *var) {
    return var->write_phase != seat->phase && var->write_phase >= seat->first_phase &&
           var->fresh == var->cells.pieces;
}

/* Whether the writers of the pieces that a row reads give cause for a closer look. *read: extended
 * by all pieces. */
static bool is_odd(const struct shadow *shadow, const struct seat *seat,
                   const struct access_row *seen, uint32_t id, struct quiet_read *read) {
    const struct seat_var *var = &seat->vars[id];
    const cell_tag *writers = var->cells.who[CELL_WRITE].tag[0];
    cell_tag since = seat_plain_since(seat, var, seen->track->depth);
    cell_tag mine = cell_tag_of(seat->phase, seen->subgroup->first + seen->first_lane);
    uint32_t shift = shadow->vars[id].shift, bytes = shadow->ways[seen->site->id].bytes;

    for (uint32_t rest = seen->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t offset = (seen->first + seen->shape->pattern[lane]) & WORD_OFFSET;
        uint32_t piece = (uint32_t)(offset >> shift),
                 last = (uint32_t)((offset + bytes - 1) >> shift);
        read->from = piece < read->from ? piece : read->from;
        read->to = last >= read->to ? last + 1 : read->to;
        for (; piece <= last; piece++)
            if ((writers[piece] ^ (mine + lane)) - 1 < CELLS_LANE_MASK || writers[piece] < since)
                return true;
    }
    return false;
}

/* A read that finds nothing is kept. False: it may find something. */
static bool keep_quiet_read(struct shadow *shadow, struct seat *seat, const struct access_row *seen,
                            uint32_t id) {
    const struct shadow_var *known = &shadow->vars[id];
    struct seat_var *var = &seat->vars[id];
    struct quiet_read *read = &seat->quiet[seat->quiet_count];

    if (!known->shared || known->mixed || known->ordering || seen->shape->passing ||
        seat->quiet_count == QUIET_READS)
        return false;
    *read = (struct quiet_read){.to = UINT32_MAX, .anywhere = true};
    if (are_neighbours(shadow, seen, id)) {
        uint32_t piece = first_piece(shadow, seen, id), count = seen->shape->segments[0].count;
        cell_tag diagonal = diagonal_of(seat, seen, piece);
        if ((seat_may_have_written(seat, var, piece, count) ||
             !seat_just_wrote(seat, var, piece, count)) &&
            any_unordered_or_before(var->cells.who[CELL_WRITE].tag[0] + piece, diagonal + piece,
                                    seat_plain_since(seat, var, seen->track->depth), count))
            return false;
        *read = (struct quiet_read){.from = piece, .to = piece + count, .diagonal = diagonal};
    } else if (!is_quiet(seat, var)) {
        read->from = UINT32_MAX;
        read->to = 0;
        if (is_odd(shadow, seat, seen, id, read))
            return false;
    }
    read->first = seen->first;
    read->shape = seen->shape;
    read->subgroup = (uint16_t)seen->subgroup->index;
    read->first_lane = (uint8_t)seen->first_lane;
    var->quiet_phase = seat->phase;
    seat->quiet_count++;
    shadow->quiet_reads++;
    return true;
}

static void wake_quiet_read(struct shadow *shadow, struct seat *seat,
                            const struct quiet_read *read) {
    struct access_row seen = {.workgroup = seat->workgroup,
                              .subgroup = &seat->workgroup->subgroups[read->subgroup],
                              .site = shadow->kernel->sites[word_site(read->first)],
                              .shape = read->shape,
                              .first = read->first,
                              .first_lane = read->first_lane};
    struct row row = row_of(shadow, seat, &seen);

    locate(&row);
    touch_keep_reads(&row);
}

/* The quiet reads so far in this phase count, for their shapes are about to change. */
static void wake_quiet_reads(struct shadow *shadow, struct seat *seat) {
    for (uint32_t i = 0, count = seat->quiet_count; i < count; i++)
        wake_quiet_read(shadow, seat, &seat->quiet[i]);
    shadow_forget_quiet_reads(shadow, seat);
}

/* The same, for somebody touches the variable in a way that may find something: they come first. */
static void wake_quiet_reads_of(struct shadow *shadow, struct seat *seat, uint32_t var) {
    if (seat->vars[var].quiet_phase == seat->phase)
        wake_quiet_reads(shadow, seat);
}

void follow_reshape(struct shadow *shadow) {
    for (size_t i = 0; shadow->quiet_reads && i < shadow->seat_count; i++)
        if (shadow->seats[i])
            wake_quiet_reads(shadow, shadow->seats[i]);
}

/* ---- Writes ---- */

/* The first write of a variable in a phase. */
static void begin_writes(const struct seat *seat, struct seat_var *var) {
    var->earlier_phase = var->write_phase;
    var->earlier = var->written;
    var->earlier_solid = var->fresh == var->written.to - var->written.from;
    var->fresh = 0;
    var->written = (struct span){0, 0};
    var->write_phase = seat->phase;
}

/* A row of `lanes` stores to workgroup memory; `updates`: the first lane has read its piece in this
 * phase. */
static void note_store(const struct shadow *shadow, struct seat *seat,
                       const struct access_row *seen, uint32_t lanes, bool updates) {
    seat->stores[seen->site->id].updates = updates;
    stale_note_store(seat, seen->site, trip_at(seat, seen->subgroup, seen->site, shadow), lanes);
}

static void note_write(const struct row *row, uint32_t mask) {
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    struct seat_var *var = &row->seat->vars[row->var];

    if (!row->is_workgroup)
        return;
    wake_quiet_reads_of(row->shadow, row->seat, row->var);
    if (var->write_phase != row->seat->phase)
        begin_writes(row->seat, var);
    note_store(row->shadow, row->seat, row->seen, (uint32_t)__builtin_popcount(mask),
               has_read(row, lane, touch_first_piece(row, lane)));
}

/* Whether quiet reads of pieces that neighbours are about to write may matter, for others made
 * them. *own: if not, whether the first lane has made one of its piece. */
static bool others_read(const struct seat *seat, uint32_t var, cell_tag diagonal, uint32_t piece,
                        uint32_t count, bool *own) {
    if (seat->vars[var].quiet_phase != seat->phase)
        return false;
    if (seat->quiet_count > QUIET_FEW)
        return true;
    for (uint32_t i = 0; i < seat->quiet_count; i++) {
        const struct quiet_read *read = &seat->quiet[i];
        if (read->from >= piece + count || piece >= read->to || word_var(read->first) != var)
            continue;
        if (read->anywhere || read->diagonal != diagonal)
            return true;
        *own |= read->from <= piece;
    }
    return false;
}

/* A write of pieces that nobody else is known to have touched in this phase. False: it may find
 * something. */
static bool make_quiet_write(struct shadow *shadow, struct seat *seat,
                             const struct access_row *seen, uint32_t id) {
    struct shadow_var *known = &shadow->vars[id];
    struct seat_var *var = &seat->vars[id];
    bool own = false;

    if (known->mixed || known->ordering || !are_neighbours(shadow, seen, id))
        return false;
    uint32_t piece = first_piece(shadow, seen, id), count = seen->shape->segments[0].count;
    cell_tag diagonal = diagonal_of(seat, seen, piece);
    if (seat_may_have_written(seat, var, piece, count) ||
        seat_may_have_read(seat, var, piece, count) ||
        others_read(seat, id, diagonal, piece, count, &own))
        return false;
    if (var->write_phase != seat->phase)
        begin_writes(seat, var);
    note_store(shadow, seat, seen, count, own);
    known->lanes_storing += count;
    span_extend(&var->written, piece, count);
    var->fresh += count;
    const struct cell_pair *writers = &var->cells.who[CELL_WRITE];
    put_tags(writers->tag[0] + piece, writers->site[0] + piece, diagonal + piece,
             (uint16_t)seen->site->id, count);
    return true;
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
    if (row.access == CELL_READ && row.is_workgroup)
        wake_quiet_reads_of(shadow, seat, row.var);
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
    if (seen->site->space == WG_SPACE_WORKGROUP) {
        enum cell_access access = shadow->ways[seen->site->id].access;
        if (access == CELL_READ && keep_quiet_read(shadow, seat, seen, var))
            return;
        if (access == CELL_WRITE && make_quiet_write(shadow, seat, seen, var))
            return;
    }
    follow_closely(shadow, seat, seen);
}
