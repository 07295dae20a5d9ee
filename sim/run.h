/* Running a job: its dispatches one after the other, all writes of one visible to the next. */
#ifndef SIM_RUN_H
#define SIM_RUN_H

#include "sim/dispatch/dispatch.h"
#include "sim/job.h"
#include "sim/limits.h"

/* What is known of a dispatch once it is over. */
struct run_dispatch {
    const struct wg_entry *entry;
    uint32_t groups[3], size[3];
    uint64_t memory_bytes;      /* workgroup memory */
    struct occupancy occupancy; /* of compute unit 0 */
    enum verdict verdict;
    uint64_t cycles, steps, barriers;
    uint32_t peak_resident;
    uint64_t admitted, finished, total;
    struct timing_report time;
    struct site_count *sites; /* by id */
    struct var_count *vars;   /* by id */
};

struct run {
    const struct device *device;
    const struct run_options *options;
    struct job *job;
    struct arena arena;
    struct run_dispatch *dispatches; /* those that were begun */
    size_t dispatch_count;
    enum verdict verdict; /* of the last one, or of the first that diverged */
    /* How it went on that the first diverged, if it did not end: VERDICT_DEADLOCK, VERDICT_LIVELOCK
     * or VERDICT_SUSPECTED. Else VERDICT_FINISHED. */
    enum verdict hang;
    bool trapped; /* an access out of bounds ended the run (OUTSIDE_TRAP) */
    uint64_t cycles, steps;
    struct site_count *sites; /* totals, by id */
    struct var_count vars[WG_MAX_VARS + 1];
    struct limits_violations violations; /* VERDICT_REJECTED: why */
};

/* Who watches a run. All may be empty. */
struct run_observers {
    const struct listener *listeners;
    size_t listener_count;
    const struct row_observer *rows;
    size_t row_count;
    /* A dispatch has its verdict; its residents are still there. -1 ends the run with the message
     * in err. */
    int (*stopped)(void *self, struct dispatch *dispatch, struct wgsim_error *err);
    void *self;
};

/* Fills *violations, which is empty, with what limits the first of the job's dispatches that is
 * over any is over. */
int run_check_limits(const struct job *job, const struct limits *limits, struct arena *arena,
                     struct limits_violations *violations, struct wgsim_error *err);

/* Runs the job's dispatches until one does not finish. limits: of pipelines and dispatches; a
 * violation gives VERDICT_REJECTED, and nothing runs. */
int run_job(struct run *run, struct job *job, const struct device *device,
            const struct run_options *options, const struct limits *limits,
            const struct run_observers *observers, struct wgsim_error *err);
void run_release(struct run *run);

#endif
