/* Judging lanes that are together: the row number joins their accesses. */
#include "sim/judge/parts.h"
#include "sim/match_x86.h"

/* A row of lanes of one mind, where others that went ahead have left requests that these join: they
 * are charged. */
static const struct shape *judge_behind(struct judge *judge, struct tracks *tracks,
                                        const struct wg_site *site, const uint64_t *row,
                                        uint64_t first, uint32_t mask) {
    if (!groups_join(&tracks->open, site->id, word_var(first), tracks->shared.key, 0, mask, row,
                     WORD_OFFSET))
        return judge_row(judge, site, row, first, mask);
    return mask & (mask - 1) ? judge_passing_shape(judge, row, first, mask)
                             : &judge->lone[__builtin_ctz(mask)];
}

/* How lanes that were together go on from a row that some which live did not write. */
struct course {
    uint32_t depth, base; /* loops and calls around them, and around all when they have stopped */
    uint32_t turned;      /* have yet to begin the turn that their stops hand over */
};

/* Whether a row that only lanes of `mask` wrote leaves all that live on one way: the others have
 * begun the same turn by the end of the step, or leave then whatever these do. */
static bool stays_on(struct course *course, uint64_t first, uint32_t others, uint32_t left) {
    uint32_t flow = word_flow(first), out = flow & WG_FLOW_LEFT;

    if (!left && word_is_mark(first))
        return false;
    if (!left && flow) {
        if (flow != WG_FLOW_TURN || others != course->turned)
            return false;
        course->turned = 0;
    }
    if (course->depth < out || course->depth - out < course->base + (flow & WG_FLOW_TURN ? 1 : 0))
        return false;
    course->depth -= out;
    course->depth += word_is_mark(first) && word_mark(first) != WG_MARK_FLOW;
    return true;
}

/* Whether lanes, from a row on that some of those that live did not write, are together at their
 * stops: if not, the others are not beside them but behind, and may yet come to these rows. */
static bool end_together(const struct judge *judge, const struct track *track,
                         const struct lane_log *log, const struct together *together, uint32_t r) {
    uint32_t turned = (uint32_t)log->turned.bits[0] & together->live;
    struct course course = {track->depth, track->depth - together->left, turned};

    if (track->lost || track->depth < together->left)
        return false;
    if (!together->left)
        course.base = 0;
    for (; r < log->most; r++) {
        const uint64_t *row = log->words + (size_t)r * WG_LOG_ROW;
        uint32_t mask = judge->matching->above(log->count, r);
        if (judge_of_one_mind(judge, row, mask) != mask ||
            !stays_on(&course, row[__builtin_ctz(mask)], together->live & ~mask, together->left))
            return false;
    }
    return !course.turned || course.turned == together->live;
}

static void follow_flow(struct track *track, struct together *together, uint32_t flow,
                        uint32_t mask) {
    if (!flow)
        return;
    track_flow(track, flow);
    if (!together->left)
        together->told |= together->live & ~mask;
}

/* Follows what the stops tell of lanes that are together. False: their ways part. */
static bool follow_stops(struct tracks *tracks, const struct lane_log *log,
                         const struct together *together) {
    uint32_t turned = (uint32_t)log->turned.bits[0] & together->live;
    bool turn = turned && !together->told;

    if (turn && turned != together->live)
        return false;
    track_flow(&tracks->shared, together->left | (turn ? WG_FLOW_TURN : 0));
    return true;
}

/* A mark that lanes left. False: their ways part. */
static bool judge_mark(const struct judge *judge, struct track *track, struct together *together,
                       const uint64_t *row, uint64_t first, uint32_t mask) {
    if (!judge_all_match(judge, row, first, no_distance, mask))
        return false;
    follow_flow(track, together, word_flow(first), mask);
    track_mark(track, word_site(first), word_mark(first));
    return true;
}

/* An access of lanes; how it lies. NULL: their ways part. */
static const struct shape *judge_access(struct judge *judge, struct tracks *tracks,
                                        struct together *together, const struct wg_site *site,
                                        const uint64_t *row, uint64_t first, uint32_t mask) {
    const struct shape *shape = NULL;
    bool behind = tracks->open.count;

    if (behind ? judge_of_one_mind(judge, row, mask) != mask
               : !(shape = judge_row(judge, site, row, first, mask)))
        return NULL;
    follow_flow(&tracks->shared, together, word_flow(first), mask);
    return behind ? judge_behind(judge, tracks, site, row, first, mask) : shape;
}

/* Whether all 32 lanes of a row did what the memo says that was used last at its site. */
static inline __attribute__((always_inline)) bool
is_known(match_whole_fn *match, const struct memo *memo, const uint64_t *row, uint64_t first) {
    return memo && memo->mask == UINT32_MAX && memo->hits &&
           memo->key == (first & memo->key_bits) &&
           (row[WG_LOG_ROW - 1] & ~WORD_SILENT) - first == memo->pattern[WG_LOG_ROW - 1] &&
           match(row, first, memo->pattern);
}

/* Whether rows of a site need no more than to be counted and charged. */
static bool is_unobserved(const struct judge *judge) {
    for (size_t i = 0; i < judge->observer_count; i++)
        if (!judge->observers[i].storage_only)
            return false;
    return judge->ignore_changes;
}

/* Judges rows of all 32 lanes, from row `r` on, as long as they access workgroup memory as known;
 * returns the row at which they do not. */
static inline __attribute__((always_inline)) uint32_t
judge_known_rows(match_whole_fn *match, struct judge *judge, struct track *track,
                 const struct lane_log *log, uint32_t r) {
    struct memo *const *recent = judge->recent;
    struct requests *issued = judge->issued;
    struct timing_request *item = &issued->items[issued->count];
    const uint64_t *row = log->words + (size_t)r * WG_LOG_ROW;

    for (; r < log->most; r++, row += WG_LOG_ROW) {
        uint64_t first = row[0] & ~WORD_SILENT;
        struct memo *memo = recent[word_site(first)];
        if (!is_known(match, memo, row, first) || memo->request.kind > TIMING_WORKGROUP_ATOMIC)
            break;
        if (first & WORD_FLOW)
            track_flow(track, word_flow(first));
        memo->hits++;
        memo->misses = 0;
        *item++ = memo->request;
    }
    issued->count = (size_t)(item - issued->items);
    return r;
}

/* Judges rows while the lanes of a subgroup of at most 32 agree; returns the row at which they
 * first do not, or the number of rows. Inlined for each kind of CPU. */
static inline __attribute__((always_inline)) uint32_t
judge_rows(match_whole_fn *match, struct judge *judge, const struct workgroup *w,
           const struct subgroup *s, const struct lane_log *log, struct together *together) {
    struct tracks *tracks = s->tracks;
    struct access_row seen = {.workgroup = w, .subgroup = s, .track = &tracks->shared};
    uint32_t all = (uint32_t)lanes_first(s->width).bits[0];
    bool known = false; /* that all end together */
    bool whole = log->even && all == UINT32_MAX && !tracks->open.count && is_unobserved(judge);

    for (uint32_t r = 0; r < log->most; r++) {
        if (whole && (r = judge_known_rows(match, judge, &tracks->shared, log, r)) == log->most)
            break;
        const uint64_t *row = log->words + (size_t)r * WG_LOG_ROW;
        uint32_t mask = log->even ? all : judge->matching->above(log->count, r);
        uint64_t first = row[__builtin_ctz(mask)] & ~WORD_SILENT;
        if ((together->live & ~mask) && !known) {
            if (!end_together(judge, &tracks->shared, log, together, r))
                return r;
            known = true;
        }
        if (word_is_mark(first)) {
            if (!judge_mark(judge, &tracks->shared, together, row, first, mask))
                return r;
            continue;
        }
        seen.site = judge->kernel->sites[word_site(first)];
        struct memo *memo = judge->recent[seen.site->id];
        if (mask == UINT32_MAX && !tracks->open.count && is_known(match, memo, row, first)) {
            follow_flow(&tracks->shared, together, word_flow(first), mask);
            seen.shape = judge_known_row(judge, memo, first);
        } else {
            seen.shape = judge_access(judge, tracks, together, seen.site, row, first, mask);
            if (!seen.shape)
                return r;
        }
        if (!judge->ignore_changes)
            judge_note_change(judge, seen.site, row, mask);
        seen.words = row;
        seen.first = first & ~WORD_FLOW;
        seen.mask = mask;
        judge_observe(judge, &seen);
    }
    return log->most;
}

typedef uint32_t judge_rows_fn(struct judge *judge, const struct workgroup *w,
                               const struct subgroup *s, const struct lane_log *log,
                               struct together *together);

#ifdef MATCH_HAS_AVX2
__attribute__((target("avx2"))) static judge_rows_fn judge_rows_avx2;
static uint32_t judge_rows_avx2(struct judge *judge, const struct workgroup *w,
                                const struct subgroup *s, const struct lane_log *log,
                                struct together *together) {
    return judge_rows(match_whole_avx2_inlined, judge, w, s, log, together);
}

__attribute__((target("avx2,avx512f"))) static judge_rows_fn judge_rows_avx512;
static uint32_t judge_rows_avx512(struct judge *judge, const struct workgroup *w,
                                  const struct subgroup *s, const struct lane_log *log,
                                  struct together *together) {
    return judge_rows(match_whole_avx512_inlined, judge, w, s, log, together);
}
#endif

static uint32_t judge_rows_scalar(struct judge *judge, const struct workgroup *w,
                                  const struct subgroup *s, const struct lane_log *log,
                                  struct together *together) {
    return judge_rows(matching_scalar.whole, judge, w, s, log, together);
}

static judge_rows_fn *rows_best(const struct judge *judge) {
#ifdef MATCH_HAS_AVX2
    if (judge->matching == &matching_avx512)
        return judge_rows_avx512;
    if (judge->matching == &matching_avx2)
        return judge_rows_avx2;
#endif
    (void)judge;
    return judge_rows_scalar;
}

bool judge_together(struct judge *judge, const struct workgroup *w, const struct subgroup *s,
                    const struct lane_log *log, struct together *together, uint32_t *from) {
    together->live = (uint32_t)s->live.bits[0];
    if (together->live)
        together->left = stop_flow(subgroup_stop(s, lanes_lowest(s->live))) & WG_FLOW_LEFT;
    *from = rows_best(judge)(judge, w, s, log, together);
    return *from == log->most && follow_stops(s->tracks, log, together);
}
