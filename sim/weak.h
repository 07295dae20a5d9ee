/* Weak memory: the plain stores of a workgroup stay in copies of its own until they become visible
 * to others; atomics act on the common memory at once, so that a flag overtakes the data that it
 * announces. Variables with atomics are common as a whole. */
#ifndef SIM_WEAK_H
#define SIM_WEAK_H

#include "sim/workgroup.h"

struct weak;

/* Seed 0: stores become visible at the end of the dispatch, else at moments that depend on it. */
struct weak *weak_new(const struct launch *launch, uint64_t seed, struct wgsim_error *err);
void weak_free(struct weak *weak);

/* A workgroup starts: its copies are what is visible now. -1: out of memory. */
int weak_start(struct weak *weak, struct workgroup *workgroup);
/* It made a step. True: stores became visible that changed something. */
bool weak_step(struct weak *weak, struct workgroup *workgroup);
/* It ends; its stores are kept until their moment. -1: out of memory. */
int weak_end(struct weak *weak, struct workgroup *workgroup);
/* Frees the copies of a workgroup. */
void weak_forget(struct workgroup *workgroup);

/* All stores become visible. True: that changed something. */
bool weak_publish(struct weak *weak);

#endif
