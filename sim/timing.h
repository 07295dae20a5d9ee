/* Time: what requests cost in cycles. A model, calibrated where hardware was measured; counts are
 * exact, cycles are not.
 *
 * A compute unit has an issue port and a workgroup-memory pipe of one wavefront a cycle; the device
 * has one storage pipe of so many sectors a cycle (fewer where they are behind the last cache) and
 * one launcher. Each serves what is asked of it in the order of the calls. A subgroup issues in
 * order. Values are not traced: a store is done when all loads before it are there, but as if the
 * compiler had moved loads up, the loads behind it do not wait for it, as long as no more than
 * loads_in_flight storage loads are outstanding. Atomics, barriers and the end wait for all loads.
 *
 * The caller keeps the events: it plays a subgroup's requests until timing_play says that the
 * clock has run ahead, and goes on at the clock's cycle, so that pipes are asked about in the order
 * of time. All state is integers in structs without pointers: a run is copied by memcpy. */
#ifndef SIM_TIMING_H
#define SIM_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/device.h"

/* Inside, times are in 1/65536 of a cycle. */
enum { TIMING_SHIFT = 16, TIMING_LOADS_MAX = 16, TIMING_ATOMIC_UNITS = 256 };

/* Where cycles go. */
enum timing_cause {
    TIMING_ISSUE,
    TIMING_WORKGROUP_MEMORY, /* latency and queue of its pipe, but for conflicts */
    TIMING_BANK_CONFLICTS,
    TIMING_STORAGE,
    TIMING_ATOMICS,
    TIMING_BARRIERS,
    TIMING_LAUNCH, /* overhead of the dispatch, and the launcher with free places left */
    TIMING_IDLE,   /* no resident and none to come */
    TIMING_CAUSE_COUNT
};

extern const char *const timing_cause_names[TIMING_CAUSE_COUNT + 1]; /* ends with NULL */

enum timing_kind {
    TIMING_OPERATIONS, /* plain arithmetic */
    TIMING_WORKGROUP_LOAD,
    TIMING_WORKGROUP_STORE,
    TIMING_WORKGROUP_ATOMIC,
    TIMING_STORAGE_LOAD,
    TIMING_STORAGE_STORE,
    TIMING_STORAGE_ATOMIC,
};

/* What a subgroup asks for. Fields that a kind does not name are not read. */
struct timing_request {
    uint8_t kind;           /* enum timing_kind */
    bool waits;             /* loads, atomics: the subgroup needs the value before it goes on */
    uint16_t lanes_on_word; /* storage atomics: most lanes on one word */
    uint32_t word;          /* storage atomics: which word that is; a hash of its address will do */
    union {
        uint32_t operations; /* operations: how many */
        uint32_t wavefronts; /* workgroup memory */
        uint32_t sectors;    /* storage */
    };
    union {
        uint32_t conflicts; /* workgroup memory: those of the wavefronts */
        uint32_t bytes;     /* storage stores: distinct bytes written */
    };
};

/* Where a subgroup stands. */
struct timing_clock {
    uint64_t now;
    uint64_t ready;     /* when the last of the loads that it did not wait for is there */
    uint64_t conflicts; /* part of the wait for `ready` that bank conflicts cause */
    uint64_t in_flight[TIMING_LOADS_MAX]; /* when the latest storage loads are there, as a ring */
    uint64_t pending_sectors, pending_memory; /* stores that wait for loads: time of the pipes */
    uint32_t oldest;                          /* of in_flight */
    uint32_t ready_cause;                     /* enum timing_cause */
};

struct timing_pipe {
    uint64_t free; /* when all that was asked of it is done */
    uint64_t busy; /* time served in this dispatch */
};

struct timing_unit {
    struct timing_pipe issue;
    struct timing_pipe memory;
    uint64_t conflicts_busy; /* of memory.busy */
    uint64_t occupied;       /* time with residents in this dispatch, up to `since` */
    uint64_t since;          /* if there are residents: when the first of them came */
    uint32_t residents;      /* workgroups */
    uint32_t reserved;
};

/* The device's costs. */
struct timing_costs {
    uint64_t issue;       /* time that an instruction takes of the port */
    uint64_t instruction; /* time that it takes its subgroup, at least */
    uint64_t memory_latency, storage_latency, sector, vram_sector, partial_sector, atomic;
    uint64_t barrier, barrier_subgroup, dispatch, launch;
    uint32_t loads_in_flight;
    uint32_t subgroup_slots; /* of the whole device, for achieved occupancy; 0: no limit */
};

struct timing {
    struct timing_costs costs;
    struct timing_pipe launcher;
    struct timing_pipe sectors;
    uint64_t atomic_free[TIMING_ATOMIC_UNITS];
    uint64_t dispatched;                /* when the dispatch began */
    uint64_t waits[TIMING_CAUSE_COUNT]; /* of subgroups, summed */
    uint64_t uncached;                  /* sectors that are still to be moved to or from VRAM */
    uint64_t launch_bound;              /* time the launcher was asked for more than it can do */
    uint64_t resident_time;             /* of subgroups, summed */
    uint32_t unit_count;
    uint32_t reserved;
    struct timing_unit units[];
};

/* Bytes of a struct timing for the device. */
size_t timing_bytes(const struct device *device);

/* `timing` has timing_bytes bytes. The buffers of the dispatch have storage_bytes together. If the
 * last cache does not hold them, the first so many bytes that are moved come from VRAM or go to it.
 */
void timing_init(struct timing *timing, const struct device *device, uint64_t storage_bytes);

/* Launches, barriers and the dispatch take no time from now on. */
void timing_free_of_charge(struct timing *timing);

/* A dispatch begins at `cycle`; the result is the cycle from which on workgroups can start. */
uint64_t timing_dispatch(struct timing *timing, uint64_t cycle);

/* A workgroup has got its place at `cycle`; the result is the cycle at which it starts. */
uint64_t timing_launch(struct timing *timing, uint32_t cu, uint64_t cycle);

/* The clock of a subgroup of a workgroup that starts at `cycle`. */
struct timing_clock timing_clock_at(uint64_t cycle);

/* Moves a clock that no request was played on. */
static inline void timing_move(struct timing_clock *clock, uint64_t cycle) {
    clock->now = cycle << TIMING_SHIFT;
}

/* The cycle of the clock's next event. */
uint64_t timing_cycle(const struct timing_clock *clock);

/* Subgroups have waited at barriers for so many cycles, on clocks that are not kept. */
static inline void timing_wait_at_barriers(struct timing *timing, uint64_t cycles) {
    timing->waits[TIMING_BARRIERS] += cycles << TIMING_SHIFT;
}

/* Plays requests of a subgroup from its clock on; the result is how many were played. Fewer than
 * `count`, even none: the clock has moved so far that others come first; play the rest in an event
 * at timing_cycle. */
size_t timing_play(struct timing *timing, uint32_t cu, struct timing_clock *clock,
                   const struct timing_request *requests, size_t count);

/* Whether the subgroup waits for nothing: then nothing happens where its requests are at an end. */
static inline bool timing_is_drained(const struct timing_clock *clock) {
    return clock->ready <= clock->now && !(clock->pending_sectors | clock->pending_memory);
}

/* The subgroup waits for its loads: before it arrives at a barrier, and at its end. False: the
 * clock has moved and stores are still to be done; play nothing and drain again in an event at
 * timing_cycle. */
bool timing_drain(struct timing *timing, struct timing_clock *clock);

/* The barrier opens for the subgroups that have arrived; all go on at once. */
void timing_open(struct timing *timing, struct timing_clock *const clocks[], size_t count);

/* A workgroup of so many subgroups, started at `start`, ended at `end`. */
void timing_finish(struct timing *timing, uint32_t cu, uint32_t subgroups, uint64_t start,
                   uint64_t end);

/* The last workgroup ended at `cycle`; the result is when the dispatch is complete, all stores
 * being done. */
uint64_t timing_complete(const struct timing *timing, uint64_t cycle);

enum timing_bound {
    TIMING_BOUND_LATENCY, /* no part of the device was busy most of the time */
    TIMING_BOUND_ISSUE,
    TIMING_BOUND_WORKGROUP_MEMORY,
    TIMING_BOUND_STORAGE,
    TIMING_BOUND_LAUNCH,
    TIMING_BOUND_COUNT
};

extern const char *const timing_bound_names[TIMING_BOUND_COUNT + 1]; /* ends with NULL */

/* The account of a dispatch. */
struct timing_report {
    uint64_t cycles;
    uint64_t spent[TIMING_CAUSE_COUNT]; /* of `cycles`, by cause; adds up to it */
    uint32_t busy[TIMING_BOUND_COUNT];  /* in thousandths of the cycles behind the overhead */
    enum timing_bound bound;            /* what was busy most of the time */
    uint32_t occupancy;                 /* mean resident subgroups, in thousandths of the slots */
};

/* For the dispatch that began last and was complete at `cycle`. */
struct timing_report timing_report(const struct timing *timing, uint64_t cycle);

/* Whether two states are the same but for when they happen: what is left to do at cycle_a in a is
 * what is left at cycle_b in b. Accounts are not compared. */
bool timing_same(const struct timing *a, uint64_t cycle_a, const struct timing *b,
                 uint64_t cycle_b);
bool timing_clock_same(const struct timing_clock *a, uint64_t cycle_a, const struct timing_clock *b,
                       uint64_t cycle_b);

#endif
