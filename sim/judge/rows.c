/* What a row of accesses at one site costs. */
#include "sim/judge/parts.h"

#include <stdlib.h>
#include <string.h>

enum { VARIANTS = 16, GIVE_UP_MISSES = 64 };

const uint64_t no_distance[WG_LOG_ROW];

void judge_count(struct judge *judge, const struct wg_site *site, uint32_t var,
                 const struct request_cost *cost, uint64_t times) {
    struct site_count *c = &judge->sites[site->id];
    uint64_t lanes = times * cost->lanes, bytes = lanes * site->bytes;
    uint8_t op = cost_op(site);

    c->requests += times;
    c->wavefronts += times * cost->wavefronts;
    c->conflicts += times * cost->conflicts;
    c->sectors += times * cost->sectors;
    c->lanes += lanes;
    c->bytes += bytes;
    if (op != WG_OP_STORE && op != WG_OP_ATOMIC_STORE) /* an update does both */
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
struct timing_request judge_request(const struct wg_site *site, const struct request_cost *cost) {
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

static void settle_memo(struct judge *judge, const struct wg_site *site, struct memo *memo) {
    if (memo->hits)
        judge_count(judge, site, word_var(memo->key), &memo->cost, memo->hits);
    memo->hits = 0;
}

/* Bits of the first word on which the cost of a pattern depends, beside its site. */
static uint64_t key_bits_of(const struct wg_site *site) {
    return WORD_VAR | (site->space == WG_SPACE_WORKGROUP ? 3 : 31);
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

const struct shape *judge_passing_shape(struct judge *judge, const uint64_t *row, uint64_t first,
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
    struct timing_request request = judge_request(site, &cost);
    judge_issue(judge, &request, first);
    if (memo->misses > GIVE_UP_MISSES) {
        judge_count(judge, site, word_var(first), &cost, 1);
        return judge_passing_shape(judge, row, first, mask);
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

const struct shape *judge_row(struct judge *judge, const struct wg_site *site, const uint64_t *row,
                              uint64_t first, uint32_t mask) {
    struct memo *memo = memo_for(judge, row, first, mask);

    if (!memo) {
        judge->failed = true;
        return judge_passing_shape(judge, row, first, mask);
    }
    if (memo->mask == mask && memo->hits && memo->key == (first & memo->key_bits) &&
        judge_all_match(judge, row, first, memo->pattern, mask)) {
        judge->recent[site->id] = memo;
        return judge_known_row(judge, memo, first);
    }
    if (judge_of_one_mind(judge, row, mask) != mask)
        return NULL;
    return judge_unknown_row(judge, site, memo, row, first, mask);
}

uint32_t judge_of_one_mind(const struct judge *judge, const uint64_t *row, uint32_t mask) {
    uint64_t first = row[__builtin_ctz(mask)];

    return mask &
           (word_is_mark(first) ? judge->matching->pattern(row, first & ~WORD_SILENT, no_distance)
                                : judge->matching->kind(row, first));
}

void judge_settle_memos(struct judge *judge) {
    for (size_t id = 0; id < judge->kernel->site_limit; id++)
        for (size_t v = 0; judge->memos[id] && v < VARIANTS; v++) {
            settle_memo(judge, judge->kernel->sites[id], &judge->memos[id][v]);
            judge->memos[id][v].misses = 0;
        }
}
