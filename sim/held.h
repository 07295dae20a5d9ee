/* Signals that wait while a file is half written: those that would end the program before it could
 * take the file away. Of the calling thread; what another thread gets is its own affair. */
#ifndef SIM_HELD_H
#define SIM_HELD_H

#include <signal.h>
#include <stdbool.h>

struct held {
    sigset_t signals; /* that are held; ignored ones are not */
    sigset_t before;  /* the thread's mask */
};

void held_begin(struct held *held);
/* Whether one of them has come: what is under way should end. */
bool held_came(const struct held *held);
/* What has come takes effect now. */
void held_end(const struct held *held);

#endif
