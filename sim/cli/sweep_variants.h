/* The variants that `wgsim sweep` runs: each adds a few options to those that the user gave. */
#ifndef SIM_CLI_SWEEP_VARIANTS_H
#define SIM_CLI_SWEEP_VARIANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wgsim/wgsim.h"

enum { SWEEP_ARGUMENTS_MAX = 4, SWEEP_VARIANTS_MAX = 256 };

struct sweep_variant {
    char text[80]; /* as on a command line; "" for the first, which adds nothing */
    const char *arguments[SWEEP_ARGUMENTS_MAX + 1]; /* ends with NULL */
    char storage[32];                               /* of a number among them */
    bool width;                                     /* another subgroup width */
};

struct sweep_variants {
    struct sweep_variant items[SWEEP_VARIANTS_MAX];
    size_t count;
};

/* The names of what can be varied, separated by commas. */
extern const char sweep_axes[];

/* Fills the list: the run as it is, then variants along the axes named in `over` (NULL: all but
 * devices); `seeds`: random orders. The list must stay where it is. */
int sweep_variants_fill(struct sweep_variants *variants, const char *over, uint32_t seeds,
                        struct wgsim_error *err);

#endif
