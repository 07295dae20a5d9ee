/* A run made once more, for a closer look at what the first one showed. */
#ifndef SIM_AGAIN_H
#define SIM_AGAIN_H

#include <signal.h>

#include "sim/run.h"

struct again {
    const struct run *run; /* the first one */
    /* An observer sets it: there is no more to see. */
    volatile sig_atomic_t stop;
};

/* To be called now and then: whoever may stop the first run may stop this one. */
static inline void again_poll(struct again *again) {
    if (again->run->options->stop && *again->run->options->stop)
        again->stop = 1;
}

/* Runs the job of a finished run again with the same schedule. Its buffers are left as they are. */
int again_run(struct again *again, const struct run_observers *observers, struct wgsim_error *err);

/* Another way to run it. */
struct again_way {
    const struct run_options *options;
    const struct run_observers *observers;            /* or NULL */
    void (*ended)(void *self, const struct run *run); /* its results are in the buffers */
    void *self;
};
/* Runs it in another way. */
int again_run_otherwise(const struct again *again, const struct again_way *way,
                        struct wgsim_error *err);

#endif
