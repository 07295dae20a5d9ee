/* The data races that a run showed: one entry for each pair of places, with an example. */
#ifndef SIM_RACES_H
#define SIM_RACES_H

#include "sim/cells.h"
#include "sim/finding.h"
#include "sim/kernel.h"
#include "sim/order_results.h"
#include "sim/order_turns.h"
#include "sim/trip.h"

/* What a side read, or stored. */
struct race_value {
    bool known, before_known;
    uint32_t value;
    uint32_t before; /* a side that stores: what was there */
};

/* One of the two accesses. */
struct race_side {
    const struct wg_site *site;
    enum cell_access access;
    uint64_t workgroup;
    uint32_t lane; /* local index */
    struct trip trip;
    bool has_trip;
    const struct wg_site *after; /* ordering: where a store's invocation loaded before, or NULL */
};

struct race {
    uint32_t var;
    uint64_t byte; /* of the variable */
    struct race_side first, second;
    bool crossing;     /* between workgroups */
    bool one_subgroup; /* both are lanes of it */
    bool ordering;     /* both are atomic: no race, but what is read depends on the order */
    bool behind;       /* weak memory: the second read `seen` where `stored` had been written */
    uint32_t seen, stored;
    bool silent; /* the second stored what was there */
};

struct race_entry {
    struct race example;
    struct race_value first, second; /* of the example */
    uint64_t count;
    bool within, crossing; /* a workgroup; between workgroups */
    bool changes;          /* not all were stores of the value that was there */
    uint32_t apart, loop;  /* of those within a workgroup in different turns of loops around both:
                              the greatest trip_apart(), and the site of that loop */
    uint32_t dispatch;
    /* ordering: */
    uint64_t workgroups[ORDER_TURNS_WORKGROUPS]; /* where it was looked at more closely */
    uint32_t workgroup_count;
    uint32_t ways;  /* set of 1 << way in which it seems to matter: see order_turns_way */
    uint32_t looks; /* dispatches in which it was looked at */
    struct order_difference proof; /* that it does */
};

struct races {
    const struct kernel *kernel;
    struct race_entry *items;
    size_t count, capacity;
    uint32_t *table; /* hash of both sites and the variable: index + 1 */
    bool failed;     /* out of memory */
    bool full;       /* some pair of places found no room */
};

int races_init(struct races *races, const struct kernel *kernel);
void races_release(struct races *races);
void races_clear(struct races *races);

/* Takes note of a race: cheap where its pair of places is known. */
void races_add(struct races *races, const struct race *race);

/* What is known of the pair of places of a race; NULL: nothing. */
struct race_entry *races_find(const struct races *races, const struct race *race);
/* Joins what another list found of a pair of places. */
void races_join(struct races *races, const struct race_entry *entry, uint32_t dispatch);

/* The first side of the example was in that turn of its loops. */
void races_turn(struct race_entry *entry, const struct trip *trip);
/* No more will be joined: drops those of which the order was looked at and seems not to matter. */
void races_settle(struct races *races);

/* Whether the order of the two decides what is left. That a store found its value there does not
 * say that the other one put it there, where lanes take turns: the values do, if they are known. */
bool races_entry_changes(const struct race_entry *entry);

/* Which barrier orders what one workgroup does to a variable: an enum wg_op. */
uint8_t races_barrier_of(const struct wg_var *var);

/* Whether some race has the site as one of its places. */
bool races_at(const struct races *races, const struct wg_site *site);

#endif
