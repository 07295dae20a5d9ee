/* Tests of whole kernels against the counters of a GPU: h200-kernels.csv, to the digit. */
#include "tests/check_main.h"

#include <stdlib.h>
#include <string.h>

#include "tests/csv.h"
#include "tests/kernel_run.h"

/* Columns of the file, whose second and third are triples with commas. */
enum {
    KERNEL = 0,
    SHARED_ATOMICS = 9,
    LOAD_WAVEFRONTS = 10,
    STORE_WAVEFRONTS = 11,
    LOAD_CONFLICTS = 13,
    STORE_CONFLICTS = 14,
    ALL_CONFLICTS = 15,
    GLOBAL_LOAD_REQUESTS = 16,
    GLOBAL_LOAD_SECTORS = 17,
    GLOBAL_STORE_REQUESTS = 18,
    GLOBAL_STORE_SECTORS = 19
};

struct row {
    const char *row, *kernel, *set;
    uint64_t size;
};

static const struct row rows[] = {
    {"reduce_seq", "reduce", NULL, 1024},
    {"transpose_unpadded", "transpose", NULL, 128},
    {"transpose_padded", "transpose", "pad=1", 128},
    {"matmul", "matmul", NULL, 64},
    {"blur", "blur", NULL, 1000},
    {"histo", "histogram", NULL, 4096},
};

/* Sums of the sites of one address space. */
struct counts {
    struct site_count load, store, atomic;
};

static struct site_count *part(struct counts *counts, uint8_t op) {
    switch (op) {
    case WG_OP_LOAD:
    case WG_OP_ATOMIC_LOAD:
        return &counts->load;
    case WG_OP_STORE:
    case WG_OP_ATOMIC_STORE:
        return &counts->store;
    default:
        return &counts->atomic;
    }
}

static struct counts counts_of(const struct kernel_run *r, const struct run_dispatch *dispatch,
                               bool workgroup) {
    struct counts counts = {0};

    for (size_t id = 0; id < r->kernel.site_limit; id++) {
        const struct wg_site *site = r->kernel.sites[id];
        if (!site || site->bytes == 0 || (site->space == WG_SPACE_WORKGROUP) != workgroup)
            continue;
        struct site_count *sum = part(&counts, site->op);
        sum->requests += dispatch->sites[id].requests;
        sum->wavefronts += dispatch->sites[id].wavefronts;
        sum->conflicts += dispatch->sites[id].conflicts;
        sum->sectors += dispatch->sites[id].sectors;
    }
    return counts;
}

static void is(const struct csv *csv, int column, const char *what, uint64_t found) {
    ck_assert_msg(found == strtoull(csv->column[column], NULL, 10), "%s, %s: %llu, not %s",
                  csv->column[KERNEL], what, (unsigned long long)found, csv->column[column]);
}

/* The first dispatch: reduce has a second one, which was not measured. */
static void compare(const struct csv *csv, const struct row *row) {
    struct kernel_run r = kernel_run_on("h200");

    r.plan.size = row->size;
    r.plan.size_given = true;
    r.plan.set = &row->set;
    r.plan.set_count = row->set != NULL;
    kernel_run_start(&r, row->kernel);
    ck_assert_msg(r.report.run.verdict == VERDICT_FINISHED && !r.check.differs, "%s: %s", row->row,
                  r.check.text);

    struct counts shared = counts_of(&r, &r.report.run.dispatches[0], true);
    struct counts global = counts_of(&r, &r.report.run.dispatches[0], false);

    is(csv, SHARED_ATOMICS, "requests of atomics", shared.atomic.requests);
    is(csv, LOAD_WAVEFRONTS, "wavefronts of loads", shared.load.wavefronts);
    is(csv, STORE_WAVEFRONTS, "wavefronts of stores", shared.store.wavefronts);
    is(csv, LOAD_CONFLICTS, "conflicts of loads", shared.load.conflicts);
    is(csv, STORE_CONFLICTS, "conflicts of stores", shared.store.conflicts);
    is(csv, ALL_CONFLICTS, "conflicts",
       shared.load.conflicts + shared.store.conflicts + shared.atomic.conflicts);
    is(csv, GLOBAL_LOAD_REQUESTS, "requests of storage loads", global.load.requests);
    is(csv, GLOBAL_LOAD_SECTORS, "sectors of storage loads", global.load.sectors);
    is(csv, GLOBAL_STORE_REQUESTS, "requests of storage stores", global.store.requests);
    is(csv, GLOBAL_STORE_SECTORS, "sectors of storage stores", global.store.sectors);
    kernel_run_end(&r);
}

START_TEST(every_kernel_measured_on_the_h200) {
    struct csv csv = csv_open("hardware/h200-kernels.csv");
    size_t compared = 0;

    while (csv_next(&csv))
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            if (strcmp(csv.column[KERNEL], rows[i].row) == 0) {
                compare(&csv, &rows[i]);
                compared++;
            }
    ck_assert_uint_eq(compared, sizeof rows / sizeof rows[0]);
    ck_assert_int_eq(csv.number, 1 + (int)compared);
}
END_TEST

CHECK_MAIN("hardware_kernels", every_kernel_measured_on_the_h200)
