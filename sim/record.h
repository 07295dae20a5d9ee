/* What happens in a run, as typed records that any number of listeners hear in order: trace,
 * statistics, findings, report. Accesses are not records: see judge.h. */
#ifndef SIM_RECORD_H
#define SIM_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/lanes.h"
#include "wgsim/kernel.h"

struct dispatch;
struct workgroup;
struct subgroup;

/* Recorded traces hold hashes of these numbers: a new type stands at the end. */
enum record_type {
    RECORD_DISPATCH_BEGIN, /* heard a second time: all since the first is void, it runs again */
    RECORD_ADMIT,          /* a workgroup got a slot; it starts at .cycle */
    RECORD_STEP,           /* a subgroup ran from .cycle to .until */
    RECORD_BARRIER_WAIT,   /* a subgroup arrived at a barrier; not told of one that runs ahead */
    RECORD_BARRIER_OPEN,   /* all that waited go on at .cycle; .since, .arrivals: when they came */
    RECORD_DIVERGENCE,     /* before such a BARRIER_OPEN: lanes stood apart, or some had returned */
    RECORD_FINISH,         /* a workgroup ended and gave its slot back */
    RECORD_OUTSIDE,        /* an access out of bounds */
    RECORD_ARITHMETIC,     /* enum wg_arithmetic in .kind */
    RECORD_PRINT,
    RECORD_VERDICT, /* the dispatch will not go on: enum verdict in .kind */
    RECORD_DISPATCH_END,
    RECORD_WRAPPED, /* an index that wrapped around 2^32 and landed inside; .kind: by going below
                       zero */
    RECORD_NO_TEXEL /* an access of a texel that the texture does not have: not done */
};

struct record {
    enum record_type type;
    uint32_t kind;
    uint64_t cycle, until;
    const struct dispatch *dispatch;
    const struct workgroup *workgroup; /* NULL for dispatch records */
    const struct subgroup *subgroup;   /* NULL where it concerns the whole workgroup */
    uint32_t invocation; /* local index, for OUTSIDE, ARITHMETIC, WRAPPED, PRINT, NO_TEXEL */
    const struct wg_site *site;
    const struct wg_site *source; /* WRAPPED: the operation that did */
    uint32_t var;                 /* OUTSIDE, WRAPPED, NO_TEXEL */
    int64_t index;                /* OUTSIDE: asked; WRAPPED: the element that it became */
    int64_t exact;                /* WRAPPED: what it would be if nothing wrapped */
    uint64_t count;               /* OUTSIDE: elements there are */
    int32_t texel[4];             /* NO_TEXEL: x, y, z or the layer, level */
    const char *text;             /* PRINT: valid during the call */
    uint64_t since;               /* BARRIER_OPEN: when the first subgroup arrived */
    uint64_t arrivals;            /* BARRIER_OPEN: a hash of when each did */
};

/* The records that every workgroup, or every step, makes. */
#define RECORDS_FREQUENT                                                                           \
    (1u << RECORD_ADMIT | 1u << RECORD_STEP | 1u << RECORD_BARRIER_WAIT |                          \
     1u << RECORD_BARRIER_OPEN | 1u << RECORD_FINISH)

/* Those that tell what a workgroup does between its start and its end. */
#define RECORDS_BETWEEN (1u << RECORD_STEP | 1u << RECORD_BARRIER_WAIT | 1u << RECORD_BARRIER_OPEN)

struct listener {
    void *self;
    void (*hear)(void *self, const struct record *record);
    bool sparse;      /* has no use for the frequent ones, and is not told them */
    bool steps_ahead; /* wants to hear of each step of workgroups that run ahead, too: between their
                         barriers these tell nothing that is needed */
};

#endif
