/* Explaining a proved deadlock: who waits where on what, what would free it, who would do that and
 * why that one cannot start, and what would end it. */
#ifndef SIM_EXPLAIN_H
#define SIM_EXPLAIN_H

#include "sim/arena.h"
#include "sim/dispatch/dispatch.h"

/* One resident workgroup that waits: what one of its invocations looks at. */
struct explain_waiter {
    uint64_t workgroup;
    uint32_t cu, slot;
    uint32_t invocation;           /* local index */
    uint32_t spinning, at_barrier; /* invocations */
    /* Lockstep: invocations that have left a construct and wait at its end for those of their
     * subgroup that spin; the lowest; in how many subgroups; how many spin there. */
    uint32_t parked, parked_invocation, parked_subgroups, parked_spinning;
    bool meets; /* it goes round a loop in which all its invocations meet at barriers */
    const struct wg_site *site; /* the access on which it spins; NULL: none was seen */
    const struct wg_site *loop; /* then: the loop that it turns in; NULL: it is in none */
    uint32_t var;
    uint64_t offset, element; /* bytes; in elements of the variable */
    uint32_t value;           /* the 32 bits there */
    bool freed;               /* it left its loop in the what-if run */
    bool has_freed_value;
    uint32_t freed_value; /* the bits that it read last */
    bool has_writer;      /* somebody stored them; then: */
    uint64_t writer;      /* which workgroup */
    const struct wg_site *writer_site;
    bool writer_pending;   /* it is in the queue; then: */
    uint64_t writer_place; /* from 1: of the whole queue, or of that of its unit (PLACE_STATIC) */
    uint64_t writer_next;  /* the first of that */
    uint32_t writer_unit;  /* PLACE_STATIC */
    /* Where all have been resident at once and nobody would change the word: who stored what is
     * there. */
    bool has_origin;
    uint64_t origin;
    const struct wg_site *origin_site;
};

struct explanation {
    struct explain_waiter *waiters; /* by compute unit and slot */
    size_t waiter_count;
    uint64_t pending, first_pending, residents;
    bool draining;     /* no place is given again before all residents end (REFILL_LAZY) */
    bool capped;       /* as many are resident as --resident lets be */
    uint32_t limiters; /* that keep the pending ones out, of unit 0: bits of enum resource */
    bool has_residency, has_dispatch;
    uint64_t smallest_residency; /* at which this dispatch ends */
    uint64_t largest_dispatch;   /* that ends on this device */
    bool lockstep;               /* said of lanes in lockstep */
    bool ends_independent;       /* lockstep: with lanes that diverge freely it ends */
};

/* Who follows the run that shows what frees the residents. */
struct explain_followers {
    const struct listener *listener;
    const struct row_observer *rows;
};

/* `d` has VERDICT_DEADLOCK; its residents make a few more steps, which change nothing. The buffers
 * have their present contents again afterwards. All in the arena. */
int explain_deadlock(struct explanation *explanation, struct dispatch *d,
                     const struct explain_followers *followers, struct arena *arena,
                     struct wgsim_error *err);

#endif
