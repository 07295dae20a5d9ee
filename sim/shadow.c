/* Following accesses row by row. */
#include "sim/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "sim/stale.h"
#include "sim/tags.h"

#define SILENT (UINT64_C(1) << WG_LOG_SILENT_SHIFT)
#define OFFSET_MASK ((UINT64_C(1) << WG_LOG_VAR_SHIFT) - 1)

enum { READS_MAX = 256 };

/* One row of accesses, with what they touch. */
struct row {
    struct shadow *shadow;
    struct seat *seat;
    const struct workgroup *workgroup;
    const struct subgroup *subgroup;
    const struct wg_site *site;
    const uint64_t *words;
    uint32_t first_lane; /* of the subgroup */
    uint32_t var;
    enum cell_access access;
    bool is_workgroup;
    struct cells *cells;
    cell_tag tag;          /* of lane first_lane */
    uint32_t bytes, align; /* of what an access touches; its start is a multiple of align */
};

/* ---- What there is to track ---- */

static enum cell_access access_of(const struct wg_site *site) {
    if (site->op == WG_OP_LOAD)
        return CELL_READ;
    if (site->op == WG_OP_STORE)
        return CELL_WRITE;
    return site->op == WG_OP_ATOMIC_LOAD ? CELL_ATOMIC_READ : CELL_ATOMIC_WRITE;
}

static bool is_access(const struct wg_site *site) {
    return site && site->op <= WG_OP_ATOMIC_COMPARE_EXCHANGE && site->bytes;
}

static bool has_atomics(const struct wg_var *var) {
    return var->atomic || var->scalar == WG_STRUCT;
}

/* Whether accesses of a site may go to a variable. */
static bool may_touch(const struct wg_site *site, const struct wg_var *var) {
    if (site->var != WG_VAR_DYNAMIC)
        return site->var == var->id;
    return access_of(site) >= CELL_ATOMIC_WRITE ? has_atomics(var) : !var->atomic;
}

static void note_site(struct shadow_var *known, const struct wg_site *site) {
    enum cell_access access = access_of(site);

    known->atomic_stores |= site->op == WG_OP_ATOMIC_STORE;

    known->accesses |= 1u << access;
    if (access == CELL_ATOMIC_WRITE) /* most of them read as well */
        known->accesses |= 1u << CELL_ATOMIC_READ;
    while (site->bytes < 1u << known->shift)
        known->shift--;
}

/* Variables that nobody writes, and those that only atomics touch, cannot race. */
static void survey(struct shadow *shadow, const struct wg_var *var) {
    const uint32_t plain = 1u << CELL_WRITE | 1u << CELL_READ, atomic = 1u << CELL_ATOMIC_WRITE;
    struct shadow_var *known = &shadow->vars[var->id];

    known->shift = 2;
    for (size_t id = 0; id < shadow->kernel->site_limit; id++)
        if (is_access(shadow->kernel->sites[id]) && may_touch(shadow->kernel->sites[id], var))
            note_site(known, shadow->kernel->sites[id]);
    bool writable = var->space == WG_SPACE_STORAGE || var->space == WG_SPACE_WORKGROUP;
    known->mixed = (known->accesses & plain) && (known->accesses & atomic);
    known->tracked = writable && (known->accesses & plain);
    if (var->space == WG_SPACE_STORAGE && !(known->accesses & (1u << CELL_WRITE | atomic)))
        known->tracked = false;
    known->ordering = var->space == WG_SPACE_WORKGROUP && !known->tracked && known->atomic_stores;
    known->tracked |= known->ordering;
    known->accesses |= known->ordering ? plain | atomic | 1u << CELL_ATOMIC_READ : 1u << CELL_WRITE;
}

int shadow_init(struct shadow *shadow, const struct kernel *kernel) {
    size_t shapes = kernel->site_limit * sizeof(struct shape) + sizeof(struct shape);

    *shadow = (struct shadow){.kernel = kernel, .match = match_best()};
    shadow->shapes = aligned_alloc(64, shapes);
    shadow->unwritten = calloc(READS_MAX, sizeof *shadow->unwritten);
    shadow->stale = calloc(READS_MAX, sizeof *shadow->stale);
    if (!shadow->shapes || !shadow->unwritten || !shadow->stale ||
        races_init(&shadow->races, kernel) < 0) {
        shadow_release(shadow);
        return -1;
    }
    memset(shadow->shapes, 0, shapes);
    for (size_t id = 0; id < kernel->var_limit; id++)
        if (kernel->vars[id])
            survey(shadow, kernel->vars[id]);
    return 0;
}

static void free_seat(struct seat *seat) {
    if (!seat)
        return;
    for (size_t id = 0; id < WG_MAX_VARS; id++)
        cells_release(&seat->vars[id].cells);
    free(seat->stores);
    free(seat->trips);
    free(seat);
}

static void forget_dispatch(struct shadow *shadow) {
    for (size_t i = 0; i < shadow->seat_count; i++)
        free_seat(shadow->seats[i]);
    free(shadow->seats);
    shadow->seats = NULL;
    shadow->seat_count = 0;
    for (size_t id = 0; id < WG_MAX_VARS; id++)
        cells_release(&shadow->vars[id].cells);
}

void shadow_release(struct shadow *shadow) {
    forget_dispatch(shadow);
    races_release(&shadow->races);
    free(shadow->phase_workgroup);
    free(shadow->unwritten);
    free(shadow->stale);
    free(shadow->shapes);
    *shadow = (struct shadow){0};
}

/* ---- Seats and phases ---- */

void shadow_begin(struct shadow *shadow, const struct dispatch *d) {
    forget_dispatch(shadow);
    races_clear(&shadow->races);
    shadow->dispatch = d;
    shadow->phases = 0;
    shadow->unwritten_count = shadow->stale_count = 0;
    shadow->workgroups = shadow->effective = 0;
    /* tags have no room for more invocations */
    bool follow = d->launch.invocations <= CELLS_LANE_MASK;
    shadow->seat_count = follow ? (size_t)d->device->cus * d->max_slots + 1 : 0;
    shadow->seats = calloc(shadow->seat_count + 1, sizeof *shadow->seats);
    if (!shadow->seats) {
        shadow->failed = true;
        shadow->seat_count = 0;
    }
    for (size_t id = 0; id < shadow->kernel->var_limit; id++) {
        const struct wg_var *var = shadow->kernel->vars[id];
        struct shadow_var *known = &shadow->vars[id];
        known->shared = false;
        known->lanes_storing = 0;
        known->clamped_from = known->clamped_to = 0;
        if (var && known->tracked && var->space == WG_SPACE_STORAGE && d->launch.buffers[id].data &&
            cells_init(&known->cells, d->launch.buffers[id].bytes, known->shift, known->accesses) <
                0)
            shadow->failed = true;
    }
}

static int fill_seat(const struct shadow *shadow, struct seat *seat, const struct launch *launch) {
    const struct kernel *kernel = shadow->kernel;

    for (size_t id = 0; id < kernel->var_limit; id++) {
        const struct shadow_var *known = &shadow->vars[id];
        if (kernel->vars[id] && kernel->vars[id]->space == WG_SPACE_WORKGROUP && known->tracked &&
            cells_init(&seat->vars[id].cells, launch->buffers[id].bytes, known->shift,
                       known->accesses) < 0)
            return -1;
    }
    seat->stores = calloc(kernel->site_limit + 1, sizeof *seat->stores);
    seat->trips = calloc((kernel->site_limit + 1) * launch->subgroups, sizeof *seat->trips);
    return seat->stores && seat->trips ? 0 : -1;
}

/* Workgroups that run ahead do so one after the other, and share one seat. */
static struct seat *seat_of(struct shadow *shadow, const struct workgroup *w) {
    const struct dispatch *d = shadow->dispatch;
    size_t index = d->ahead ? 0 : (size_t)w->cu * d->max_slots + w->slot + 1;

    if (index >= shadow->seat_count)
        return NULL;
    struct seat **seat = &shadow->seats[index];
    if (!*seat) {
        *seat = calloc(1, sizeof **seat);
        if (*seat && fill_seat(shadow, *seat, w->launch) < 0) {
            free_seat(*seat);
            *seat = NULL;
        }
        if (!*seat)
            shadow->failed = true;
    }
    return *seat;
}

/* Nobody wrote what was read quietly. */
static void forget_quiet_reads(struct shadow *shadow, struct seat *seat) {
    for (uint32_t i = 0; i < seat->quiet_count; i++)
        shadow->shapes[seat->quiet[i].site].waiting--;
    seat->quiet_count = 0;
}

/* A new phase of workgroup memory. */
static void next_phase(struct shadow *shadow, struct seat *seat) {
    forget_quiet_reads(shadow, seat);
    if (++seat->phase < CELLS_PHASES)
        return;
    for (size_t id = 0; id < WG_MAX_VARS; id++) {
        if (seat->vars[id].cells.memory)
            cells_clear(&seat->vars[id].cells);
        seat->vars[id].write_phase = seat->vars[id].earlier_phase = 0;
    }
    seat->phase = seat->first_phase = 1;
}

void shadow_start(struct shadow *shadow, const struct workgroup *w) {
    struct seat *seat = seat_of(shadow, w);

    shadow->workgroups++;
    if (!seat)
        return;
    next_phase(shadow, seat);
    seat->workgroup = w;
    seat->first_phase = seat->phase;
    seat->storage_phase = 0;
    seat->effect = false;
}

/* Which memory a barrier orders. Parties at different ones were let go together: as the first. */
void shadow_barrier(struct shadow *shadow, const struct workgroup *w, const struct wg_site *site) {
    struct seat *seat = seat_of(shadow, w);

    if (!seat || !site)
        return;
    if (site->op == WG_OP_WORKGROUP_BARRIER || site->op == WG_OP_UNIFORM_LOAD)
        next_phase(shadow, seat);
    if (site->op == WG_OP_STORAGE_BARRIER)
        seat->storage_phase = 0;
}

/* Beyond the last phase all that was known of storage is forgotten. */
static uint32_t new_storage_phase(struct shadow *shadow, uint64_t workgroup) {
    if (shadow->phases + 2 >= CELLS_PHASES) {
        for (size_t id = 0; id < WG_MAX_VARS; id++)
            if (shadow->vars[id].cells.memory)
                cells_clear(&shadow->vars[id].cells);
        for (size_t i = 0; i < shadow->seat_count; i++)
            if (shadow->seats[i])
                shadow->seats[i]->storage_phase = 0;
        shadow->phases = 0;
    }
    if (shadow->phases + 1 >= shadow->phase_capacity) {
        uint32_t capacity = shadow->phase_capacity ? shadow->phase_capacity * 2 : 1024;
        uint64_t *grown = realloc(shadow->phase_workgroup, capacity * sizeof *grown);
        if (!grown) {
            shadow->failed = true;
            return 0;
        }
        shadow->phase_workgroup = grown;
        shadow->phase_capacity = capacity;
    }
    shadow->phase_workgroup[++shadow->phases] = workgroup;
    return shadow->phases;
}

/* ---- Races ---- */

static uint64_t workgroup_of(const struct row *row, cell_tag tag) {
    return row->is_workgroup ? row->workgroup->id : row->shadow->phase_workgroup[cell_phase(tag)];
}

/* Whether nothing orders the access of `tag` before the one of `mine`. */
static bool unordered(const struct row *row, cell_tag tag, cell_tag mine) {
    if (tag == 0 || tag == mine)
        return false;
    if (cell_phase(tag) == cell_phase(mine))
        return true;
    return !row->is_workgroup && workgroup_of(row, tag) != row->workgroup->id;
}

static struct race_side other_side(const struct row *row, enum cell_access access, cell_tag tag,
                                   uint32_t site) {
    struct race_side side = {.site = row->shadow->kernel->sites[site],
                             .access = access,
                             .workgroup = workgroup_of(row, tag),
                             .lane = cell_lane(tag)};

    if (side.workgroup == row->workgroup->id && row->seat->trips) {
        uint32_t subgroup = side.lane / row->workgroup->launch->subgroup_size;
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

/* With weak memory: compares what a reader sees with what the writer does. */
static void compare_views(const struct row *row, struct race *race) {
    const struct workgroup *writer = resident(row->shadow, race->first.workgroup);

    if (!row->shadow->dispatch->options->weak_memory || !writer || !race->crossing ||
        race->first.access != CELL_WRITE || race->second.access != CELL_READ)
        return;
    memcpy(&race->seen, row->workgroup->ctx.vars[row->var].data + race->byte, sizeof race->seen);
    memcpy(&race->stored, writer->ctx.vars[row->var].data + race->byte, sizeof race->stored);
    race->behind = race->seen != race->stored;
}

static void found_race(const struct row *row, uint32_t lane, uint64_t piece,
                       enum cell_access access, cell_tag tag, uint32_t site) {
    uint64_t word = row->words[lane], byte = piece << row->cells->shift;
    const struct shadow_var *known = &row->shadow->vars[row->var];

    if (byte >= known->clamped_from && byte < known->clamped_to)
        return;
    struct race race = {.var = row->var,
                        .byte = byte,
                        .first = other_side(row, access, tag, site),
                        .second = {.site = row->site,
                                   .access = row->access,
                                   .workgroup = row->workgroup->id,
                                   .lane = cell_lane(row->tag + lane),
                                   .has_trip = true},
                        .ordering = row->shadow->vars[row->var].ordering,
                        .silent =
                            access == CELL_WRITE && row->access == CELL_WRITE && (word & SILENT)};

    trip_take(&race.second.trip, judge_track(row->subgroup, row->first_lane + lane));
    race.crossing = race.first.workgroup != race.second.workgroup;
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

/* Where only atomics touch a variable, nothing races, but the order of a store and what others do
 * may matter. Then the ways of access are: a store that changes the value, a load, an update that
 * changes it, and a store of the value that was there. */
#define ORDER_STORE CELL_WRITE
#define ORDER_LOAD CELL_READ
#define ORDER_UPDATE CELL_ATOMIC_WRITE
#define ORDER_SAME_STORE CELL_ATOMIC_READ
static const uint32_t order_conflicts[CELL_ACCESSES] = {
    [ORDER_STORE] =
        1u << ORDER_STORE | 1u << ORDER_LOAD | 1u << ORDER_UPDATE | 1u << ORDER_SAME_STORE,
    [ORDER_LOAD] = 1u << ORDER_STORE,
    [ORDER_UPDATE] = 1u << ORDER_STORE | 1u << ORDER_SAME_STORE,
    [ORDER_SAME_STORE] = 1u << ORDER_UPDATE,
};

static void check_piece(const struct row *row, const uint32_t *against, uint32_t lane,
                        uint64_t piece) {
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

/* Remembers an access, so that of each piece two invocations are known that differ: in the phase,
 * or, in storage, in the workgroup. */
static void keep_piece(const struct row *row, uint32_t lane, uint64_t piece) {
    const struct cell_pair *who = &row->cells->who[row->access];
    cell_tag mine = row->tag + lane;
    uint32_t place = 0;

    if (who->tag[1]) {
        cell_tag one = who->tag[0][piece], two = who->tag[1][piece];
        if (row->is_workgroup || !one || workgroup_of(row, one) == row->workgroup->id) {
            bool elsewhere =
                !row->is_workgroup && two && workgroup_of(row, two) != row->workgroup->id;
            if (elsewhere && cell_phase(one) == cell_phase(mine))
                return;
            place = !elsewhere && one != mine && cell_phase(one) == cell_phase(mine);
        } else {
            place = 1;
        }
    }
    if (row->access == CELL_WRITE && cell_phase(who->tag[0][piece]) != cell_phase(mine))
        row->seat->vars[row->var].fresh++;
    who->tag[place][piece] = mine;
    who->site[place][piece] = (uint16_t)row->site->id;
}

/* ---- Reads of workgroup memory: by whom was it written, and when ---- */

static struct read_entry *entry_for(struct read_entry *entries, size_t *count,
                                    const struct wg_site *site, uint32_t var) {
    for (size_t i = 0; i < *count; i++)
        if (entries[i].site == site && entries[i].var == var)
            return &entries[i];
    if (*count == READS_MAX)
        return NULL;
    entries[*count] = (struct read_entry){.site = site, .var = var};
    return &entries[(*count)++];
}

static void note_read(const struct row *row, struct read_entry *entry, uint32_t lane,
                      uint64_t piece) {
    if (!entry || entry->count++)
        return;
    entry->byte = piece << row->cells->shift;
    entry->workgroup = row->workgroup->id;
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
        note_read(row, entry_for(shadow->unwritten, &shadow->unwritten_count, row->site, row->var),
                  lane, piece);
        return;
    }
    if (cell_lane(writer) != cell_lane(row->tag + lane))
        shadow->vars[row->var].shared = true;
    struct stale_read read = {.kernel = shadow->kernel,
                              .seat = row->seat,
                              .cells = row->cells,
                              .var = shadow->kernel->vars[row->var],
                              .width = row->workgroup->launch->size[0],
                              .piece = piece,
                              .track = judge_track(row->subgroup, row->first_lane + lane)};
    uint32_t turn;
    if (!stale_is(&read, &turn))
        return;
    struct read_entry *entry = entry_for(shadow->stale, &shadow->stale_count, row->site, row->var);
    if (entry && !entry->count) {
        entry->store = shadow->kernel->sites[row->cells->who[CELL_WRITE].site[0][piece]];
        entry->turn = turn;
    }
    note_read(row, entry, lane, piece);
}

/* ---- A segment of a row ---- */

static uint64_t first_piece(const struct row *row, uint32_t lane) {
    uint64_t offset = row->words[lane] & OFFSET_MASK;

    return (offset & ~(uint64_t)(row->align - 1)) >> row->cells->shift;
}

static void slow_segment(const struct row *row, const struct segment *segment) {
    uint32_t pieces = (row->bytes + (1u << row->cells->shift) - 1) >> row->cells->shift;

    for (uint32_t lane = segment->lane; lane < (uint32_t)segment->lane + segment->count; lane++) {
        uint64_t first = first_piece(row, lane);
        for (uint64_t piece = first; piece < first + pieces; piece++) {
            check_piece(row, conflicts, lane, piece);
            if (row->access == CELL_READ && row->is_workgroup)
                look_at_read(row, lane, piece);
            keep_piece(row, lane, piece);
        }
    }
}

/* Atomics on a variable of which the order is looked at. */
static void order_segment(const struct row *row, const struct segment *segment) {
    struct row one = *row;

    for (uint32_t lane = segment->lane; lane < (uint32_t)segment->lane + segment->count; lane++) {
        bool same = row->words[lane] & SILENT;
        if (row->site->op == WG_OP_ATOMIC_STORE)
            one.access = same ? ORDER_SAME_STORE : ORDER_STORE;
        else if (row->site->op == WG_OP_ATOMIC_LOAD)
            one.access = ORDER_LOAD;
        else if (!same)
            one.access = ORDER_UPDATE;
        else
            continue;
        check_piece(&one, order_conflicts, lane, first_piece(row, lane));
        keep_piece(&one, lane, first_piece(row, lane));
    }
}

/* Tags that a read may meet without a closer look: in workgroup memory those of the last phase in
 * which the variable was written, and earlier only where nothing can be stale. */
static cell_tag plain_since(const struct row *row) {
    const struct seat_var *var = &row->seat->vars[row->var];
    const struct track *track = judge_track(row->subgroup, row->first_lane);
    uint32_t fresh = var->write_phase == row->seat->phase ? var->earlier_phase : var->write_phase;

    if (!track || !track->depth || fresh < row->seat->first_phase)
        fresh = row->seat->first_phase;
    return cell_tag_of(fresh, 0);
}

/* Whether reads of neighbouring pieces by neighbouring lanes need a closer look. */
static bool read_is_odd(const struct row *row, const cell_tag *writers, cell_tag mine,
                        uint32_t count) {
    struct shadow_var *known = &row->shadow->vars[row->var];

    if (!row->is_workgroup)
        return any_tag(writers, count);
    if (any_unordered_or_before(writers, mine, plain_since(row), count))
        return true;
    if (!known->shared)
        known->shared = any_other_lane(writers, mine, count);
    return false;
}

static void keep_reads(const struct cell_pair *readers, uint64_t piece, cell_tag mine,
                       uint32_t count, uint16_t site) {
    cell_tag *one = readers->tag[0] + piece, *two = readers->tag[1] + piece;
    uint16_t *site_one = readers->site[0] + piece, *site_two = readers->site[1] + piece;

    if (!any_unordered(one, mine, count)) {
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

    if (read_is_odd(row, row->cells->who[CELL_WRITE].tag[0] + piece, mine, count))
        return false;
    if (!row->is_workgroup && any_tag(readers->tag[0] + piece, count))
        return false;
    keep_reads(readers, piece, mine, count, (uint16_t)row->site->id);
    return true;
}

static bool write_neighbours(const struct row *row, uint64_t piece, cell_tag mine, uint32_t count) {
    const struct cell_pair *readers = &row->cells->who[CELL_READ],
                           *writers = &row->cells->who[CELL_WRITE];
    cell_tag *tags = writers->tag[0] + piece;
    uint16_t *sites = writers->site[0] + piece;

    if (row->is_workgroup
            ? any_unordered(tags, mine, count) ||
                  (readers->tag[0] && (any_unordered(readers->tag[0] + piece, mine, count) ||
                                       any_unordered(readers->tag[1] + piece, mine, count)))
            : any_tag(tags, count) || (readers->tag[0] && any_tag(readers->tag[0] + piece, count)))
        return false;
    row->seat->vars[row->var].fresh += tags_before(tags, cell_tag_of(cell_phase(mine), 0), count);
    put_tags(tags, sites, mine, (uint16_t)row->site->id, count);
    return true;
}

/* All lanes of a segment read one piece. */
static bool read_broadcast(const struct row *row, uint64_t piece, cell_tag mine, uint32_t count) {
    const struct cell_pair *readers = &row->cells->who[CELL_READ];
    cell_tag writer = row->cells->who[CELL_WRITE].tag[0][piece];

    if (!row->is_workgroup || count < 2 || cell_phase(writer) == cell_phase(mine) ||
        writer < plain_since(row))
        return false;
    row->shadow->vars[row->var].shared = true;
    for (uint32_t i = 0; i < 2; i++) {
        readers->tag[i][piece] = mine + i;
        readers->site[i][piece] = (uint16_t)row->site->id;
    }
    return true;
}

/* The common segments at once: one piece a lane, side by side or the same. */
static bool fast_segment(const struct row *row, const struct segment *segment) {
    uint64_t piece = first_piece(row, segment->lane);
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

/* ---- A row ---- */

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

static void touch(const struct row *row, const struct shape *shape) {
    bool ordering = row->shadow->vars[row->var].ordering;

    for (uint32_t i = 0; i < shape->segment_count; i++)
        if (ordering)
            order_segment(row, &shape->segments[i]);
        else if (!fast_segment(row, &shape->segments[i]))
            slow_segment(row, &shape->segments[i]);
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
        seat->storage_phase = new_storage_phase(row->shadow, row->workgroup->id);
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
        touch(&row, shape);
    }
    forget_quiet_reads(shadow, seat);
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

static void note_write(const struct row *row, uint32_t lane) {
    struct seat_var *var = &row->seat->vars[row->var];

    if (!row->is_workgroup)
        return;
    wake_quiet_reads(row->shadow, row->seat);
    row->seat->stores[row->site->id].updates = has_read(row, lane, first_piece(row, lane));
    if (var->write_phase != row->seat->phase) {
        var->earlier_phase = var->write_phase;
        var->fresh = 0;
        var->write_phase = row->seat->phase;
    }
    stale_note_store(
        row->seat, row->site,
        &row->seat->trips[(size_t)row->subgroup->index * row->shadow->kernel->site_limit +
                          row->site->id]);
}

/* Counts workgroups that write storage. */
static void note_effect(struct shadow *shadow, struct seat *seat, const struct wg_site *site) {
    if (seat->effect || site->space != WG_SPACE_STORAGE || access_of(site) == CELL_READ ||
        access_of(site) == CELL_ATOMIC_READ)
        return;
    seat->effect = true;
    shadow->effective++;
}

void shadow_outside(struct shadow *shadow, const struct record *record) {
    const struct wg_var *var = shadow->kernel->vars[record->var];
    uint64_t bytes = record->count * var->stride;

    if (record->dispatch->options->outside != OUTSIDE_CLAMP || !record->count ||
        bytes != record->dispatch->launch.buffers[record->var].bytes)
        return;
    shadow->vars[record->var].clamped_from = bytes - var->stride;
    shadow->vars[record->var].clamped_to = bytes;
}

void shadow_row(struct shadow *shadow, const struct workgroup *w, const struct subgroup *s,
                uint32_t first_lane, const uint64_t *words, uint32_t mask) {
    uint64_t any = words[__builtin_ctz(mask)];
    struct row row = {.shadow = shadow,
                      .seat = seat_of(shadow, w),
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
    if (!known->tracked || !locate(&row))
        return;
    row.access = access_of(row.site);
    set_extent(&row);
    note_trip(&row, mask);
    if (row.access == CELL_WRITE) {
        known->lanes_storing += (uint32_t)__builtin_popcount(mask);
        note_write(&row, (uint32_t)__builtin_ctz(mask));
    }
    struct shape *shape = shape_of(shadow, &row, mask);
    if (is_quiet(&row))
        read_quietly(&row, shape, any & ~SILENT);
    else
        touch(&row, shape);
}
