/* What one request of a subgroup costs on a device. */
#ifndef SIM_COST_H
#define SIM_COST_H

#include "sim/device.h"
#include "sim/lanes.h"
#include "wgsim/kernel.h"

struct request_cost {
    uint32_t wavefronts, conflicts; /* workgroup memory */
    uint32_t sectors;               /* storage: 32-byte pieces */
    uint32_t serial;                /* storage atomics: most lanes on one word */
    uint32_t lanes;                 /* that took part */
};

/* address[i] is the byte offset that lane i of `active` accesses. */
struct request_cost cost_of(const struct device *device, const struct wg_site *site,
                            struct lanes active, const uint64_t *address);

/* What a site is to the hardware, an enum wg_op: in workgroup memory an atomic load or store is a
 * plain one. An exchange stays one where nobody takes its result. */
static inline uint8_t cost_op(const struct wg_site *site) {
    bool workgroup = site->space == WG_SPACE_WORKGROUP;

    if (site->flags & WG_SITE_EXCHANGE)
        return WG_OP_ATOMIC_EXCHANGE;
    if (workgroup && site->op == WG_OP_ATOMIC_LOAD)
        return WG_OP_LOAD;
    if (workgroup && site->op == WG_OP_ATOMIC_STORE)
        return WG_OP_STORE;
    return site->op;
}

#endif
