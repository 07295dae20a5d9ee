/* Judging the pieces of a row: races, reads of what nobody wrote or of what is stale. */
#include "sim/touch.h"

#include <string.h>

#include "sim/stale.h"
#include "sim/tags.h"
#include "sim/word.h"

/* ---- Races ---- */

static uint64_t workgroup_of(const struct row *row, cell_tag tag) {
    return row->is_workgroup ? row->seen->workgroup->id
                             : row->shadow->phase_workgroup[cell_phase(tag)];
}

/* Whether nothing orders the access of `tag` before the one of `mine`. */
static bool unordered(const struct row *row, cell_tag tag, cell_tag mine) {
    if (tag == 0 || tag == mine)
        return false;
    if (cell_phase(tag) == cell_phase(mine))
        return true;
    return !row->is_workgroup && workgroup_of(row, tag) != row->seen->workgroup->id;
}

static struct race_side other_side(const struct row *row, enum cell_access access, cell_tag tag,
                                   uint32_t site) {
    struct race_side side = {.site = row->shadow->kernel->sites[site],
                             .access = access,
                             .workgroup = workgroup_of(row, tag),
                             .lane = cell_lane(tag)};

    if (side.workgroup == row->seen->workgroup->id && row->seat->trips) {
        uint32_t subgroup = side.lane / row->seen->workgroup->launch->subgroup_size;
        side.trip = row->seat->trips[(size_t)subgroup * row->shadow->kernel->site_limit + site];
        side.has_trip = true;
    }
    return side;
}

/* The workgroup of that id, while it is known. */
static const struct workgroup *resident(const struct shadow *shadow, uint64_t id) {
    for (size_t i = 0; i < shadow->seat_count; i++)
        if (shadow->seats[i] && shadow->seats[i]->workgroup &&
            shadow->seats[i]->workgroup->id == id)
            return shadow->seats[i]->workgroup;
    return NULL;
}

/* With weak memory: compares what a reader sees, or a second writer has stored, with what the
 * writer did. */
static void compare_views(const struct row *row, struct race *race) {
    if (!row->shadow->dispatch->options->weak_memory || !race->crossing ||
        race->first.access != CELL_WRITE)
        return;
    const struct workgroup *writer = resident(row->shadow, race->first.workgroup);
    const uint8_t *stored = writer ? writer->ctx.vars[row->var].data
                                   : row->shadow->dispatch->launch.buffers[row->var].data;
    const struct wg_view *view = &row->seen->workgroup->ctx.vars[row->var];
    uint64_t left = view->bytes - race->byte; /* behind the last half there is no word */
    size_t size = left < sizeof race->seen ? (size_t)left : sizeof race->seen;
    memcpy(&race->seen, view->data + race->byte, size);
    memcpy(&race->stored, stored + race->byte, size);
    bool equal = race->seen == race->stored;
    race->behind = writer && !equal && race->second.access == CELL_READ;
    race->silent |= equal && race->second.access == CELL_WRITE;
}

/* Where an invocation that stores has loaded in this phase; NULL: it has not, or does not store. */
static const struct wg_site *load_before(const struct row *row, const struct race_side *side) {
    const struct past_order *past = &row->seat->vars[row->var].past[side->lane];

    return side->site->op == WG_OP_ATOMIC_STORE && past->load_phase == row->seat->phase
               ? row->shadow->kernel->sites[past->load_site]
               : NULL;
}

/* Whether two updates may be made in either order, like those of one kind. */
static bool commute(const struct race *race) {
    return race->first.access == CELL_ATOMIC_WRITE && race->second.access == CELL_ATOMIC_WRITE &&
           shadow_updates_commute(race->first.site->op, race->second.site->op);
}

static void found_race(const struct row *row, uint32_t lane, uint64_t piece,
                       enum cell_access access, cell_tag tag, uint32_t site) {
    uint64_t byte = piece << row->cells->shift;
    const struct shadow_var *known = &row->shadow->vars[row->var];

    if (byte >= known->clamped_from && byte < known->clamped_to)
        return;
    struct race race = {.var = row->var,
                        .byte = byte,
                        .first = other_side(row, access, tag, site),
                        .second = {.site = row->seen->site,
                                   .access = row->access,
                                   .workgroup = row->seen->workgroup->id,
                                   .lane = cell_lane(row->tag + lane),
                                   .has_trip = true},
                        .ordering = row->shadow->vars[row->var].ordering,
                        .silent = access == CELL_WRITE && row->access == CELL_WRITE &&
                                  row_is_silent(row->seen->words, row->seen->silent, lane)};

    if (race.ordering && commute(&race))
        return;
    if (row->is_workgroup)
        row->shadow->vars[row->var].shared = true;
    if (race.ordering) {
        race.first.after = load_before(row, &race.first);
        race.second.after = load_before(row, &race.second);
    }
    trip_take(&race.second.trip, judge_track(row->seen->subgroup, row->seen->first_lane + lane));
    race.crossing = race.first.workgroup != race.second.workgroup;
    race.one_subgroup =
        !race.crossing && race.first.site->line != race.second.site->line &&
        race.first.lane / row->seen->workgroup->launch->subgroup_size == row->seen->subgroup->index;
    compare_views(row, &race);
    races_add(&row->shadow->races, &race);
}

/* The ways of access that conflict with each. */
static const uint32_t conflicts[CELL_ACCESSES] = {
    [CELL_WRITE] =
        1u << CELL_WRITE | 1u << CELL_READ | 1u << CELL_ATOMIC_WRITE | 1u << CELL_ATOMIC_READ,
    [CELL_READ] = 1u << CELL_WRITE | 1u << CELL_ATOMIC_WRITE,
    [CELL_ATOMIC_WRITE] = 1u << CELL_WRITE | 1u << CELL_READ,
    [CELL_ATOMIC_READ] = 1u << CELL_WRITE,
};

void touch_check(const struct row *row, const uint32_t *against, uint32_t lane, uint64_t piece) {
    cell_tag mine = row->tag + lane;

    for (enum cell_access access = 0; access < CELL_ACCESSES; access++) {
        const struct cell_pair *who = &row->cells->who[access];
        if (!(against[row->access] >> access & 1) || !who->tag[0])
            continue;
        for (uint32_t i = 0; i < 2 && who->tag[i]; i++)
            if (unordered(row, who->tag[i][piece], mine)) {
                found_race(row, lane, piece, access, who->tag[i][piece], who->site[i][piece]);
                break;
            }
    }
}

/* ---- Where a variable of workgroup memory was touched in this phase ---- */

static void note_written(const struct row *row, uint64_t piece, uint32_t count, uint32_t fresh) {
    struct seat_var *var = &row->seat->vars[row->var];

    span_extend(&var->written, piece, count);
    var->fresh += fresh;
}

static void note_read_span(const struct row *row, uint64_t piece, uint32_t count) {
    struct seat_var *var = &row->seat->vars[row->var];

    if (var->read_phase != row->seat->phase)
        var->read = (struct span){0, 0};
    var->read_phase = row->seat->phase;
    span_extend(&var->read, piece, count);
}

static bool may_be_written(const struct row *row, uint64_t piece, uint32_t count) {
    return seat_may_have_written(row->seat, &row->seat->vars[row->var], piece, count);
}

static bool may_be_read(const struct row *row, uint64_t piece, uint32_t count) {
    return seat_may_have_read(row->seat, &row->seat->vars[row->var], piece, count);
}

void touch_keep(const struct row *row, uint32_t lane, uint64_t piece) {
    const struct cell_pair *who = &row->cells->who[row->access];
    cell_tag mine = row->tag + lane;
    uint32_t place = 0;

    if (who->tag[1]) {
        cell_tag one = who->tag[0][piece], two = who->tag[1][piece];
        if (row->is_workgroup || !one || workgroup_of(row, one) == row->seen->workgroup->id) {
            bool elsewhere =
                !row->is_workgroup && two && workgroup_of(row, two) != row->seen->workgroup->id;
            if (elsewhere && cell_phase(one) == cell_phase(mine))
                return;
            place = !elsewhere && one != mine && cell_phase(one) == cell_phase(mine);
        } else {
            place = 1;
        }
    }
    if (row->access == CELL_WRITE && row->is_workgroup)
        note_written(row, piece, 1, cell_phase(who->tag[0][piece]) != cell_phase(mine));
    else if (row->access == CELL_WRITE)
        row->shadow->vars[row->var].written += who->tag[0][piece] == 0;
    if (row->access == CELL_READ && row->is_workgroup)
        note_read_span(row, piece, 1);
    who->tag[place][piece] = mine;
    who->site[place][piece] = (uint16_t)row->seen->site->id;
}

/* ---- Reads of workgroup memory: by whom was it written, and when ---- */

static struct read_entry *entry_for(struct read_entry *entries, size_t *count,
                                    const struct wg_site *site, uint32_t var) {
    for (size_t i = 0; i < *count; i++)
        if (entries[i].site == site && entries[i].var == var)
            return &entries[i];
    if (*count == SHADOW_READS_MAX)
        return NULL;
    entries[*count] = (struct read_entry){.site = site, .var = var};
    return &entries[(*count)++];
}

static void note_read(const struct row *row, struct read_entry *entry, uint32_t lane,
                      uint64_t piece) {
    if (!entry || entry->count++)
        return;
    entry->byte = piece << row->cells->shift;
    entry->workgroup = row->seen->workgroup->id;
    entry->lane = cell_lane(row->tag + lane);
}

static bool written(const struct row *row, uint64_t piece) {
    const struct cell_pair *atomic = &row->cells->who[CELL_ATOMIC_WRITE];
    uint32_t first = row->seat->first_phase;

    return cell_phase(row->cells->who[CELL_WRITE].tag[0][piece]) >= first ||
           (atomic->tag[0] && cell_phase(atomic->tag[0][piece]) >= first);
}

static void look_at_read(const struct row *row, uint32_t lane, uint64_t piece) {
    struct shadow *shadow = row->shadow;
    cell_tag writer = row->cells->who[CELL_WRITE].tag[0][piece];

    if (!written(row, piece)) {
        shadow->vars[row->var].shared = true; /* the reader has not stored it */
        note_read(row,
                  entry_for(shadow->unwritten, &shadow->unwritten_count, row->seen->site, row->var),
                  lane, piece);
        return;
    }
    if (cell_lane(writer) != cell_lane(row->tag + lane))
        shadow->vars[row->var].shared = true;
    struct stale_read read = {.kernel = shadow->kernel,
                              .seat = row->seat,
                              .cells = row->cells,
                              .var = shadow->kernel->vars[row->var],
                              .width = row->seen->workgroup->launch->size[0],
                              .piece = piece,
                              .track =
                                  judge_track(row->seen->subgroup, row->seen->first_lane + lane)};
    uint32_t turn;
    if (!stale_is(&read, &turn))
        return;
    struct read_entry *entry =
        entry_for(shadow->stale, &shadow->stale_count, row->seen->site, row->var);
    if (entry && !entry->count) {
        entry->store = shadow->kernel->sites[row->cells->who[CELL_WRITE].site[0][piece]];
        entry->turn = turn;
    }
    note_read(row, entry, lane, piece);
}

/* ---- A segment of a row ---- */

uint64_t touch_first_piece(const struct row *row, uint32_t lane) {
    uint64_t offset = (row->seen->first + row->seen->shape->pattern[lane]) & WORD_OFFSET;

    return (offset & ~(uint64_t)(row->align - 1)) >> row->cells->shift;
}

/* Pieces that a lane of a row touches. */
static uint32_t pieces_of(const struct row *row) {
    return (row->bytes + (1u << row->cells->shift) - 1) >> row->cells->shift;
}

static void slow_segment(const struct row *row, const struct segment *segment) {
    uint32_t pieces = pieces_of(row);

    for (uint32_t lane = segment->lane; lane < (uint32_t)segment->lane + segment->count; lane++) {
        uint64_t first = touch_first_piece(row, lane);
        for (uint64_t piece = first; piece < first + pieces; piece++) {
            touch_check(row, conflicts, lane, piece);
            if (row->access == CELL_READ && row->is_workgroup)
                look_at_read(row, lane, piece);
            touch_keep(row, lane, piece);
        }
    }
}

static cell_tag plain_since(const struct row *row) {
    const struct track *track = judge_track(row->seen->subgroup, row->seen->first_lane);

    return seat_plain_since(row->seat, &row->seat->vars[row->var], track && track->depth);
}

/* Whether reads of neighbouring pieces by neighbouring lanes need a closer look. */
static bool read_is_odd(const struct row *row, uint64_t piece, cell_tag mine, uint32_t count) {
    const cell_tag *writers = row->cells->who[CELL_WRITE].tag[0] + piece;
    struct shadow_var *known = &row->shadow->vars[row->var];

    if (!row->is_workgroup)
        return any_tag(writers, count);
    if ((may_be_written(row, piece, count) ||
         !seat_just_wrote(row->seat, &row->seat->vars[row->var], piece, count)) &&
        any_unordered_or_before(writers, mine, plain_since(row), count))
        return true;
    if (!known->shared)
        known->shared = any_other_lane(writers, mine, count);
    return false;
}

static void keep_reads(const struct row *row, uint64_t piece, cell_tag mine, uint32_t count) {
    const struct cell_pair *readers = &row->cells->who[CELL_READ];
    cell_tag *one = readers->tag[0] + piece, *two = readers->tag[1] + piece;
    uint16_t *site_one = readers->site[0] + piece, *site_two = readers->site[1] + piece;
    uint16_t site = (uint16_t)row->seen->site->id;
    bool first = row->is_workgroup && !may_be_read(row, piece, count);

    if (row->is_workgroup)
        note_read_span(row, piece, count);
    if (first || !any_unordered(one, mine, count)) {
        put_tags(one, site_one, mine, site, count);
        return;
    }
    if (all_unordered(one, mine, count)) {
        put_tags(two, site_two, mine, site, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool second = (one[i] ^ (mine + i)) - 1 < CELLS_LANE_MASK;
        (second ? two : one)[i] = mine + i;
        (second ? site_two : site_one)[i] = site;
    }
}

static bool read_neighbours(const struct row *row, uint64_t piece, cell_tag mine, uint32_t count) {
    const struct cell_pair *readers = &row->cells->who[CELL_READ];

    if (read_is_odd(row, piece, mine, count))
        return false;
    if (!row->is_workgroup && any_tag(readers->tag[0] + piece, count))
        return false;
    keep_reads(row, piece, mine, count);
    return true;
}

static bool write_workgroup(const struct row *row, uint64_t piece, cell_tag mine, uint32_t count) {
    const struct cell_pair *readers = &row->cells->who[CELL_READ];
    const cell_tag *writers = row->cells->who[CELL_WRITE].tag[0] + piece;
    uint32_t fresh = count;

    if ((may_be_written(row, piece, count) &&
         any_unordered_count_before(writers, mine, cell_tag_of(cell_phase(mine), 0), count,
                                    &fresh)) ||
        (may_be_read(row, piece, count) && (any_unordered(readers->tag[0] + piece, mine, count) ||
                                            any_unordered(readers->tag[1] + piece, mine, count))))
        return false;
    note_written(row, piece, count, fresh);
    return true;
}

/* The first that anybody does to these pieces. */
static bool write_storage(const struct row *row, uint64_t piece, uint32_t count) {
    const struct cell_pair *readers = &row->cells->who[CELL_READ];

    if (any_tag(row->cells->who[CELL_WRITE].tag[0] + piece, count) ||
        (readers->tag[0] && any_tag(readers->tag[0] + piece, count)))
        return false;
    row->shadow->vars[row->var].written += count;
    return true;
}

static bool write_neighbours(const struct row *row, uint64_t piece, cell_tag mine, uint32_t count) {
    const struct cell_pair *writers = &row->cells->who[CELL_WRITE];

    if (row->is_workgroup ? !write_workgroup(row, piece, mine, count)
                          : !write_storage(row, piece, count))
        return false;
    put_tags(writers->tag[0] + piece, writers->site[0] + piece, mine, (uint16_t)row->seen->site->id,
             count);
    return true;
}

/* Two of the lanes of a segment that all read one piece. */
static void keep_broadcast(const struct row *row, uint64_t piece, cell_tag mine) {
    const struct cell_pair *readers = &row->cells->who[CELL_READ];

    note_read_span(row, piece, 1);
    for (uint32_t i = 0; i < 2; i++) {
        readers->tag[i][piece] = mine + i;
        readers->site[i][piece] = (uint16_t)row->seen->site->id;
    }
}

static bool read_broadcast(const struct row *row, uint64_t piece, cell_tag mine, uint32_t count) {
    cell_tag writer = row->cells->who[CELL_WRITE].tag[0][piece];

    if (!row->is_workgroup || count < 2 || cell_phase(writer) == cell_phase(mine) ||
        writer < plain_since(row))
        return false;
    row->shadow->vars[row->var].shared = true;
    keep_broadcast(row, piece, mine);
    return true;
}

/* The common segments at once: one piece a lane, side by side or the same. */
static bool fast_segment(const struct row *row, const struct segment *segment) {
    uint64_t piece = touch_first_piece(row, segment->lane);
    cell_tag mine = row->tag + segment->lane;
    int32_t bytes = 1 << row->cells->shift;

    if (row->shadow->vars[row->var].mixed || row->bytes != (uint32_t)bytes)
        return false;
    if (segment->step == bytes || segment->count == 1) {
        if (row->access == CELL_READ)
            return read_neighbours(row, piece, mine, segment->count);
        return row->access == CELL_WRITE && write_neighbours(row, piece, mine, segment->count);
    }
    return segment->step == 0 && row->access == CELL_READ &&
           read_broadcast(row, piece, mine, segment->count);
}

void touch_row(const struct row *row) {
    const struct shape *shape = row->seen->shape;

    for (uint32_t i = 0; i < shape->segment_count; i++)
        if (!fast_segment(row, &shape->segments[i]))
            slow_segment(row, &shape->segments[i]);
}

static void keep_segment(const struct row *row, const struct segment *segment) {
    uint32_t pieces = pieces_of(row), bytes = 1u << row->cells->shift;
    uint64_t piece = touch_first_piece(row, segment->lane);
    cell_tag mine = row->tag + segment->lane;

    if (row->bytes == bytes && (segment->step == (int32_t)bytes || segment->count == 1)) {
        keep_reads(row, piece, mine, segment->count);
        return;
    }
    if (row->bytes == bytes && segment->step == 0) {
        keep_broadcast(row, piece, mine);
        return;
    }
    for (uint32_t lane = segment->lane; lane < (uint32_t)segment->lane + segment->count; lane++) {
        piece = touch_first_piece(row, lane);
        for (uint32_t i = 0; i < pieces; i++)
            touch_keep(row, lane, piece + i);
    }
}

void touch_keep_reads(const struct row *row) {
    const struct shape *shape = row->seen->shape;

    for (uint32_t i = 0; i < shape->segment_count; i++)
        keep_segment(row, &shape->segments[i]);
}
