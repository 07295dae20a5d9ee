/* Subgroup operations. */
#include "sim/collective.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/half.h"

static float combine_float(uint32_t op, float a, float b) {
    switch (op) {
    case WG_SUBGROUP_MUL:
        return a * b;
    case WG_SUBGROUP_MIN: /* -0 is less than 0 */
        return b < a || (b == a && signbit(b)) ? b : a;
    case WG_SUBGROUP_MAX:
        return b > a || (b == a && signbit(a)) ? b : a;
    default:
        return a + b;
    }
}

static uint32_t combine_integer(uint32_t op, bool is_signed, uint32_t a, uint32_t b) {
    bool less = is_signed ? (int32_t)b < (int32_t)a : b < a;

    switch (op) {
    case WG_SUBGROUP_MUL:
        return a * b;
    case WG_SUBGROUP_MIN:
        return less ? b : a;
    case WG_SUBGROUP_MAX:
        return less ? a : b;
    case WG_SUBGROUP_AND:
        return a & b;
    case WG_SUBGROUP_OR:
        return a | b;
    case WG_SUBGROUP_XOR:
        return a ^ b;
    default:
        return a + b;
    }
}

/* A subnormal f32 counts as 0 in a reduction, which WGSL allows and devices do. */
static union wg_value flushed(uint32_t type, union wg_value value) {
    if (type == WG_F32 && fabsf(value.f) < FLT_MIN)
        value.f = copysignf(0.0f, value.f);
    return value;
}

static union wg_value combine(uint32_t op, uint32_t type, union wg_value a, union wg_value b) {
    if (type == WG_F32)
        return flushed(type, (union wg_value){.f = combine_float(op, a.f, b.f)});
    if (type == WG_F16)
        return (union wg_value){.u = float_to_half(combine_float(op, half_to_float((uint16_t)a.u),
                                                                 half_to_float((uint16_t)b.u)))};
    return (union wg_value){.u = combine_integer(op, type == WG_I32, a.u, b.u)};
}

static union wg_value identity(uint32_t op, uint32_t type) {
    bool product = op == WG_SUBGROUP_MUL;

    if (type == WG_F32)
        return (union wg_value){.f = product ? 1.0f : 0.0f};
    if (type == WG_F16)
        return (union wg_value){.u = product ? 0x3c00 : 0};
    return (union wg_value){.u = product};
}

enum scan { SCAN_NONE, SCAN_EXCLUSIVE, SCAN_INCLUSIVE };

/* Every lane gets the combination of all values, or of those up to it. */
static void reduce(struct wg_collective *lanes, struct lanes group, uint32_t op, enum scan scan) {
    const struct wg_collective *any = &lanes[lanes_lowest(group)];

    for (uint32_t c = 0; c < any->components; c++) {
        union wg_value sum = identity(op, any->type);
        bool first = true;
        uint32_t lane;
        for (LANES_EACH(lane, group)) {
            union wg_value before = sum, mine = flushed(any->type, lanes[lane].value[c]);
            sum = first ? mine : combine(op, any->type, sum, mine);
            first = false;
            if (scan != SCAN_NONE)
                lanes[lane].value[c] = scan == SCAN_EXCLUSIVE ? before : sum;
        }
        if (scan != SCAN_NONE)
            continue;
        for (LANES_EACH(lane, group))
            lanes[lane].value[c] = sum;
    }
}

static bool reduction_of(uint32_t op, uint32_t *base, enum scan *scan) {
    *scan = SCAN_NONE;
    *base = op;
    switch (op) {
    case WG_SUBGROUP_EXCLUSIVE_ADD:
    case WG_SUBGROUP_EXCLUSIVE_MUL:
        *scan = SCAN_EXCLUSIVE;
        *base = op - 1;
        return true;
    case WG_SUBGROUP_INCLUSIVE_ADD:
    case WG_SUBGROUP_INCLUSIVE_MUL:
        *scan = SCAN_INCLUSIVE;
        *base = op - 2;
        return true;
    case WG_SUBGROUP_ADD:
    case WG_SUBGROUP_MUL:
    case WG_SUBGROUP_MIN:
    case WG_SUBGROUP_MAX:
    case WG_SUBGROUP_AND:
    case WG_SUBGROUP_OR:
    case WG_SUBGROUP_XOR:
        return true;
    default:
        return false;
    }
}

/* All, any, ballot: from one bit a lane. */
static void vote(struct wg_collective *lanes, struct lanes group, uint32_t op) {
    struct lanes set = {{0, 0}};
    uint32_t lane;

    for (LANES_EACH(lane, group))
        if (lanes[lane].value[0].u)
            lanes_add(&set, lane);
    for (LANES_EACH(lane, group)) {
        union wg_value *value = lanes[lane].value;
        if (op == WG_SUBGROUP_BALLOT)
            for (uint32_t i = 0; i < 4; i++)
                value[i].u = lanes_block(set, i);
        else
            value[0].u = op == WG_SUBGROUP_ALL ? lanes_equal(set, group) : !lanes_empty(set);
    }
}

static uint32_t highest(struct lanes group) {
    uint32_t lane, last = 0;

    for (LANES_EACH(lane, group))
        last = lane;
    return last;
}

/* The lane from which `lane` takes its value; may lie outside, but for a shuffle, which takes the
 * highest instead, as devices do. */
static uint32_t source_lane(const struct wg_collective *c, uint32_t lane, struct lanes group) {
    switch (c->op) {
    case WG_SUBGROUP_BROADCAST_FIRST:
        return lanes_lowest(group);
    case WG_SUBGROUP_SHUFFLE_XOR:
        return lane ^ c->argument;
    case WG_SUBGROUP_SHUFFLE_UP:
        return lane - c->argument;
    case WG_SUBGROUP_SHUFFLE_DOWN:
        return lane + c->argument;
    case WG_QUAD_BROADCAST:
        return (lane & ~3u) + (c->argument & 3);
    case WG_QUAD_SWAP_X:
        return lane ^ 1;
    case WG_QUAD_SWAP_Y:
        return lane ^ 2;
    case WG_QUAD_SWAP_DIAGONAL:
        return lane ^ 3;
    case WG_SUBGROUP_SHUFFLE:
        return c->argument < highest(group) ? c->argument : highest(group);
    default:
        return c->argument; /* broadcast */
    }
}

static void shuffle(struct wg_collective *lanes, struct lanes group) {
    union wg_value before[LANES_MAX][4];
    uint32_t lane;

    for (LANES_EACH(lane, group))
        memcpy(before[lane], lanes[lane].value, sizeof before[lane]);
    for (LANES_EACH(lane, group)) {
        uint32_t from = source_lane(&lanes[lane], lane, group);
        if (from < LANES_MAX && lanes_has(group, from))
            memcpy(lanes[lane].value, before[from], sizeof before[from]);
        else
            memset(lanes[lane].value, 0, sizeof lanes[lane].value);
    }
}

void collective_perform(struct wg_collective *lanes, struct lanes group) {
    uint32_t op = lanes[lanes_lowest(group)].op, base, lane;
    enum scan scan;

    if (reduction_of(op, &base, &scan)) {
        reduce(lanes, group, base, scan);
    } else if (op == WG_SUBGROUP_ALL || op == WG_SUBGROUP_ANY || op == WG_SUBGROUP_BALLOT) {
        vote(lanes, group, op);
    } else if (op == WG_SUBGROUP_ELECT) {
        for (LANES_EACH(lane, group))
            lanes[lane].value[0].u = lane == lanes_lowest(group);
    } else {
        shuffle(lanes, group);
    }
}
