/* The host interface. */
#include <stdlib.h>
#include <string.h>

#include "sim/device_file.h"
#include "sim/error.h"
#include "sim/open.h"
#include "sim/preset.h"
#include "sim/report/json.h"
#include "sim/report/report.h"
#include "sim/report/text.h"

enum { DEFAULT_MAX_STEPS = 100000000 };

/* What belongs to the loaded kernel. */
struct loaded {
    struct arena arena;
    struct kernel kernel;
    struct job job;
    union wg_value overrides[WG_MAX_OVERRIDES];
    bool given[WG_MAX_OVERRIDES];
    const char *set[WG_MAX_OVERRIDES]; /* "NAME=VALUE" by override, as the plan wants them */
    uint32_t bound[WG_MAX_VARS];
    bool planned;
    bool ran; /* the job's dispatches have run */
    struct plan_options plan;
};

struct wgsim {
    struct arena arena;
    struct device device;
    struct limits limits;
    struct run_options run;
    const char *include;
    struct loaded *loaded;                          /* NULL: no kernel yet */
    struct wgsl_setting settings[WG_MAX_OVERRIDES]; /* for the shader to be loaded next */
    uint32_t setting_count;
    struct report report;
    bool reported;
    struct wgsim_report summary;
};

/* The public names of choices stand for the internal ones. */
#define SAME(a, b) _Static_assert((int)(a) == (int)(b), #a)
SAME(WGSIM_RANDOM, ORDER_RANDOM);
SAME(WGSIM_FILL, PLACE_FILL);
SAME(WGSIM_STATIC, PLACE_STATIC);
SAME(WGSIM_REFILL_LAZY, REFILL_LAZY);
SAME(WGSIM_PACE_EVEN, PACE_EVEN);
SAME(WGSIM_PACE_RANDOM, PACE_RANDOM);
SAME(WGSIM_DROP, OUTSIDE_DROP);
SAME(WGSIM_TRAP, OUTSIDE_TRAP);
SAME(WGSIM_DEADLOCK, VERDICT_DEADLOCK);
SAME(WGSIM_TRAPPED, VERDICT_TRAPPED);
SAME(WGSIM_WARNING, SEVERITY_WARNING);
SAME(WGSIM_ADVICE, SEVERITY_ADVICE);

/* ---- Simulators ---- */

static int set_field(struct device *device, enum device_field field, uint32_t value,
                     struct wgsim_error *err) {
    static const struct device_origin origin = {PROVENANCE_GIVEN, "options"};

    return value ? device_set(device, field, value, origin, err) : 0;
}

static int set_up_device(struct wgsim *sim, const struct wgsim_options *options,
                         struct wgsim_error *err) {
    struct device *device = &sim->device;
    int result = options->device_file
                     ? device_file_read(device, options->device_file, &sim->arena, err)
                     : preset_find(device, options->device ? options->device : "default", err);

    if (result < 0 || set_field(device, DEVICE_cus, options->cus, err) < 0 ||
        set_field(device, DEVICE_subgroup_width, options->subgroup, err) < 0)
        return -1;
    return device_check(device, err);
}

static int check_choices(const struct wgsim_options *options, struct wgsim_error *err) {
    const struct {
        const char *name;
        unsigned value, last;
    } choices[] = {
        {"order", options->order, WGSIM_RANDOM},
        {"placement", options->placement, WGSIM_STATIC},
        {"refill", options->refill, WGSIM_REFILL_LAZY},
        {"pace", options->pace, WGSIM_PACE_RANDOM},
        {"outside", options->outside, WGSIM_TRAP},
        {"lanes", options->lanes, WGSIM_LOCKSTEP},
    };

    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (choices[i].value > choices[i].last)
            return error_set(err, "%s: there is no choice %u", choices[i].name, choices[i].value);
    if (options->threads > THREADS_MAX)
        return error_set(err, "threads must be at most %d", THREADS_MAX);
    return 0;
}

static int set_up(struct wgsim *sim, const struct wgsim_options *options, struct wgsim_error *err) {
    const char *include = options->include ? options->include : WGSIM_INCLUDES;

    if (check_choices(options, err) < 0 || set_up_device(sim, options, err) < 0)
        return -1;
    sim->limits = options->device_limits ? limits_of_device(&sim->device) : limits_webgpu();
    sim->run = (struct run_options){
        .order = (enum queue_order)options->order,
        .placement = (enum placement)options->placement,
        .refill = (enum refill)options->refill,
        .pace = (enum pace)options->pace,
        .outside = (enum outside_policy)options->outside,
        .lockstep = options->lanes == WGSIM_LANES_OF_DEVICE ? sim->device.lanes == LANES_LOCKSTEP
                                                            : options->lanes == WGSIM_LOCKSTEP,
        .stress_yield = options->stress_yield,
        .weak_memory = options->weak_memory,
        .seed = options->seed,
        .max_steps = options->max_steps ? options->max_steps : DEFAULT_MAX_STEPS,
        .registers = options->registers,
        .resident = options->resident,
        .threads = options->threads};
    sim->include = arena_strdup(&sim->arena, include);
    return sim->include ? 0 : error_set(err, "out of memory");
}

struct wgsim *wgsim_new(const struct wgsim_options *options, struct wgsim_error *err) {
    static const struct wgsim_options defaults = {0};
    struct wgsim *sim = calloc(1, sizeof *sim);

    if (!sim) {
        error_format(err, "out of memory");
        return NULL;
    }
    arena_init(&sim->arena);
    if (set_up(sim, options ? options : &defaults, err) == 0)
        return sim;
    wgsim_free(sim);
    return NULL;
}

static void forget_report(struct wgsim *sim) {
    if (sim->reported)
        report_release(&sim->report);
    sim->reported = false;
}

static void unload(struct wgsim *sim) {
    struct loaded *loaded = sim->loaded;

    forget_report(sim);
    if (!loaded)
        return;
    job_release(&loaded->job);
    kernel_release(&loaded->kernel);
    arena_release(&loaded->arena);
    free(loaded);
    sim->loaded = NULL;
}

void wgsim_free(struct wgsim *sim) {
    if (!sim)
        return;
    unload(sim);
    arena_release(&sim->arena);
    free(sim);
}

/* ---- Kernels ---- */

static struct loaded *new_loaded(struct wgsim_error *err) {
    struct loaded *loaded = calloc(1, sizeof *loaded);

    if (!loaded)
        error_format(err, "out of memory");
    else
        arena_init(&loaded->arena);
    return loaded;
}

static void drop(struct loaded *loaded) {
    arena_release(&loaded->arena);
    free(loaded);
}

/* The kernel is there. */
static void settle(struct wgsim *sim, struct loaded *loaded) {
    unload(sim);
    job_init(&loaded->job, &loaded->kernel);
    loaded->job.limits = &sim->limits;
    kernel_defaults(&loaded->kernel, loaded->overrides);
    for (size_t i = 0; i < WG_MAX_VARS; i++)
        loaded->bound[i] = JOB_UNBOUND;
    sim->loaded = loaded;
}

int wgsim_load(struct wgsim *sim, const char *path, struct wgsim_error *err) {
    struct loaded *loaded = new_loaded(err);

    if (!loaded)
        return -1;
    if (open_kernel(&loaded->kernel, path, sim->include, sim->settings, sim->setting_count, err) <
        0) {
        drop(loaded);
        return -1;
    }
    sim->setting_count = 0;
    settle(sim, loaded);
    return 0;
}

int wgsim_use(struct wgsim *sim, const struct wg_kernel *kernel, struct wgsim_error *err) {
    struct loaded *loaded = new_loaded(err);

    if (!loaded)
        return -1;
    if (kernel_init(&loaded->kernel, kernel, "the program's kernel", err) < 0) {
        drop(loaded);
        return -1;
    }
    settle(sim, loaded);
    return 0;
}

static struct loaded *need_kernel(const struct wgsim *sim, struct wgsim_error *err) {
    if (!sim->loaded)
        error_format(err, "no kernel is loaded");
    return sim->loaded;
}

int wgsim_constant(struct wgsim *sim, const char *name, double value, struct wgsim_error *err) {
    const char *key = arena_strdup(&sim->arena, name);

    if (!key)
        return error_set(err, "out of memory");
    if (sim->setting_count == WG_MAX_OVERRIDES)
        return error_set(err, "more than %d constants", WG_MAX_OVERRIDES);
    sim->settings[sim->setting_count++] = (struct wgsl_setting){key, value, WRITTEN_AS_NUMBER};
    return 0;
}

/* ---- What to run ---- */

int wgsim_set(struct wgsim *sim, const char *name, const char *value, struct wgsim_error *err) {
    struct loaded *loaded = need_kernel(sim, err);

    if (!loaded)
        return -1;
    const char *assignment = arena_printf(&loaded->arena, "%s=%s", name, value);
    if (!assignment)
        return error_set(err, "out of memory");
    if (plan_set(&loaded->kernel, assignment, loaded->overrides, loaded->given, err) < 0)
        return -1;
    loaded->set[kernel_override(&loaded->kernel, name)->id] = assignment;
    return 0;
}

/* A variable that buffers can be bound to. */
static const struct wg_var *binding(const struct loaded *loaded, const char *name,
                                    struct wgsim_error *err) {
    const struct wg_var *var = kernel_var(&loaded->kernel, name);

    if (var && var->space != WG_SPACE_WORKGROUP)
        return var;
    error_format(err, "%s has no binding '%s'", loaded->kernel.desc->name, name);
    return NULL;
}

/* The buffer last made for a variable, or NULL. */
static struct job_buffer *buffer_of(const struct loaded *loaded, const struct wg_var *var) {
    for (size_t i = loaded->job.buffer_count; i-- > 0;)
        if (loaded->job.buffers[i].like == var->id)
            return &loaded->job.buffers[i];
    return NULL;
}

int wgsim_buffer(struct wgsim *sim, const char *variable, const void *data, size_t bytes,
                 struct wgsim_error *err) {
    struct loaded *loaded = need_kernel(sim, err);
    const struct wg_var *var = loaded ? binding(loaded, variable, err) : NULL;

    if (!var)
        return -1;
    struct job_buffer *buffer = buffer_of(loaded, var);
    if (!buffer || buffer->bytes != bytes)
        buffer = job_add_buffer(&loaded->job, var->name, var->id, bytes, err);
    if (!buffer)
        return -1;
    if (data)
        memcpy(buffer->data, data, bytes);
    else
        memset(buffer->data, 0, bytes);
    loaded->bound[var->id] = (uint32_t)(buffer - loaded->job.buffers);
    return 0;
}

int wgsim_bind(struct wgsim *sim, const char *variable, const char *other,
               struct wgsim_error *err) {
    struct loaded *loaded = need_kernel(sim, err);
    const struct wg_var *var = loaded ? binding(loaded, variable, err) : NULL;
    const struct wg_var *from = var ? binding(loaded, other, err) : NULL;

    if (!from)
        return -1;
    const struct job_buffer *buffer = buffer_of(loaded, from);
    if (!buffer)
        return error_set(err, "no buffer was made for %s", other);
    loaded->bound[var->id] = (uint32_t)(buffer - loaded->job.buffers);
    return 0;
}

int wgsim_dispatch(struct wgsim *sim, const char *entry, uint32_t x, uint32_t y, uint32_t z,
                   struct wgsim_error *err) {
    struct loaded *loaded = need_kernel(sim, err);
    const struct wg_entry *found = loaded ? kernel_entry(&loaded->kernel, entry, err) : NULL;

    if (!found)
        return -1;
    if (loaded->ran) {
        forget_report(sim); /* it names the dispatches that go */
        loaded->job.dispatch_count = 0;
        loaded->ran = false;
    }
    struct job_dispatch *dispatch = job_add_dispatch(&loaded->job, found);
    if (!dispatch)
        return error_set(err, "out of memory");
    dispatch->groups[0] = x;
    dispatch->groups[1] = y;
    dispatch->groups[2] = z;
    memcpy(dispatch->overrides, loaded->overrides, sizeof dispatch->overrides);
    memcpy(dispatch->bound, loaded->bound, sizeof dispatch->bound);
    return 0;
}

/* Assignments without the gaps between them. */
static int plan_options_of(struct wgsim *sim, uint64_t size, struct wgsim_error *err) {
    struct loaded *loaded = sim->loaded;
    const char **set = arena_alloc(&loaded->arena, sizeof loaded->set);
    size_t count = 0;

    if (!set)
        return error_set(err, "out of memory");
    for (size_t id = 0; id < WG_MAX_OVERRIDES; id++)
        if (loaded->set[id])
            set[count++] = loaded->set[id];
    loaded->plan = (struct plan_options){.device = &sim->device,
                                         .size = size,
                                         .size_given = size != 0,
                                         .registers = sim->run.registers,
                                         .set = set,
                                         .set_count = count};
    return 0;
}

int wgsim_plan(struct wgsim *sim, uint64_t size, struct wgsim_error *err) {
    struct loaded *loaded = need_kernel(sim, err);

    if (!loaded || plan_options_of(sim, size, err) < 0)
        return -1;
    forget_report(sim); /* it names the buffers that go */
    job_release(&loaded->job);
    job_init(&loaded->job, &loaded->kernel);
    loaded->planned = true;
    loaded->ran = false;
    return plan_job(&loaded->job, &loaded->plan, err);
}

/* ---- Running ---- */

static struct wgsim_counts counts_of(const struct site_count *count) {
    return (struct wgsim_counts){.requests = count->requests,
                                 .wavefronts = count->wavefronts,
                                 .conflicts = count->conflicts,
                                 .sectors = count->sectors,
                                 .bytes = count->bytes};
}

static int summarise_findings(struct wgsim *sim, struct wgsim_error *err) {
    const struct findings *findings = &sim->report.findings;
    struct wgsim_finding *items =
        arena_alloc(&sim->report.arena, (findings->count + 1) * sizeof *items);

    if (!items)
        return error_set(err, "out of memory");
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *from = &findings->items[i];
        const struct wg_site *site = from->first.site;
        items[i] = (struct wgsim_finding){
            .kind = finding_kinds[from->kind].name,
            .severity = (enum wgsim_severity)finding_kinds[from->kind].severity,
            .text = from->text,
            .variable = from->variable,
            .file = site ? site->file : from->file,
            .line = site ? site->line : from->line,
            .count = from->count};
    }
    sim->summary.findings = items;
    sim->summary.finding_count = findings->count;
    return 0;
}

static int summarise(struct wgsim *sim, struct wgsim_error *err) {
    const struct report *report = &sim->report;
    const struct site_count *access = report->total.access;

    sim->summary =
        (struct wgsim_report){.verdict = (enum wgsim_verdict)report->run.verdict,
                              .cycles = report->run.cycles,
                              .barriers = report->total.barriers,
                              .workgroup_load = counts_of(&access[REPORT_WORKGROUP_LOAD]),
                              .workgroup_store = counts_of(&access[REPORT_WORKGROUP_STORE]),
                              .workgroup_atomic = counts_of(&access[REPORT_WORKGROUP_ATOMIC]),
                              .storage_load = counts_of(&access[REPORT_STORAGE_LOAD]),
                              .storage_store = counts_of(&access[REPORT_STORAGE_STORE]),
                              .storage_atomic = counts_of(&access[REPORT_STORAGE_ATOMIC])};
    if (report->run.dispatch_count)
        sim->summary.workgroups_per_cu = report->run.dispatches[0].occupancy.workgroups;
    for (size_t i = 0; i < report->output_count; i++)
        sim->summary.wrong |= report->outputs[i].check == REPORT_DIFFER;
    return summarise_findings(sim, err);
}

/* The buffers as they are now are the ones that a run begins with. */
static int begin_run(struct job *job, struct wgsim_error *err) {
    if (job_seal(job, err) < 0)
        return -1;
    for (size_t i = 0; i < job->buffer_count; i++)
        memcpy(job->buffers[i].initial, job->buffers[i].data, job->buffers[i].bytes);
    return 0;
}

int wgsim_run(struct wgsim *sim, struct wgsim_error *err) {
    struct loaded *loaded = need_kernel(sim, err);

    if (!loaded)
        return -1;
    if (!loaded->planned && !loaded->job.dispatch_count)
        return error_set(err, "no dispatch was added");
    if (begin_run(&loaded->job, err) < 0)
        return -1;
    struct report_request request = {.job = &loaded->job,
                                     .device = &sim->device,
                                     .run = &sim->run,
                                     .limits = &sim->limits,
                                     .plan = loaded->planned ? &loaded->plan : NULL,
                                     .command = ""};
    forget_report(sim);
    int result = report_run(&sim->report, &request, err);
    sim->reported = result == 0;
    if (result < 0)
        report_release(&sim->report);
    loaded->ran = true;
    return result < 0 ? -1 : summarise(sim, err);
}

/* ---- What came of it ---- */

const void *wgsim_read(struct wgsim *sim, const char *variable, size_t *bytes,
                       struct wgsim_error *err) {
    struct loaded *loaded = need_kernel(sim, err);
    const struct wg_var *var = loaded ? binding(loaded, variable, err) : NULL;
    const struct job_buffer *buffer = var ? buffer_of(loaded, var) : NULL;

    if (!var)
        return NULL;
    if (!buffer) {
        error_format(err, "no buffer was made for %s", variable);
        return NULL;
    }
    if (bytes)
        *bytes = buffer->bytes;
    return buffer->data;
}

const struct wgsim_report *wgsim_report(const struct wgsim *sim) {
    return sim->reported ? &sim->summary : NULL;
}

static bool need_report(const struct wgsim *sim, struct wgsim_error *err) {
    if (!sim->reported)
        error_format(err, "nothing was run");
    return sim->reported;
}

char *wgsim_report_json(const struct wgsim *sim, struct wgsim_error *err) {
    json_t *root = need_report(sim, err) ? report_to_json(&sim->report) : NULL;
    char *text =
        root ? json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12))
             : NULL;

    if (sim->reported && !text)
        error_format(err, "out of memory");
    json_decref(root);
    return text;
}

char *wgsim_report_text(const struct wgsim *sim, struct wgsim_error *err) {
    static const struct report_style plain = {0};
    struct buf text = {0};

    if (!need_report(sim, err))
        return NULL;
    report_print(&sim->report, &plain, &text);
    if (!text.failed)
        return text.data;
    buf_release(&text);
    error_format(err, "out of memory");
    return NULL;
}
