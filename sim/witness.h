/* What the two sides of each race read and stored: seen in a run that is made again, for only then
 * is it known which words to look at. */
#ifndef SIM_WITNESS_H
#define SIM_WITNESS_H

#include "sim/again.h"
#include "sim/races.h"

struct witness;

/* For the races of a run; NULL: out of memory. */
struct witness *witness_new(struct again *again, const struct races *races);
void witness_free(struct witness *witness);

struct listener witness_listener(struct witness *witness);
struct row_observer witness_rows(struct witness *witness);

/* All is seen: the run may end. */
bool witness_done(const struct witness *witness);

/* The run is over; later ones are not looked at. */
void witness_close(struct witness *witness);
/* Leaves what was seen in the races. */
void witness_tell(const struct witness *witness, struct races *races);

#endif
