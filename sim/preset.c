/* The device presets. A preset lists what is known of its device, field by field with the source;
 * what it does not list it takes from its family, and what that does not list from the default
 * device, marked modelled. */
#include "sim/preset.h"

#include <stdio.h>
#include <string.h>

#include "sim/buf.h"
#include "sim/error.h"

enum {
    EXACT = PROVENANCE_EXACT,
    MEASURED = PROVENANCE_MEASURED,
    VENDOR = PROVENANCE_VENDOR,
    UNCONFIRMED = PROVENANCE_UNCONFIRMED,
    MODELLED = PROVENANCE_MODELLED,
};

enum { KB = 1024 };

/* Ended by a row without a source. */
struct row {
    enum device_field field;
    uint32_t value;
    unsigned provenance; /* enum provenance */
    const char *source;
};

#define END                                                                                        \
    { 0, 0, 0, NULL }

static const char definition[] = "definition of the default device";
static const char webgpu[] = "WebGPU's default limit";
static const char assumed[] = "assumed";
static const char per_unit[] = "assumed: 2 a unit, as the default device";

static const struct row default_rows[] = {
    {DEVICE_workgroup_memory_bytes, 64 * KB, EXACT, definition},
    {DEVICE_workgroup_slots, 32, EXACT, definition},
    {DEVICE_subgroup_slots, 64, EXACT, definition},
    {DEVICE_invocation_slots, 2048, EXACT, definition},
    {DEVICE_registers, 65536, EXACT, definition},
    {DEVICE_barrier_slots, 0, EXACT, definition},
    {DEVICE_cus, 4, EXACT, definition},
    {DEVICE_workgroup_memory_granularity_bytes, 16, EXACT, definition},
    {DEVICE_workgroup_memory_reserve_bytes, 0, EXACT, definition},
    {DEVICE_workgroup_memory_rounding, ROUND_TO_MULTIPLE, EXACT, definition},
    {DEVICE_workgroup_memory_max_bytes, 64 * KB, EXACT, definition},
    {DEVICE_max_workgroup_invocations, 1024, EXACT, definition},
    {DEVICE_max_workgroup_size_x, 1024, EXACT, definition},
    {DEVICE_max_workgroup_size_y, 1024, EXACT, definition},
    {DEVICE_max_workgroup_size_z, 64, EXACT, definition},
    {DEVICE_max_workgroups_per_dimension, 65535, EXACT, webgpu},
    {DEVICE_register_unit, 256, EXACT, definition},
    {DEVICE_register_partitions, 1, EXACT, definition},
    {DEVICE_registers_max_per_lane, 255, EXACT, definition},
    {DEVICE_registers_default_per_lane, 32, EXACT, definition},
    {DEVICE_barrier_rule, BARRIER_IF_USED, EXACT, definition},
    {DEVICE_subgroup_width, 32, EXACT, definition},
    {DEVICE_lanes, LANES_INDEPENDENT, EXACT, definition},
    {DEVICE_banks, 32, EXACT, definition},
    {DEVICE_bank_bytes, 4, EXACT, definition},
    {DEVICE_bank_rule, BANKS_NVIDIA, EXACT, definition},
    {DEVICE_atomic_unlock_wavefronts, 0, EXACT, definition},
    {DEVICE_merge_increments, 0, EXACT, definition},
    {DEVICE_issue_rate, 4000, EXACT, definition},
    {DEVICE_workgroup_memory_cycles, 5000, EXACT, definition},
    {DEVICE_l2_cycles, 200000, EXACT, definition},
    {DEVICE_vram_cycles, 500000, EXACT, definition},
    {DEVICE_loads_in_flight, 8, EXACT, definition},
    {DEVICE_sectors_per_cycle, 8000, EXACT, definition},
    {DEVICE_l2_bytes, 0, EXACT, definition},
    {DEVICE_vram_sectors_per_cycle, 8000, EXACT, definition},
    {DEVICE_partial_sector_cost, 1000, EXACT, definition},
    {DEVICE_atomic_cycles, 40000, EXACT, definition},
    {DEVICE_barrier_cycles, 10000, EXACT, definition},
    {DEVICE_barrier_subgroup_cycles, 2000, EXACT, definition},
    {DEVICE_dispatch_cycles, 2000000, EXACT, definition},
    {DEVICE_launch_rate, 1000, EXACT, definition},
    {DEVICE_clock_mhz, 1000, EXACT, definition},
    END,
};

static const char reference[] = "definition of the field cases' reference machine";

static const struct row ref4_rows[] = {
    {DEVICE_workgroup_memory_bytes, 32 * KB, EXACT, reference},
    {DEVICE_workgroup_slots, 8, EXACT, reference},
    {DEVICE_invocation_slots, 1024, EXACT, reference},
    {DEVICE_registers, 0, EXACT, reference},
    {DEVICE_workgroup_memory_max_bytes, 32 * KB, EXACT, reference},
    {DEVICE_lanes, LANES_LOCKSTEP, EXACT, reference},
    END,
};

static const char cuda[] = "NVIDIA's tables of compute capabilities";
static const char accel_sim[] = "configuration of the simulator Accel-Sim";
static const char recalled[] = "recalled";
static const char h200_counters[] = "counters of an H200, assumed of others";

static const struct row nvidia_rows[] = {
    {DEVICE_workgroup_memory_granularity_bytes, 128, VENDOR, cuda},
    {DEVICE_workgroup_memory_reserve_bytes, 1 * KB, VENDOR, cuda},
    {DEVICE_registers, 65536, VENDOR, cuda},
    {DEVICE_register_unit, 256, VENDOR, cuda},
    {DEVICE_register_partitions, 4, VENDOR, cuda},
    {DEVICE_registers_max_per_lane, 255, VENDOR, cuda},
    {DEVICE_max_workgroup_invocations, 1024, VENDOR, cuda},
    {DEVICE_subgroup_width, 32, VENDOR, cuda},
    {DEVICE_banks, 32, VENDOR, cuda},
    {DEVICE_bank_bytes, 4, VENDOR, cuda},
    {DEVICE_bank_rule, BANKS_NVIDIA, MODELLED, h200_counters},
    {DEVICE_atomic_unlock_wavefronts, 1, MODELLED, h200_counters},
    {DEVICE_merge_increments, 1, MODELLED, h200_counters},
    {DEVICE_issue_rate, 4000, VENDOR, "four schedulers a unit"},
    END,
};

static const struct row turing_rows[] = {
    {DEVICE_cus, 30, VENDOR, accel_sim},
    {DEVICE_workgroup_memory_bytes, 64 * KB, VENDOR, cuda},
    {DEVICE_workgroup_memory_max_bytes, 64 * KB, VENDOR, cuda},
    {DEVICE_workgroup_memory_granularity_bytes, 256, VENDOR, cuda},
    {DEVICE_workgroup_memory_reserve_bytes, 0, VENDOR, cuda},
    {DEVICE_workgroup_slots, 16, VENDOR, cuda},
    {DEVICE_subgroup_slots, 32, VENDOR, cuda},
    {DEVICE_invocation_slots, 1024, VENDOR, cuda},
    {DEVICE_clock_mhz, 1365, VENDOR, accel_sim},
    {DEVICE_workgroup_memory_cycles, 30000, VENDOR, accel_sim},
    {DEVICE_l2_cycles, 194000, VENDOR, accel_sim},
    {DEVICE_vram_cycles, 290000, VENDOR, accel_sim},
    {DEVICE_sectors_per_cycle, 60000, MODELLED, per_unit},
    END,
};

static const struct row ga100_rows[] = {
    {DEVICE_cus, 108, UNCONFIRMED, recalled},
    {DEVICE_workgroup_memory_bytes, 164 * KB, VENDOR, cuda},
    {DEVICE_workgroup_memory_max_bytes, 163 * KB, UNCONFIRMED, recalled},
    {DEVICE_workgroup_slots, 32, VENDOR, cuda},
    {DEVICE_subgroup_slots, 64, UNCONFIRMED, recalled},
    {DEVICE_invocation_slots, 2048, UNCONFIRMED, recalled},
    {DEVICE_registers, 65536, UNCONFIRMED, recalled},
    {DEVICE_banks, 32, UNCONFIRMED, recalled},
    {DEVICE_clock_mhz, 1410, UNCONFIRMED, recalled},
    {DEVICE_workgroup_memory_cycles, 29000, UNCONFIRMED, recalled},
    {DEVICE_l2_cycles, 262000, UNCONFIRMED, recalled},
    {DEVICE_vram_cycles, 466000, UNCONFIRMED, recalled},
    {DEVICE_sectors_per_cycle, 216000, MODELLED, per_unit},
    END,
};

static const struct row ga10x_rows[] = {
    {DEVICE_cus, 46, VENDOR, accel_sim},
    {DEVICE_workgroup_memory_bytes, 100 * KB, VENDOR, cuda},
    {DEVICE_workgroup_memory_max_bytes, 99 * KB, VENDOR, cuda},
    {DEVICE_workgroup_slots, 16, VENDOR, cuda},
    {DEVICE_subgroup_slots, 48, VENDOR, cuda},
    {DEVICE_invocation_slots, 1536, VENDOR, cuda},
    {DEVICE_clock_mhz, 1725, UNCONFIRMED, recalled},
    {DEVICE_workgroup_memory_cycles, 29000, VENDOR, accel_sim},
    {DEVICE_l2_cycles, 187000, VENDOR, accel_sim},
    {DEVICE_vram_cycles, 441000, VENDOR, accel_sim},
    {DEVICE_sectors_per_cycle, 92000, MODELLED, per_unit},
    END,
};

static const struct row ada_rows[] = {
    {DEVICE_cus, 128, UNCONFIRMED, recalled},
    {DEVICE_workgroup_memory_bytes, 100 * KB, VENDOR, cuda},
    {DEVICE_workgroup_memory_max_bytes, 99 * KB, UNCONFIRMED, recalled},
    {DEVICE_workgroup_slots, 24, VENDOR, cuda},
    {DEVICE_subgroup_slots, 48, UNCONFIRMED, recalled},
    {DEVICE_invocation_slots, 1536, UNCONFIRMED, recalled},
    {DEVICE_registers, 65536, UNCONFIRMED, recalled},
    {DEVICE_banks, 32, UNCONFIRMED, recalled},
    {DEVICE_clock_mhz, 2520, UNCONFIRMED, recalled},
    {DEVICE_workgroup_memory_cycles, 30000, UNCONFIRMED, recalled},
    {DEVICE_l2_cycles, 273000, UNCONFIRMED, recalled},
    {DEVICE_vram_cycles, 542000, UNCONFIRMED, recalled},
    {DEVICE_sectors_per_cycle, 256000, MODELLED, per_unit},
    END,
};

static const char h200[] = "measured on an H200";
static const char h200_fit[] = "fitted to kernel times of an H200";

static const struct row h200_rows[] = {
    {DEVICE_cus, 132, MEASURED, h200},
    {DEVICE_workgroup_memory_bytes, 228 * KB, MEASURED, h200},
    {DEVICE_workgroup_memory_max_bytes, 227 * KB, MEASURED, h200},
    {DEVICE_workgroup_memory_granularity_bytes, 128, MEASURED, h200},
    {DEVICE_workgroup_memory_reserve_bytes, 1 * KB, MEASURED, h200},
    {DEVICE_workgroup_slots, 32, MEASURED, h200},
    {DEVICE_subgroup_slots, 64, MEASURED, h200},
    {DEVICE_invocation_slots, 2048, MEASURED, h200},
    {DEVICE_registers, 65536, MEASURED, h200},
    {DEVICE_register_unit, 256, MEASURED, h200},
    {DEVICE_register_partitions, 4, MEASURED, h200},
    {DEVICE_subgroup_width, 32, MEASURED, h200},
    {DEVICE_banks, 32, MEASURED, h200},
    {DEVICE_bank_bytes, 4, MEASURED, h200},
    {DEVICE_bank_rule, BANKS_NVIDIA, MEASURED, "counters of an H200"},
    {DEVICE_atomic_unlock_wavefronts, 1, MEASURED, "counters of an H200"},
    {DEVICE_merge_increments, 1, MEASURED, "counters of an H200"},
    {DEVICE_clock_mhz, 1980, MEASURED, h200},
    {DEVICE_workgroup_memory_cycles, 29100, MEASURED, h200},
    {DEVICE_l2_cycles, 372000, MEASURED, h200},
    {DEVICE_vram_cycles, 691000, MEASURED, h200},
    {DEVICE_sectors_per_cycle, 150000, MODELLED, h200_fit},
    {DEVICE_l2_bytes, 50 << 20, VENDOR, "size of the L2 cache of an H200"},
    {DEVICE_vram_sectors_per_cycle, 62000, MODELLED, h200_fit},
    {DEVICE_partial_sector_cost, 5000, MODELLED, h200_fit},
    {DEVICE_atomic_cycles, 90000, MEASURED, h200},
    {DEVICE_barrier_cycles, 15000, MEASURED, h200},
    {DEVICE_barrier_subgroup_cycles, 2000, MEASURED, h200},
    {DEVICE_dispatch_cycles, 13000000, MODELLED, h200_fit},
    {DEVICE_launch_rate, 836, MODELLED, h200_fit},
    END,
};

static const char amdgpu[] = "AMD's compiler and driver";

/* Registers are VGPRs of a lane and SIMD x lanes x 4 SIMDs. A workgroup of one wave needs no
 * barrier. */
static const struct row amd_rows[] = {
    {DEVICE_invocation_slots, 0, VENDOR, "limited by waves alone"},
    {DEVICE_workgroup_memory_max_bytes, 64 * KB, VENDOR, amdgpu},
    {DEVICE_max_workgroup_invocations, 1024, VENDOR, amdgpu},
    {DEVICE_register_partitions, 4, VENDOR, amdgpu},
    {DEVICE_registers_max_per_lane, 256, VENDOR, amdgpu},
    {DEVICE_barrier_rule, BARRIER_IF_SEVERAL_SUBGROUPS, VENDOR, amdgpu},
    {DEVICE_banks, 32, VENDOR, amdgpu},
    {DEVICE_bank_bytes, 4, VENDOR, amdgpu},
    {DEVICE_bank_rule, BANKS_AMD, UNCONFIRMED, recalled},
    END,
};

static const struct row vega_rows[] = {
    {DEVICE_cus, 64, UNCONFIRMED, recalled},
    {DEVICE_workgroup_memory_bytes, 64 * KB, VENDOR, amdgpu},
    {DEVICE_workgroup_memory_granularity_bytes, 512, VENDOR, amdgpu},
    {DEVICE_workgroup_slots, 40, VENDOR, amdgpu},
    {DEVICE_barrier_slots, 16, VENDOR, amdgpu},
    {DEVICE_subgroup_slots, 40, VENDOR, amdgpu},
    {DEVICE_registers, 256 * 64 * 4, VENDOR, amdgpu},
    {DEVICE_register_unit, 4 * 64, VENDOR, amdgpu},
    {DEVICE_subgroup_width, 64, VENDOR, amdgpu},
    {DEVICE_clock_mhz, 1546, UNCONFIRMED, recalled},
    {DEVICE_workgroup_memory_cycles, 64000, UNCONFIRMED, recalled},
    {DEVICE_vram_cycles, 600000, UNCONFIRMED, recalled},
    {DEVICE_sectors_per_cycle, 128000, MODELLED, per_unit},
    END,
};

static const struct row rdna2_rows[] = {
    {DEVICE_cus, 40, UNCONFIRMED, recalled},
    {DEVICE_workgroup_memory_bytes, 128 * KB, VENDOR, amdgpu},
    {DEVICE_workgroup_memory_granularity_bytes, 1 * KB, VENDOR, amdgpu},
    {DEVICE_workgroup_slots, 32, VENDOR, amdgpu},
    {DEVICE_barrier_slots, 32, VENDOR, amdgpu},
    {DEVICE_subgroup_slots, 64, VENDOR, amdgpu},
    {DEVICE_registers, 1024 * 32 * 4, VENDOR, amdgpu},
    {DEVICE_register_unit, 16 * 32, VENDOR, amdgpu},
    {DEVICE_subgroup_width, 32, VENDOR, amdgpu},
    {DEVICE_banks, 32, UNCONFIRMED, "recalled: two memories of 32 banks, a workgroup uses one"},
    {DEVICE_clock_mhz, 2250, UNCONFIRMED, recalled},
    {DEVICE_sectors_per_cycle, 80000, MODELLED, per_unit},
    END,
};

static const struct row rdna3_rows[] = {
    {DEVICE_cus, 48, UNCONFIRMED, recalled},
    {DEVICE_workgroup_memory_bytes, 128 * KB, VENDOR, amdgpu},
    {DEVICE_workgroup_memory_granularity_bytes, 1 * KB, VENDOR, amdgpu},
    {DEVICE_workgroup_slots, 32, VENDOR, amdgpu},
    {DEVICE_barrier_slots, 32, VENDOR, amdgpu},
    {DEVICE_subgroup_slots, 64, VENDOR, amdgpu},
    {DEVICE_registers, 1536 * 32 * 4, VENDOR, "AMD's compiler and driver: the large parts"},
    {DEVICE_register_unit, 24 * 32, VENDOR, amdgpu},
    {DEVICE_subgroup_width, 32, VENDOR, amdgpu},
    {DEVICE_banks, 32, UNCONFIRMED, "recalled: two memories of 32 banks, a workgroup uses one"},
    {DEVICE_clock_mhz, 2500, UNCONFIRMED, recalled},
    {DEVICE_sectors_per_cycle, 96000, MODELLED, per_unit},
    END,
};

static const struct row cdna2_rows[] = {
    {DEVICE_cus, 110, UNCONFIRMED, recalled},
    {DEVICE_workgroup_memory_bytes, 64 * KB, VENDOR, amdgpu},
    {DEVICE_workgroup_memory_granularity_bytes, 512, VENDOR, amdgpu},
    {DEVICE_workgroup_slots, 16, VENDOR, amdgpu},
    {DEVICE_barrier_slots, 16, VENDOR, amdgpu},
    {DEVICE_subgroup_slots, 32, VENDOR, amdgpu},
    {DEVICE_registers, 512 * 64 * 4, VENDOR, amdgpu},
    {DEVICE_register_unit, 8 * 64, VENDOR, amdgpu},
    {DEVICE_registers_max_per_lane, 512, VENDOR, amdgpu},
    {DEVICE_subgroup_width, 64, VENDOR, amdgpu},
    {DEVICE_clock_mhz, 1700, UNCONFIRMED, recalled},
    {DEVICE_sectors_per_cycle, 220000, MODELLED, per_unit},
    END,
};

static const char intel[] = "Intel's driver";

static const struct row xe_lp_rows[] = {
    {DEVICE_cus, 6, VENDOR, intel},
    {DEVICE_workgroup_memory_bytes, 64 * KB, VENDOR, intel},
    {DEVICE_workgroup_memory_max_bytes, 64 * KB, VENDOR, intel},
    {DEVICE_workgroup_memory_granularity_bytes, 1 * KB, VENDOR, intel},
    {DEVICE_workgroup_memory_rounding, ROUND_TO_POWER_OF_TWO, VENDOR, intel},
    {DEVICE_workgroup_slots, 112, VENDOR, intel},
    {DEVICE_barrier_slots, 32, VENDOR, intel},
    {DEVICE_barrier_rule, BARRIER_IF_USED, VENDOR, intel},
    {DEVICE_subgroup_slots, 112, VENDOR, intel},
    {DEVICE_invocation_slots, 0, VENDOR, "limited by hardware lane groups alone"},
    {DEVICE_registers, 0, UNCONFIRMED, "recalled: each hardware lane group has 128 of its own"},
    {DEVICE_subgroup_width, 16, VENDOR, "Intel's driver; 8 and 32 are possible"},
    {DEVICE_banks, 16, VENDOR, "Intel's manual of Gen9"},
    {DEVICE_bank_bytes, 4, VENDOR, "Intel's manual of Gen9"},
    {DEVICE_bank_rule, BANKS_PLAIN, MODELLED, assumed},
    {DEVICE_clock_mhz, 1350, UNCONFIRMED, recalled},
    {DEVICE_sectors_per_cycle, 12000, MODELLED, per_unit},
    END,
};

static const char asahi[] = "the free driver of Apple's GPUs";

static const struct row apple_m1_rows[] = {
    {DEVICE_cus, 8, VENDOR, asahi},
    {DEVICE_workgroup_memory_bytes, 60 * KB, VENDOR, asahi},
    {DEVICE_workgroup_memory_max_bytes, 32 * KB, UNCONFIRMED, recalled},
    {DEVICE_workgroup_slots, 0, MODELLED, "no limit is known"},
    {DEVICE_subgroup_slots, 96, VENDOR, asahi},
    {DEVICE_invocation_slots, 0, VENDOR, "limited by waves alone"},
    {DEVICE_registers, 208 * KB / 4, VENDOR, asahi},
    {DEVICE_register_unit, 4 * 32, UNCONFIRMED, recalled},
    {DEVICE_registers_max_per_lane, 128, UNCONFIRMED, recalled},
    {DEVICE_subgroup_width, 32, UNCONFIRMED, recalled},
    {DEVICE_clock_mhz, 1278, VENDOR, asahi},
    {DEVICE_sectors_per_cycle, 16000, MODELLED, per_unit},
    END,
};

static const char panfrost[] = "the free driver of Mali GPUs";

static const struct row mali_g78_rows[] = {
    {DEVICE_cus, 20, UNCONFIRMED, recalled},
    {DEVICE_workgroup_memory_bytes, 0, UNCONFIRMED, "recalled: in ordinary memory, not a unit's"},
    {DEVICE_workgroup_memory_max_bytes, 32 * KB, UNCONFIRMED, recalled},
    {DEVICE_max_workgroup_invocations, 512, MODELLED, "32 waves of 16"},
    {DEVICE_workgroup_slots, 0, MODELLED, "no limit is known"},
    {DEVICE_subgroup_slots, 32, VENDOR, panfrost},
    {DEVICE_invocation_slots, 0, VENDOR, "limited by waves alone"},
    {DEVICE_registers, 32 * 32 * 16, VENDOR, "all waves to 32 registers a lane, half to 64"},
    {DEVICE_register_unit, 32 * 16, VENDOR, "all waves to 32 registers a lane, half to 64"},
    {DEVICE_registers_max_per_lane, 64, VENDOR, panfrost},
    {DEVICE_subgroup_width, 16, VENDOR, panfrost},
    {DEVICE_bank_rule, BANKS_LINES, UNCONFIRMED, "recalled: no banks; lines of 64 bytes"},
    {DEVICE_clock_mhz, 850, UNCONFIRMED, recalled},
    {DEVICE_sectors_per_cycle, 40000, MODELLED, per_unit},
    END,
};

static const char freedreno[] = "the free driver of Adreno GPUs";

static const struct row adreno_6xx_rows[] = {
    {DEVICE_cus, 2, VENDOR, freedreno},
    {DEVICE_workgroup_memory_bytes, 32 * KB, VENDOR, freedreno},
    {DEVICE_workgroup_memory_max_bytes, 32 * KB, VENDOR, freedreno},
    {DEVICE_workgroup_slots, 0, MODELLED, "no limit is known"},
    {DEVICE_subgroup_slots, 16, UNCONFIRMED, recalled},
    {DEVICE_invocation_slots, 0, UNCONFIRMED, "limited by waves alone"},
    {DEVICE_registers, 96 * 4 * 64 * 2, VENDOR, "96 vec4 a lane of a pair of waves; some have 64"},
    {DEVICE_register_partitions, 2, UNCONFIRMED, recalled},
    {DEVICE_subgroup_width, 64, VENDOR, "the free driver of Adreno GPUs; 128 is possible"},
    {DEVICE_clock_mhz, 650, UNCONFIRMED, recalled},
    {DEVICE_sectors_per_cycle, 4000, MODELLED, per_unit},
    END,
};

static const struct row webgpu_min_rows[] = {
    {DEVICE_cus, 1, EXACT, "the least that WebGPU allows"},
    {DEVICE_workgroup_memory_bytes, 16 * KB, EXACT, webgpu},
    {DEVICE_workgroup_memory_max_bytes, 16 * KB, EXACT, webgpu},
    {DEVICE_workgroup_slots, 1, EXACT, "the least that WebGPU allows"},
    {DEVICE_subgroup_slots, 0, EXACT, "limited by invocations alone"},
    {DEVICE_invocation_slots, 256, EXACT, webgpu},
    {DEVICE_registers, 0, EXACT, "no limit of WebGPU"},
    {DEVICE_max_workgroup_invocations, 256, EXACT, webgpu},
    {DEVICE_max_workgroup_size_x, 256, EXACT, webgpu},
    {DEVICE_max_workgroup_size_y, 256, EXACT, webgpu},
    {DEVICE_max_workgroup_size_z, 64, EXACT, webgpu},
    {DEVICE_sectors_per_cycle, 2000, MODELLED, per_unit},
    END,
};

struct preset {
    const char *name;
    const char *title;
    const struct row *family; /* applied before rows; or NULL */
    const struct row *rows;
    unsigned inherited; /* enum provenance of what is taken from the default device */
};

static const struct row no_rows[] = {END};

static const struct preset presets[] = {
    {"default", "a small device of the examples", NULL, no_rows, EXACT},
    {"ref4", "reference machine of the field cases, lanes in lockstep", NULL, ref4_rows, EXACT},
    {"turing", "NVIDIA Turing, RTX 2060 (CC 7.5)", nvidia_rows, turing_rows, MODELLED},
    {"ga100", "NVIDIA Ampere, A100 (CC 8.0)", nvidia_rows, ga100_rows, MODELLED},
    {"ga10x", "NVIDIA Ampere, RTX 3070 (CC 8.6)", nvidia_rows, ga10x_rows, MODELLED},
    {"ada", "NVIDIA Ada, RTX 4090 (CC 8.9)", nvidia_rows, ada_rows, MODELLED},
    {"h200", "NVIDIA Hopper, H200 (CC 9.0), measured", nvidia_rows, h200_rows, MODELLED},
    {"vega", "AMD Vega (GCN5), units are CUs", amd_rows, vega_rows, MODELLED},
    {"rdna2", "AMD RDNA 2, units are WGPs", amd_rows, rdna2_rows, MODELLED},
    {"rdna3", "AMD RDNA 3, large part, units are WGPs", amd_rows, rdna3_rows, MODELLED},
    {"cdna2", "AMD CDNA 2 (gfx90a), units are CUs", amd_rows, cdna2_rows, MODELLED},
    {"xe-lp", "Intel Xe-LP, units are dual subslices", NULL, xe_lp_rows, MODELLED},
    {"apple-m1", "Apple M1, units are cores; bounds only", NULL, apple_m1_rows, MODELLED},
    {"mali-g78", "Arm Mali-G78 (Valhall), units are cores", NULL, mali_g78_rows, MODELLED},
    {"adreno-6xx", "Qualcomm Adreno 6xx, units are SPs; bounds only", NULL, adreno_6xx_rows,
     MODELLED},
    {"webgpu-min", "portable worst case: one workgroup at a time", NULL, webgpu_min_rows, MODELLED},
};

enum { PRESET_COUNT = sizeof presets / sizeof presets[0] };

static int apply(struct device *device, const struct row *row, struct wgsim_error *err) {
    for (; row->source; row++)
        if (device_set(device, row->field, row->value,
                       (struct device_origin){row->provenance, row->source}, err) != 0)
            return -1;
    return 0;
}

static int build(struct device *device, const struct preset *preset, struct wgsim_error *err) {
    *device = (struct device){.title = preset->title};
    snprintf(device->name, sizeof device->name, "%s", preset->name);
    if (apply(device, default_rows, err) != 0)
        return -1;
    if (preset->inherited != EXACT)
        for (int i = 0; i < DEVICE_FIELD_COUNT; i++)
            device->origin[i] =
                (struct device_origin){preset->inherited, "taken from the default device"};
    if (preset->family && apply(device, preset->family, err) != 0)
        return -1;
    return apply(device, preset->rows, err);
}

int preset_find(struct device *device, const char *name, struct wgsim_error *err) {
    struct buf names = {0};
    for (int i = 0; i < PRESET_COUNT; i++) {
        if (strcmp(presets[i].name, name) == 0) {
            buf_release(&names);
            return build(device, &presets[i], err);
        }
        buf_printf(&names, "%s%s", i ? ", " : "", presets[i].name);
    }
    error_format(err, "unknown device '%s'; there are %s", name, names.data ? names.data : "none");
    buf_release(&names);
    return -1;
}

const char *preset_name(size_t index) {
    return index < PRESET_COUNT ? presets[index].name : NULL;
}

const char *preset_title(size_t index) {
    return index < PRESET_COUNT ? presets[index].title : NULL;
}
