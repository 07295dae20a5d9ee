/* The variants that `wgsim sweep` runs: each adds a few options to those that the user gave. */
#ifndef SIM_CLI_SWEEP_VARIANTS_H
#define SIM_CLI_SWEEP_VARIANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/arena.h"
#include "wgsim/wgsim.h"

enum { SWEEP_ARGUMENTS_MAX = 4, SWEEP_SEEDS = 4, SWEEP_SEEDS_MAX = 1 << 20 };

struct sweep_variant {
    const char *text; /* as on a command line; "" for the first, which adds nothing */
    const char *arguments[SWEEP_ARGUMENTS_MAX + 1]; /* ends with NULL */
    bool width;                                     /* another subgroup width */
    bool sized;                                     /* another problem: not compared */
    uint64_t size;
};

struct sweep_variants {
    struct arena arena; /* holds the texts */
    struct sweep_variant *items;
    size_t count, capacity;
    bool failed; /* out of memory */
};

/* The names of what can be varied, separated by commas. */
extern const char sweep_axes[];

struct sweep_extent {
    uint32_t seeds; /* of random orders and paces */
    uint64_t size;  /* of the run as it is, if sweep_varies_size */
};

bool sweep_varies_size(const char *over);
/* Fills the list: the run as it is, then variants along the axes named in `over` (NULL: all but
 * sizes and devices). It must be released either way. */
int sweep_variants_fill(struct sweep_variants *variants, const char *over,
                        const struct sweep_extent *extent, struct wgsim_error *err);
void sweep_variants_release(struct sweep_variants *variants);

#endif
