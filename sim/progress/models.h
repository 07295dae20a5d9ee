/* Progress models: which workgroups a scheduler must go on running, and whether a kernel terminates
 * under each. After "Specifying and Testing GPU Workgroup Progress Models", OOPSLA 2021. */
#ifndef SIM_PROGRESS_MODELS_H
#define SIM_PROGRESS_MODELS_H

#include "sim/progress/graph.h"

/* Which workgroups are guaranteed to be scheduled. */
enum fairness {
    FAIRNESS_NONE,    /* UNFAIR */
    FAIRNESS_HSA,     /* the lowest that is unfinished */
    FAIRNESS_OBE,     /* unfinished and started */
    FAIRNESS_HSA_OBE, /* both of these */
    FAIRNESS_LOBE,    /* unfinished, not above the highest that has started */
    FAIRNESS_ALL      /* FAIR: unfinished */
};

enum model {
    MODEL_HSA,
    MODEL_OBE,
    MODEL_HSA_OBE,
    MODEL_LOBE,
    MODEL_WEAK_FAIR,
    MODEL_HSA_STRONG,
    MODEL_OBE_STRONG,
    MODEL_HSA_OBE_STRONG,
    MODEL_LOBE_STRONG,
    MODEL_STRONG_FAIR,
    MODEL_UNFAIR,
    MODEL_COUNT
};

struct model_info {
    const char *name; /* as in JSON */
    enum fairness fairness;
    bool strong;
    const char *promise; /* what it promises, in words */
};
extern const struct model_info models[MODEL_COUNT];

/* The guaranteed ones in a state, as bits. */
uint32_t model_guaranteed(enum fairness fairness, const struct system_state *state,
                          uint32_t processes);

enum model_verdict { MODEL_PASSES, MODEL_FAILS, MODEL_UNKNOWN };

struct model_result {
    enum model_verdict verdict;
    /* MODEL_FAILS: a state from which the scheduler need never come to the end; steps that lead to
     * it are found by parents. Weak: the processes that turn in the cycle through it. Strong: the
     * guaranteed ones there. */
    uint32_t state;
    uint32_t processes;
};

/* Decides all models on one graph. -1: out of memory. An incomplete graph can only show that a weak
 * model fails. */
int models_decide(const struct graph *graph, struct model_result results[MODEL_COUNT]);

#endif
