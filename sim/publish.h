/* Which races are published by a flag: ordered, if only atomics were release and acquire; and of
 * atomics of which the order is looked at, which are made sure of by waits and locks. Answered by
 * running again, for so many races at a time. */
#ifndef SIM_PUBLISH_H
#define SIM_PUBLISH_H

#include "sim/again.h"
#include "sim/races.h"
#include "sim/spins.h"

struct publish;

/* NULL: out of memory. */
struct publish *publish_new(struct again *again, const struct races *races,
                            const struct spins *spins);
void publish_free(struct publish *publish);

/* Takes the next races that may be; false: there are none left. */
bool publish_ask(struct publish *publish);
/* For the run that answers. */
struct listener publish_listener(struct publish *publish);
struct row_observer publish_rows(struct publish *publish);
/* All that was asked is answered: that run may end. */
bool publish_done(const struct publish *publish);
/* That run is over. */
int publish_take(struct publish *publish, struct wgsim_error *err);

/* By race: whether it is. */
const bool *publish_ordered(const struct publish *publish);

#endif
