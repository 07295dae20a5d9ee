/* The words that lanes log, taken apart: see "The log" in wgsim/kernel.h. */
#ifndef SIM_WORD_H
#define SIM_WORD_H

#include <stdbool.h>
#include <stdint.h>

#include "wgsim/kernel.h"

#define WORD_OFFSET ((UINT64_C(1) << WG_LOG_FLOW_SHIFT) - 1)
#define WORD_FLOW (UINT64_C(7) << WG_LOG_FLOW_SHIFT)
#define WORD_VAR (UINT64_C(127) << WG_LOG_VAR_SHIFT)
#define WORD_SILENT (UINT64_C(1) << WG_LOG_SILENT_SHIFT)
/* Variable and offset. */
#define WORD_PLACE (WORD_VAR | WORD_OFFSET)

static inline uint32_t word_site(uint64_t word) {
    return (uint32_t)(word >> WG_LOG_SITE_SHIFT);
}
static inline uint32_t word_var(uint64_t word) {
    return (uint32_t)(word >> WG_LOG_VAR_SHIFT) & 127;
}
static inline uint32_t word_flow(uint64_t word) {
    return (uint32_t)(word >> WG_LOG_FLOW_SHIFT) & 7;
}
static inline bool word_is_silent(uint64_t word) {
    return word & WORD_SILENT;
}
/* A mark, of which kind (enum wg_mark). */
static inline bool word_is_mark(uint64_t word) {
    return word_var(word) == WG_LOG_MARK_VAR;
}
static inline uint32_t word_mark(uint64_t word) {
    return word & 0xff;
}

#endif
