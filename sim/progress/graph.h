/* The graph of all states that a dispatch can reach, whichever workgroup makes the next step. */
#ifndef SIM_PROGRESS_GRAPH_H
#define SIM_PROGRESS_GRAPH_H

#include "sim/progress/system.h"

#define GRAPH_NO_STEP UINT32_MAX

struct graph_options {
    uint32_t resident;   /* most workgroups that have started and not finished; 0: no limit */
    uint64_t max_states; /* 0: two million */
    uint64_t max_bytes;  /* of states kept; 0: a gigabyte */
    uint64_t max_steps;  /* of invocations; 0: no limit */
    bool keep_unread;    /* nothing is left out for not being read: the same answers, but longer */
    const struct dispatch *volatile *running; /* NULL, or as struct system's */
};

struct graph {
    uint32_t processes;
    struct system_state
        *states;    /* state 0 is the initial one; in the order of a breadth-first search */
    uint32_t *next; /* [state * processes + process]: the state after its step, or GRAPH_NO_STEP */
    uint32_t *parent;        /* the state from which it was first reached */
    uint8_t *parent_process; /* whose step that was */
    uint32_t count, capacity;
    uint32_t expanded; /* the first so many have their successors */
    bool complete;     /* false: a limit was reached, why says which */
    const char *why;
};

/* Explores. -1: error (then nothing is kept); a limit is no error. */
int graph_explore(struct graph *graph, struct system *system, const struct system_state *initial,
                  const struct graph_options *options, struct wgsim_error *err);
void graph_release(struct graph *graph);

static inline uint32_t graph_next(const struct graph *graph, uint32_t state, uint32_t process) {
    return graph->next[(size_t)state * graph->processes + process];
}

#endif
