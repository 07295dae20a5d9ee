/* Fixed schedulers, and which litmus tests and chained scans end under them. */
#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/access.h"
#include "sim/plan.h"
#include "sim/preset.h"
#include "sim/progress/litmus.h"
#include "sim/run.h"

/* ---- Published sets of litmus tests ---- */

struct published {
    struct device device;
    struct kernel kernel;
    struct litmus_file file;
    FILE *sets;
};

/* False where the data is not there. */
static bool published_open(struct published *p) {
    const char *folder = getenv("WGSIM_DATA");
    char path[512];
    struct wgsim_error err;

    snprintf(path, sizeof path, "%s/progress/reference_sets.tsv", folder ? folder : "../shared");
    p->sets = fopen(path, "re");
    if (!p->sets) {
        printf("# SKIP %s is not there\n", path);
        return false;
    }
    snprintf(path, sizeof path, "%s/progress/litmus-expected.tsv", folder ? folder : "../shared");
    ck_assert_msg(litmus_read(&p->file, path, &err) == 0, "%s", err.message);
    ck_assert_msg(preset_find(&p->device, "default", &err) == 0, "%s", err.message);
    ck_assert_msg(kernel_init(&p->kernel, &litmus_kernel, "litmus", &err) == 0, "%s", err.message);
    return true;
}

static void published_close(struct published *p) {
    kernel_release(&p->kernel);
    litmus_release(&p->file);
    fclose(p->sets);
}

/* Whether `name` is listed in the set whose title begins with `title`. */
static bool is_member(struct published *p, const char *title, const char *name) {
    char *line = NULL, padded[64];
    size_t size = 0;
    bool found = false;

    snprintf(padded, sizeof padded, " %s ", name);
    rewind(p->sets);
    while (getline(&line, &size, p->sets) >= 0) {
        char *members = strrchr(line, '\t');
        if (!members || strncmp(line, title, strlen(title)) != 0)
            continue;
        *members = ' ';
        members[strcspn(members, "\n")] = ' ';
        found = strstr(members, padded) != NULL;
    }
    free(line);
    return found;
}

/* Runs a test's threads; true: it ends. */
typedef bool scheduler(struct published *p, struct job *job);

static bool ends(struct published *p, struct job *job, const struct run_options *options) {
    const struct run_observers nobody = {0};
    struct limits limits = limits_of_device(&p->device);
    struct run run;
    struct wgsim_error err;

    job_reset(job);
    ck_assert_msg(run_job(&run, job, &p->device, options, &limits, &nobody, &err) == 0, "%s",
                  err.message);
    enum verdict verdict = run.verdict;
    run_release(&run);
    ck_assert_msg(verdict == VERDICT_FINISHED || verdict == VERDICT_DEADLOCK ||
                      verdict == VERDICT_LIVELOCK,
                  "%s", verdict_names[verdict]);
    return verdict == VERDICT_FINISHED;
}

/* Under paces drawn with so many seeds. */
enum { SEEDS = 64 };

static bool always_ends(struct published *p, struct job *job, struct run_options options) {
    options.pace = PACE_RANDOM;
    for (options.seed = 1; options.seed <= SEEDS; options.seed++)
        if (!ends(p, job, &options))
            return false;
    return true;
}

static bool serial(struct published *p, struct job *job) {
    const struct run_options options = {.resident = 1};

    return ends(p, job, &options);
}

static bool in_turn(struct published *p, struct job *job) {
    const struct run_options options = {.pace = PACE_EVEN};

    return ends(p, job, &options);
}

/* One ascending queue, whatever the capacity, and whether freed places stay empty. */
static bool linear(struct published *p, struct job *job) {
    struct run_options options = {0};

    for (options.resident = 1; options.resident <= 3; options.resident++)
        for (int refill = REFILL_EAGER; refill <= REFILL_LAZY; refill++) {
            options.refill = (enum refill)refill;
            if (!always_ends(p, job, options))
                return false;
        }
    return true;
}

/* False where it matters that 0 and 1 have one unit with one place, 2 another one, but no ascending
 * queue for all is a trouble. */
static bool never_needs_one_queue(struct published *p, struct job *job) {
    static const char path[] = "order-of-two-queues.txt";
    const struct run_options two_queues = {
        .order = ORDER_LIST, .order_file = path, .placement = PLACE_STATIC};
    struct device device = p->device;

    if (job->dispatches[0].groups[0] < 3 || !linear(p, job))
        return true;
    FILE *file = fopen(path, "we");
    ck_assert(file);
    fputs("0\n2\n1\n", file);
    fclose(file);
    p->device.cus = 2;
    p->device.workgroup_slots = 1;
    bool result = always_ends(p, job, two_queues);
    p->device = device;
    unlink(path);
    return result;
}

/* False where it does not end because a place stays empty, but does one at a time and all at once.
 */
static bool never_misses_a_place(struct published *p, struct job *job) {
    const struct run_options lazy = {.resident = 2, .refill = REFILL_LAZY}, all = {0};

    return always_ends(p, job, lazy) || !serial(p, job) || !always_ends(p, job, all) ||
           !in_turn(p, job);
}

/* The tests that do not end under a scheduler are those of a published set. */
static void reproduces(const char *title, scheduler *ends_under, int expected) {
    struct published p = {0};
    int failing = 0;

    if (!published_open(&p))
        return;
    for (size_t i = 0; i < p.file.count; i++) {
        const struct litmus_test *test = &p.file.tests[i];
        char name[48];
        struct job job;
        struct wgsim_error err;
        snprintf(name, sizeof name, "%s_%s", test->config, test->id);
        ck_assert_msg(litmus_job(&job, &p.kernel, test->program, &err) == 0, "%s", err.message);
        bool fails = !ends_under(&p, &job);
        ck_assert_msg(fails == is_member(&p, title, name), "%s: %s %s", title, name,
                      fails ? "does not end" : "ends");
        failing += fails;
        job_release(&job);
    }
    ck_assert_int_eq(failing, expected);
    published_close(&p);
}

START_TEST(one_at_a_time_in_ascending_order) {
    reproduces("FAIL246", serial, 55);
}
END_TEST

START_TEST(one_instruction_of_each_in_turn) {
    reproduces("S34", in_turn, 30);
}
END_TEST

START_TEST(between_models) {
    reproduces("L11", never_needs_one_queue, 2);
    reproduces("FIVE", never_misses_a_place, 2);
}
END_TEST

/* ---- Chained scans ---- */

enum { SCAN_MAX = 6 };

struct scan {
    struct device device;
    struct kernel kernel;
    struct job job;
    struct run_options options;
    struct plan_options plan;
    char order_path[64];
    int order[SCAN_MAX], count, ended, orders;
};

/* Runs the scan in the order that is filled in. */
static void run_order(struct scan *scan) {
    const struct run_observers nobody = {0};
    struct limits limits = limits_of_device(&scan->device);
    FILE *file = fopen(scan->order_path, "we");
    struct run run;
    struct wgsim_error err;

    ck_assert(file);
    for (int i = 0; i < scan->count; i++)
        fprintf(file, "%d\n", scan->order[i]);
    fclose(file);
    job_reset(&scan->job);
    ck_assert_msg(
        run_job(&run, &scan->job, &scan->device, &scan->options, &limits, &nobody, &err) == 0, "%s",
        err.message);
    ck_assert_msg(run.verdict == VERDICT_FINISHED || run.verdict == VERDICT_DEADLOCK, "%s",
                  verdict_names[run.verdict]);
    scan->ended += run.verdict == VERDICT_FINISHED;
    scan->orders++;
    run_release(&run);
}

/* All orders that begin with the first `filled` ids. */
static void run_orders(struct scan *scan, int filled, uint32_t used) {
    if (filled == scan->count) {
        run_order(scan);
        return;
    }
    for (int id = 0; id < scan->count; id++)
        if (!(used >> id & 1)) {
            scan->order[filled] = id;
            run_orders(scan, filled + 1, used | UINT32_C(1) << id);
        }
}

/* The number of orders in which a scan of `count` blocks ends with so many resident. */
static int orders_that_end(int count, uint32_t resident, bool by_ticket, int orders) {
    static const char *const ticket[] = {"by_ticket=1"};
    struct scan scan = {.count = count};
    struct wgsim_error err;

    ck_assert_msg(preset_find(&scan.device, "default", &err) == 0, "%s", err.message);
    snprintf(scan.order_path, sizeof scan.order_path, "order-%ld.txt", (long)getpid());
    scan.plan = (struct plan_options){.device = &scan.device,
                                      .groups = {(uint32_t)count, 1, 1},
                                      .size = 4,
                                      .size_given = true,
                                      .set = ticket,
                                      .set_count = by_ticket};
    scan.options.order = ORDER_LIST;
    scan.options.order_file = scan.order_path;
    scan.options.resident = resident;
    ck_assert_msg(kernel_load(&scan.kernel, "kernels/chained_scan.so", &err) == 0, "%s",
                  err.message);
    job_init(&scan.job, &scan.kernel);
    ck_assert_msg(plan_job(&scan.job, &scan.plan, &err) == 0, "%s", err.message);
    run_orders(&scan, 0, 0);
    ck_assert_int_eq(scan.orders, orders);
    unlink(scan.order_path);
    job_release(&scan.job);
    kernel_release(&scan.kernel);
    return scan.ended;
}

/* C! C^(W - C) of the W! orders by id, all by ticket. */
static void all_orders(int count, int orders) {
    for (int resident = 1, factorial = 1; resident <= 3; resident++, factorial *= resident) {
        int wanted = factorial;
        for (int i = resident; i < count; i++)
            wanted *= resident;
        ck_assert_int_eq(orders_that_end(count, (uint32_t)resident, false, orders), wanted);
        ck_assert_int_eq(orders_that_end(count, (uint32_t)resident, true, orders), orders);
    }
}

START_TEST(orders_of_four_blocks) {
    all_orders(4, 24);
}
END_TEST

START_TEST(orders_of_five_blocks) {
    all_orders(5, 120);
}
END_TEST

START_TEST(orders_of_six_blocks) {
    all_orders(6, 720);
}
END_TEST

CHECK_MAIN("schedulers", one_at_a_time_in_ascending_order, one_instruction_of_each_in_turn,
           between_models, orders_of_four_blocks, orders_of_five_blocks, orders_of_six_blocks)
