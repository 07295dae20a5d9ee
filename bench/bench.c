/* What simulating costs, as ratios: the engine against plain C on the same problem, in one process
 * and interleaved, so that the machine's moods cancel. Prints lines "NAME<tab>VALUE" for bench/run.
 * CPU time, but for threads; the least of several runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "sim/follow.h"
#include "sim/plan.h"
#include "sim/preset.h"
#include "sim/report/report.h"
#include "sim/run.h"

static double ns_of(clockid_t clock) {
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double cpu_ns(void) {
    return ns_of(CLOCK_PROCESS_CPUTIME_ID);
}

static void die(const struct wgsim_error *err) {
    fprintf(stderr, "bench: %s\n", err->message);
    exit(2);
}

/* ---- The same problems in plain C, one invocation after the other ---- */

/* Scalar, as a lane of a GPU is: no loop becomes one over vectors, or a call of memcpy. */
#ifdef __clang__
#define PLAIN __attribute__((noinline, no_builtin("memcpy")))
#define SCALAR _Pragma("clang loop vectorize(disable) interleave(disable) unroll(disable)")
#else
#define PLAIN                                                                                      \
    __attribute__((noinline, optimize("no-tree-vectorize", "no-tree-loop-distribute-patterns")))
#define SCALAR
#endif

enum { GROUP = 256, TILE = 16, STRIP = 64, RADIUS = 4, INNER = 64, BLOCK = 32 };

PLAIN static void plain_reduce(const uint32_t *in, uint32_t *out, int groups) {
    for (int g = 0; g < groups; g++) {
        uint32_t partial[GROUP];
        SCALAR for (int i = 0; i < GROUP; i++) partial[i] = in[g * GROUP + i];
        for (int reach = GROUP / 2; reach > 0; reach /= 2)
            SCALAR for (int i = 0; i < reach; i++) partial[i] += partial[i + reach];
        out[g] = partial[0];
    }
}

PLAIN static void plain_product(const float *a, const float *b, float *c, int rows, int columns) {
    for (int row = 0; row < rows; row += TILE)
        for (int column = 0; column < columns; column += TILE) {
            float tile_a[TILE][TILE], tile_b[TILE][TILE], sum[TILE][TILE] = {{0}};
            for (int t = 0; t < INNER; t += TILE) {
                SCALAR for (int i = 0; i < TILE * TILE; i++) {
                    int y = i / TILE, x = i % TILE;
                    tile_a[y][x] = a[(row + y) * INNER + t + x];
                    tile_b[y][x] = b[(t + y) * columns + column + x];
                }
                for (int i = 0; i < TILE * TILE; i++)
                    SCALAR for (int k = 0; k < TILE; k++) sum[i / TILE][i % TILE] +=
                        tile_a[i / TILE][k] * tile_b[k][i % TILE];
            }
            SCALAR for (int i = 0; i < TILE * TILE; i++)
                c[(row + i / TILE) * columns + column + i % TILE] = sum[i / TILE][i % TILE];
        }
}

PLAIN static void plain_blur(const float *in, float *out, int n) {
    for (int g = 0; g < n / STRIP; g++) {
        float strip[STRIP + 2 * RADIUS];
        SCALAR for (int k = 0; k < STRIP + 2 * RADIUS; k++) {
            int i = g * STRIP - RADIUS + k;
            strip[k] = in[i < 0 ? 0 : i > n - 1 ? n - 1 : i];
        }
        for (int i = 0; i < STRIP; i++) {
            float sum = 0;
            SCALAR for (int d = 0; d <= 2 * RADIUS; d++) sum += strip[i + d];
            out[g * STRIP + i] = sum / (2 * RADIUS + 1);
        }
    }
}

PLAIN static void plain_transpose(const float *in, float *out, int side) {
    for (int row = 0; row < side; row += BLOCK)
        for (int column = 0; column < side; column += BLOCK)
            for (int y = row; y < row + BLOCK; y++)
                SCALAR for (int x = column; x < column + BLOCK; x++) out[x * side + y] =
                    in[y * side + x];
}

enum { SIDE = 1024, ELEMENTS = 1 << 20 };

static float *data[3];

static void run_plain(const char *name) {
    if (!strcmp(name, "reduce"))
        plain_reduce((const uint32_t *)(const void *)data[0], (uint32_t *)(void *)data[2],
                     ELEMENTS / GROUP);
    else if (!strcmp(name, "matmul"))
        plain_product(data[0], data[1], data[2], SIDE, SIDE);
    else if (!strcmp(name, "blur"))
        plain_blur(data[0], data[2], ELEMENTS);
    else
        plain_transpose(data[0], data[2], SIDE);
}

/* ---- Simulated ---- */

struct subject {
    const char *name;
    uint64_t size, invocations;
    const char *set[3];
    size_t set_count;
};

/* The same as in plain C, and as in the .cl files beside this one. */
static const struct subject subjects[] = {
    {"reduce", ELEMENTS, ELEMENTS, {NULL}, 0},
    {"matmul", SIDE, (uint64_t)SIDE *SIDE, {NULL}, 0},
    {"blur", ELEMENTS, ELEMENTS, {NULL}, 0},
    {"transpose", SIDE, (uint64_t)SIDE *SIDE / 4, {NULL}, 0},
};
/* What comes with wgsim does more: any size, any number of workgroups, functions. */
static const struct subject shipped[] = {
    {"reduce", ELEMENTS, ELEMENTS, {NULL}, 0},
    {"matmul", SIDE, (uint64_t)SIDE *SIDE, {"inner=64"}, 1},
    {"blur", ELEMENTS, ELEMENTS, {NULL}, 0},
};
enum {
    SUBJECTS = sizeof subjects / sizeof subjects[0],
    SHIPPED = sizeof shipped / sizeof shipped[0]
};

struct loaded {
    struct kernel kernel;
    struct device device;
    struct plan_options plan;
    struct job job;
};

static void load(struct loaded *l, const char *folder, const struct subject *subject) {
    struct wgsim_error err;
    char path[4096];

    snprintf(path, sizeof path, "%s/%s.so", folder, subject->name);
    if (kernel_load(&l->kernel, path, &err) < 0 || preset_find(&l->device, "default", &err) < 0)
        die(&err);
    l->plan = (struct plan_options){.device = &l->device,
                                    .size = subject->size,
                                    .size_given = true,
                                    .set = subject->set,
                                    .set_count = subject->set_count};
    job_init(&l->job, &l->kernel);
    if (plan_job(&l->job, &l->plan, &err) < 0)
        die(&err);
    if (l->job.dispatch_count > 1)
        l->job.dispatch_count = 1; /* the second adds the sums of workgroups */
}

/* What is looked for while it runs. */
enum finds { COUNTS, RACES, FINDINGS };

static double run_for_report(clockid_t clock, struct loaded *l, const struct run_options *options) {
    struct limits limits = limits_webgpu();
    struct report report = {0};
    struct report_request request = {
        .job = &l->job, .device = &l->device, .run = options, .limits = &limits, .command = ""};
    struct wgsim_error err;
    double begin = ns_of(clock);

    if (report_run(&report, &request, &err) < 0)
        die(&err);
    begin = ns_of(clock) - begin;
    report_release(&report);
    return begin;
}

static double run_with(clockid_t clock, struct loaded *l, const struct run_options *options,
                       const struct run_observers *observers) {
    struct limits limits = limits_webgpu();
    struct wgsim_error err;
    struct run run;
    double begin = ns_of(clock);

    if (run_job(&run, &l->job, &l->device, options, &limits, observers, &err) < 0)
        die(&err);
    begin = ns_of(clock) - begin;
    run_release(&run);
    return begin;
}

/* The part of the findings that Oclgrind looks for by --data-races, with what comes of it for
 * nothing: reads of workgroup memory that nobody wrote. */
static void hear_races(void *self, const struct record *record) {
    if (record->type == RECORD_DISPATCH_BEGIN)
        shadow_begin(self, record->dispatch);
}
static void see_row(void *self, const struct access_row *row) {
    follow_row(self, row);
}
static void see_reshape(void *self) {
    follow_reshape(self);
}
static void see_start(void *self, const struct workgroup *w) {
    shadow_start(self, w);
}
static void see_barrier(void *self, const struct workgroup *w, const struct wg_site *site) {
    shadow_barrier(self, w, site);
}

static double run_for_races(clockid_t clock, struct loaded *l, const struct run_options *options) {
    struct shadow shadow;
    struct listener listener = {.self = &shadow, .hear = hear_races, .sparse = true};
    struct row_observer rows = {.self = &shadow,
                                .later = true,
                                .row = see_row,
                                .reshape = see_reshape,
                                .start = see_start,
                                .barrier = see_barrier};
    struct run_observers observers = {
        .listeners = &listener, .listener_count = 1, .rows = &rows, .row_count = 1};

    if (shadow_init(&shadow, &l->kernel) < 0)
        exit(2);
    double ns = run_with(clock, l, options, &observers);
    shadow_release(&shadow);
    return ns;
}

static double simulate_by(clockid_t clock, struct loaded *l, enum finds finds,
                          struct run_options options) {
    job_reset(&l->job);
    if (finds == FINDINGS)
        return run_for_report(clock, l, &options);
    if (finds == RACES)
        return run_for_races(clock, l, &options);
    return run_with(clock, l, &options, NULL);
}

static double simulate(struct loaded *l, enum finds finds, enum pace pace) {
    return simulate_by(CLOCK_PROCESS_CPUTIME_ID, l, finds,
                       (struct run_options){.threads = 1, .pace = pace});
}

static double least(double a, double b) {
    return a < b ? a : b;
}

/* Plain C and the engine, with all counts, in turn: the least of what they took so far. */
static void run_both(struct loaded *l, const char *name, double *plain, double *counts) {
    double begin = cpu_ns();

    run_plain(name);
    *plain = least(*plain, cpu_ns() - begin);
    *counts = least(*counts, simulate(l, COUNTS, PACE_EVEN));
}

static void compare(const char *folder, const struct subject *subject, int runs) {
    struct loaded l;
    double plain = 1e30, counts = 1e30, timed = 1e30, races = 1e30, findings = 1e30;
    double n = (double)subject->invocations;

    load(&l, folder, subject);
    for (int i = 0; i < runs; i++) {
        run_both(&l, subject->name, &plain, &counts);
        timed = least(timed, simulate(&l, COUNTS, PACE_MODELLED));
        races = least(races, simulate(&l, RACES, PACE_EVEN));
        findings = least(findings, simulate(&l, FINDINGS, PACE_MODELLED));
    }
    printf("%s_plain_ns\t%.2f\n%s_counts_ns\t%.1f\n%s_counts_over_plain\t%.1f\n", subject->name,
           plain / n, subject->name, counts / n, subject->name, counts / plain);
    printf("%s_timed_over_plain\t%.1f\n", subject->name, timed / plain);
    printf("%s_races_ns\t%.1f\n%s_findings_ns\t%.1f\n", subject->name, races / n, subject->name,
           findings / n);
    job_release(&l.job);
    kernel_release(&l.kernel);
}

static void compare_shipped(const char *folder, const struct subject *subject, int runs) {
    struct loaded l;
    double plain = 1e30, counts = 1e30;

    load(&l, folder, subject);
    for (int i = 0; i < runs; i++)
        run_both(&l, subject->name, &plain, &counts);
    printf("%s_shipped_over_plain\t%.1f\n", subject->name, counts / plain);
    job_release(&l.job);
    kernel_release(&l.kernel);
}

/* One thread of the host against two, by the clock on the wall. */
static void threads(const char *folder, const struct subject *subject, int runs) {
    struct loaded l;
    double one[2] = {1e30, 1e30}, two[2] = {1e30, 1e30};

    load(&l, folder, subject);
    for (int i = 0; i < runs; i++)
        for (int k = 0; k < 2; k++) {
            enum finds finds = k ? FINDINGS : COUNTS;
            one[k] = least(one[k], simulate_by(CLOCK_MONOTONIC, &l, finds,
                                               (struct run_options){.threads = 1}));
            two[k] = least(two[k], simulate_by(CLOCK_MONOTONIC, &l, finds,
                                               (struct run_options){.threads = 2}));
        }
    printf("%s_counts_2_threads\t%.2f\n%s_findings_2_threads\t%.2f\n", subject->name,
           one[0] / two[0], subject->name, one[1] / two[1]);
    job_release(&l.job);
    kernel_release(&l.kernel);
}

/* Nanoseconds that one barrier costs a lane: what is left when a run without them is taken off. */
static void barriers(const char *folder, int runs) {
    enum { COUNT = 64, GROUPS = 1024 };
    struct subject with = {"barriers", GROUPS, GROUPS * GROUP, {"count=64"}, 1};
    struct subject without = {"barriers", GROUPS, GROUPS * GROUP, {"count=0"}, 1};
    struct loaded a, b;
    double some = 1e30, none = 1e30;

    load(&a, folder, &with);
    load(&b, folder, &without);
    for (int i = 0; i < runs; i++) {
        some = least(some, simulate(&a, COUNTS, PACE_MODELLED));
        none = least(none, simulate(&b, COUNTS, PACE_MODELLED));
    }
    printf("barrier_ns\t%.2f\n", (some - none) / ((double)COUNT * GROUPS * GROUP));
    job_release(&a.job);
    job_release(&b.job);
    kernel_release(&a.kernel);
    kernel_release(&b.kernel);
}

/* A quarter and the whole of a dispatch: what an invocation costs must not depend on how many there
 * are. */
static void growth(const char *folder, int runs) {
    struct subject small = subjects[0], large = subjects[0];
    struct loaded a, b;
    double quarter = 1e30, whole = 1e30;

    small.size = ELEMENTS / 4;
    load(&a, folder, &small);
    load(&b, folder, &large);
    for (int i = 0; i < runs; i++) {
        quarter = least(quarter, simulate(&a, COUNTS, PACE_MODELLED));
        whole = least(whole, simulate(&b, COUNTS, PACE_MODELLED));
    }
    printf("growth_4x\t%.2f\n", whole / quarter);
    job_release(&a.job);
    job_release(&b.job);
    kernel_release(&a.kernel);
    kernel_release(&b.kernel);
}

int main(int argc, char **argv) {
    int runs = argc > 2 ? atoi(argv[2]) : 7;
    char kernels[4096], bench[4096];

    if (argc < 2) {
        fprintf(stderr, "usage: bench BUILD-FOLDER [RUNS]\n");
        return 2;
    }
    snprintf(kernels, sizeof kernels, "%s/kernels", argv[1]);
    snprintf(bench, sizeof bench, "%s/bench", argv[1]);
    for (int i = 0; i < 3; i++) {
        data[i] = malloc(sizeof(float) * ELEMENTS * 4);
        if (!data[i])
            return 2;
        for (size_t k = 0; k < (size_t)ELEMENTS * 4; k++)
            data[i][k] = 1.0f;
    }
    for (size_t i = 0; i < SUBJECTS; i++)
        compare(bench, &subjects[i], runs);
    for (size_t i = 0; i < SHIPPED; i++)
        compare_shipped(kernels, &shipped[i], runs);
    for (size_t i = 0; i < SHIPPED; i++)
        threads(kernels, &shipped[i], runs);
    barriers(bench, runs);
    growth(bench, runs);
    return 0;
}
