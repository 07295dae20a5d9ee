/* Pairs of atomics whose order nobody promises: one workgroup writes two words, and another one
 * reads them in the other order. */
#ifndef SIM_CROSSED_H
#define SIM_CROSSED_H

#include <stdbool.h>

#include "sim/finding.h"
#include "sim/kernel.h"

enum { PAIRS_MAX = 512 };

/* Two words that an invocation wrote, or read, one after the other: places as in words of the log.
 */
struct pair {
    uint64_t first, second, workgroup;
    const struct wg_site *first_site, *second_site;
};

struct pairs {
    struct pair items[PAIRS_MAX];
    size_t count;
};

struct crossed {
    struct pairs written, read;
    bool found; /* a pair was read in the other order: */
    struct pair write, other;
};

void crossed_reset(struct crossed *crossed);
void crossed_written(struct crossed *crossed, const struct pair *pair);
void crossed_read(struct crossed *crossed, const struct pair *pair);
void crossed_report(const struct crossed *crossed, const struct kernel *kernel, uint32_t dispatch,
                    struct findings *findings);

#endif
