/* Who touched each piece of a variable's memory: what data races, unwritten and stale words are
 * found with.
 *
 * A phase is what a workgroup does between two barriers that order the address space. A tag names
 * one invocation in one phase. Two accesses in one phase are unordered unless one invocation made
 * both; phases of one workgroup are ordered; phases of different workgroups never are.
 *
 * Kept of each piece: the last plain writer, and two different invocations for each other way of
 * access, for with one of them the next conflict could hide behind the invocation's own access. */
#ifndef SIM_CELLS_H
#define SIM_CELLS_H

#include <stdbool.h>
#include <stdint.h>

/* Phase in the upper bits, local index in the lower CELLS_LANE_BITS; 0: nobody. */
typedef uint32_t cell_tag;
enum { CELLS_LANE_BITS = 11, CELLS_LANE_MASK = (1 << CELLS_LANE_BITS) - 1 };
#define CELLS_PHASES (UINT32_C(1) << (32 - CELLS_LANE_BITS))

static inline cell_tag cell_tag_of(uint32_t phase, uint32_t lane) {
    return phase << CELLS_LANE_BITS | lane;
}
static inline uint32_t cell_phase(cell_tag tag) {
    return tag >> CELLS_LANE_BITS;
}
static inline uint32_t cell_lane(cell_tag tag) {
    return tag & CELLS_LANE_MASK;
}

enum cell_access { CELL_WRITE, CELL_READ, CELL_ATOMIC_WRITE, CELL_ATOMIC_READ, CELL_ACCESSES };

/* The two who accessed in one way. */
struct cell_pair {
    cell_tag *tag[2];
    uint16_t *site[2];
};

struct cells {
    uint64_t pieces;
    uint32_t shift; /* a piece has 1 << shift bytes */
    /* By way of access; NULL where no site of the kernel has that access. */
    struct cell_pair who[CELL_ACCESSES];
    void *memory;
};

/* Cells for `bytes` bytes; `accesses` is a set of 1 << enum cell_access. -1: out of memory. */
int cells_init(struct cells *cells, uint64_t bytes, uint32_t shift, uint32_t accesses);
void cells_release(struct cells *cells);
/* Nobody has touched anything. */
void cells_clear(struct cells *cells);

#endif
