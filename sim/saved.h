/* Contents of the buffers that a dispatch may write, kept to be put back. */
#ifndef SIM_SAVED_H
#define SIM_SAVED_H

#include "sim/workgroup.h"

struct saved {
    uint8_t *copy[WG_MAX_VARS]; /* by variable; NULL: not written, or shares its buffer with an
                                   earlier one */
    uint8_t *data[WG_MAX_VARS];
    uint64_t bytes[WG_MAX_VARS];
};

/* Whether a variable is one that kernels may write and others see. */
static inline bool saved_concerns(const struct wg_var *var) {
    return var && var->space == WG_SPACE_STORAGE;
}

/* Copies what the views of `kernel`'s variables show. -1: out of memory; then nothing is kept. */
int saved_take(struct saved *saved, const struct kernel *kernel, const struct wg_view *views);
/* What it takes. */
uint64_t saved_bytes(const struct saved *saved);
void saved_restore(const struct saved *saved);
void saved_release(struct saved *saved);

#endif
