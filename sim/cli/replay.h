/* What came out of a recorded run when it was run again. */
#ifndef SIM_CLI_REPLAY_H
#define SIM_CLI_REPLAY_H

#include <signal.h>

#include "sim/buf.h"
#include "sim/trace/fingerprint.h"
#include "sim/trace/inputs.h"
#include "sim/trace/read.h"

struct replay {
    const struct trace_read *trace;
    struct fingerprint print;
    volatile sig_atomic_t stop;
    json_t *differences; /* objects {"in", "where", "text"} */
    struct buf words;    /* of a counterexample: what it came to */
    struct buf came_to;  /* what came out, in few words */
};

void replay_add_difference(struct replay *replay, const char *in, const char *where,
                           const char *text);
/* Adds the first difference, if there is one. */
void replay_compare(struct replay *replay, const char *in, const json_t *then, const json_t *now);
/* -1: a file of the subject cannot be read, or out of memory. */
int replay_compare_inputs(struct replay *replay, const struct trace_subject *subject,
                          struct wgsim_error *err);

/* Follows the counterexample that `wgsim progress`, with these arguments, recorded. */
int replay_progress(struct replay *replay, int argc, char **argv, struct wgsim_error *err);

#endif
