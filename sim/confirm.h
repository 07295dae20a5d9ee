/* Whether a check and a store that were not parted in a run can be: the two workgroups are run by
 * themselves, one after the other and at once. An update is lost if the word is another one in the
 * end, which both runs then prove. */
#ifndef SIM_CONFIRM_H
#define SIM_CONFIRM_H

#include "sim/dispatch/dispatch.h"
#include "sim/lost.h"

/* Adds the updates that the suspects of a dispatch lose, which is over. */
void confirm_lost(struct lost *lost, const struct dispatch *dispatch);

#endif
