/* Banks: what one request of a subgroup to workgroup memory costs. */
#ifndef SIM_BANKS_H
#define SIM_BANKS_H

#include <stdint.h>

#include "sim/device.h"

enum bank_op {
    BANK_LOAD,
    BANK_STORE,
    BANK_ATOMIC,   /* read-modify-write */
    BANK_INCREMENT /* atomic add of the constant 1 whose result is unused */
};

enum { REQUEST_LANES_MAX = 128 };

/* The lanes of one request. address[i] is read only where bit i % 64 of active[i / 64] is set; bits
 * from `lanes` on are clear. */
struct bank_request {
    enum bank_op op;
    uint32_t bytes; /* of one lane's access: 1, 2, 4, 8, 12 or 16; an atomic's are 4 */
    uint32_t lanes; /* 1 to REQUEST_LANES_MAX */
    uint64_t active[2];
    const uint32_t *address; /* in bytes, a multiple of the access's alignment */
};

/* conflicts = wavefronts - ideal. All are 0 if no lane is active. */
struct bank_cost {
    uint32_t wavefronts;
    uint32_t ideal;
    uint32_t conflicts;
};

struct bank_cost banks_cost(const struct device *device, const struct bank_request *request);

#endif
