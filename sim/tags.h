/* Questions about tags of neighbouring pieces that neighbouring lanes touch, four at a time. `mine`
 * is the tag of the first lane; the next have the next ones. */
#ifndef SIM_TAGS_H
#define SIM_TAGS_H

#include "sim/cells.h"

typedef uint32_t tags4 __attribute__((vector_size(16), aligned(4), may_alias));

static inline tags4 tags_at(const cell_tag *tags) {
    return *(const tags4 *)(const void *)tags;
}

static inline tags4 tags_from(cell_tag mine) {
    return (tags4){mine, mine, mine, mine} + (tags4){0, 1, 2, 3};
}
/* Those of the next four lanes. */
static inline tags4 tags_next(tags4 own) {
    return own + (tags4){4, 4, 4, 4};
}

static inline bool tags_any(tags4 set) {
    return (set[0] | set[1] | set[2] | set[3]) != 0;
}

/* Bits that are set where a tag is of the lane's phase and of another lane. */
static inline tags4 tags_unordered(tags4 tags, tags4 mine) {
    const tags4 mask = {CELLS_LANE_MASK, CELLS_LANE_MASK, CELLS_LANE_MASK, CELLS_LANE_MASK};

    return (tags4)((tags ^ mine) - 1 < mask);
}

/* Whether some tag is of the lane's phase and of another lane. */
static inline bool any_unordered(const cell_tag *tags, cell_tag mine, uint32_t count) {
    tags4 found = {0}, own = tags_from(mine);
    uint32_t i = 0, rest = 0;

    for (; i + 4 <= count; i += 4, own = tags_next(own))
        found |= tags_unordered(tags_at(tags + i), own);
    for (; i < count; i++)
        rest |= (tags[i] ^ (mine + i)) - 1 < CELLS_LANE_MASK;
    return tags_any(found) || rest;
}

/* Whether all are. */
static inline bool all_unordered(const cell_tag *tags, cell_tag mine, uint32_t count) {
    tags4 ordered = {0}, own = tags_from(mine);
    uint32_t i = 0, rest = 0;

    for (; i + 4 <= count; i += 4, own = tags_next(own))
        ordered |= ~tags_unordered(tags_at(tags + i), own);
    for (; i < count; i++)
        rest |= (tags[i] ^ (mine + i)) - 1 >= CELLS_LANE_MASK;
    return !tags_any(ordered) && !rest;
}

/* Whether some is unordered, or some tag is before `since`. */
static inline bool any_unordered_or_before(const cell_tag *tags, cell_tag mine, cell_tag since,
                                           uint32_t count) {
    const tags4 limit = {since, since, since, since};
    tags4 found = {0}, own = tags_from(mine);
    uint32_t i = 0, rest = 0;

    for (; i + 4 <= count; i += 4, own = tags_next(own)) {
        tags4 here = tags_at(tags + i);
        found |= tags_unordered(here, own) | (tags4)(here < limit);
    }
    for (; i < count; i++)
        rest |= (tags[i] ^ (mine + i)) - 1 < CELLS_LANE_MASK || tags[i] < since;
    return tags_any(found) || rest;
}

/* Whether some is unordered, and how many are before `since`. */
static inline bool any_unordered_count_before(const cell_tag *tags, cell_tag mine, cell_tag since,
                                              uint32_t count, uint32_t *before) {
    const tags4 limit = {since, since, since, since};
    tags4 found = {0}, earlier = {0}, own = tags_from(mine);
    uint32_t i = 0, rest = 0, rest_earlier = 0;

    for (; i + 4 <= count; i += 4, own = tags_next(own)) {
        tags4 here = tags_at(tags + i);
        found |= tags_unordered(here, own);
        earlier -= (tags4)(here < limit);
    }
    for (; i < count; i++) {
        rest |= (tags[i] ^ (mine + i)) - 1 < CELLS_LANE_MASK;
        rest_earlier += tags[i] < since;
    }
    *before = earlier[0] + earlier[1] + earlier[2] + earlier[3] + rest_earlier;
    return tags_any(found) || rest;
}

/* Whether some tag is of anybody. */
static inline bool any_tag(const cell_tag *tags, uint32_t count) {
    tags4 found = {0};
    uint32_t i = 0, rest = 0;

    for (; i + 4 <= count; i += 4)
        found |= tags_at(tags + i);
    for (; i < count; i++)
        rest |= tags[i];
    return tags_any(found) || rest;
}

/* Whether some tag is of another lane, in whatever phase. */
static inline bool any_other_lane(const cell_tag *tags, cell_tag mine, uint32_t count) {
    uint32_t found = 0;

    for (uint32_t i = 0; i < count; i++)
        found |= (tags[i] ^ (mine + i)) & CELLS_LANE_MASK;
    return found != 0;
}

static inline void put_tags(cell_tag *tags, uint16_t *sites, cell_tag mine, uint16_t site,
                            uint32_t count) {
    typedef uint16_t sites8 __attribute__((vector_size(16), aligned(2), may_alias));
    const sites8 eight = {site, site, site, site, site, site, site, site};
    tags4 own = tags_from(mine);
    uint32_t i = 0;

    for (; i + 8 <= count; i += 8) {
        *(tags4 *)(void *)(tags + i) = own;
        own = tags_next(own);
        *(tags4 *)(void *)(tags + i + 4) = own;
        own = tags_next(own);
        *(sites8 *)(void *)(sites + i) = eight;
    }
    for (; i < count; i++) {
        tags[i] = mine + i;
        sites[i] = site;
    }
}

#endif
