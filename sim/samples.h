/* A row of each site that shows what its requests cost at worst: what advice is computed from. */
#ifndef SIM_SAMPLES_H
#define SIM_SAMPLES_H

#include "sim/judge/judge.h"

struct sample {
    uint64_t address[WG_LOG_ROW]; /* in the variable, by lane */
    uint32_t mask, var;
    bool scattered; /* in some row looked at, lanes between active ones were idle */
    struct request_cost cost;
};

struct samples {
    struct sample *sites; /* by id */
    uint16_t *tries;      /* by id: rows looked at */
    const struct kernel *kernel;
};

int samples_init(struct samples *samples, const struct kernel *kernel);
void samples_release(struct samples *samples);

enum { SAMPLES_TRIES = 256 };

void samples_take(struct samples *samples, const struct device *device,
                  const struct access_row *row);

/* Looks at the first rows of each site only. */
static inline void samples_row(struct samples *samples, const struct device *device,
                               const struct access_row *row) {
    if (samples->tries[row->site->id] < SAMPLES_TRIES)
        samples_take(samples, device, row);
}

#endif
