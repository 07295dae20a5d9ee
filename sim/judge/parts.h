/* What the parts of judging share: rows.c knows what a row costs, together.c follows lanes that are
 * together, apart.c those that are not. */
#ifndef SIM_JUDGE_PARTS_H
#define SIM_JUDGE_PARTS_H

#include "sim/judge/judge.h"
#include "sim/word.h"

/* ---- Rows ---- */

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

extern const uint64_t no_distance[WG_LOG_ROW];

/* Adds `times` requests of one cost to the counts. */
void judge_count(struct judge *judge, const struct wg_site *site, uint32_t var,
                 const struct request_cost *cost, uint64_t times);
/* What a request is charged. */
struct timing_request judge_request(const struct wg_site *site, const struct request_cost *cost);
/* The shape of a row that no memo keeps, until the next one. */
const struct shape *judge_passing_shape(struct judge *judge, const uint64_t *row, uint64_t first,
                                        uint32_t mask);
/* A row whose active lanes are known, or found here, to have logged the same site with the same
 * flow: counts and charges it; how it lies. NULL: they have not. */
const struct shape *judge_row(struct judge *judge, const struct wg_site *site, const uint64_t *row,
                              uint64_t first, uint32_t mask);
/* Moves what the memos hold into the counts; sites that never repeat are given another chance. */
void judge_settle_memos(struct judge *judge);
/* The lanes of a row that logged what the lowest of them did: the same mark, or an access at the
 * same site, with the same flow. */
uint32_t judge_of_one_mind(const struct judge *judge, const uint64_t *row, uint32_t mask);

static inline bool is_load(const struct wg_site *site) {
    return site->op == WG_OP_LOAD;
}

/* There is room for it. The word tells words of atomics apart: where the first lane went, from
 * whatever site. */
static inline void judge_issue(struct judge *judge, const struct timing_request *request,
                               uint64_t first) {
    struct requests *issued = judge->issued;
    struct timing_request *item = &issued->items[issued->count++];
    *item = *request;
    item->word = (uint32_t)(first >> 2) + (uint32_t)((first & WORD_PLACE) >> 30);
}

static inline void judge_observe(const struct judge *judge, const struct access_row *row) {
    for (size_t i = 0; i < judge->observer_count; i++) {
        const struct row_observer *observer = &judge->observers[i];
        if (!observer->storage_only || row->site->space != WG_SPACE_WORKGROUP)
            observer->row(observer->self, row);
    }
}

/* A row that is as a memo says. */
static inline const struct shape *judge_known_row(struct judge *judge, struct memo *memo,
                                                  uint64_t first) {
    memo->hits++;
    memo->misses = 0;
    judge_issue(judge, &memo->request, first);
    return &memo->shape;
}

/* Takes note of lanes of a row that stored another value than was there. */
static inline void judge_note_change(struct judge *judge, const struct wg_site *site,
                                     const uint64_t *row, uint32_t mask) {
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
static inline bool judge_all_match(const struct judge *judge, const uint64_t *row, uint64_t first,
                                   const uint64_t *pattern, uint32_t mask) {
    if (mask == UINT32_MAX)
        return judge->matching->whole(row, first, pattern);
    return !(~judge->matching->pattern(row, first, pattern) & mask);
}

/* ---- Lanes together ---- */

/* Lanes of a subgroup that were together at the start of a step. */
struct together {
    uint32_t live; /* have not returned */
    uint32_t left; /* constructs that all of these leave at their stops */
    uint32_t told; /* wrote no more rows while others did; the turn that their stops hand over has
                      been followed */
};

/* Judges a step of lanes that were together and are all that live, as far as they stay so. False:
 * they part, at row *from or, if that is the number of rows, at their stops. */
bool judge_together(struct judge *judge, const struct workgroup *w, const struct subgroup *s,
                    const struct lane_log *log, struct together *together, uint32_t *from);

/* ---- Lanes apart ---- */

/* Judges a step of lanes that are not, or no longer, together: up to a row they were. */
void judge_apart(struct judge *judge, const struct workgroup *w, struct subgroup *s,
                 const struct lane_log *log, struct lanes ran, uint32_t from_row);
/* Counts the requests that lanes of a subgroup made apart and that nobody can join any more. */
void judge_sweep(struct judge *judge, struct subgroup *s);
/* Counts all of them. */
void judge_count_groups(struct judge *judge, struct tracks *tracks);
/* Where all that live are at one place again, they have one track. */
void judge_meet(struct subgroup *s);

#endif
