/* From logged rows to requests, costs and counts. */
#include "sim/judge.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/groups.h"
#include "sim/match.h"
#include "sim/word.h"

enum { VARIANTS = 16, GIVE_UP_MISSES = 64 };

/* The pattern of addresses last seen at a site, relative to the first active lane, and what a
 * request of it costs. Several patterns of one site have places of their own. */
struct memo {
    uint64_t pattern[WG_LOG_ROW];
    uint64_t hits; /* requests not counted yet */
    uint32_t mask, misses;
    uint64_t key, key_bits; /* of the first word: variable, and the address as far as its alignment
                               matters to the cost */
    struct request_cost cost;
    struct timing_request request;
    struct shape shape;
} __attribute__((aligned(64)));

static const uint64_t no_distance[WG_LOG_ROW];

int judge_init(struct judge *judge, const struct device *device, const struct kernel *kernel,
               struct wgsim_error *err) {
    *judge = (struct judge){.device = device,
                            .kernel = kernel,
                            .match = match_best(),
                            .match_whole = match_whole_best(),
                            .match_same = match_same_best(),
                            .above = match_above_best()};
    judge->sites = calloc(kernel->site_limit + 1, sizeof *judge->sites);
    judge->memos = calloc(kernel->site_limit + 1, sizeof *judge->memos);
    judge->lone = calloc(WG_LOG_ROW, sizeof *judge->lone);
    if (!judge->sites || !judge->memos || !judge->lone) {
        judge_release(judge);
        return error_set(err, "out of memory");
    }
    for (uint32_t lane = 0; lane < WG_LOG_ROW; lane++)
        judge->lone[lane] = (struct shape){
            .pattern = no_distance, .segment_count = 1, .segments = {{(uint8_t)lane, 1, 0}}};
    return 0;
}

void judge_release(struct judge *judge) {
    for (size_t id = 0; judge->memos && id < judge->kernel->site_limit; id++)
        free(judge->memos[id]);
    free(judge->sites);
    free(judge->memos);
    free(judge->lone);
    judge->lone = NULL;
    judge->sites = NULL;
    judge->memos = NULL;
}

static bool is_load(const struct wg_site *site) {
    return site->op == WG_OP_LOAD;
}

/* Adds `times` requests of one cost to the counts. */
static void count(struct judge *judge, const struct wg_site *site, uint32_t var,
                  const struct request_cost *cost, uint64_t times) {
    struct site_count *c = &judge->sites[site->id];
    uint64_t lanes = times * cost->lanes, bytes = lanes * site->bytes;

    c->requests += times;
    c->wavefronts += times * cost->wavefronts;
    c->conflicts += times * cost->conflicts;
    c->sectors += times * cost->sectors;
    c->lanes += lanes;
    c->bytes += bytes;
    if (site->op != WG_OP_STORE && site->op != WG_OP_ATOMIC_STORE) /* an update does both */
        judge->vars[var].loaded_bytes += bytes;
    if (!is_load(site) && site->op != WG_OP_ATOMIC_LOAD)
        judge->vars[var].stored_bytes += bytes;
}

static enum timing_kind kind_of(const struct wg_site *site) {
    bool workgroup = site->space == WG_SPACE_WORKGROUP;
    uint8_t op = cost_op(site);

    if (op == WG_OP_LOAD)
        return workgroup ? TIMING_WORKGROUP_LOAD : TIMING_STORAGE_LOAD;
    if (op == WG_OP_STORE)
        return workgroup ? TIMING_WORKGROUP_STORE : TIMING_STORAGE_STORE;
    return workgroup ? TIMING_WORKGROUP_ATOMIC : TIMING_STORAGE_ATOMIC;
}

/* Plain arithmetic is not logged; the model charges each request for the address it needs. */
static struct timing_request request_of(const struct wg_site *site,
                                        const struct request_cost *cost) {
    struct timing_request request = {.kind = (uint8_t)kind_of(site),
                                     .waits =
                                         site->op != WG_OP_LOAD && !(site->flags & WG_SITE_UNUSED),
                                     .lanes_on_word = (uint16_t)cost->serial};

    if (site->space == WG_SPACE_UNIFORM)
        return (struct timing_request){.kind = TIMING_OPERATIONS, .operations = 1};
    if (site->space == WG_SPACE_WORKGROUP) {
        request.wavefronts = cost->wavefronts;
        request.conflicts = cost->conflicts;
    } else {
        request.sectors = cost->sectors;
        request.bytes = cost->lanes * site->bytes;
    }
    return request;
}

int requests_reserve(struct requests *requests, size_t count) {
    if (requests->capacity - requests->count >= count)
        return 0;
    size_t capacity = (requests->count + count) * 2;
    struct timing_request *grown = realloc(requests->items, capacity * sizeof *grown);
    if (!grown)
        return -1;
    requests->items = grown;
    requests->capacity = capacity;
    return 0;
}

/* There is room for it. The word tells words of atomics apart: where the first lane went, from
 * whatever site. */
static void issue(struct judge *judge, const struct timing_request *request, uint64_t first) {
    struct requests *issued = judge->issued;
    struct timing_request *item = &issued->items[issued->count++];
    *item = *request;
    item->word = (uint32_t)(first >> 2) + (uint32_t)((first & WORD_PLACE) >> 30);
}

static void settle_memo(struct judge *judge, const struct wg_site *site, struct memo *memo) {
    if (memo->hits)
        count(judge, site, word_var(memo->key), &memo->cost, memo->hits);
    memo->hits = 0;
}

/* Bits of the first word on which the cost of a pattern depends, beside its site. */
static uint64_t key_bits_of(const struct wg_site *site) {
    return WORD_VAR | (site->space == WG_SPACE_WORKGROUP ? 3 : 31);
}

static inline void observe(const struct judge *judge, const struct access_row *row) {
    for (size_t i = 0; i < judge->observer_count; i++) {
        const struct row_observer *observer = &judge->observers[i];
        if (!observer->storage_only || row->site->space != WG_SPACE_WORKGROUP)
            observer->row(observer->self, row);
    }
}

/* Whoever took note of a shape must deal with it now. */
static void tell_reshape(const struct judge *judge) {
    for (size_t i = 0; i < judge->observer_count; i++)
        if (judge->observers[i].reshape)
            judge->observers[i].reshape(judge->observers[i].self);
}

static void take_pattern(uint64_t *pattern, const uint64_t *row, uint64_t first, uint32_t mask) {
    for (uint32_t i = 0; i < WG_LOG_ROW; i++)
        pattern[i] = mask >> i & 1 ? (row[i] & ~WORD_SILENT) - first : 0;
}

static void find_segments(struct shape *shape, uint32_t mask) {
    const uint64_t *pattern = shape->pattern;
    struct segment *last = shape->segments;
    uint32_t first = (uint32_t)__builtin_ctz(mask);

    *last = (struct segment){(uint8_t)first, 1, 0};
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        bool follows = last->lane + last->count == (int)i;
        int64_t step = follows ? (int64_t)(pattern[i] - pattern[i - 1]) : 0;
        if (follows && step == (int32_t)step && (last->count == 1 || step == last->step)) {
            last->step = (int32_t)step;
            last->count++;
        } else {
            *++last = (struct segment){(uint8_t)i, 1, 0};
        }
    }
    shape->segment_count = (uint8_t)(last - shape->segments + 1);
}

/* The shape of a row that no memo keeps, until the next one. */
static const struct shape *passing_shape(struct judge *judge, const uint64_t *row, uint64_t first,
                                         uint32_t mask) {
    judge->passing.passing = true;
    judge->passing.pattern = judge->passing_pattern;
    take_pattern(judge->passing_pattern, row, first, mask);
    find_segments(&judge->passing, mask);
    return &judge->passing;
}

/* A request of at most 32 lanes that the memo does not know: costs it, and remembers it unless the
 * addresses of this site never repeat. */
static const struct shape *judge_unknown_row(struct judge *judge, const struct wg_site *site,
                                             struct memo *memo, const uint64_t *row, uint64_t first,
                                             uint32_t mask) {
    uint64_t address[LANES_MAX];
    struct lanes active = {{mask, 0}};

    for (uint32_t rest = mask; rest; rest &= rest - 1)
        address[__builtin_ctz(rest)] = row[__builtin_ctz(rest)] & WORD_OFFSET;
    struct request_cost cost = cost_of(judge->device, site, active, address);
    struct timing_request request = request_of(site, &cost);
    issue(judge, &request, first);
    if (memo->misses > GIVE_UP_MISSES) {
        count(judge, site, word_var(first), &cost, 1);
        return passing_shape(judge, row, first, mask);
    }
    settle_memo(judge, site, memo);
    if (memo->mask)
        tell_reshape(judge);
    take_pattern(memo->pattern, row, first, mask);
    memo->shape.pattern = memo->pattern;
    find_segments(&memo->shape, mask);
    memo->mask = mask;
    memo->key_bits = key_bits_of(site);
    memo->key = first & memo->key_bits;
    memo->cost = cost;
    memo->request = request;
    memo->hits = 1;
    memo->misses++;
    return &memo->shape;
}

/* Where patterns of a site that differ much have their places: by how many lanes take part, and how
 * far the last is from the first. NULL: out of memory. */
static struct memo *memo_for(struct judge *judge, const uint64_t *row, uint64_t first,
                             uint32_t mask) {
    struct memo *memos = judge->memos[word_site(first)];

    if (!memos) {
        memos = judge->memos[word_site(first)] = aligned_alloc(64, VARIANTS * sizeof *memos);
        if (!memos)
            return NULL;
        memset(memos, 0, VARIANTS * sizeof *memos);
    }
    uint64_t last = row[31 - __builtin_clz(mask)] - first, hash = last >> 2 ^ last >> 7;
    if (mask == UINT32_MAX)
        return &memos[12 + (hash & 3)];
    return &memos[(31 - (uint32_t)__builtin_clz(lanes_count_bits(mask))) * 2 + (hash & 1)];
}

/* Takes note of lanes of a row that stored another value than was there. */
static void note_change(struct judge *judge, const struct wg_site *site, const uint64_t *row,
                        uint32_t mask) {
    uint64_t changing = 0;

    if (is_load(site) || judge->changed_storage ||
        (judge->changed && site->space == WG_SPACE_WORKGROUP))
        return;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        changing |= ~row[__builtin_ctz(rest)] & WORD_SILENT;
    judge->changed |= changing != 0;
    judge->changed_storage |= changing != 0 && site->space != WG_SPACE_WORKGROUP;
}

/* Whether the lanes `mask` of a row went where the pattern says. */
static bool all_match(const struct judge *judge, const uint64_t *row, uint64_t first,
                      const uint64_t *pattern, uint32_t mask) {
    if (mask == UINT32_MAX)
        return judge->match_whole(row, first, pattern);
    return !(~judge->match(row, first, pattern) & mask);
}

/* A row whose active lanes are known, or found here, to have logged the same site; how it lies.
 * NULL: they have not. */
static const struct shape *judge_row(struct judge *judge, const struct wg_site *site,
                                     const uint64_t *row, uint64_t first, uint32_t mask) {
    struct memo *memo = memo_for(judge, row, first, mask);

    if (!memo) {
        judge->failed = true;
        return passing_shape(judge, row, first, mask);
    }
    if (memo->mask == mask && memo->hits && memo->key == (first & memo->key_bits) &&
        all_match(judge, row, first, memo->pattern, mask)) {
        memo->hits++;
        memo->misses = 0;
        issue(judge, &memo->request, first);
        return &memo->shape;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if ((row[__builtin_ctz(rest)] ^ first) & ~(WORD_SILENT | WORD_OFFSET))
            return NULL;
    return judge_unknown_row(judge, site, memo, row, first, mask);
}

/* ---- All lanes together: the row number joins them ---- */

/* The lanes of a row that logged what the lowest of them did: the same mark, or an access at the
 * same site, with the same flow. */
static uint32_t of_one_mind(const struct judge *judge, const uint64_t *row, uint32_t mask) {
    uint64_t first = row[__builtin_ctz(mask)] & ~WORD_SILENT;
    uint32_t same = 0;

    if (word_is_mark(first))
        return judge->match(row, first, no_distance) & mask;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        same |= (uint32_t) !((row[i] ^ first) & ~(WORD_SILENT | WORD_OFFSET)) << i;
    }
    return same;
}

/* A row of lanes of one mind, where others that went ahead have left requests that these join: they
 * are charged. */
static const struct shape *judge_behind(struct judge *judge, struct tracks *tracks,
                                        const struct wg_site *site, const uint64_t *row,
                                        uint64_t first, uint32_t mask) {
    if (!groups_join(&tracks->open, site->id, word_var(first), tracks->shared.key, 0, mask, row,
                     WORD_OFFSET))
        return judge_row(judge, site, row, first, mask);
    return mask & (mask - 1) ? passing_shape(judge, row, first, mask)
                             : &judge->lone[__builtin_ctz(mask)];
}

/* Whether all lanes of a row left the same mark, and none that goes on was missing. */
static bool same_mark(const struct judge *judge, const uint64_t *row, uint64_t first, uint32_t mask,
                      uint32_t live) {
    if (mask == UINT32_MAX)
        return judge->match_same(row);
    return !(live & ~mask) && all_match(judge, row, first, no_distance, mask);
}

/* The lanes of a subgroup that live, and what all of them leave at their stops. */
struct stand {
    uint32_t live, left;
};

/* Whether all lanes that live do what those of a row do before it: leave loops, or begin a turn.
 * The others wrote no more rows: they must have begun the same turn by the end of the step, or all
 * leave the loop then. */
static bool share_flow(const struct lane_log *log, const struct stand *stand, uint32_t flow,
                       uint32_t mask, uint32_t told) {
    uint32_t others = stand->live & ~mask;

    if (!others)
        return true;
    return flow == WG_FLOW_TURN &&
           (stand->left || (!told && others == ((uint32_t)log->turned.bits[0] & stand->live)));
}

/* Follows what the stops tell of lanes that are together. False: their ways part. */
static bool follow_stops(struct tracks *tracks, const struct lane_log *log,
                         const struct stand *stand, uint32_t told) {
    uint32_t turned = (uint32_t)log->turned.bits[0] & stand->live;
    bool turn = turned && !told;

    if (turn && turned != stand->live)
        return false;
    track_flow(&tracks->shared, stand->left | (turn ? WG_FLOW_TURN : 0));
    return true;
}

/* Judges rows while the lanes of a subgroup of at most 32 agree; returns the row at which they
 * first do not, or the number of rows. Lanes of *told have begun the turn that their stops hand
 * over. */
static uint32_t judge_rows(struct judge *judge, const struct workgroup *w, const struct subgroup *s,
                           const struct lane_log *log, const struct stand *stand, uint32_t *told) {
    uint32_t all = (uint32_t)lanes_first(s->width).bits[0];
    struct tracks *tracks = s->tracks;
    struct access_row seen = {.workgroup = w, .subgroup = s, .track = &tracks->shared};
    const uint64_t *row = log->words;

    for (uint32_t r = 0; r < log->most; r++, row += WG_LOG_ROW) {
        uint32_t mask = log->even ? all : judge->above(log->count, r);
        uint64_t first = row[__builtin_ctz(mask)] & ~WORD_SILENT;
        if (word_is_mark(first)) {
            if (!same_mark(judge, row, first, mask, stand->live))
                return r;
            track_flow(&tracks->shared, word_flow(first));
            track_mark(&tracks->shared, word_site(first), word_mark(first));
            continue;
        }
        uint32_t flow = word_flow(first);
        const struct wg_site *site = judge->kernel->sites[word_site(first)];
        const struct shape *shape = NULL;
        bool behind = tracks->open.count;
        if (flow && !share_flow(log, stand, flow, mask, *told))
            return r;
        if (behind ? of_one_mind(judge, row, mask) != mask
                   : !(shape = judge_row(judge, site, row, first, mask)))
            return r;
        if (flow) {
            track_flow(&tracks->shared, flow);
            if (!stand->left)
                *told |= stand->live & ~mask;
        }
        if (behind)
            shape = judge_behind(judge, tracks, site, row, first, mask);
        if (!judge->ignore_changes)
            note_change(judge, site, row, mask);
        seen.site = site;
        seen.shape = shape;
        seen.words = row;
        seen.first = first & ~WORD_FLOW;
        seen.mask = mask;
        observe(judge, &seen);
    }
    return log->most;
}

/* ---- Lanes apart: groups by site, iteration and call path ---- */

static struct request_cost cost_of_group(const struct judge *judge, const struct group *group) {
    return cost_of(judge->device, judge->kernel->sites[group->site], group->lanes, group->address);
}

static void count_group(void *self, const struct group *group) {
    struct judge *judge = self;
    const struct wg_site *site = judge->kernel->sites[group->site];
    bool grown = !lanes_equal(group->charged, group->lanes);
    struct request_cost cost = grown ? cost_of_group(judge, group) : group->cost;

    count(judge, site, group->var, &cost, 1);
    if (group->repeated)
        judge->sites[site->id].lower_bound = true;
}

/* Charges the groups that the step opened. Lanes that join them later cost no more time. */
static void issue_groups(struct judge *judge, struct groups *groups) {
    if (requests_reserve(judge->issued, groups->count - groups->issued) < 0) {
        judge->failed = true;
        return;
    }
    for (; groups->issued < groups->count; groups->issued++) {
        struct group *group = &groups->items[groups->issued];
        group->charged = group->lanes;
        group->cost = cost_of_group(judge, group);
        struct timing_request request = request_of(judge->kernel->sites[group->site], &group->cost);
        issue(judge, &request,
              wg_word_(group->site, group->var, group->address[lanes_lowest(group->lanes)]));
    }
}

static void close_groups(struct judge *judge, struct tracks *tracks) {
    issue_groups(judge, &tracks->open);
    groups_close(&tracks->open, count_group, judge);
}

static bool has_room_for_lanes(struct tracks *tracks, uint32_t width) {
    if (!tracks->lanes)
        tracks->lanes = calloc(width, sizeof *tracks->lanes);
    return tracks->lanes != NULL;
}

/* Lanes that have stayed where all were together get a track of their own. */
static void keep_track(struct tracks *tracks, struct lanes stayed) {
    uint32_t lane;

    for (LANES_EACH(lane, stayed))
        track_copy(&tracks->lanes[lane], &tracks->shared);
}

/* Accesses of lanes of one block to one site, where loops and calls are as `track` says. */
static void judge_apart_row(struct judge *judge, const struct workgroup *w,
                            const struct subgroup *s, const struct track *track, uint32_t block,
                            const uint64_t *row, uint32_t mask) {
    uint64_t first = row[__builtin_ctz(mask)] & ~WORD_SILENT;
    const struct wg_site *site = judge->kernel->sites[word_site(first)];
    struct groups *groups = &s->tracks->open;
    struct access_row seen = {.workgroup = w,
                              .subgroup = s,
                              .site = site,
                              .track = track,
                              .words = row,
                              .first = first & ~WORD_FLOW,
                              .first_lane = block * WG_LOG_ROW,
                              .mask = mask};

    seen.shape = mask & (mask - 1) ? passing_shape(judge, row, first, mask)
                                   : &judge->lone[__builtin_ctz(mask)];
    if (!judge->ignore_changes)
        note_change(judge, site, row, mask);
    observe(judge, &seen);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t column = (uint32_t)__builtin_ctz(rest);
        if (groups_add(groups, word_site(first), word_var(first), track->key,
                       block * WG_LOG_ROW + column, row[column] & WORD_OFFSET) < 0)
            judge->failed = true;
        if (groups_full(groups))
            close_groups(judge, s->tracks);
    }
}

/* A row of a party: of lanes that logged the same mark, or an access at the same site. */
static void judge_party_row(struct judge *judge, const struct workgroup *w,
                            const struct subgroup *s, struct track *track, uint32_t block,
                            const uint64_t *row, uint32_t mask) {
    uint64_t first = row[__builtin_ctz(mask)];

    track_flow(track, word_flow(first));
    if (word_is_mark(first))
        track_mark(track, word_site(first), word_mark(first));
    else
        judge_apart_row(judge, w, s, track, block, row, mask);
}

static void judge_lane(struct judge *judge, const struct workgroup *w, const struct subgroup *s,
                       const struct lane_log *log, uint32_t lane) {
    struct track *track = &s->tracks->lanes[lane];
    uint32_t block = lane / WG_LOG_ROW, column = lane % WG_LOG_ROW;

    for (uint32_t r = 0; r < lane_log_rows(log, lane); r++)
        judge_party_row(judge, w, s, track, block,
                        lane_log_block(log, block) + (size_t)r * WG_LOG_ROW, UINT32_C(1) << column);
    track_flow(track, stop_flow(subgroup_stop(s, lane)));
}

/* ---- Lanes that part: those that go one way are a party, with one track ---- */

/* Lanes that have yet to be followed from a row on. Their track is that of the lowest of them. */
struct party {
    uint32_t mask, row;
};

/* Where parties have ended: `same` where `first` did. Of lanes in `told` the turn that their stops
 * hand over has been followed. */
struct ends {
    uint32_t same, first, told;
};

/* Lanes that wrote no more rows keep the track, which is where they stand. A copy for each is put
 * off as long as all have ended at one place. */
static void end_at(struct tracks *tracks, const struct track *track, struct ends *ends,
                   uint32_t ended) {
    if (!ends->same) {
        ends->same = ended;
        ends->first = (uint32_t)__builtin_ctz(ended);
        track_copy(&tracks->lanes[ends->first], track);
    } else if (tracks->lanes[ends->first].key == track->key) {
        ends->same |= ended;
    } else {
        for (uint32_t rest = ended; rest; rest &= rest - 1)
            track_copy(&tracks->lanes[__builtin_ctz(rest)], track);
    }
}

static uint32_t end_flow(const struct subgroup *s, const struct ends *ends, uint32_t lane) {
    uint32_t flow = stop_flow(subgroup_stop(s, lane));

    return ends->told >> lane & 1 ? flow & ~WG_FLOW_TURN : flow;
}

/* Lanes of the party that is followed wrote no more rows. */
static void end_lanes(const struct subgroup *s, struct ends *ends, uint32_t ended) {
    while (ended) {
        uint32_t flow = end_flow(s, ends, (uint32_t)__builtin_ctz(ended)), same = 0;
        struct track track;
        for (uint32_t rest = ended; rest; rest &= rest - 1)
            if (end_flow(s, ends, (uint32_t)__builtin_ctz(rest)) == flow)
                same |= rest & -rest;
        track_copy(&track, &s->tracks->shared);
        track_flow(&track, flow);
        end_at(s->tracks, &track, ends, same);
        ended &= ~same;
    }
}

/* The lanes of a party that wrote more rows. */
static uint32_t going_on(const struct judge *judge, const struct lane_log *log, uint32_t mask,
                         uint32_t row) {
    if (log->even)
        return row < log->most ? mask : 0;
    return mask & judge->above(log->count, row);
}

/* Follows a party from a row on, as far as its lanes stay together; those that do not are put aside
 * in `waiting`. Returns how many parties wait. */
static uint32_t follow_party(struct judge *judge, const struct workgroup *w,
                             const struct subgroup *s, const struct lane_log *log,
                             struct party party, struct party *waiting, uint32_t count,
                             struct ends *ends) {
    struct tracks *tracks = s->tracks;
    uint32_t mask = party.mask;

    for (uint32_t row = party.row; mask; row++) {
        const uint64_t *words = log->words + (size_t)row * WG_LOG_ROW;
        uint32_t on = going_on(judge, log, mask, row);
        end_lanes(s, ends, mask & ~on);
        if (!on)
            break;
        mask = of_one_mind(judge, words, on);
        if (on & ~mask) {
            waiting[count++] = (struct party){on & ~mask, row};
            track_copy(&tracks->lanes[__builtin_ctz(on & ~mask)], &tracks->shared);
        }
        judge_party_row(judge, w, s, &tracks->shared, 0, words, mask);
    }
    return count;
}

/* Lanes of one block were together up to `row`. Follows them party by party; meanwhile the shared
 * track is that of the party that is followed, at last that of all if the result is true; else each
 * lane has its own. */
static bool judge_parties(struct judge *judge, const struct workgroup *w, const struct subgroup *s,
                          const struct lane_log *log, uint32_t ran, uint32_t row, uint32_t told) {
    struct party waiting[WG_LOG_ROW], party = {ran, row};
    struct tracks *tracks = s->tracks;
    struct ends ends = {0, 0, told};
    uint32_t count = 0;

    for (;;) {
        count = follow_party(judge, w, s, log, party, waiting, count, &ends);
        if (count == 0)
            break;
        party = waiting[--count];
        track_copy(&tracks->shared, &tracks->lanes[__builtin_ctz(party.mask)]);
    }
    track_copy(&tracks->shared, &tracks->lanes[ends.first]);
    if (ends.same == ran)
        return true;
    for (uint32_t rest = ends.same; rest; rest &= rest - 1)
        if ((uint32_t)__builtin_ctz(rest) != ends.first)
            track_copy(&tracks->lanes[__builtin_ctz(rest)], &tracks->shared);
    return false;
}

/* Whether the lanes of a set stand at one place, in one iteration of every loop. */
static bool at_one_place(const struct subgroup *s, struct lanes set) {
    uint32_t lane;

    if (lanes_empty(set))
        return true;
    uint32_t lowest = lanes_lowest(set);
    for (LANES_EACH(lane, set))
        if (stop_place(subgroup_stop(s, lane)) != stop_place(subgroup_stop(s, lowest)) ||
            s->tracks->lanes[lane].key != s->tracks->lanes[lowest].key)
            return false;
    return true;
}

/* All that go on have passed a group of which one of them is a member, once they are at one place;
 * else if all of them are members. Lanes that wait at a barrier or have returned join nothing. */
static bool passed_by_all(const struct group *group, struct lanes going) {
    return lanes_empty(going) || !lanes_empty(lanes_and(group->lanes, going));
}
static bool joined_by_all(const struct group *group, struct lanes going) {
    return lanes_empty(lanes_without(going, group->lanes));
}

/* Counts the groups that nobody can join any more. Others stay open for lanes behind. */
static void sweep(struct judge *judge, struct subgroup *s) {
    struct tracks *tracks = s->tracks;
    struct lanes going = lanes_or(s->ready, s->collective);
    bool one_place = tracks->together || at_one_place(s, going);

    groups_sweep(&tracks->open, one_place ? passed_by_all : joined_by_all, going, count_group,
                 judge);
}

/* Where all that live are at one place again, they have one track. */
static void meet(struct subgroup *s) {
    struct tracks *tracks = s->tracks;

    if (tracks->together || lanes_empty(s->live) || !at_one_place(s, s->live))
        return;
    track_copy(&tracks->shared, &tracks->lanes[lanes_lowest(s->live)]);
    tracks->together = true;
}

/* Lanes of which `told` is said as in judge_rows were together up to a row. */
static void judge_apart(struct judge *judge, const struct workgroup *w, struct subgroup *s,
                        const struct lane_log *log, struct lanes ran, uint32_t from_row,
                        uint32_t told) {
    uint32_t lane;

    if (!has_room_for_lanes(s->tracks, s->width)) {
        judge->failed = true;
        return;
    }
    if (s->tracks->together && s->width <= WG_LOG_ROW) {
        keep_track(s->tracks, lanes_without(lanes_first(s->width), ran));
        bool one_end = judge_parties(judge, w, s, log, (uint32_t)ran.bits[0], from_row, told);
        s->tracks->together = one_end && log->united && lanes_empty(lanes_without(s->live, ran));
        if (one_end && !s->tracks->together)
            keep_track(s->tracks, ran);
    } else {
        if (s->tracks->together)
            keep_track(s->tracks, lanes_first(s->width));
        s->tracks->together = false;
        for (LANES_EACH(lane, ran))
            judge_lane(judge, w, s, log, lane);
    }
    issue_groups(judge, &s->tracks->open);
    if (w->launch->lockstep) /* what the mask runs together is a request */
        close_groups(judge, s->tracks);
    else
        sweep(judge, s);
    meet(s);
}

/* Whether no lane that returned has gone further than one that did not: what the others will do is
 * not among the rows. */
static bool none_is_ahead(const struct lane_log *log, const struct subgroup *s, struct lanes ran) {
    uint32_t lane, returned = 0, least = UINT32_MAX;

    if (log->alike || log->even)
        return true;
    for (LANES_EACH(lane, ran)) {
        uint32_t rows = log->count[lane];
        if (stop_site(subgroup_stop(s, lane)) == WG_AT_END)
            returned = rows > returned ? rows : returned;
        else
            least = rows < least ? rows : least;
    }
    return returned <= least;
}

/* ---- One step ---- */

void judge_start(const struct judge *judge, struct workgroup *w) {
    for (size_t i = 0; i < judge->observer_count; i++)
        if (judge->observers[i].start)
            judge->observers[i].start(judge->observers[i].self, w);
    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        struct tracks *tracks = w->subgroups[i].tracks;
        if (!tracks)
            tracks = w->subgroups[i].tracks = calloc(1, sizeof *tracks);
        if (!tracks)
            continue;
        tracks->together = true;
        tracks->shared.key = tracks->shared.path = tracks->shared.depth = tracks->shared.lost = 0;
    }
}

void judge_close(struct judge *judge, struct workgroup *w) {
    for (uint32_t i = 0; i < w->launch->subgroups; i++)
        if (w->subgroups[i].tracks)
            groups_close(&w->subgroups[i].tracks->open, count_group, judge);
}

void judge_forget(struct workgroup *w) {
    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        struct tracks *tracks = w->subgroups[i].tracks;
        if (!tracks)
            continue;
        groups_release(&tracks->open);
        free(tracks->lanes);
        free(tracks);
        w->subgroups[i].tracks = NULL;
    }
}

/* Lanes that are together, and all that live. False: they part, at row *from. */
static bool judge_together(struct judge *judge, struct workgroup *w, struct subgroup *s,
                           const struct lane_log *log, uint32_t *from, uint32_t *told) {
    struct stand stand = {.live = (uint32_t)s->live.bits[0]};

    if (stand.live)
        stand.left = stop_flow(subgroup_stop(s, lanes_lowest(s->live))) & WG_FLOW_LEFT;
    *from = judge_rows(judge, w, s, log, &stand, told);
    return *from == log->most && follow_stops(s->tracks, log, &stand, *told);
}

void judge_step(struct judge *judge, struct workgroup *w, struct subgroup *s,
                const struct lane_log *log, struct lanes ran, struct requests *issued) {
    uint32_t from = 0, told = 0;

    judge->issued = issued;
    judge->changed = judge->changed_storage = false;
    if (!s->tracks || requests_reserve(issued, log->most) < 0) {
        judge->failed = true;
        return;
    }
    /* nothing was done, and all are where they were together */
    if (log->most == 0 && log->alike && lanes_empty(log->turned) && s->tracks->together &&
        !s->tracks->open.count && lanes_empty(lanes_without(s->live, ran)) &&
        !stop_flow(subgroup_stop(s, lanes_lowest(ran))))
        return;
    /* united lanes that are all that live: the row number joins their accesses */
    if (s->tracks->together && log->united && s->width <= WG_LOG_ROW &&
        lanes_empty(lanes_without(s->live, ran)) && none_is_ahead(log, s, ran) &&
        judge_together(judge, w, s, log, &from, &told)) {
        if (s->tracks->open.count)
            sweep(judge, s);
        return;
    }
    judge_apart(judge, w, s, log, ran, from, told);
}

void judge_barrier(struct judge *judge, struct workgroup *w, const struct wg_site *site) {
    for (size_t i = 0; i < judge->observer_count; i++)
        if (judge->observers[i].barrier)
            judge->observers[i].barrier(judge->observers[i].self, w, site);
    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        struct subgroup *s = &w->subgroups[i];
        if (!s->tracks || (s->tracks->together && !s->tracks->open.count))
            continue;
        groups_close(&s->tracks->open, count_group, judge);
        meet(s);
    }
}

void judge_finish(struct judge *judge) {
    for (size_t id = 0; id < judge->kernel->site_limit; id++)
        for (size_t v = 0; judge->memos[id] && v < VARIANTS; v++)
            settle_memo(judge, judge->kernel->sites[id], &judge->memos[id][v]);
}

void judge_add(const struct judge *judge, struct site_count *sites, struct var_count *vars) {
    for (size_t id = 0; id < judge->kernel->site_limit; id++) {
        const struct site_count *from = &judge->sites[id];
        sites[id].requests += from->requests;
        sites[id].wavefronts += from->wavefronts;
        sites[id].conflicts += from->conflicts;
        sites[id].sectors += from->sectors;
        sites[id].bytes += from->bytes;
        sites[id].lanes += from->lanes;
        sites[id].lower_bound |= from->lower_bound;
    }
    for (size_t id = 0; id <= WG_MAX_VARS; id++) {
        vars[id].loaded_bytes += judge->vars[id].loaded_bytes;
        vars[id].stored_bytes += judge->vars[id].stored_bytes;
    }
}

void judge_reset(struct judge *judge) {
    judge_finish(judge);
    memset(judge->sites, 0, (judge->kernel->site_limit + 1) * sizeof *judge->sites);
    memset(judge->vars, 0, sizeof judge->vars);
    for (size_t id = 0; id < judge->kernel->site_limit; id++)
        for (size_t v = 0; judge->memos[id] && v < VARIANTS; v++)
            judge->memos[id][v].misses = 0;
}

const struct track *judge_track(const struct subgroup *s, uint32_t lane) {
    if (!s->tracks)
        return NULL;
    return s->tracks->together ? &s->tracks->shared : &s->tracks->lanes[lane];
}
