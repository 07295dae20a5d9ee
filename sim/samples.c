/* Sampling rows. */
#include "sim/samples.h"

#include <stdlib.h>

#include "sim/word.h"

int samples_init(struct samples *samples, const struct kernel *kernel) {
    samples->kernel = kernel;
    samples->sites = calloc(kernel->site_limit + 1, sizeof *samples->sites);
    samples->tries = calloc(kernel->site_limit + 1, sizeof *samples->tries);
    return samples->sites && samples->tries ? 0 : -1;
}

void samples_release(struct samples *samples) {
    free(samples->sites);
    free(samples->tries);
    *samples = (struct samples){0};
}

/* What a request costs above what it must. */
static uint64_t excess(const struct request_cost *cost) {
    return (uint64_t)cost->conflicts << 32 | cost->sectors;
}

void samples_take(struct samples *samples, const struct device *device,
                  const struct access_row *row) {
    struct sample *sample = &samples->sites[row->site->id];
    uint64_t address[LANES_MAX] = {0};
    struct lanes active = {{row->mask, 0}};

    uint32_t run = row->mask >> __builtin_ctz(row->mask);
    samples->tries[row->site->id]++;
    sample->scattered |= (run & (run + 1)) != 0;
    for (uint32_t rest = row->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        address[lane] = (row->first + row->shape->pattern[lane]) & WORD_OFFSET;
    }
    struct request_cost cost = cost_of(device, row->site, active, address);
    if (sample->mask && excess(&cost) <= excess(&sample->cost))
        return;
    sample->cost = cost;
    sample->mask = row->mask;
    sample->var = word_var(row->first);
    for (uint32_t i = 0; i < WG_LOG_ROW; i++)
        sample->address[i] = address[i];
}
