/* Lanes of a subgroup as one machine with an execution mask: which of them run next.
 *
 * Branch, loop and call marks tell which constructs each lane is inside. Lanes that reach the end
 * of a branch, of a loop's body or of a loop wait there for those that entered with them and are
 * still inside; lanes that wait at a barrier or have returned are not waited for. Of those that can
 * go on the mask keeps to the lanes that ran last; where they part, the ones earlier in the source
 * go first. */
#ifndef SIM_LOCKSTEP_H
#define SIM_LOCKSTEP_H

#include "sim/tape.h"
#include "sim/workgroup.h"

/* A subgroup whose lanes all stand at their start. -1: out of memory. */
int lockstep_start(struct subgroup *subgroup);
/* The lanes that run next, all of which stand at one place; taken to have passed the mark they
 * stand at. Empty only if no lane is ready. -1 in *failed: out of memory. */
struct lanes lockstep_next(struct subgroup *subgroup, bool *failed);
/* The ready lanes that wait at the end of a construct for others. */
struct lanes lockstep_parked(const struct subgroup *subgroup);
/* Puts the state of the mask on a tape; nothing where lanes are independent. */
void lockstep_put(struct tape *tape, const struct subgroup *subgroup);
void lockstep_forget(struct workgroup *workgroup);

#endif
