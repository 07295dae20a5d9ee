/* Workgroups run by several threads of the host before they are admitted, in the order in which
 * they will be. Whoever admits them, the main thread, takes what they are to be charged for and
 * what is to be told of them in that order; it runs some itself where it would have to wait.
 *
 * What came out is that of workgroups run one after the other, as long as they do not communicate:
 * each thread has tags for those that it ran, and at the end these are compared. */
#ifndef SIM_AHEAD_H
#define SIM_AHEAD_H

#include "sim/later.h"
#include "sim/queue.h"
#include "sim/runner.h"
#include "sim/schedule.h"

struct ahead;

struct ahead_spec {
    const struct launch *launch;
    const struct device *device;
    const struct queue *queue;
    const struct judge *judge; /* whose observers are told */
    uint32_t threads;          /* the main one is one of them */
    uint64_t max_steps;        /* that end a run; 0: none do */
    uint64_t residents;        /* most at once, should they be run in steps later */
    bool even;                 /* see struct runner */
    /* What lanes report, and whose they are. */
    void (*report)(void *self, struct record *record);
    void *self;
};

enum ahead_end {
    AHEAD_GOOD,
    AHEAD_CONFLICT, /* workgroups communicate */
    AHEAD_VOID      /* something happened that only a run one after the other can tell of */
};

/* Whether workgroups of a kernel may run at the same time: a lane's update of an atomic is none to
 * another thread. */
bool ahead_possible(const struct kernel *kernel);
/* NULL: out of memory. */
struct ahead *ahead_new(const struct ahead_spec *spec);
/* Whether an invocation has overrun its stack, as far as can be seen while threads run. Calls
 * nothing that a signal handler may not. */
bool ahead_overflown(const struct ahead *ahead);
/* For the handler of a signal that a lane has caused by crashing: where that runs on threads all is
 * void, and this does not return. */
void ahead_leave_crash(int number);
/* Ends all threads. */
void ahead_free(struct ahead *ahead);

/* What one workgroup did. */
struct ahead_work {
    struct schedule *schedule; /* its requests are to be taken; NULL: steps are even */
    uint64_t steps, barriers;
    struct runner_account account;
};

/* Tells of the workgroup at a position of the queue, and gives what it did; positions are asked for
 * one after the other. `resident` is where it was admitted. NULL: all is void. */
const struct ahead_work *ahead_take(struct ahead *ahead, uint64_t position,
                                    const struct workgroup *resident);
/* The run is to be stopped: no more workgroups are begun but those that are asked for. Whether all
 * that were begun are among those before a position. */
bool ahead_is_level(struct ahead *ahead, uint64_t position);
/* All that were wanted have been taken: ends all threads, and adds what they counted. */
enum ahead_end ahead_finish(struct ahead *ahead, struct judge *judge);

#endif
