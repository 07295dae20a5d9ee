/* Comparing runs of one kernel that differ in one thing: whether the results are the same, and what
 * makes them differ. */
#ifndef SIM_SWEEP_H
#define SIM_SWEEP_H

#include "sim/order_results.h"
#include "sim/report/report.h"

/* What is kept of a run. */
struct sweep_result {
    enum verdict verdict;
    uint64_t cycles;
    bool turns;     /* cycles are turns: steps are paced */
    uint32_t width; /* of a subgroup */
    finding_set found;
    char *reason;        /* why it was rejected; NULL: it was not */
    int status;          /* exit status that the run would have on its own; set by who ran it */
    bool checked, wrong; /* the kernel's own check of its results */
    bool result_free;    /* its results may differ by design */
    bool takes_places;   /* results of atomics are used */
    bool orders_atomics; /* they are, or what atomics leave depends on their order */
    struct results results;
};

/* Keeps the result of a run, with copies of the buffers. -1: out of memory. */
int sweep_keep(struct sweep_result *result, const struct report *report, const struct job *job);
void sweep_release(struct sweep_result *result);

/* What a pair of runs was found to differ by. */
enum sweep_cause {
    SWEEP_NOTHING,
    SWEEP_VERDICT,   /* one of them ends otherwise */
    SWEEP_REJECTED,  /* the second is rejected: it is over a limit */
    SWEEP_ACCEPTED,  /* the first is rejected, the second is not */
    SWEEP_WIDTH,     /* the subgroup width */
    SWEEP_RACE,      /* a data race: which value is read depends on the order */
    SWEEP_PROMISE,   /* an order that atomics do not give, without a race */
    SWEEP_FLOAT,     /* only the last digits of floats: the order of additions */
    SWEEP_RESIDENCY, /* none of these: the dispatch follows what the device holds */
    SWEEP_CAUSES
};
extern const char *const sweep_cause_texts[SWEEP_CAUSES];

struct sweep_difference {
    enum sweep_cause cause;
    enum finding_kind kind;       /* order-dependent, width-dependent, float-order or limit */
    struct results_difference at; /* without buffers: the verdicts differ, which its values are */
};

/* Compares two runs of which the second has another subgroup width, if `width`, or other options.
 */
struct sweep_difference sweep_compare(const struct sweep_result *a, const struct sweep_result *b,
                                      bool width);

#endif
