/* Tests of the WGSL twins of the built-in kernels: translated and run with the same buffers and
 * dispatches they give the same outputs, counts, cycles and verdict as the kernels in C. */
#include "tests/check_main.h"

#include <stdlib.h>

#include "sim/shader.h"
#include "tests/kernel_run.h"

struct twins {
    const char *name, *set;
    uint64_t size; /* 0: the kernel has none, or its default is small */
    uint32_t groups;
};

/* Few dispatches where each has overrides of its own, for every set of them is compiled. */
static const struct twins table[] = {
    {.name = "append", .size = 331},
    {.name = "bank_broadcast"},
    {.name = "bank_padded"},
    {.name = "bank_stride", .set = "stride=6"},
    {.name = "bitonic", .size = 4},
    {.name = "blur", .size = 331},
    {.name = "blur", .set = "radius=7", .size = 331},
    {.name = "blur_dark", .size = 331},
    {.name = "blur_direct", .size = 331},
    {.name = "chained_scan", .size = 1111},
    {.name = "chained_scan", .set = "by_ticket=1", .size = 1111},
    {.name = "counters", .size = 331},
    {.name = "debug_tree"},
    {.name = "direct", .size = 331},
    {.name = "global_barrier", .groups = 7},
    {.name = "histogram", .size = 3331},
    {.name = "histogram_global", .size = 3331},
    {.name = "late_producer"},
    {.name = "latency"},
    {.name = "livelock"},
    {.name = "livelock", .set = "skew=1"},
    {.name = "lookback", .size = 1111},
    {.name = "malo", .size = 331},
    {.name = "matmul", .size = 37},
    {.name = "message_passing"},
    {.name = "minmax", .size = 331},
    {.name = "neighbour_race", .size = 331},
    {.name = "neighbour_sum", .size = 331},
    {.name = "occupancy", .set = "bytes=4096", .size = 331},
    {.name = "publish"},
    {.name = "reduce", .size = 1111},
    {.name = "reduce_atomic", .size = 1111},
    {.name = "reduce_interleaved", .size = 331},
    {.name = "reduce_race", .size = 1111},
    {.name = "reduce_workgroup", .size = 331},
    {.name = "scan", .size = 1111},
    {.name = "scan_block", .size = 331},
    {.name = "scan_steps", .size = 5},
    {.name = "spin_lock"},
    {.name = "spinwait", .groups = 7},
    {.name = "spinwait", .groups = 33},
    {.name = "stale_tile"},
    {.name = "storage_barrier", .groups = 7},
    {.name = "subgroup32"},
    {.name = "three_arrays", .size = 331},
    {.name = "ticket_lock"},
    {.name = "tile_blur", .size = 331},
    {.name = "transpose", .size = 37},
    {.name = "transpose", .set = "pad=1", .size = 70},
    {.name = "transpose_direct", .size = 37},
    {.name = "vec3_array", .size = 331},
    {.name = "waitlast", .groups = 40},
};

/* Counts of one kind of access: loads, stores, atomics of workgroup memory, then of storage. */
enum { KINDS = 6 };
struct totals {
    struct site_count kind[KINDS];
    uint64_t cycles, barriers, memory_bytes;
};

static void add_totals(struct totals *totals, const struct kernel *kernel,
                       const struct run_dispatch *dispatch) {
    for (size_t id = 0; id < kernel->site_limit; id++) {
        const struct wg_site *site = kernel->sites[id];
        if (!site || site->bytes == 0 || site->space == WG_SPACE_UNIFORM)
            continue;
        uint8_t op = cost_op(site);
        int kind = (site->space == WG_SPACE_WORKGROUP ? 0 : 3) + (op == WG_OP_LOAD    ? 0
                                                                  : op == WG_OP_STORE ? 1
                                                                                      : 2);
        struct site_count *sum = &totals->kind[kind];
        sum->requests += dispatch->sites[id].requests;
        sum->wavefronts += dispatch->sites[id].wavefronts;
        sum->conflicts += dispatch->sites[id].conflicts;
        sum->sectors += dispatch->sites[id].sectors;
        sum->bytes += dispatch->sites[id].bytes;
    }
    totals->cycles += dispatch->cycles;
    totals->barriers += dispatch->barriers;
    totals->memory_bytes += dispatch->memory_bytes;
}

static char *read_twin(const char *name, size_t *length) {
    const char *srcdir = getenv("srcdir");
    struct wgsim_error err;
    char path[4096];

    snprintf(path, sizeof path, "%s/kernels/%s.wgsl", srcdir ? srcdir : ".", name);
    char *text = shader_read(path, length, &err);
    ck_assert_msg(text != NULL, "%s", err.message);
    return text;
}

/* The overrides of a dispatch of the kernel in C. */
static uint32_t settings_of(const struct wg_kernel *desc, const struct job_dispatch *dispatch,
                            struct wgsl_setting *settings) {
    uint32_t count = 0;

    for (const struct wg_override *o = desc->overrides; o < desc->overrides_end; o++)
        settings[count++] =
            (struct wgsl_setting){o->name, dispatch->overrides[o->id].u, WRITTEN_FOR_API};
    return count;
}

/* Binds the variables of the twin to copies of the buffers that those of the kernel are bound to.
 */
static void bind_twin(struct job *twin, const struct job *job, const struct job_dispatch *dispatch,
                      uint8_t *const *contents) {
    struct job_dispatch *mine = job_add_dispatch(twin, twin->kernel->desc->entries);

    memcpy(mine->groups, dispatch->groups, sizeof mine->groups);
    for (size_t v = 0; v < twin->kernel->var_limit; v++) {
        const struct wg_var *to = twin->kernel->vars[v];
        for (size_t u = 0; to && u < job->kernel->var_limit; u++) {
            const struct wg_var *from = job->kernel->vars[u];
            if (!from || to->space == WG_SPACE_WORKGROUP || from->space == WG_SPACE_WORKGROUP ||
                from->binding != to->binding)
                continue;
            uint32_t buffer = dispatch->bound[from->id];
            struct job_buffer *copy =
                job_add_buffer(twin, to->name, to->id, job->buffers[buffer].bytes, NULL);
            memcpy(copy->data, contents[buffer], copy->bytes);
            mine->bound[to->id] = (uint32_t)twin->buffer_count - 1;
        }
    }
}

static void keep_contents(const struct job *twin, const struct job *job,
                          const struct job_dispatch *dispatch, uint8_t **contents) {
    for (size_t u = 0; u < job->kernel->var_limit; u++) {
        const struct wg_var *from = job->kernel->vars[u];
        if (!from || from->space == WG_SPACE_WORKGROUP)
            continue;
        uint32_t buffer = dispatch->bound[from->id];
        for (size_t b = 0; b < twin->buffer_count; b++)
            if (twin->kernel->vars[twin->buffers[b].like]->binding == from->binding)
                memcpy(contents[buffer], twin->buffers[b].data, twin->buffers[b].bytes);
    }
}

/* Of jobs of one dispatch: what is found of a job depends on all that it has. */
static void compare_findings(const char *name, const struct findings *c,
                             const struct findings *wgsl) {
    for (size_t i = 0; i < c->count && i < wgsl->count; i++) {
        const struct finding *a = &c->items[i], *b = &wgsl->items[i];
        ck_assert_msg(a->kind == b->kind && a->count == b->count && a->element == b->element &&
                          a->first.workgroup == b->first.workgroup &&
                          a->first.invocation == b->first.invocation,
                      "%s: %s, %s and %s, %s", name, finding_kinds[a->kind].name, a->text,
                      finding_kinds[b->kind].name, b->text);
    }
    ck_assert_msg(c->count == wgsl->count, "%s: %zu and %zu findings", name, c->count, wgsl->count);
}

/* Runs one dispatch of the kernel's job with the twin. */
static enum verdict run_twin(const struct kernel_run *r, const struct job_dispatch *dispatch,
                             uint8_t **contents, struct totals *totals) {
    const char *name = r->kernel.desc->name, *srcdir = getenv("srcdir");
    struct wgsl_setting settings[WG_MAX_OVERRIDES];
    struct shader_options options = {.entries = &dispatch->entry->name, .entry_count = 1};
    struct wgsl_diagnostics diagnostics;
    struct wgsim_error err;
    struct shader shader;
    struct kernel kernel;
    struct job job;
    struct report report;
    char include[4096];
    size_t length;
    char *text = read_twin(name, &length);

    options.settings = settings;
    options.setting_count = settings_of(r->kernel.desc, dispatch, settings);
    snprintf(include, sizeof include, "%s/include", srcdir ? srcdir : ".");
    wgsl_diagnostics_init(&diagnostics);
    ck_assert_msg(shader_open(&shader, name, text, length, &options, &diagnostics, &err) == 0,
                  "%s: %s", name, err.message);
    const char *object = shader_object(&shader, include, &err);
    ck_assert_msg(object && kernel_load(&kernel, object, &err) == 0, "%s: %s", name, err.message);
    job_init(&job, &kernel);
    bind_twin(&job, &r->job, dispatch, contents);
    ck_assert(job_seal(&job, &err) == 0);
    kernel_run_job(r, &job, &report);
    add_totals(totals, &kernel, &report.run.dispatches[0]);
    keep_contents(&job, &r->job, dispatch, contents);
    if (r->job.dispatch_count == 1)
        compare_findings(name, &r->report.findings, &report.findings);
    enum verdict verdict = report.run.verdict;
    report_release(&report);
    job_release(&job);
    kernel_release(&kernel);
    shader_release(&shader);
    wgsl_diagnostics_release(&diagnostics);
    free(text);
    return verdict;
}

static void compare_counts(const char *name, const struct totals *c, const struct totals *wgsl) {
    static const char *const kinds[KINDS] = {
        "loads of workgroup memory", "stores to it", "atomics on it",
        "loads of storage",          "stores to it", "atomics on it"};

    for (int k = 0; k < KINDS; k++) {
        const struct site_count *a = &c->kind[k], *b = &wgsl->kind[k];
        ck_assert_msg(
            a->requests == b->requests && a->wavefronts == b->wavefronts &&
                a->conflicts == b->conflicts && a->sectors == b->sectors && a->bytes == b->bytes,
            "%s, %s: %llu and %llu requests, %llu and %llu wavefronts, %llu and %llu "
            "sectors, %llu and %llu bytes",
            name, kinds[k], (unsigned long long)a->requests, (unsigned long long)b->requests,
            (unsigned long long)a->wavefronts, (unsigned long long)b->wavefronts,
            (unsigned long long)a->sectors, (unsigned long long)b->sectors,
            (unsigned long long)a->bytes, (unsigned long long)b->bytes);
    }
    ck_assert_msg(c->barriers == wgsl->barriers, "%s: barriers", name);
    ck_assert_msg(c->cycles == wgsl->cycles, "%s: %llu and %llu cycles", name,
                  (unsigned long long)c->cycles, (unsigned long long)wgsl->cycles);
}

static void compare(const struct twins *row) {
    struct kernel_run r = kernel_run_on("default");
    struct totals c = {0}, wgsl = {0};
    enum verdict verdict = VERDICT_FINISHED;
    uint8_t *contents[16] = {NULL};

    r.plan.size = row->size;
    r.plan.size_given = row->size != 0;
    r.plan.set = &row->set;
    r.plan.set_count = row->set != NULL;
    if (row->groups)
        r.plan.groups[0] = row->groups, r.plan.groups[1] = r.plan.groups[2] = 1;
    kernel_run_start(&r, row->name);
    for (size_t b = 0; b < r.job.buffer_count; b++) {
        contents[b] = malloc(r.job.buffers[b].bytes);
        memcpy(contents[b], r.job.buffers[b].initial, r.job.buffers[b].bytes);
    }
    for (size_t d = 0; d < r.report.run.dispatch_count; d++) {
        add_totals(&c, &r.kernel, &r.report.run.dispatches[d]);
        verdict = run_twin(&r, &r.job.dispatches[d], contents, &wgsl);
    }
    ck_assert_msg(verdict == r.report.run.verdict, "%s: %s and %s", row->name,
                  verdict_names[r.report.run.verdict], verdict_names[verdict]);
    for (size_t b = 0; b < r.job.buffer_count; b++) {
        ck_assert_ptr_nonnull(contents[b]);
        ck_assert_msg(!memcmp(contents[b], r.job.buffers[b].data, r.job.buffers[b].bytes),
                      "%s: buffer %s differs", row->name, r.job.buffers[b].name);
        free(contents[b]);
    }
    compare_counts(row->name, &c, &wgsl);
    kernel_run_end(&r);
}

/* In parts, so that each stays far from the time that a test may take. */
enum { PARTS = 4 };
static void compare_part(size_t part) {
    for (size_t i = part; i < sizeof table / sizeof table[0]; i += PARTS)
        compare(&table[i]);
}

START_TEST(twins_are_equal) {
    compare_part(0);
}
END_TEST
START_TEST(twins_are_equal_second_part) {
    compare_part(1);
}
END_TEST
START_TEST(twins_are_equal_third_part) {
    compare_part(2);
}
END_TEST
START_TEST(twins_are_equal_fourth_part) {
    compare_part(3);
}
END_TEST

CHECK_MAIN("twins", twins_are_equal, twins_are_equal_second_part, twins_are_equal_third_part,
           twins_are_equal_fourth_part)
