/* Accesses of lanes that are apart, joined into requests by site, iteration and call path. */
#ifndef SIM_GROUPS_H
#define SIM_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/cost.h"
#include "sim/lanes.h"

struct group {
    uint64_t key;
    uint32_t site, var;
    uint32_t place;  /* in the hash table */
    uint32_t opener; /* the lane that opened it */
    bool passed;     /* by all: see groups_find_passed */
    bool repeated;   /* some lane came to the same site in the same iteration before: a loop has no
                        marks */
    struct lanes lanes;
    struct lanes charged;     /* those of them that were there when it was charged, */
    struct request_cost cost; /* and what it was charged; the caller's */
    uint64_t address[LANES_MAX];
    uint64_t joined[LANES_MAX]; /* when, by groups.joins */
};

struct groups {
    struct group *items; /* in the order in which they were opened */
    size_t count, capacity;
    uint64_t joins;  /* accesses that joined so far */
    size_t issued;   /* of items: the first so many were charged; the caller's */
    uint32_t *table; /* hash table: index + 1 into items */
};

enum { GROUPS_TABLE = 4096, GROUPS_LIMIT = 2048 };

/* Joins an access to the group of its place, or opens one. -1: out of memory. */
int groups_add(struct groups *groups, uint32_t site, uint32_t var, uint64_t key, uint32_t lane,
               uint64_t address);
/* The same for lanes of a row at once: lane first_lane + i at words[i] & address_bits, for i in
 * mask. False: there is no group that they can join. */
bool groups_join(struct groups *groups, uint32_t site, uint32_t var, uint64_t key,
                 uint32_t first_lane, uint32_t mask, const uint64_t *words, uint64_t address_bits);
/* No further group has room: close before the next groups_add. */
static inline bool groups_full(const struct groups *groups) {
    return groups->count == GROUPS_LIMIT;
}
/* Hands over all groups in order and forgets them. */
void groups_close(struct groups *groups, void (*take)(void *self, const struct group *group),
                  void *self);
/* Finds the groups that none of some lanes can join any more though they are not at one place: each
 * is a member, or of another group that the opener joined later. In structured flow there is no
 * way back from there. */
void groups_find_passed(struct groups *groups, struct lanes lanes);
/* The same as groups_close for those alone that are `done`. */
void groups_sweep(struct groups *groups,
                  bool (*done)(const struct group *group, struct lanes lanes), struct lanes lanes,
                  void (*take)(void *self, const struct group *group), void *self);
void groups_release(struct groups *groups);

#endif
