/* Tests of occupancy: every row of the vendor's function, other devices by table, advice, budgets.
 */
#include "tests/check_main.h"

#include <stdlib.h>
#include <string.h>

#include "sim/occupancy.h"
#include "sim/preset.h"
#include "tests/csv.h"

static struct device device_named(const char *name) {
    struct device device;
    struct wgsim_error err;
    ck_assert_msg(preset_find(&device, name, &err) == 0, "%s", err.message);
    return device;
}

START_TEST(every_row_of_the_h200) {
    struct device device = device_named("h200");
    struct csv csv = csv_open("hardware/h200-occupancy.csv");
    int rows = 0;
    for (; csv_next(&csv); rows++) {
        struct workgroup_needs needs = {
            .registers_per_lane = (uint32_t)atoi(csv.column[0]),
            .invocations = (uint32_t)atoi(csv.column[1]),
            .workgroup_memory_bytes = (uint64_t)atoi(csv.column[2]),
        };
        struct occupancy occupancy = occupancy_of(&device, 0, &needs);
        ck_assert_msg(occupancy.workgroups == (uint32_t)atoi(csv.column[3]),
                      "line %d: %u registers, %u invocations, %lu bytes: %u, not %s", csv.number,
                      needs.registers_per_lane, needs.invocations,
                      (unsigned long)needs.workgroup_memory_bytes, occupancy.workgroups,
                      csv.column[3]);
    }
    ck_assert_int_eq(rows, 630);
}
END_TEST

enum {
    MEMORY = 1 << RESOURCE_WORKGROUP_MEMORY,
    SLOTS = 1 << RESOURCE_SLOTS,
    INVOCATIONS = 1 << RESOURCE_INVOCATIONS,
    SUBGROUPS = 1 << RESOURCE_SUBGROUPS,
    REGISTERS = 1 << RESOURCE_REGISTERS,
    BARRIERS = 1 << RESOURCE_BARRIERS,
};

START_TEST(devices_by_table) {
    static const struct {
        const char *device;
        struct workgroup_needs needs; /* invocations, registers, bytes, barrier */
        uint32_t workgroups, limiters;
    } rows[] = {
        {"default", {64, 0, 16384, true}, 4, MEMORY},
        {"default", {64, 0, 4096, true}, 16, MEMORY},
        {"default", {64, 0, 1024, true}, 32, SLOTS | INVOCATIONS | SUBGROUPS | REGISTERS},
        {"default", {256, 0, 0, true}, 8, INVOCATIONS | SUBGROUPS | REGISTERS},
        {"default", {1, 0, 0, false}, 32, SLOTS},
        {"default", {64, 0, 65537, false}, 0, MEMORY},
        {"default", {1025, 0, 0, false}, 0, INVOCATIONS},
        {"default", {64, 256, 0, false}, 0, REGISTERS},
        {"ref4", {256, 0, 8448, true}, 3, MEMORY},
        {"ref4", {256, 0, 8192, true}, 4, MEMORY | INVOCATIONS},
        {"ref4", {64, 0, 0, false}, 8, SLOTS},
        {"ref4", {64, 255, 0, false}, 8, SLOTS},
        {"h200", {64, 0, 16384, true}, 13, MEMORY},
        {"h200", {64, 0, 65536, true}, 3, MEMORY},
        {"h200", {64, 0, 227 * 1024, true}, 1, MEMORY},
        {"h200", {64, 0, 227 * 1024 + 1, true}, 0, MEMORY},
        {"turing", {256, 0, 0, false}, 4, INVOCATIONS | SUBGROUPS},
        {"turing", {64, 0, 4096, false}, 16, MEMORY | SLOTS | INVOCATIONS | SUBGROUPS},
        {"ga100", {64, 0, 4096, false}, 32, MEMORY | SLOTS | INVOCATIONS | SUBGROUPS | REGISTERS},
        {"ga10x", {64, 0, 4096, false}, 16, SLOTS},
        {"ada", {32, 0, 0, false}, 24, SLOTS},
        {"vega", {64, 24, 0, false}, 40, SLOTS | SUBGROUPS | REGISTERS},
        {"vega", {64, 25, 0, false}, 36, REGISTERS},
        {"vega", {128, 24, 0, false}, 16, BARRIERS},
        {"vega", {256, 0, 5000, false}, 8, REGISTERS},
        {"vega", {256, 0, 8192, false}, 8, MEMORY | REGISTERS},
        {"rdna2", {64, 0, 4097, false}, 25, MEMORY},
        {"rdna2", {32, 0, 0, false}, 32, SLOTS},
        {"rdna2", {256, 128, 0, false}, 4, REGISTERS},
        {"rdna3", {256, 128, 0, false}, 5, REGISTERS},
        {"cdna2", {256, 128, 0, false}, 4, REGISTERS},
        {"xe-lp", {64, 0, 0, false}, 28, SUBGROUPS},
        {"xe-lp", {16, 0, 0, false}, 112, SLOTS | SUBGROUPS},
        {"xe-lp", {16, 0, 0, true}, 32, BARRIERS},
        {"xe-lp", {16, 0, 4097, true}, 8, MEMORY},
        {"mali-g78", {64, 32, 32768, false}, 8, SUBGROUPS | REGISTERS},
        {"mali-g78", {64, 33, 0, false}, 4, REGISTERS},
        {"mali-g78", {64, 65, 0, false}, 0, REGISTERS},
        {"mali-g78", {64, 32, 32769, false}, 0, MEMORY},
        {"apple-m1", {1024, 52, 0, false}, 1, REGISTERS},
        {"adreno-6xx", {64, 48, 0, false}, 16, SUBGROUPS | REGISTERS},
        {"webgpu-min", {1, 0, 0, true}, 1, SLOTS},
        {"webgpu-min", {256, 0, 16384, true}, 1, MEMORY | SLOTS | INVOCATIONS},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct device device = device_named(rows[r].device);
        struct occupancy occupancy = occupancy_of(&device, 0, &rows[r].needs);
        ck_assert_msg(
            occupancy.workgroups == rows[r].workgroups && occupancy.limiters == rows[r].limiters,
            "row %zu, %s: %u workgroups, limiters %#x, not %u, %#x", r, rows[r].device,
            occupancy.workgroups, occupancy.limiters, rows[r].workgroups, rows[r].limiters);
    }
}
END_TEST

/* Field case 40: padding costs a resident. */
START_TEST(what_a_row_tells) {
    struct device device = device_named("ref4");
    struct workgroup_needs needs = {.invocations = 256, .workgroup_memory_bytes = 8448};
    struct occupancy occupancy = occupancy_of(&device, 0, &needs);
    struct occupancy_row memory = occupancy.rows[RESOURCE_WORKGROUP_MEMORY];
    ck_assert_uint_eq(memory.uses, 8448);
    ck_assert_uint_eq(memory.total - occupancy.workgroups * memory.uses, 7424);
    ck_assert_uint_eq(occupancy.rows[RESOURCE_INVOCATIONS].uses * occupancy.workgroups, 768);
    ck_assert_uint_eq(occupancy.rows[RESOURCE_REGISTERS].allows, UNLIMITED);
    ck_assert_uint_eq(occupancy_residents(&device, &needs), 12);
}
END_TEST

START_TEST(advice_is_the_least_change_that_is_enough) {
    enum { M = ADVICE_WORKGROUP_MEMORY, R = ADVICE_REGISTERS, I = ADVICE_INVOCATIONS };
    static const struct {
        const char *device;
        struct workgroup_needs needs;
        bool possible, together;
        uint64_t to[ADVICE_COUNT]; /* 0: no change of that kind */
    } rows[] = {
        {"default", {64, 0, 4096, true}, true, false, {[M] = 3840}},
        {"default", {64, 0, 1024, true}, false, true, {[I] = 32}},
        {"default", {256, 0, 0, true}, true, false, {[I] = 224}},
        {"default", {256, 40, 0, true}, true, false, {[R] = 32, [I] = 224}},
        {"default", {256, 0, 8192, true}, true, true, {[M] = 7280, [I] = 224}},
        {"default", {1, 0, 0, false}, false, true, {0}},
        {"ref4", {256, 0, 8448, true}, true, false, {[M] = 8192}},
        {"h200", {64, 0, 16384, true}, true, false, {[M] = 15616}},
        {"h200", {1024, 100, 0, true}, true, false, {[R] = 64, [I] = 512}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct device device = device_named(rows[r].device);
        struct occupancy_advice advice = occupancy_advise(&device, 0, &rows[r].needs);
        ck_assert_msg(advice.possible == rows[r].possible, "row %zu: possible %d", r,
                      advice.possible);
        ck_assert_msg(advice.together == rows[r].together, "row %zu: together %d", r,
                      advice.together);
        for (int k = 0; k < ADVICE_COUNT; k++)
            ck_assert_msg(advice.changes[k].to == rows[r].to[k], "row %zu, kind %d: %lu, not %lu",
                          r, k, (unsigned long)advice.changes[k].to, (unsigned long)rows[r].to[k]);
    }
}
END_TEST

/* Takes until something refuses; whatever refuses must have changed nothing. */
START_TEST(budgets_take_all_or_nothing) {
    static const struct workgroup_needs kernels[] = {
        {64, 0, 16384, true}, {64, 0, 1024, true},  {256, 40, 0, true},
        {1, 0, 0, false},     {1024, 255, 0, true}, {96, 24, 100, true},
    };
    for (size_t p = 0; preset_name(p); p++) {
        struct device device = device_named(preset_name(p));
        for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
            struct occupancy occupancy = occupancy_of(&device, 0, &kernels[k]);
            struct cu_budget budget = {0}, before;
            uint32_t refusing;
            do {
                before = budget;
                refusing = cu_budget_take(&budget, &occupancy);
            } while (!refusing);
            ck_assert_uint_eq(budget.residents, occupancy.workgroups);
            ck_assert_uint_eq(refusing, occupancy.limiters);
            ck_assert_mem_eq(before.used, budget.used, sizeof budget.used);
            ck_assert_uint_eq(before.residents, budget.residents);
            if (!budget.residents)
                continue;
            cu_budget_give(&budget, &occupancy);
            ck_assert_uint_eq(cu_budget_take(&budget, &occupancy), 0);
            while (budget.residents)
                cu_budget_give(&budget, &occupancy);
            for (int r = 0; r < RESOURCE_COUNT; r++)
                ck_assert_uint_eq(budget.used[r], 0);
        }
    }
}
END_TEST

CHECK_MAIN("occupancy", every_row_of_the_h200, devices_by_table, what_a_row_tells,
           advice_is_the_least_change_that_is_enough, budgets_take_all_or_nothing)
