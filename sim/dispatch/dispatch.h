/* One dispatch on a device: admission, the loop over events, and how it ends. */
#ifndef SIM_DISPATCH_H
#define SIM_DISPATCH_H

#include <signal.h>

#include "sim/ahead.h"
#include "sim/device.h"
#include "sim/events.h"
#include "sim/judge/judge.h"
#include "sim/occupancy.h"
#include "sim/queue.h"
#include "sim/record.h"
#include "sim/runner.h"
#include "sim/saved.h"
#include "sim/schedule.h"
#include "sim/workgroup.h"

enum verdict {
    VERDICT_FINISHED,
    VERDICT_DEADLOCK,
    VERDICT_LIVELOCK,
    VERDICT_DIVERGENCE,
    VERDICT_SUSPECTED,
    VERDICT_REJECTED,
    VERDICT_TRAPPED
};
extern const char *const verdict_names[]; /* ends with NULL */

enum refill {
    REFILL_EAGER, /* a freed place is given again at once */
    REFILL_LAZY   /* only when no resident is left */
};
/* How long a step takes, from which follows who makes the next one. */
enum pace {
    PACE_MODELLED,
    PACE_EVEN,  /* a cycle: residents step in turn */
    PACE_RANDOM /* 1 to PACE_CYCLES_MAX cycles, drawn with the seed */
};
enum { PACE_CYCLES_MAX = 8 };
enum placement { PLACE_FEWEST, PLACE_FILL, PLACE_ROUND_ROBIN, PLACE_STATIC };
extern const char *const refill_names[], *const pace_names[], *const placement_names[];
enum outside_policy { OUTSIDE_CLAMP, OUTSIDE_DROP, OUTSIDE_ZERO, OUTSIDE_TRAP };

/* How to run: the same for all dispatches of a job. */
struct run_options {
    enum queue_order order;
    enum placement placement;
    enum refill refill;
    enum pace pace;
    enum outside_policy outside;
    bool lockstep;     /* lanes of a subgroup as one machine with an execution mask */
    bool stress_yield; /* give up control at every access */
    bool weak_memory;
    uint64_t seed;
    uint64_t max_steps; /* 0: no limit */
    uint32_t registers; /* a lane; 0: the kernel's or the device's default */
    uint32_t resident;  /* most residents on the whole device; 0: what fits */
    uint32_t threads;   /* of the host, at most THREADS_MAX; 0: one */
    const char *order_file;
    uint64_t order_of; /* workgroups of the dispatch that the file is of, where this one has fewer;
                          0: of this one */
    /* Not NULL: the run ends as suspected once this is not 0, as a signal handler may set it. */
    const volatile sig_atomic_t *stop;
    /* For what-if runs with more residents than there is memory for: 0, or the workgroups that a
     * unit holds with their invocations at first. Residents that only wait and have changed nothing
     * give theirs up, and start again when storage changes: a legal run of the same residents.
     * Where that is not enough units hold more. */
    uint32_t park;
    /* For what-if runs that are not modelled in time, or NULL: who stands before this atomic makes
     * its next step LATE_CYCLES later than it would, so that others may get there as well. */
    const struct wg_site *late;
    /* The same of those who go on one after the other at some atomics, or NULL. Only the results of
     * such a run mean something, if it ends. */
    const struct order_turns *turns;
};

enum { LATE_CYCLES = 1 << 14, THREADS_MAX = 1024 };

/* Most invocations that what-if runs hold at once. */
enum { PARK_INVOCATIONS_MAX = 1 << 17 };

struct id_list {
    uint64_t *ids;
    size_t count, capacity;
};

struct unit {
    struct cu_budget budget;
    struct workgroup **slots;
    uint32_t slot_count;
    uint64_t next_static; /* PLACE_STATIC: position in its own queue */
};

struct livelock;
struct watch;

enum { DISPATCH_ROW_OBSERVERS = 8 };

struct dispatch {
    const struct device *device;
    const struct run_options *options;
    struct launch launch;
    struct workgroup_needs needs;
    struct occupancy *occupancy; /* by unit */
    struct unit *units;
    uint32_t max_slots; /* of any unit */
    struct queue queue;
    uint64_t *order_list;
    uint64_t admitted, finished;
    uint32_t next_unit; /* PLACE_ROUND_ROBIN */
    bool draining;      /* REFILL_LAZY: none is admitted before all residents have ended */
    uint64_t batch;     /* admitted since there was no resident */
    uint64_t draws;     /* PACE_RANDOM */
    struct events events;
    uint32_t stepping; /* subgroups with an event */
    uint32_t ending;   /* workgroups whose end is an event */
    uint64_t cycle;    /* of the event under way; at the end: when the dispatch was complete */
    uint64_t steps;
    uint32_t resident, peak_resident; /* parked ones too */
    struct id_list parked,
        returning; /* run_options.park: residents without invocations; those to start again */
    uint64_t held; /* residents with invocations */
    struct workgroup *free;
    struct lane_log logs[2]; /* the second for running ahead */
    struct judge judge;
    struct row_observer rows[DISPATCH_ROW_OBSERVERS];
    struct timing *timing;
    struct watch *watch;
    struct weak *weak; /* run_options.weak_memory */
    struct livelock *livelock;
    /* Workgroups run one at a time on `runner`, to their end, when they are admitted; residents
     * then only hold what they have still to be charged for. Given up where the guard finds that
     * they communicate. */
    bool ahead;
    struct runner runner;
    struct ahead *threads; /* run workgroups ahead in place of the runner, if not NULL */
    bool even;             /* workgroups that run ahead step once a cycle, and nobody asks when */
    bool is_void;          /* all that was done ahead */
    const struct saved *before;
    const struct listener *listeners;
    size_t listener_count;
    uint32_t heard;    /* set of 1 << enum record_type that some listener has use for */
    bool steps_heard;  /* also while running ahead */
    bool told;         /* there was a record since the last step or end began */
    uint64_t barriers; /* opened */
    bool diverged;     /* parties of a barrier stood apart */
    bool trapped;
    enum verdict verdict;
    uint64_t period_steps;   /* of a proved deadlock or livelock */
    struct wgsim_error *err; /* of the call under way */
};

/* What a dispatch is made of. `buffers` holds the views of bound buffers by variable id. */
struct dispatch_spec {
    const struct kernel *kernel;
    const struct wg_entry *entry;
    const union wg_value *overrides;
    const struct wg_view *buffers;
    const struct wg_ops *ops; /* access_ops */
    const struct saved
        *before; /* the contents of the buffers now; held by the caller during the run */
    uint32_t groups[3];
};

/* Prepares a dispatch. Validation against limits has been done. */
int dispatch_init(struct dispatch *dispatch, const struct device *device,
                  const struct run_options *options, const struct dispatch_spec *spec,
                  struct wgsim_error *err);
/* Runs it to its verdict. -1 only where the run could not be made (memory, stack overflow). Calls
 * may be repeated with a higher step limit after VERDICT_SUSPECTED. */
int dispatch_run(struct dispatch *dispatch, struct wgsim_error *err);
void dispatch_release(struct dispatch *dispatch);
/* Whether an invocation has overrun its stack, as far as can be seen in the middle of dispatch_run.
 * Calls nothing that a signal handler may not. */
bool dispatch_overflown(const struct dispatch *dispatch);

/* Adds an observer of rows; at most DISPATCH_ROW_OBSERVERS - 1, before dispatch_run. */
void dispatch_observe_rows(struct dispatch *dispatch, const struct row_observer *observer);

/* Workgroups in the queue. */
static inline uint64_t dispatch_pending(const struct dispatch *d) {
    return d->queue.total - d->admitted;
}
/* The first position of the queue whose workgroup was not admitted; that of all there are if none.
 * With a queue for each unit, later ones may be out already: see dispatch_is_out. */
uint64_t dispatch_first_pending(const struct dispatch *dispatch);
/* Whether the workgroup at a position of the queue was admitted. */
static inline bool dispatch_is_out(const struct dispatch *d, uint64_t position) {
    return position < (d->options->placement == PLACE_STATIC
                           ? d->units[position % d->device->cus].next_static
                           : d->queue.next);
}
static inline uint64_t dispatch_total(const struct dispatch *d) {
    return d->queue.total;
}

/* Tells all listeners. */
void dispatch_tell(const struct dispatch *dispatch, const struct record *record);
/* The same of something that happens now. */
void dispatch_tell_now(const struct dispatch *dispatch, struct record *record);

#endif
