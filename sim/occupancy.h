/* Occupancy: how many workgroups of a kernel a compute unit holds at once, and what limits it. */
#ifndef SIM_OCCUPANCY_H
#define SIM_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/device.h"

/* What a workgroup takes of its compute unit. */
enum resource {
    RESOURCE_WORKGROUP_MEMORY,
    RESOURCE_SLOTS,
    RESOURCE_INVOCATIONS,
    RESOURCE_SUBGROUPS,
    RESOURCE_REGISTERS,
    RESOURCE_BARRIERS,
    RESOURCE_COUNT
};

extern const char *const resource_names[RESOURCE_COUNT + 1]; /* in JSON; ends with NULL */
extern const char *const resource_words[RESOURCE_COUNT];     /* for people */

/* What a kernel needs for one workgroup. */
struct workgroup_needs {
    uint32_t invocations;
    uint32_t registers_per_lane;     /* 0: the device's default */
    uint64_t workgroup_memory_bytes; /* as declared, without the device's rounding */
    bool barrier;                    /* the kernel has barriers */
};

enum { UNLIMITED = UINT32_MAX };

/* One resource. A workgroup that the device can never hold has uses > capacity. */
struct occupancy_row {
    uint64_t uses; /* by one workgroup, rounded as the device does */
    uint64_t
        capacity;    /* usable: what rounding and partitions leave; 0: the resource has no limit */
    uint64_t total;  /* of the compute unit */
    uint32_t allows; /* workgroups, or UNLIMITED */
};

struct occupancy {
    uint32_t workgroups; /* resident on the compute unit */
    uint32_t limiters;   /* bit r: resource r allows no more than that */
    struct occupancy_row rows[RESOURCE_COUNT];
};

struct occupancy occupancy_of(const struct device *device, uint32_t cu,
                              const struct workgroup_needs *needs);

/* The resident workgroups of the whole device. */
uint64_t occupancy_residents(const struct device *device, const struct workgroup_needs *needs);

/* What would have to change for one more workgroup: the least change of each kind that is enough
 * alone, else of several kinds together. */
enum advice_kind { ADVICE_WORKGROUP_MEMORY, ADVICE_REGISTERS, ADVICE_INVOCATIONS, ADVICE_COUNT };

struct occupancy_advice {
    uint32_t workgroups; /* that would then be resident */
    bool together;       /* only all the changes together are enough */
    bool possible;       /* false: nothing of the kernel's helps, the device is full */
    struct advice_change {
        bool given;
        uint64_t from, to;
    } changes[ADVICE_COUNT];
};

struct occupancy_advice occupancy_advise(const struct device *device, uint32_t cu,
                                         const struct workgroup_needs *needs);

/* The budgets of a compute unit during a run, for workgroups of one kernel. */
struct cu_budget {
    uint64_t used[RESOURCE_COUNT];
    uint32_t residents;
};

/* Takes what a workgroup of this occupancy uses, all or nothing: 0, or the resources that refuse,
 * as bits, and then nothing has changed. */
uint32_t cu_budget_take(struct cu_budget *budget, const struct occupancy *occupancy);

/* Gives back what one take took. */
void cu_budget_give(struct cu_budget *budget, const struct occupancy *occupancy);

#endif
