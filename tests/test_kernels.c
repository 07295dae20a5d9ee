/* Tests of the built-in kernels: each gives what its reference says, for sizes and devices of all
 * kinds and in every order, and those that wait or are wrong on purpose show what they are for. */
#include "tests/check_main.h"

#include "tests/kernel_run.h"

static const char *const sized[] = {
    "append",
    "bitonic",
    "blur",
    "blur_direct",
    "chained_scan",
    "counters",
    "direct",
    "histogram",
    "histogram_global",
    "lookback",
    "malo",
    "matmul",
    "minmax",
    "neighbour_sum",
    "occupancy",
    "reduce",
    "reduce_atomic",
    "reduce_interleaved",
    "reduce_workgroup",
    "scan",
    "scan_block",
    "scan_steps",
    "three_arrays",
    "tile_blur",
    "transpose",
    "transpose_direct",
    "vec3_array",
};

static const char *const unsized[] = {
    "bank_broadcast", "bank_padded",     "bank_stride", "debug_tree", "late_producer",
    "latency",        "message_passing", "publish",     "spin_lock",  "ticket_lock",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct kernel_run sized_run(const char *device, uint64_t size) {
    struct kernel_run r = kernel_run_on(device);

    r.plan.size = size;
    r.plan.size_given = true;
    return r;
}

static void is_right(const struct kernel_run *r, const char *name) {
    ck_assert_msg(r->report.run.verdict == VERDICT_FINISHED, "%s of size %llu on %s: %s", name,
                  (unsigned long long)r->plan.size, r->device.name,
                  verdict_names[r->report.run.verdict]);
    ck_assert_msg(r->check.checked && !r->check.differs, "%s of size %llu on %s: element %llu %s",
                  name, (unsigned long long)r->plan.size, r->device.name,
                  (unsigned long long)r->check.element, r->check.text);
    for (size_t i = 0; i < r->report.findings.count; i++) {
        const struct finding *finding = &r->report.findings.items[i];
        const struct finding_kind_info *kind = &finding_kinds[finding->kind];
        ck_assert_msg(kind->severity == SEVERITY_ADVICE || r->kernel.desc->flags & WG_KERNEL_FAULTY,
                      "%s of size %llu on %s, %s: %s", name, (unsigned long long)r->plan.size,
                      r->device.name, kind->name, finding->text);
    }
}

static void runs_right(struct kernel_run r, const char *name) {
    kernel_run_start(&r, name);
    is_right(&r, name);
    kernel_run_end(&r);
}

/* All kernels but one that needs lanes to be independent; those with a size at one that is no
 * multiple of anything. */
static void all_run_right(const struct kernel_run *like) {
    struct kernel_run r = *like;

    for (size_t k = 0; k < COUNT(unsized); k++)
        if (!like->options.lockstep || strcmp(unsized[k], "spin_lock") != 0)
            runs_right(r, unsized[k]);
    r.plan.size = 331;
    r.plan.size_given = true;
    for (size_t k = 0; k < COUNT(sized); k++)
        if (strcmp(sized[k], "transpose") != 0 && strcmp(sized[k], "transpose_direct") != 0 &&
            strcmp(sized[k], "matmul") != 0)
            runs_right(r, sized[k]);
    r.plan.size = 37;
    runs_right(r, "transpose");
    runs_right(r, "transpose_direct");
    runs_right(r, "matmul");
}

START_TEST(small_sizes) {
    static const uint64_t sizes[] = {1, 2, 31, 33, 64, 65, 255, 257};

    for (size_t k = 0; k < COUNT(sized); k++)
        for (size_t s = 0; s < COUNT(sizes); s++)
            runs_right(sized_run("default", sizes[s]), sized[k]);
}
END_TEST

/* Matrices have the square of it. */
START_TEST(large_sizes) {
    for (size_t k = 0; k < COUNT(sized); k++) {
        bool matrix = !strncmp(sized[k], "transpose", 9) || !strcmp(sized[k], "matmul");
        runs_right(sized_run("default", matrix ? 161 : 50021), sized[k]);
    }
}
END_TEST

START_TEST(default_sizes) {
    for (size_t k = 0; k < COUNT(sized); k++)
        runs_right(kernel_run_on("default"), sized[k]);
}
END_TEST

START_TEST(nothing_to_do_dispatches_nothing) {
    for (size_t k = 0; k < COUNT(sized); k++) {
        struct kernel_run r = sized_run("default", 0);
        kernel_run_start(&r, sized[k]);
        is_right(&r, sized[k]);
        ck_assert_msg(r.report.run.dispatch_count == 0, "%s dispatches", sized[k]);
        kernel_run_end(&r);
    }
}
END_TEST

START_TEST(devices) {
    for (size_t i = 0; preset_name(i); i++) {
        struct kernel_run r = kernel_run_on(preset_name(i));
        all_run_right(&r);
    }
}
END_TEST

START_TEST(subgroup_widths) {
    for (uint32_t width = 4; width <= 128; width *= 2) {
        struct kernel_run r = kernel_run_on("default");
        r.device.subgroup_width = width;
        all_run_right(&r);
    }
}
END_TEST

/* All workgroups are resident, so that those which wait end too. */
START_TEST(orders) {
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct kernel_run r = kernel_run_on("default");
        r.options.order = seed == 0 ? ORDER_DESCENDING : ORDER_RANDOM;
        r.options.seed = seed;
        all_run_right(&r);
    }
}
END_TEST

START_TEST(yielding_at_every_access) {
    struct kernel_run r = kernel_run_on("default");

    r.options.stress_yield = true;
    all_run_right(&r);
}
END_TEST

START_TEST(lanes_in_lockstep) {
    for (uint32_t width = 8; width <= 128; width *= 2) {
        struct kernel_run r = kernel_run_on("default");
        r.device.subgroup_width = width;
        r.options.lockstep = true;
        all_run_right(&r);
    }
}
END_TEST

/* How a run ends and whether its output is what was meant. */
struct ending {
    const char *kernel, *set;
    uint32_t groups, resident, width;
    enum queue_order order;
    bool lockstep;
    enum verdict verdict;
    bool differs;
};

/* clang-format off */
static const struct ending endings[] = {
    {"blur_dark", .verdict = VERDICT_FINISHED, .differs = true},
    {"neighbour_race", .verdict = VERDICT_FINISHED, .differs = true},
    {"reduce_race", .resident = 1, .verdict = VERDICT_FINISHED, .differs = true},
    {"reduce_race", .resident = 1, .order = ORDER_DESCENDING, .verdict = VERDICT_FINISHED},
    {"stale_tile", .verdict = VERDICT_FINISHED, .differs = true},
    {"stale_tile", "clear=1", .resident = 1, .verdict = VERDICT_FINISHED},
    {"subgroup32", .verdict = VERDICT_FINISHED},
    {"subgroup32", .width = 16, .verdict = VERDICT_FINISHED, .differs = true},
    {"subgroup32", .width = 64, .verdict = VERDICT_FINISHED, .differs = true},
    {"divergent_barrier", .verdict = VERDICT_DIVERGENCE},
    {"spinwait", .verdict = VERDICT_DEADLOCK, .differs = true},
    {"spinwait", .groups = 32, .verdict = VERDICT_FINISHED},
    {"spinwait", .groups = 33, .verdict = VERDICT_DEADLOCK, .differs = true},
    {"spinwait", "spin_limit=50", .groups = 33, .verdict = VERDICT_FINISHED, .differs = true},
    {"spinwait", .groups = 33, .order = ORDER_DESCENDING, .verdict = VERDICT_FINISHED},
    {"waitlast", .verdict = VERDICT_FINISHED},
    {"waitlast", .resident = 2, .verdict = VERDICT_FINISHED},
    {"waitlast", .resident = 1, .groups = 2, .verdict = VERDICT_DEADLOCK, .differs = true},
    {"storage_barrier", .verdict = VERDICT_DEADLOCK, .differs = true},
    {"storage_barrier", .groups = 32, .verdict = VERDICT_FINISHED},
    {"global_barrier", .verdict = VERDICT_DEADLOCK, .differs = true},
    {"global_barrier", .groups = 32, .verdict = VERDICT_FINISHED},
    {"chained_scan", .resident = 1, .verdict = VERDICT_FINISHED},
    {"chained_scan", .order = ORDER_DESCENDING, .verdict = VERDICT_DEADLOCK, .differs = true},
    {"chained_scan", "by_ticket=1", .order = ORDER_DESCENDING, .verdict = VERDICT_FINISHED},
    {"spin_lock", .lockstep = true, .verdict = VERDICT_DEADLOCK, .differs = true},
    {"livelock", .verdict = VERDICT_LIVELOCK, .differs = true},
    {"livelock", .lockstep = true, .verdict = VERDICT_LIVELOCK, .differs = true},
    {"livelock", "backoff=2000", .verdict = VERDICT_LIVELOCK, .differs = true},
    {"livelock", "skew=1", .verdict = VERDICT_FINISHED},
    {"livelock", "spin_limit=20", .verdict = VERDICT_FINISHED, .differs = true},
    {"livelock", .resident = 1, .verdict = VERDICT_FINISHED},
    {"ticket_lock", .lockstep = true, .verdict = VERDICT_FINISHED},
    {"lookback", .resident = 1, .order = ORDER_DESCENDING, .verdict = VERDICT_FINISHED},
};
/* clang-format on */

static void ends_so(const struct ending *e) {
    struct kernel_run r = kernel_run_on("default");

    r.options.order = e->order;
    r.options.resident = e->resident;
    r.options.lockstep = e->lockstep;
    if (e->width)
        r.device.subgroup_width = e->width;
    if (e->groups)
        r.plan.groups[0] = e->groups, r.plan.groups[1] = r.plan.groups[2] = 1;
    r.plan.set = &e->set;
    r.plan.set_count = e->set != NULL;
    kernel_run_start(&r, e->kernel);
    ck_assert_msg(r.report.run.verdict == e->verdict && r.check.differs == e->differs,
                  "row %d, %s: %s, %s", (int)(e - endings), e->kernel,
                  verdict_names[r.report.run.verdict], r.check.differs ? r.check.text : "right");
    kernel_run_end(&r);
}

START_TEST(kernels_that_wait_or_are_wrong) {
    for (size_t i = 0; i < COUNT(endings); i++)
        ends_so(&endings[i]);
}
END_TEST

CHECK_MAIN("kernels", small_sizes, large_sizes, default_sizes, nothing_to_do_dispatches_nothing,
           devices, subgroup_widths, orders, yielding_at_every_access, lanes_in_lockstep,
           kernels_that_wait_or_are_wrong)
