/* Calibrating the simulator's device to a real one. */
#include "sim/webgpu/calibrate.h"

#include <stdio.h>
#include <string.h>

/* The first load is the lightest: it shows the slots, the second the invocations, the rest the
 * memory. */
static const struct probe_load loads[CALIBRATION_LOADS] = {
    {64, 64}, {256, 64}, {64, 4096}, {64, 8192}, {64, 16384},
};

/* Turns on a CPU stay below 65,535, at which lavapipe of Mesa 22 cuts loops. */
enum {
    STAY_TURNS = 20000,
    CPU_WAIT_TURNS = 60000,
    GPU_WAIT_TURNS = 1000000,
    MAX_LAUNCHED = 16384,
    CPU_TRIES = 5
};

static bool is_cpu(const json_t *device) {
    const char *type = json_string_value(json_object_get(device, "type"));
    return type && strcmp(type, "cpu") == 0;
}

static uint32_t wait_turns(const struct calibration *c) {
    return is_cpu(c->device) ? CPU_WAIT_TURNS : GPU_WAIT_TURNS;
}

/* The most that were seen in flight; on a CPU the host's scheduler may keep a thread from starting.
 */
static int measure_launch(const struct device_target *target, const struct probe_load *load,
                          uint32_t launched, struct calibration *c,
                          struct probe_residency *residency, struct wgsim_error *err) {
    int tries = is_cpu(c->device) ? CPU_TRIES : 1;
    residency->peak = 0;
    for (int i = 0; i < tries; i++) {
        struct probe_residency seen;
        json_t **device = c->device ? NULL : &c->device;
        if (probe_residency(target, load, launched, STAY_TURNS, &seen, device, err) != 0)
            return -1;
        if (seen.peak > residency->peak)
            *residency = seen;
    }
    return 0;
}

/* Launches more and more workgroups until some did not fit. */
static int measure_peak(const struct device_target *target, const struct probe_load *load,
                        struct calibration *c, struct probe_residency *residency,
                        struct wgsim_error *err) {
    for (uint32_t launched = 64; launched <= MAX_LAUNCHED; launched *= 4) {
        if (measure_launch(target, load, launched, c, residency, err) != 0)
            return -1;
        if (residency->peak <= launched / 2)
            break;
    }
    return 0;
}

/* The fewest that gave up; on a CPU the one waited for may not have had its turn. */
static int measure_wait(const struct device_target *target, const struct calibration *c,
                        enum probe_wait wait, uint32_t workgroups, uint32_t *gave_up,
                        struct wgsim_error *err) {
    int tries = is_cpu(c->device) ? CPU_TRIES : 1;
    *gave_up = UINT32_MAX;
    for (int i = 0; i<tries && * gave_up> 0; i++) {
        uint32_t seen;
        if (probe_wait(target, wait, &loads[CALIBRATION_LOADS - 1], workgroups, wait_turns(c),
                       &seen, err) != 0)
            return -1;
        if (seen < *gave_up)
            *gave_up = seen;
    }
    return 0;
}

/* Far more than there are in flight, so that each place would have its own queue of several. */
static uint32_t many(uint32_t peak) {
    return peak < MAX_LAUNCHED / 64 ? 64 * peak : MAX_LAUNCHED;
}

static int measure_waits(const struct device_target *target, struct calibration *c,
                         struct wgsim_error *err) {
    uint32_t peak = c->residency[CALIBRATION_LOADS - 1].peak;
    const struct {
        enum probe_wait wait;
        uint32_t workgroups, *gave_up;
    } probes[] = {
        {PROBE_WAIT_PREVIOUS, 4 * peak, &c->previous_gave_up},
        {PROBE_WAIT_NEXT, 4 * peak, &c->next_gave_up},
        {PROBE_WAIT_LAST, peak, &c->last_fits_gave_up},
        {PROBE_WAIT_LAST, peak + 1, &c->last_exceeds_gave_up},
        {PROBE_FIRST_WAITS_ALL, many(peak), &c->first_gave_up},
    };
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
        if (measure_wait(target, c, probes[i].wait, probes[i].workgroups, probes[i].gave_up, err) !=
            0)
            return -1;
    return 0;
}

static int measure_lanes(const struct device_target *target, struct calibration *c,
                         struct wgsim_error *err) {
    return probe_lock(target, wait_turns(c), &c->lock_gave_up, err);
}

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b) {
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static void infer_units(struct calibration *c) {
    c->units = 0;
    for (int i = 0; i < CALIBRATION_LOADS; i++)
        c->units = greatest_common_divisor(c->units, c->residency[i].peak);
    for (int i = 0; c->units && i < CALIBRATION_LOADS; i++) {
        uint32_t resident = c->residency[i].peak / c->units;
        c->unit_workgroups = larger(c->unit_workgroups, resident);
        c->unit_invocations = larger(c->unit_invocations, resident * loads[i].invocations);
        c->unit_memory_bytes = larger(c->unit_memory_bytes, resident * loads[i].memory_bytes);
    }
}

int calibrate(const struct device_target *target, struct calibration *c, struct wgsim_error *err) {
    memset(c, 0, sizeof *c);
    for (int i = 0; i < CALIBRATION_LOADS; i++)
        if (measure_peak(target, &loads[i], c, &c->residency[i], err) != 0)
            return -1;
    if (probe_subgroup(target, c->device, &c->subgroup, err) != 0 ||
        measure_waits(target, c, err) != 0 || measure_lanes(target, c, err) != 0)
        return -1;
    infer_units(c);
    return 0;
}

void calibration_release(struct calibration *calibration) {
    json_decref(calibration->device);
    calibration->device = NULL;
}

/* --- Text --- */

static void print_wait(const char *what, uint32_t workgroups, uint32_t gave_up, struct buf *out) {
    buf_printf(out, "  %5u workgroups, %s: ", workgroups, what);
    if (gave_up)
        buf_printf(out, "%u gave up\n", gave_up);
    else
        buf_puts(out, "every wait ended\n");
}

void calibration_print(const struct calibration *c, struct buf *out) {
    const char *name = json_string_value(json_object_get(c->device, "name"));
    const struct probe_residency *lightest = &c->residency[0];
    uint32_t peak = c->residency[CALIBRATION_LOADS - 1].peak;
    buf_printf(out, "%s\n\nWorkgroups in flight at once\n", name ? name : "");
    for (int i = 0; i < CALIBRATION_LOADS; i++)
        buf_printf(out, "  %5u of %u invocations with %u bytes of workgroup memory\n",
                   c->residency[i].peak, loads[i].invocations, loads[i].memory_bytes);
    buf_printf(out,
               "Order of starts\n  %u of %u just after the next lower id; at most %u places from "
               "ascending order\n",
               lightest->in_order, lightest->launched, lightest->disordered);
    buf_printf(out, "Waits between workgroups (%u bytes each)\n",
               loads[CALIBRATION_LOADS - 1].memory_bytes);
    print_wait("each for the one before", 4 * peak, c->previous_gave_up, out);
    print_wait("each for the next one", 4 * peak, c->next_gave_up, out);
    print_wait("all for the last one", peak, c->last_fits_gave_up, out);
    print_wait("all for the last one", peak + 1, c->last_exceeds_gave_up, out);
    print_wait("only the first, for all others", many(peak), c->first_gave_up, out);
    if (c->first_gave_up)
        buf_puts(out,
                 "  A workgroup stays behind one that waits: model it with --placement static\n");
    buf_printf(out, "Lanes\n  spinning for a lock: %s\n",
               c->lock_gave_up ? "the holder waits for the others, as in lockstep"
                               : "every lane gets it, so they are independent");
    if (c->subgroup)
        buf_printf(out, "Subgroup size\n  %u\n", c->subgroup);
    else
        buf_puts(out, "Subgroup size\n  not shown by this implementation\n");
}

/* --- The device file --- */

static void set_field(json_t *file, json_t *sources, const char *name, uint32_t value,
                      const char *provenance, const char *source) {
    json_object_set_new(file, name, json_integer(value));
    json_object_set_new(sources, name,
                        json_pack("{s:s, s:s}", "provenance", provenance, "source", source));
}

static uint32_t limit_of(const struct calibration *c, const char *limit) {
    json_t *value = json_object_get(json_object_get(c->device, "limits"), limit);
    return (uint32_t)json_integer_value(value);
}

/* A unit holds at least the largest workgroup; what is not measured is the default device's. */
json_t *calibration_device_file(const struct calibration *c) {
    static const char modelled[] = "modelled", exact[] = "exact";
    static const char inferred[] =
        "from workgroups in flight, units being their greatest common divisor";
    static const char limit[] = "limit of the adapter";
    const uint32_t memory = limit_of(c, "workgroup_memory_bytes");
    const uint32_t invocations = limit_of(c, "invocations_per_workgroup");
    const struct {
        const char *name;
        uint32_t value;
        const char *provenance, *source;
    } fields[] = {
        {"cus", c->units, modelled, inferred},
        {"workgroup_slots", c->unit_workgroups, modelled, inferred},
        {"invocation_slots", larger(c->unit_invocations, invocations), modelled, inferred},
        {"workgroup_memory_bytes", larger(c->unit_memory_bytes, memory), modelled, inferred},
        {"subgroup_width", c->subgroup, "measured", "builtin subgroup_size"},
        {"workgroup_memory_max_bytes", memory, exact, limit},
        {"max_workgroup_invocations", invocations, exact, limit},
        {"max_workgroup_size_x", limit_of(c, "workgroup_size_x"), exact, limit},
        {"max_workgroup_size_y", limit_of(c, "workgroup_size_y"), exact, limit},
        {"max_workgroup_size_z", limit_of(c, "workgroup_size_z"), exact, limit},
        {"max_workgroups_per_dimension", limit_of(c, "workgroups_per_axis"), exact, limit},
    };
    const char *title = json_string_value(json_object_get(c->device, "name"));
    json_t *sources = json_object();
    json_t *file = json_pack("{s:s, s:s, s:s, s:s}", "schema", "wgsim-device/1", "base", "default",
                             "name", "calibrated", "title", title ? title : "");
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].value != 0)
            set_field(file, sources, fields[i].name, fields[i].value, fields[i].provenance,
                      fields[i].source);
    json_object_set_new(file, "lanes", json_string(c->lock_gave_up ? "lockstep" : "independent"));
    json_object_set_new(
        sources, "lanes",
        json_pack("{s:s, s:s}", "provenance", "measured", "source", "lanes that spin for a lock"));
    json_object_set_new(file, "sources", sources);
    return file;
}
