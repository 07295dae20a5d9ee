/* Whether a dispatch terminates, under every progress model. */
#ifndef SIM_PROGRESS_DECIDE_H
#define SIM_PROGRESS_DECIDE_H

#include "sim/job.h"
#include "sim/progress/models.h"
#include "sim/progress/classes.h"

/* A step of a counterexample. */
struct decision_step {
    uint32_t process;
    struct system_step step;
};

/* How a model fails: steps that lead from the start to a state, from which the cycle (weak models)
 * may be repeated for ever; for strong models there is none. */
struct counterexample {
    struct decision_step *prefix, *cycle;
    size_t prefix_count, cycle_count;
    uint32_t guaranteed; /* the workgroups that the model promises to run there and that can run,
                          * as bits */
    uint32_t started, finished;
    uint32_t processes;
};

struct decision {
    struct model_result results[MODEL_COUNT];
    struct counterexample examples[MODEL_COUNT]; /* of those that fail, if asked for */
    struct class_list classes;                   /* if examples were asked for */
    uint32_t processes, states;
    bool complete;
    const char *why;                  /* not complete: which limit was reached */
    const struct wg_site *divergence; /* a barrier at which some workgroup was not complete */
};

/* Explores the first dispatch of a job, whose buffers have their initial contents again afterwards.
 */
int decide(struct decision *decision, struct job *job, const struct device *device,
           const struct run_options *options, const struct graph_options *limits, bool examples,
           struct arena *arena, struct wgsim_error *err);

/* What a kernel relies on, in one sentence, from the verdicts. */
const char *decision_reliance(const struct decision *decision);

#endif
