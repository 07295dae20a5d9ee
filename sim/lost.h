/* Updates of a word that are lost: an invocation stores to it what it made of an atomic load, while
 * another one changes it in between. */
#ifndef SIM_LOST_H
#define SIM_LOST_H

#include "sim/finding.h"
#include "sim/kernel.h"
#include "sim/order_results.h"

enum { LOST_MAX = 64, SUSPECTS_MAX = 16 };

/* A store although the word had changed since the load. */
struct lost_update {
    const struct wg_site *load, *store, *change;
    uint64_t place, workgroup, changer, count;
    uint32_t lane, changer_lane;
    bool what_if; /* not in this run: where the two workgroups run at once */
    uint32_t dispatch;
    struct order_difference proof; /* that it matters */
};

/* A workgroup stored what it made of a load and another one found that at a load: had both loaded
 * it first, both might have stored. */
struct lost_suspect {
    const struct wg_site *store;
    uint64_t place, first, second;
};

/* Invariant: entries differ in load or store, suspects in store. */
struct lost {
    struct lost_update entries[LOST_MAX];
    size_t count;
    struct lost_suspect suspects[SUSPECTS_MAX];
    size_t suspect_count;
};

void lost_add(struct lost *lost, const struct lost_update *update);
void lost_suspect(struct lost *lost, const struct lost_suspect *suspect);
/* Whether an update is known that a store loses. */
bool lost_is_known(const struct lost *lost, const struct wg_site *store);

/* Joins what another list has of updates of a dispatch. */
void lost_join(struct lost *lost, const struct lost *from, uint32_t dispatch);

/* Those of which it is proved that they matter. */
void lost_report(const struct lost *lost, const struct kernel *kernel, struct findings *findings);

#endif
