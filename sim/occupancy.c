/* Occupancy. */
#include "sim/occupancy.h"

#include <stddef.h>

const char *const resource_names[RESOURCE_COUNT + 1] = {
    "workgroup_memory", "slots", "invocations", "subgroups", "registers", "barriers", NULL};

const char *const resource_words[RESOURCE_COUNT] = {"workgroup memory", "slots",     "invocations",
                                                    "subgroups",        "registers", "barriers"};

static uint64_t round_up(uint64_t value, uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

static uint64_t divide_up(uint64_t value, uint64_t by) {
    return (value + by - 1) / by;
}

/* More than any capacity: the workgroup never fits. */
#define NEVER (UINT64_MAX / 2)

static uint64_t memory_use(const struct device *device, uint64_t bytes) {
    if (bytes > device->workgroup_memory_max_bytes)
        return NEVER;
    uint64_t unit = device->workgroup_memory_granularity_bytes;
    bytes += device->workgroup_memory_reserve_bytes;
    if (device->workgroup_memory_rounding == ROUND_TO_MULTIPLE || bytes == 0)
        return round_up(bytes, unit);
    uint64_t rounded = unit;
    while (rounded < bytes)
        rounded *= 2;
    return rounded;
}

/* A subgroup's registers lie in one partition of the file, so that a rest in each is lost. */
static struct occupancy_row registers_row(const struct device *device, uint32_t file,
                                          uint64_t registers_per_lane, uint64_t subgroups) {
    uint64_t a_subgroup =
        round_up(registers_per_lane * device->subgroup_width, device->register_unit);
    uint64_t partitions = device->register_partitions;
    struct occupancy_row row = {
        .uses = a_subgroup * subgroups,
        .capacity = file / partitions / a_subgroup * a_subgroup * partitions,
        .total = file,
    };
    if (file && (registers_per_lane > device->registers_max_per_lane || row.capacity == 0))
        row.uses = NEVER;
    return row;
}

static bool needs_barrier(const struct device *device, const struct workgroup_needs *needs,
                          uint64_t subgroups) {
    return device->barrier_rule == BARRIER_IF_USED ? needs->barrier : subgroups > 1;
}

static uint32_t allowed(const struct occupancy_row *row) {
    if (row->total == 0 && row->uses < NEVER)
        return UNLIMITED;
    if (row->uses == 0)
        return UNLIMITED;
    return (uint32_t)(row->capacity / row->uses);
}

static struct occupancy_row plain_row(uint64_t uses, uint64_t capacity) {
    return (struct occupancy_row){.uses = uses, .capacity = capacity, .total = capacity};
}

struct occupancy occupancy_of(const struct device *device, uint32_t cu,
                              const struct workgroup_needs *needs) {
    struct device_unit unit = device_unit(device, cu);
    uint64_t subgroups = divide_up(needs->invocations, device->subgroup_width);
    uint32_t registers =
        needs->registers_per_lane ? needs->registers_per_lane : device->registers_default_per_lane;
    bool too_large = needs->invocations > device->max_workgroup_invocations;
    struct occupancy occupancy = {.workgroups = UNLIMITED};
    struct occupancy_row *rows = occupancy.rows;
    rows[RESOURCE_WORKGROUP_MEMORY] =
        plain_row(memory_use(device, needs->workgroup_memory_bytes), unit.workgroup_memory_bytes);
    rows[RESOURCE_SLOTS] = plain_row(1, unit.workgroup_slots);
    rows[RESOURCE_INVOCATIONS] =
        plain_row(too_large ? NEVER : needs->invocations, unit.invocation_slots);
    rows[RESOURCE_SUBGROUPS] = plain_row(subgroups, unit.subgroup_slots);
    rows[RESOURCE_REGISTERS] = registers_row(device, unit.registers, registers, subgroups);
    rows[RESOURCE_BARRIERS] =
        plain_row(needs_barrier(device, needs, subgroups), unit.barrier_slots);
    if (too_large)
        rows[RESOURCE_INVOCATIONS].total = device->max_workgroup_invocations;
    if (needs->workgroup_memory_bytes > device->workgroup_memory_max_bytes)
        rows[RESOURCE_WORKGROUP_MEMORY].total = device->workgroup_memory_max_bytes;
    for (int r = 0; r < RESOURCE_COUNT; r++) {
        rows[r].allows = allowed(&rows[r]);
        if (rows[r].allows < occupancy.workgroups)
            occupancy.workgroups = rows[r].allows;
    }
    for (int r = 0; r < RESOURCE_COUNT; r++)
        if (rows[r].allows == occupancy.workgroups && rows[r].allows != UNLIMITED)
            occupancy.limiters |= 1u << r;
    return occupancy;
}

uint64_t occupancy_residents(const struct device *device, const struct workgroup_needs *needs) {
    if (device->unit_count == 0)
        return (uint64_t)device->cus * occupancy_of(device, 0, needs).workgroups;
    uint64_t residents = 0;
    for (uint32_t cu = 0; cu < device->cus; cu++)
        residents += occupancy_of(device, cu, needs).workgroups;
    return residents;
}

/* ---- Advice ---- */

static uint64_t need_get(const struct workgroup_needs *needs, enum advice_kind kind) {
    if (kind == ADVICE_WORKGROUP_MEMORY)
        return needs->workgroup_memory_bytes;
    return kind == ADVICE_REGISTERS ? needs->registers_per_lane : needs->invocations;
}

static struct workgroup_needs need_with(struct workgroup_needs needs, enum advice_kind kind,
                                        uint64_t value) {
    if (kind == ADVICE_WORKGROUP_MEMORY)
        needs.workgroup_memory_bytes = value;
    else if (kind == ADVICE_REGISTERS)
        needs.registers_per_lane = (uint32_t)value;
    else
        needs.invocations = (uint32_t)value;
    return needs;
}

/* The resources that a change of one kind can relieve. */
static const uint32_t relieves[ADVICE_COUNT] = {
    [ADVICE_WORKGROUP_MEMORY] = 1u << RESOURCE_WORKGROUP_MEMORY,
    [ADVICE_REGISTERS] = 1u << RESOURCE_REGISTERS,
    [ADVICE_INVOCATIONS] =
        1u << RESOURCE_INVOCATIONS | 1u << RESOURCE_SUBGROUPS | 1u << RESOURCE_REGISTERS,
};

/* Whether the resources in `mask` each allow `target` workgroups. */
static bool admits(const struct device *device, uint32_t cu, const struct workgroup_needs *needs,
                   uint32_t mask, uint32_t target) {
    struct occupancy occupancy = occupancy_of(device, cu, needs);
    for (int r = 0; r < RESOURCE_COUNT; r++)
        if (mask >> r & 1 && occupancy.rows[r].allows < target)
            return false;
    return true;
}

/* The largest value of one need with which the resources in `mask` allow `target` workgroups; 0 if
 * there is none. What is allowed never grows with a need, so that bisection finds it. */
static uint64_t largest_that_admits(const struct device *device, uint32_t cu,
                                    const struct workgroup_needs *needs, enum advice_kind kind,
                                    uint32_t mask, uint32_t target) {
    uint64_t low = 0, high = need_get(needs, kind);
    while (low < high) {
        uint64_t middle = high - (high - low) / 2;
        struct workgroup_needs changed = need_with(*needs, kind, middle);
        if (admits(device, cu, &changed, mask, target))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void advise_alone(const struct device *device, uint32_t cu,
                         const struct workgroup_needs *needs, struct occupancy_advice *advice) {
    uint32_t all = (1u << RESOURCE_COUNT) - 1;
    for (int kind = 0; kind < ADVICE_COUNT; kind++) {
        uint64_t to = largest_that_admits(device, cu, needs, kind, all, advice->workgroups);
        if (to == 0)
            continue;
        advice->changes[kind] = (struct advice_change){true, need_get(needs, kind), to};
        advice->possible = true;
    }
}

/* Relieves one limiter after the other, each by the first kind that can. */
static void advise_together(const struct device *device, uint32_t cu,
                            const struct workgroup_needs *needs, struct occupancy_advice *advice) {
    static const enum advice_kind order[] = {ADVICE_WORKGROUP_MEMORY, ADVICE_INVOCATIONS,
                                             ADVICE_REGISTERS};
    struct workgroup_needs changed = *needs;
    for (size_t i = 0; i < ADVICE_COUNT; i++) {
        enum advice_kind kind = order[i];
        uint32_t mask = relieves[kind];
        if (kind == ADVICE_INVOCATIONS)
            mask &= ~relieves[ADVICE_REGISTERS];
        if (admits(device, cu, &changed, mask, advice->workgroups))
            continue;
        uint64_t to = largest_that_admits(device, cu, &changed, kind, mask, advice->workgroups);
        advice->changes[kind] = (struct advice_change){true, need_get(needs, kind), to};
        changed = need_with(changed, kind, to ? to : 1);
    }
    advice->together = true;
    advice->possible = admits(device, cu, &changed, (1u << RESOURCE_COUNT) - 1, advice->workgroups);
}

struct occupancy_advice occupancy_advise(const struct device *device, uint32_t cu,
                                         const struct workgroup_needs *needs) {
    struct workgroup_needs stated = *needs;
    if (stated.registers_per_lane == 0)
        stated.registers_per_lane = device->registers_default_per_lane;
    struct occupancy_advice advice = {
        .workgroups = occupancy_of(device, cu, needs).workgroups + 1,
    };
    advise_alone(device, cu, &stated, &advice);
    if (!advice.possible)
        advise_together(device, cu, &stated, &advice);
    return advice;
}

/* ---- Budgets ---- */

uint32_t cu_budget_take(struct cu_budget *budget, const struct occupancy *occupancy) {
    uint32_t refusing = 0;
    for (int r = 0; r < RESOURCE_COUNT; r++) {
        const struct occupancy_row *row = &occupancy->rows[r];
        if (row->allows != UNLIMITED && budget->used[r] + row->uses > row->capacity)
            refusing |= 1u << r;
    }
    if (refusing)
        return refusing;
    for (int r = 0; r < RESOURCE_COUNT; r++)
        budget->used[r] += occupancy->rows[r].uses;
    budget->residents++;
    return 0;
}

void cu_budget_give(struct cu_budget *budget, const struct occupancy *occupancy) {
    for (int r = 0; r < RESOURCE_COUNT; r++)
        budget->used[r] -= occupancy->rows[r].uses;
    budget->residents--;
}
