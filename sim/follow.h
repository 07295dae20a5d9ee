/* The observer of accesses, row by row. Reads that can find nothing wait in a queue, for most
 * phases of a workgroup read a variable or write it, and not both. */
#ifndef SIM_FOLLOW_H
#define SIM_FOLLOW_H

#include "sim/shadow.h"

/* What a row_observer hears. */
void follow_row(struct shadow *shadow, const struct access_row *row);
void follow_reshape(struct shadow *shadow);
/* RECORD_OUTSIDE: where the access goes instead, no races are sought. */
void follow_outside(struct shadow *shadow, const struct record *record);

#endif
