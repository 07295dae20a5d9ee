/* What single invocations ran into, heard as records: accesses out of bounds, corners of
 * arithmetic, barriers at which a workgroup stood apart. */
#ifndef SIM_MISHAPS_H
#define SIM_MISHAPS_H

#include "sim/dispatch/dispatch.h"
#include "sim/finding.h"
#include "sim/job.h"

/* Accesses out of bounds at one site. */
struct outside_entry {
    const struct wg_site *site;
    uint32_t var, dispatch;
    int64_t index, least, most; /* the first; the range */
    uint64_t extent, workgroup, count;
    uint32_t invocation;
    bool runtime_sized; /* what is indexed is a whole buffer of as many elements as it holds */
    bool own_index;     /* every index was the invocation's global one */
    uint64_t invocations, groups, size; /* of the dispatch, along x */
    enum outside_policy policy;
};

/* Accesses of texels that there are not, at one site. */
struct texel_entry {
    const struct wg_site *site;
    uint32_t var, dispatch, invocation;
    uint64_t workgroup, count;
    /* Along x, y, z or the layers, and the levels: what is outside there. */
    int32_t first[4], least[4], most[4];
    uint32_t extent[4];
    bool outside[4];
    bool several; /* not always the first */
    bool trapped;
};

struct arithmetic_entry {
    const struct wg_site *site;
    uint32_t kind, dispatch, invocation;
    uint64_t workgroup, count;
};

/* Indices that wrapped around 2^32 at one operation, and landed inside at one site. */
struct wrapped_entry {
    const struct wg_site *source, *site;
    uint32_t var, dispatch, invocation;
    uint64_t workgroup, count;
    int64_t element, exact; /* of the first: where it landed, and what it would be */
    bool below;             /* it went below zero */
};

/* A barrier at which some stood apart. */
struct divergence_entry {
    const struct wg_site *first, *second; /* second: NULL where the others had returned */
    uint32_t dispatch, first_lane, second_lane;
    struct divergence_party {
        const struct wg_site *site;
        uint32_t count, ranges;
        uint32_t range[4][2]; /* the first runs of local indices */
    } parties[4];
    uint32_t party_count, returned, invocations;
    uint64_t workgroup, count;
};

enum { MISHAPS_MAX = 128 };

struct mishaps {
    const struct kernel *kernel;
    uint32_t dispatch; /* index of the one under way */
    struct outside_entry outside[MISHAPS_MAX];
    struct texel_entry texels[MISHAPS_MAX];
    struct arithmetic_entry arithmetic[MISHAPS_MAX];
    struct wrapped_entry wrapped[MISHAPS_MAX];
    struct divergence_entry divergence[MISHAPS_MAX];
    size_t outside_count, texel_count, arithmetic_count, wrapped_count, divergence_count;
};

void mishaps_init(struct mishaps *mishaps, const struct kernel *kernel);
/* A dispatch begins, perhaps again: forgets everything. */
void mishaps_begin(struct mishaps *mishaps, uint32_t dispatch);
/* May be called on the stack of a lane. */
void mishaps_hear(struct mishaps *mishaps, const struct record *record);
void mishaps_report(const struct mishaps *mishaps, const struct job *job,
                    struct findings *findings);

#endif
