/* A device: everything about the simulated GPU that stays constant during a run. */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "wgsim/wgsim.h"

enum device_field {
#define UNIT_FIELD(name, ...) DEVICE_##name,
#define FIELD(name, ...) DEVICE_##name,
#include "sim/device.def"
#undef UNIT_FIELD
#undef FIELD
    DEVICE_FIELD_COUNT
};

/* How far a field's value can be trusted, best first. */
enum provenance {
    PROVENANCE_EXACT,       /* by definition */
    PROVENANCE_MEASURED,    /* on the hardware */
    PROVENANCE_VENDOR,      /* read in a vendor's or driver's source */
    PROVENANCE_UNCONFIRMED, /* recalled, not looked up */
    PROVENANCE_MODELLED,    /* assumed */
    PROVENANCE_GIVEN,       /* by the user */
    PROVENANCE_COUNT
};

extern const char *const provenance_names[PROVENANCE_COUNT + 1];    /* ends with NULL */
extern const char *const provenance_meanings[PROVENANCE_COUNT + 1]; /* ends with NULL */

struct device_origin {
    enum provenance provenance;
    const char *source;
};

enum memory_rounding { ROUND_TO_MULTIPLE, ROUND_TO_POWER_OF_TWO };
enum barrier_rule { BARRIER_IF_USED, BARRIER_IF_SEVERAL_SUBGROUPS };
enum lanes_rule { LANES_INDEPENDENT, LANES_LOCKSTEP };
enum bank_rule {
    BANKS_NVIDIA, /* groups of consecutive lanes; groups of loads fuse pairwise */
    BANKS_PLAIN,  /* groups of consecutive lanes */
    BANKS_AMD,    /* as plain, but 16-byte loads pair distant lanes */
    BANKS_LINES   /* no banks: 64-byte lines */
};

/* What may differ from one compute unit to another. */
struct device_unit {
#define UNIT_FIELD(name, ...) uint32_t name;
#define FIELD(name, ...)
#include "sim/device.def"
#undef UNIT_FIELD
#undef FIELD
};

/* Fields as described in device.def. */
struct device {
    char name[32];
    const char *title;
#define UNIT_FIELD(name, ...) uint32_t name;
#define FIELD(name, ...) uint32_t name;
#include "sim/device.def"
#undef UNIT_FIELD
#undef FIELD
    struct device_origin origin[DEVICE_FIELD_COUNT];
    /* Unequal compute units: unit i is units[i % unit_count]. All equal if unit_count is 0. */
    const struct device_unit *units;
    uint32_t unit_count;
};

enum device_kind {
    KIND_COUNT,
    KIND_DECIMAL, /* in thousandths */
    KIND_FLAG,
    KIND_MEMORY_ROUNDING,
    KIND_BARRIER_RULE,
    KIND_LANES,
    KIND_BANK_RULE,
};

struct device_field_info {
    const char *name;
    const char *text;
    enum device_kind kind;
    uint32_t least, most;
};

extern const struct device_field_info device_fields[DEVICE_FIELD_COUNT];
/* The names of the field's values, ending with NULL; or NULL for numbers and flags. */
const char *const *device_choices(enum device_field field);

#define DEVICE_UNIT_FIELDS (sizeof(struct device_unit) / sizeof(uint32_t))

uint32_t device_get(const struct device *device, enum device_field field);

/* Sets one field after checking its range; the message names the field. */
int device_set(struct device *device, enum device_field field, uint64_t value,
               struct device_origin origin, struct wgsim_error *err);

/* Whether a single value is one that the field can have. */
int device_check_value(enum device_field field, uint64_t value, struct wgsim_error *err);

/* Whether the fields make sense together. */
int device_check(const struct device *device, struct wgsim_error *err);

/* What compute unit `cu` has. */
struct device_unit device_unit(const struct device *device, uint32_t cu);

/* The field of that name, or DEVICE_FIELD_COUNT. */
enum device_field device_field_find(const char *name);

#endif
