/* What the observer of accesses keeps of one resident workgroup. */
#ifndef SIM_SEAT_H
#define SIM_SEAT_H

#include "sim/cells.h"
#include "sim/span.h"
#include "sim/spins.h"
#include "sim/trip.h"
#include "wgsim/kernel.h"

struct shape;
struct workgroup;

/* Where and when a site stored last in a workgroup, by loop from outermost on. */
struct store_trip {
    struct trip trip;
    uint32_t first_phase[TRIP_DEPTH]; /* of the current turn of that loop */
    uint64_t count[TRIP_DEPTH];       /* stores of invocations in that turn */
    uint64_t most[TRIP_DEPTH];        /* in any earlier turn of that loop */
    bool updates;                     /* it stores where its invocation has just read */
    uint32_t judged_phase;            /* first phase of the turn for which .tail holds */
    bool tail;                        /* what it left out is the tail of what it wrote before */
};

/* A row of reads that finds nothing: it matters only if somebody else still writes there in this
 * phase. Of lanes side by side that read pieces side by side, the tag of each less its piece is the
 * same. */
struct quiet_read {
    uint64_t first; /* word of the first active lane; the others follow the shape */
    const struct shape *shape;
    uint32_t from, to; /* its pieces are in these */
    bool anywhere;     /* lanes and pieces are not side by side */
    uint8_t first_lane;
    uint16_t subgroup;
    cell_tag diagonal; /* else: tag less piece */
};

/* So many are kept, and so many if the variable is written as well. */
enum { QUIET_READS = 512, QUIET_FEW = 64 };

/* What an invocation did last to a variable of which the order of atomics is looked at. */
struct past_order {
    uint32_t load_phase;
    uint16_t load_site;
};

struct seat_var {
    struct cells cells;
    uint64_t fresh;                      /* pieces written in write_phase */
    uint32_t write_phase, earlier_phase; /* last two phases in which it was written */
    struct span written, earlier;        /* all that were then are in these */
    bool earlier_solid;                  /* all in `earlier` were */
    uint32_t read_phase;                 /* the last in which a read was remembered */
    struct span read;                    /* all that were then are in this */
    uint32_t quiet_phase;                /* the last in which a read was kept as quiet */
    struct past_order *past;             /* by invocation; NULL: its order is not looked at */
    uint32_t looked_phase;               /* last one in which an atomic loaded or stored it */
};

struct seat {
    uint32_t phase, first_phase; /* of workgroup memory: now; when the workgroup started */
    uint32_t storage_phase;      /* 0: has not touched storage since its last barrier */
    uint32_t texture_phase;      /* the same of textures, and their barrier */
    bool effect;                 /* has written storage */
    struct seat_var vars[WG_MAX_VARS];
    const struct workgroup *workgroup;
    struct quiet_read quiet[QUIET_READS]; /* of this phase */
    uint32_t quiet_count;
    struct store_trip *stores; /* by site */
    struct trip *trips;        /* by subgroup and site: of the last access */
    struct poll *polls;        /* the same; NULL: no order is looked at */
};

/* Whether some of the pieces may have been written in this phase. */
static inline bool seat_may_have_written(const struct seat *seat, const struct seat_var *var,
                                         uint64_t piece, uint32_t count) {
    return var->write_phase == seat->phase && span_meets(&var->written, piece, count);
}

/* Whether some may have been read, quiet reads aside. */
static inline bool seat_may_have_read(const struct seat *seat, const struct seat_var *var,
                                      uint64_t piece, uint32_t count) {
    return var->read_phase == seat->phase && span_meets(&var->read, piece, count);
}

/* Whether all of the pieces are known to have been written in the last phase before this one in
 * which any was. */
static inline bool seat_just_wrote(const struct seat *seat, const struct seat_var *var,
                                   uint64_t piece, uint32_t count) {
    bool again = var->write_phase == seat->phase;
    const struct span *span = again ? &var->earlier : &var->written;
    bool solid = again ? var->earlier_solid : var->fresh == span->to - span->from;

    return solid && (again ? var->earlier_phase : var->write_phase) >= seat->first_phase &&
           span_holds(span, piece, count);
}

/* Tags that a read may meet without a closer look: in workgroup memory those of the last phase in
 * which the variable was written, and earlier only where nothing can be stale. */
static inline cell_tag seat_plain_since(const struct seat *seat, const struct seat_var *var,
                                        bool in_loop) {
    uint32_t fresh = var->write_phase == seat->phase ? var->earlier_phase : var->write_phase;

    return cell_tag_of(in_loop && fresh >= seat->first_phase ? fresh : seat->first_phase, 0);
}

#endif
