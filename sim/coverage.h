/* Which elements of its buffers a job wrote. */
#ifndef SIM_COVERAGE_H
#define SIM_COVERAGE_H

#include "sim/job.h"
#include "sim/shadow.h"

struct coverage_buffer {
    bool complete;    /* some dispatch stored to all elements */
    uint8_t *written; /* by element, until then: how it was stored to by dispatches */
    uint64_t elements;
    bool idle;                   /* a dispatch without workgroups would have written it */
    bool passed_by;              /* no invocation of some dispatch came to a store to it */
    uint64_t stores;             /* by invocations */
    const struct wg_var *var;    /* by which it was written */
    uint32_t groups[3], size[3]; /* of the last dispatch that wrote it */
    uint32_t extent[3];          /* of a texture; else 0 */
    uint64_t invocations_each;   /* of a workgroup of a dispatch that has none */
    bool one_row;                /* the last dispatch was along x alone */
    uint64_t invocations;        /* of the dispatches that may write it */
    bool excluded;               /* read in the job, touched by atomics, or not all is known */
};

struct coverage {
    const struct job *job;
    struct coverage_buffer *buffers; /* by index in the job */
    bool appends;                    /* places in buffers are reserved by atomics */
    bool touched;                    /* some storage was loaded or stored, by atomics too */
    uint64_t invocations;            /* of all dispatches */
};

int coverage_init(struct coverage *coverage, const struct job *job);
void coverage_release(struct coverage *coverage);
/* A dispatch has ended. -1: out of memory. */
int coverage_add(struct coverage *coverage, const struct shadow *shadow, const struct dispatch *d);
/* After a job that finished. */
void coverage_report(const struct coverage *coverage, const struct races *races,
                     struct findings *findings);

#endif
