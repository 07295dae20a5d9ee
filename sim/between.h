/* Atomics in storage of two workgroups, of which nothing says which comes first: an update and a
 * load, a store and another change, or updates that do not commute. Where each workgroup does only
 * one of the two, one tells the other something, which may come or not; where one does both, it
 * takes what it finds for what all have done, or keeps only what it did. */
#ifndef SIM_BETWEEN_H
#define SIM_BETWEEN_H

#include "sim/finding.h"
#include "sim/kernel.h"
#include "sim/order_results.h"
#include "sim/order_turns.h"

enum { BETWEEN_MAX = 16 };

struct between_side {
    const struct wg_site *site;
    uint64_t workgroup;
    uint32_t lane; /* local index */
};

/* What a workgroup has changed, and where: a set that may hold more than was put in, which only
 * lets more be looked at. */
struct between_past {
    uint64_t workgroup; /* whose it is, plus 1 */
    uint64_t set[8];
};

/* Invariant: entries of a list differ in their two sites, in whatever order. */
struct between_entry {
    struct between_side first, second;
    uint64_t place; /* as in a word of the log */
    uint64_t count; /* of those between workgroups */
    bool own;       /* a workgroup does both */
    uint32_t dispatch;
    struct order_pair pair;        /* where it was looked at more closely */
    struct order_difference proof; /* that it matters */
};

struct between {
    struct between_entry entries[BETWEEN_MAX];
    size_t count;
};

/* The second side, whose workgroup's past is given, came to a word behind the first. */
void between_add(struct between *between, uint64_t place, const struct between_side *first,
                 const struct between_side *second, const struct between_past *past);
/* A workgroup has changed a word. */
void between_note(struct between_past *past, uint64_t place, const struct wg_site *site);
/* What is known of the sites of an entry; NULL: nothing. */
struct between_entry *between_find(struct between *between, const struct between_entry *entry);
/* Whether there is something to look at. */
bool between_is_open(const struct between_entry *entry);
/* Keeps one that is not known, where there is room. */
void between_keep(struct between *between, const struct between_entry *entry);

/* Those of which it is proved that they matter. */
void between_report(const struct between *between, const struct kernel *kernel,
                    struct findings *findings);

#endif
