/* What the observer of accesses keeps of one resident workgroup. */
#ifndef SIM_SEAT_H
#define SIM_SEAT_H

#include "sim/cells.h"
#include "sim/trip.h"
#include "wgsim/kernel.h"

/* Where and when a site stored last in a workgroup, by loop from outermost on. */
struct store_trip {
    struct trip trip;
    uint32_t first_phase[TRIP_DEPTH]; /* of the current turn of that loop */
    bool updates;                     /* it stores where its invocation has just read */
    uint32_t judged_phase;            /* first phase of the turn for which .tail holds */
    bool tail;                        /* what it left out is the tail of what it wrote before */
};

struct seat_var {
    struct cells cells;
    uint32_t write_phase, earlier_phase; /* last two phases in which it was written */
};

struct seat {
    uint32_t phase, first_phase; /* of workgroup memory: now; when the workgroup started */
    uint32_t storage_phase;      /* 0: has not touched storage since its last barrier */
    bool effect;                 /* has written storage */
    struct seat_var vars[WG_MAX_VARS];
    struct store_trip *stores; /* by site */
    struct trip *trips;        /* by subgroup and site: of the last access */
};

#endif
