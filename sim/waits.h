/* What workgroups learn from each other through atomics in storage: waits of one for another that
 * happened to end, and pairs of atomics whose order nobody promises. */
#ifndef SIM_WAITS_H
#define SIM_WAITS_H

#include "sim/between.h"
#include "sim/dispatch/dispatch.h"
#include "sim/finding.h"
#include "sim/lost.h"

struct waits;

/* NULL: out of memory. */
struct waits *waits_new(const struct kernel *kernel);
void waits_free(struct waits *waits);

/* A dispatch begins, perhaps again: forgets everything. */
void waits_begin(struct waits *waits, const struct dispatch *dispatch);
/* A row of accesses: only atomics of storage matter. */
void waits_row(struct waits *waits, const struct access_row *row);
/* The updates that were seen to be lost, or might be. */
struct lost *waits_lost(struct waits *waits);
/* Where the order of workgroups may matter. */
const struct between *waits_between(const struct waits *waits);
/* ended: the dispatch finished. */
void waits_report(struct waits *waits, uint32_t dispatch, bool ended, struct findings *findings);
/* Whether an invocation waits at a site: known once that is reported. */
bool waits_at(const struct waits *waits, const struct wg_site *site);

#endif
