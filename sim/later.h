/* What observers are to see of workgroups, kept until it is their turn: rows of accesses, barriers
 * and what lanes report. Kept by one thread, told by another. */
#ifndef SIM_LATER_H
#define SIM_LATER_H

#include "sim/judge/judge.h"
#include "sim/record.h"

struct kept_shapes;

/* Of some workgroups, one behind the other. */
struct later_store {
    uint8_t *bytes;
    size_t length, capacity;
    struct kept_shapes *shapes; /* of rows in it, in blocks that stay where they are */
    size_t shape_count;
};

/* A zeroed one is empty. */
void later_store_empty(struct later_store *store);
void later_store_release(struct later_store *store);

/* Where a row's shape was put. */
struct later_shape {
    const struct shape *from, *kept;
    uint64_t age;
};

/* Tells a track from others that are kept in one workgroup. */
struct later_track {
    bool known;
    uint32_t depth, site; /* site, turn: of the innermost frame */
    uint64_t key, turn;
};

enum { LATER_SHAPES = 256 };

/* Who keeps. */
struct later {
    struct later_store *store; /* where to */
    bool lost;                 /* out of memory, or something that cannot be told later */
    /* Tracks that whoever is told knows by then, of the present workgroup. */
    struct later_track *shared; /* by subgroup */
    struct later_track *lanes;  /* by invocation */
    bool lanes_known;           /* some of the latter are set */
    uint32_t invocations, subgroups;
    uint64_t age; /* shapes of another age may have changed */
    struct later_shape shapes[LATER_SHAPES];
};

/* -1: out of memory. */
int later_init(struct later *later, const struct launch *launch);
void later_release(struct later *later);
/* Keeps from now on in another store. */
void later_begin(struct later *later, struct later_store *store);
/* Keeps what the judge tells of. */
struct row_observer later_rows(struct later *later);
/* Keeps a record of an access. Its text is not kept. */
void later_report(struct later *later, const struct record *record);

/* Who is told. */
struct later_audience {
    const struct judge *judge;   /* its observers */
    struct workgroup *workgroup; /* stands in for those that ran: without lanes, but named */
    void (*report)(void *self, struct record *record);
    void *self;
};

/* Tells what was kept of one workgroup, from byte `from` to `to` of the store. -1: out of memory.
 */
int later_tell(const struct later_store *store, size_t from, size_t to,
               const struct later_audience *audience);
/* The store is about to be used again. */
void later_forget_shapes(const struct later_audience *audience);

#endif
