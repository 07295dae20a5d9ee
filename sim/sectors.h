/* Sectors: what one request of a subgroup to storage touches. */
#ifndef SIM_SECTORS_H
#define SIM_SECTORS_H

#include <stdint.h>

enum { SECTOR_BYTES = 32 };

/* The lanes of one request, at most REQUEST_LANES_MAX (sim/banks.h). offset[i] is read only where
 * bit i % 64 of active[i / 64] is set; bits from `lanes` on are clear. */
struct sector_request {
    uint32_t bytes; /* of one lane's access */
    uint32_t lanes;
    uint64_t active[2];
    const uint64_t *offset; /* in bytes, in a buffer that begins with a sector */
};

/* Distinct aligned pieces of SECTOR_BYTES that the active lanes touch. */
uint32_t sectors_count(const struct sector_request *request);

/* Most active lanes on one and the same offset: how often an atomic is served after another. */
uint32_t sectors_most_lanes(const struct sector_request *request);

#endif
