/* One row of accesses against what is known of the pieces that it touches. */
#ifndef SIM_TOUCH_H
#define SIM_TOUCH_H

#include "sim/shadow.h"

struct row {
    struct shadow *shadow;
    struct seat *seat;
    const struct access_row *seen;
    uint32_t var;
    enum cell_access access;
    bool is_workgroup;
    struct cells *cells;
    cell_tag tag;          /* of lane first_lane */
    uint32_t bytes, align; /* as in struct site_way */
};

/* The first piece that a lane of the row touches. */
uint64_t touch_first_piece(const struct row *row, uint32_t lane);
/* Looks for races and odd reads, and remembers the accesses. */
void touch_row(const struct row *row);
/* Remembers reads of workgroup memory that are known to have found nothing. */
void touch_keep_reads(const struct row *row);
/* A lane accesses a piece: looks for races with accesses of the ways in `against`, by way of its
 * own. */
void touch_check(const struct row *row, const uint32_t *against, uint32_t lane, uint64_t piece);
/* Remembers an access, so that of each piece two invocations are known that differ: in the phase,
 * or, in storage, in the workgroup. */
void touch_keep(const struct row *row, uint32_t lane, uint64_t piece);

#endif
