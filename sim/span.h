/* Pieces from `from` to before `to`; none where `to` is not above `from`. */
#ifndef SIM_SPAN_H
#define SIM_SPAN_H

#include <stdbool.h>
#include <stdint.h>

struct span {
    uint64_t from, to;
};

/* Makes it hold these as well, and all that lie between. */
static inline void span_extend(struct span *span, uint64_t piece, uint32_t count) {
    bool none = span->from >= span->to;

    span->from = none || piece < span->from ? piece : span->from;
    span->to = none || piece + count > span->to ? piece + count : span->to;
}

static inline bool span_meets(const struct span *span, uint64_t piece, uint32_t count) {
    return piece < span->to && span->from < piece + count;
}

static inline bool span_holds(const struct span *span, uint64_t piece, uint32_t count) {
    return span->from <= piece && piece + count <= span->to;
}

#endif
