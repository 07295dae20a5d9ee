/* A conversation with a process: it is told something, heard until it ends, and ended at a
 * deadline. */
#ifndef SIM_WEBGPU_CONVERSATION_H
#define SIM_WEBGPU_CONVERSATION_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/buf.h"
#include "wgsim/wgsim.h"

/* How it went. */
struct conversation {
    struct buf heard;      /* its standard output */
    struct buf complaints; /* the beginning of its standard error */
    int64_t exit_status;
    int exit_signal;
    uint64_t milliseconds;
    bool timed_out; /* it was killed at the deadline */
    bool abandoned; /* and could not be ended: the process is left behind */
};

/* Starts the program, writes say to its standard input and returns when it has ended, half a second
 * after the deadline at the latest. -1 if it cannot be started. To be released either way. */
int conversation_hold(struct conversation *conversation, const char *program, const struct buf *say,
                      uint64_t deadline_ms, struct wgsim_error *err);
void conversation_release(struct conversation *conversation);

#endif
