/* What the observer of accesses knows: who touched what, and what was found by it: data races,
 * reads of workgroup memory that nobody wrote, stale words, workgroups without effect and words
 * that only their own writer reads. */
#ifndef SIM_SHADOW_H
#define SIM_SHADOW_H

#include "sim/dispatch/dispatch.h"
#include "sim/races.h"
#include "sim/seat.h"

/* How a site accesses memory. */
struct site_way {
    enum cell_access access;
    uint32_t bytes, align; /* of what an access touches; its start is a multiple of align */
};

/* A read of workgroup memory that was not written, or written too early. */
struct read_entry {
    const struct wg_site *site;
    uint32_t var;
    uint64_t byte, workgroup;
    uint32_t lane;
    uint64_t count;
    const struct wg_site *store; /* stale: who wrote it */
    uint32_t turn;               /* stale: of the loop, when it was read */
};

/* What is known of a variable for the whole dispatch. */
struct shadow_var {
    bool tracked; /* accesses to it may race, or are to be looked at otherwise */
    bool atomic_stores, atomic_loads;
    bool ordering;      /* atomics alone, not only of one kind: their order is looked at */
    uint8_t updates;    /* enum wg_op of the first update; 0: there is none */
    bool updates_mixed; /* they do not commute */
    bool mixed;         /* plain and atomic accesses */
    bool shared;        /* somebody read what it had not written itself */
    bool is_texture;
    bool in_parts;                     /* some access is not to one whole element */
    uint32_t shift;                    /* log2 of the bytes of a piece */
    uint32_t accesses;                 /* set of 1 << enum cell_access */
    struct cells cells;                /* storage */
    uint64_t clamped_from, clamped_to; /* bytes that accesses from outside were led to */
    uint64_t lanes_storing;            /* invocations' stores */
    uint64_t written;                  /* pieces of storage that were */
};

enum { SHADOW_READS_MAX = 256 };

struct shadow {
    const struct kernel *kernel;
    const struct dispatch *dispatch; /* under way */
    struct site_way *ways;           /* by site */
    struct shadow_var vars[WG_MAX_VARS];
    struct seat **seats; /* by compute unit and slot */
    size_t seat_count;
    const struct workgroup *seated; /* whose seat was asked for last, or NULL */
    struct seat *seat;              /* that seat */
    uint64_t quiet_reads;           /* in all seats */
    uint64_t *phase_workgroup;      /* of storage phases */
    uint32_t phases, phase_capacity;
    bool orders;        /* some variable's order is looked at */
    struct spins spins; /* then */
    struct races races; /* of the dispatch under way */
    struct read_entry *unwritten, *stale;
    size_t unwritten_count, stale_count, read_capacity;
    bool forgot; /* there were more phases of storage than tags can tell apart */
    uint64_t workgroups, effective;
    bool failed; /* out of memory */
};

int shadow_init(struct shadow *shadow, const struct kernel *kernel);
void shadow_release(struct shadow *shadow);

/* Whether updates by two operations may be made in either order. What takes its turn by what it
 * finds, as exchanges do, is not told to depend on it. */
bool shadow_updates_commute(uint8_t one, uint8_t two);

/* A dispatch begins, perhaps again: forgets everything. */
void shadow_begin(struct shadow *shadow, const struct dispatch *dispatch);

/* A workgroup starts; its barrier at `site` opens. */
void shadow_start(struct shadow *shadow, const struct workgroup *workgroup);
void shadow_barrier(struct shadow *shadow, const struct workgroup *workgroup,
                    const struct wg_site *site);

struct seat *shadow_find_seat(struct shadow *shadow, const struct workgroup *workgroup);
/* What is kept of a workgroup; NULL: nothing. */
static inline struct seat *shadow_seat(struct shadow *shadow, const struct workgroup *workgroup) {
    return workgroup == shadow->seated ? shadow->seat : shadow_find_seat(shadow, workgroup);
}
/* The next phase of storage or of textures, for a workgroup; 0: out of memory. */
uint32_t shadow_new_storage_phase(struct shadow *shadow, uint64_t workgroup);
/* Nobody wrote what was read quietly. */
void shadow_forget_quiet_reads(struct shadow *shadow, struct seat *seat);

#endif
