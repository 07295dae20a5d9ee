/* The simulator's side of a cross-check: every outcome that the rules allow, and what the findings
 * say of comparing it. */
#ifndef SIM_WEBGPU_SIMULATE_H
#define SIM_WEBGPU_SIMULATE_H

#include "sim/report/report.h"
#include "sim/webgpu/crosscheck.h"

enum { SIMULATED_OUTCOMES_MAX = 3 };

struct simulation {
    const char *verdict;
    enum simulated_end end;
    const char *race, *open; /* as in struct crosscheck */
    bool waits;              /* a finding says that it needs progress of others, or it never ends */
    bool reads_unwritten, loops_long, exceeds_memory;
    struct simulated_outcome outcomes[SIMULATED_OUTCOMES_MAX];
    size_t outcome_count;
};

/* Runs the job; again with other choices where accesses were out of bounds. Texts and the outcomes'
 * buffers live in arena. The job's buffers hold the last outcome afterwards. */
int simulate(struct simulation *simulation, const struct report_request *request,
             struct arena *arena, struct wgsim_error *err);

#endif
