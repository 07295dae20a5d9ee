/* Sampling rows. */
#include "sim/samples.h"

#include <stdlib.h>

enum { TRIES = 256 };

int samples_init(struct samples *samples, const struct kernel *kernel) {
    samples->kernel = kernel;
    samples->sites = calloc(kernel->site_limit + 1, sizeof *samples->sites);
    return samples->sites ? 0 : -1;
}

void samples_release(struct samples *samples) {
    free(samples->sites);
    samples->sites = NULL;
}

/* What a request costs above what it must. */
static uint64_t excess(const struct request_cost *cost) {
    return (uint64_t)cost->conflicts << 32 | cost->sectors;
}

static void take(const struct samples *samples, const struct device *device, const uint64_t *words,
                 uint32_t mask, struct sample *sample) {
    uint64_t first = words[__builtin_ctz(mask)], address[LANES_MAX] = {0};
    struct lanes active = {{mask, 0}};

    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        address[lane] = words[lane] & ((UINT64_C(1) << WG_LOG_VAR_SHIFT) - 1);
    }
    const struct wg_site *site = samples->kernel->sites[first >> WG_LOG_SITE_SHIFT];
    struct request_cost cost = cost_of(device, site, active, address);
    if (sample->mask && excess(&cost) <= excess(&sample->cost))
        return;
    sample->cost = cost;
    sample->mask = mask;
    sample->var = first >> WG_LOG_VAR_SHIFT & 127;
    for (uint32_t i = 0; i < WG_LOG_ROW; i++)
        sample->address[i] = address[i];
}

void samples_row(struct samples *samples, const struct device *device, const uint64_t *words,
                 uint32_t mask) {
    struct sample *sample = &samples->sites[words[__builtin_ctz(mask)] >> WG_LOG_SITE_SHIFT];

    if (sample->tries < TRIES) {
        sample->tries++;
        take(samples, device, words, mask, sample);
    }
}
