/* Costs of requests: which of banks and sectors apply. */
#include "sim/cost.h"

#include "sim/banks.h"
#include "sim/sectors.h"

static enum bank_op bank_op(const struct wg_site *site) {
    switch (cost_op(site)) {
    case WG_OP_LOAD:
        return BANK_LOAD;
    case WG_OP_STORE:
        return BANK_STORE;
    default:
        return site->flags & WG_SITE_INCREMENT ? BANK_INCREMENT : BANK_ATOMIC;
    }
}

/* Atomics that read and write: lanes on one word wait for each other. */
static bool is_serial(const struct wg_site *site) {
    uint8_t op = cost_op(site);

    return op > WG_OP_ATOMIC_STORE && op <= WG_OP_ATOMIC_COMPARE_EXCHANGE;
}

static void cost_of_banks(const struct device *device, const struct wg_site *site,
                          struct lanes active, const uint64_t *address, struct request_cost *cost) {
    uint32_t word_address[LANES_MAX], lane;

    for (LANES_EACH(lane, active))
        word_address[lane] = (uint32_t)address[lane];
    struct bank_request request = {.op = bank_op(site),
                                   .bytes = site->bytes,
                                   .lanes = LANES_MAX,
                                   .active = {active.bits[0], active.bits[1]},
                                   .address = word_address};
    if (!active.bits[1])
        request.lanes = active.bits[0] >> 32 ? 64 : 32;
    struct bank_cost banks = banks_cost(device, &request);
    cost->wavefronts = banks.wavefronts;
    cost->conflicts = banks.conflicts;
}

struct request_cost cost_of(const struct device *device, const struct wg_site *site,
                            struct lanes active, const uint64_t *address) {
    struct request_cost cost = {.lanes = lanes_count(active)};

    if (site->space == WG_SPACE_WORKGROUP) {
        cost_of_banks(device, site, active, address, &cost);
    } else if (site->space != WG_SPACE_UNIFORM) {
        struct sector_request request = {.bytes = site->bytes,
                                         .lanes = LANES_MAX,
                                         .active = {active.bits[0], active.bits[1]},
                                         .offset = address};
        cost.sectors = sectors_count(&request);
        if (is_serial(site))
            cost.serial = sectors_most_lanes(&request);
    }
    return cost;
}
