/* A cross-check: the simulator's run and the device's, side by side, and what follows from them. */
#ifndef SIM_WEBGPU_CROSSCHECK_H
#define SIM_WEBGPU_CROSSCHECK_H

#include "sim/webgpu/compare.h"
#include "sim/webgpu/driver.h"
#include "sim/webgpu/fault.h"

enum crosscheck_verdict {
    CROSSCHECK_AGREE,
    CROSSCHECK_DIFFER,
    CROSSCHECK_REJECTED,
    CROSSCHECK_HUNG,
    CROSSCHECK_SUSPECT,  /* they differ, but a known fault of the device may be why */
    CROSSCHECK_UNDEFINED /* nothing is promised that could be compared */
};

/* How the simulator's run ended, as far as a comparison cares. */
enum simulated_end {
    SIMULATED_FINISHED,
    SIMULATED_NEVER_ENDS,
    SIMULATED_UNKNOWN,
    SIMULATED_REJECTED
};

/* One outcome that the rules allow: the simulator's buffers under one choice of what is left open.
 */
struct simulated_outcome {
    const char *label; /* "stores out of bounds dropped"; NULL where nothing is left open */
    const void **buffers;
};

/* A buffer that the device wrote; `index` is its place among the job's. */
struct crosscheck_buffer {
    const char *name;
    size_t index;
    struct element_type type;
    uint64_t elements;
    struct compare_rule rule;
    struct compare_result result;
};

/* What the kernel's own check of its results says of the device's. */
enum own_check { OWN_CHECK_NONE, OWN_CHECK_ACCEPTS, OWN_CHECK_REFUSES };

struct crosscheck {
    const char *kernel;

    /* The simulator's side. */
    const char *simulator; /* the device that it modelled */
    const char *verdict;   /* its own word: "finished", "deadlock", ... */
    enum simulated_end end;
    bool models_this_device; /* the user named the device's numbers, so residency must agree */
    const char *race;        /* one line, or NULL: where nothing can be compared */
    const char *open;        /* one line, or NULL: what the results depend on beside the inputs */
    const struct simulated_outcome *outcomes;
    size_t outcome_count;

    /* The device's side. */
    struct device_answer *device;
    struct fault_context context;
    bool waits;       /* some invocation waits for another workgroup */
    bool bounded;     /* on the device every wait gave up after a number of turns */
    bool result_free; /* right results differ from run to run */
    enum own_check own_check;
    const char *own_check_text;
    uint64_t gave_up; /* how many waits are known to have given up */

    struct crosscheck_buffer *buffers;
    size_t buffer_count;

    /* The result. */
    enum crosscheck_verdict result;
    const char *reason; /* one sentence; NULL when all compared elements agree */
    const char *fault;  /* which known fault may be why; NULL: none */
    const struct simulated_outcome *chosen; /* the outcome that the buffers' results refer to */
};

/* Fills in the result. Texts live in arena. */
int crosscheck_judge(struct crosscheck *check, struct arena *arena, struct wgsim_error *err);

/* "agree", "differ", "device-rejected", ... */
const char *crosscheck_verdict_name(enum crosscheck_verdict verdict);

/* 1 for differ, device-rejected and device-hung; else 0. */
int crosscheck_exit_status(enum crosscheck_verdict verdict);

/* The report for a person, and as JSON (schema "wgsim-crosscheck/1"; NULL when out of memory). */
void crosscheck_print(const struct crosscheck *check, struct buf *out);
json_t *crosscheck_json(const struct crosscheck *check);

#endif
