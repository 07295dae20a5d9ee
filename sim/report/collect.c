/* Collecting what there is to say about a run once it is over: counts, variables, outputs. */
#include "sim/report/collect.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/spelling.h"
#include "sim/texture_spec.h"

static void add_count(struct site_count *to, const struct site_count *from) {
    to->requests += from->requests;
    to->wavefronts += from->wavefronts;
    to->conflicts += from->conflicts;
    to->sectors += from->sectors;
    to->bytes += from->bytes;
    to->lanes += from->lanes;
    to->lower_bound |= from->lower_bound;
}

static void sum_counts(const struct kernel *kernel, const struct site_count *sites,
                       struct report_counts *counts) {
    for (size_t id = 0; id < kernel->site_limit; id++)
        if (report_is_access(kernel->sites[id]))
            add_count(&counts->access[report_access_of(kernel->sites[id])], &sites[id]);
}

static int compare_sites(const void *left, const void *right) {
    const struct wg_site *a = ((const struct report_site *)left)->site;
    const struct wg_site *b = ((const struct report_site *)right)->site;
    int order = strcmp(a->file, b->file);

    if (!order && a->line != b->line)
        order = a->line < b->line ? -1 : 1;
    if (!order && a->column != b->column)
        order = a->column < b->column ? -1 : 1;
    return order ? order : (a->id > b->id) - (a->id < b->id);
}

static int collect_counts(struct report *report, const struct kernel *kernel) {
    const struct run *run = &report->run;

    report->dispatches =
        arena_alloc(&report->arena, (run->dispatch_count + 1) * sizeof *report->dispatches);
    report->sites = arena_alloc(&report->arena, (kernel->site_limit + 1) * sizeof *report->sites);
    if (!report->dispatches || !report->sites)
        return -1;
    for (size_t i = 0; i < run->dispatch_count; i++) {
        sum_counts(kernel, run->dispatches[i].sites, &report->dispatches[i]);
        report->dispatches[i].barriers = run->dispatches[i].barriers;
        report->total.barriers += run->dispatches[i].barriers;
    }
    sum_counts(kernel, run->sites, &report->total);
    for (size_t id = 0; id < kernel->site_limit; id++)
        if (report_is_access(kernel->sites[id]) && run->sites[id].requests)
            report->sites[report->site_count++] = (struct report_site){
                kernel->sites[id], report_access_of(kernel->sites[id]), run->sites[id]};
    qsort(report->sites, report->site_count, sizeof *report->sites, compare_sites);
    return 0;
}

/* Bytes of a variable in a dispatch; 0: not used there. */
static uint64_t bytes_in(const struct job *job, const struct job_dispatch *dispatch,
                         const struct wg_var *var) {
    if (!kernel_entry_uses(dispatch->entry, var->id))
        return 0;
    if (var->space == WG_SPACE_WORKGROUP)
        return kernel_var_count(var, dispatch->overrides) * var->stride;
    uint32_t buffer = dispatch->bound[var->id];
    return buffer == JOB_UNBOUND ? 0 : job->buffers[buffer].bytes;
}

static int collect_variables(struct report *report, const struct job *job) {
    const struct kernel *kernel = job->kernel;

    report->variables =
        arena_alloc(&report->arena, (kernel->var_limit + 1) * sizeof *report->variables);
    if (!report->variables)
        return -1;
    for (size_t id = 0; id < kernel->var_limit; id++) {
        struct report_variable variable = {.var = kernel->vars[id], .count = report->run.vars[id]};
        for (size_t i = 0; variable.var && i < job->dispatch_count; i++) {
            uint64_t bytes = bytes_in(job, &job->dispatches[i], variable.var);
            variable.bytes = bytes > variable.bytes ? bytes : variable.bytes;
        }
        if (variable.bytes)
            report->variables[report->variable_count++] = variable;
    }
    return 0;
}

/* Whether some dispatch may write the buffer. */
static bool written(const struct job *job, uint32_t buffer) {
    for (size_t i = 0; i < job->dispatch_count; i++)
        for (size_t id = 0; id < job->kernel->var_limit; id++) {
            const struct wg_var *var = job->kernel->vars[id];
            if (var && var->space == WG_SPACE_STORAGE && job->dispatches[i].bound[id] == buffer &&
                kernel_entry_uses(job->dispatches[i].entry, var->id))
                return true;
        }
    return false;
}

/* The element, of a texture the texel, that holds a byte. */
static uint64_t element_at(const struct wg_var *var, const struct job_buffer *buffer,
                           uint64_t byte) {
    if (texture_spec_is_texture(var->type))
        return texture_spec_texel(buffer->data, byte);
    return var->stride ? byte / var->stride : 0;
}

static uint64_t elements_of(const struct job *job, const struct job_buffer *buffer) {
    const struct wg_var *var = job->kernel->vars[buffer->like];

    return texture_spec_is_texture(var->type) ? element_at(var, buffer, buffer->bytes)
                                              : job_elements(job, buffer);
}

/* The wanted contents of a buffer against the actual ones. */
static void compare_expected(const struct job *job, const struct job_buffer *buffer,
                             struct report_output *output) {
    const struct wg_var *var = job->kernel->vars[buffer->like];

    output->check = REPORT_MATCH;
    output->text = "as the job expects";
    for (uint64_t i = 0; i < buffer->bytes; i++)
        if (buffer->data[i] != buffer->expect[i]) {
            output->check = REPORT_DIFFER;
            output->element = element_at(var, buffer, i);
            output->text = "not what the job expects";
            return;
        }
}

static void apply_check(struct report *report, const struct job_buffer *buffer,
                        const struct plan_check *check, struct report_output *output) {
    bool differs = check->differs && (check->var == PLAN_CHECK_ANY || check->var == buffer->like);

    if (!check->checked || (!differs && !check->looked[buffer->like]))
        return;
    output->check = REPORT_MATCH;
    output->text = "as the reference on the CPU computes";
    if (differs) {
        output->check = REPORT_DIFFER;
        output->element = check->element;
        output->text = arena_strdup(&report->arena, check->text);
        report->failed |= !output->text;
    }
}

static bool is_output(const struct job *job, uint32_t var) {
    for (uint32_t i = 0; i < job->buffer_count; i++)
        if (job->buffers[i].like == var && written(job, i))
            return true;
    return false;
}

/* Runs the kernel's check of a run that ended. What it finds wrong is wrong somewhere in the
 * outputs. */
static int run_check(struct plan_check *check, const struct report_request *request,
                     struct wgsim_error *err) {
    if (plan_check(request->job, request->plan, check, err) < 0)
        return -1;
    if (!is_output(request->job, check->var))
        check->var = PLAN_CHECK_ANY;
    return 0;
}

static int collect_outputs(struct report *report, const struct report_request *request,
                           struct wgsim_error *err) {
    const struct job *job = request->job;
    struct plan_check check = {0};
    bool ended = report->run.verdict == VERDICT_FINISHED && !report->run.trapped;

    if (ended && request->plan && run_check(&check, request, err) < 0)
        return -1;
    report->outputs =
        arena_alloc(&report->arena, (job->buffer_count + 1) * sizeof *report->outputs);
    if (!report->outputs)
        return error_set(err, "out of memory");
    for (uint32_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *buffer = &job->buffers[i];
        if (!written(job, i))
            continue;
        struct report_output *output = &report->outputs[report->output_count++];
        *output = (struct report_output){
            .name = buffer->name, .elements = elements_of(job, buffer), .check = REPORT_UNCHECKED};
        if (ended && buffer->expect)
            compare_expected(job, buffer, output);
        else
            apply_check(report, buffer, &check, output);
    }
    return 0;
}

static void collect_violations(struct report *report) {
    for (size_t i = 0; i < report->run.violations.count; i++) {
        const struct limits_violation *violation = &report->run.violations.items[i];
        struct finding finding = {.kind = FINDING_LIMIT,
                                  .text = findings_text(&report->findings, "%s", violation->text),
                                  .advice = violation->asked ? NULL : "give at least 1",
                                  .element = FINDING_UNKNOWN,
                                  .first = FINDING_NO_PLACE,
                                  .second = FINDING_NO_PLACE,
                                  .count = 1};
        findings_add(&report->findings, &finding);
    }
}

/* Texts of a kernel in C name its macros. */
static void spell_in_c(struct report *report) {
    for (size_t i = 0; i < report->findings.count; i++) {
        struct finding *finding = &report->findings.items[i];
        const char *advice =
            finding->advice ? spelling_in_c(&report->arena, finding->advice) : NULL;
        const char *text = spelling_in_c(&report->arena, finding->text);
        report->failed |= !text || (finding->advice && !advice);
        finding->advice = advice;
        finding->text = text ? text : finding->text;
    }
    for (size_t kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        report->fixes[kind] = spelling_in_c(&report->arena, finding_kinds[kind].fix);
        report->failed |= !report->fixes[kind];
    }
}

int report_collect(struct report *report, const struct report_request *request,
                   struct wgsim_error *err) {
    if (collect_outputs(report, request, err) < 0)
        return -1;
    collect_violations(report);
    findings_sort(&report->findings);
    if (spelling_is_c(request->job->kernel->desc))
        spell_in_c(report);
    if (collect_counts(report, request->job->kernel) < 0 ||
        collect_variables(report, request->job) < 0 || report->failed || report->findings.failed)
        return error_set(err, "out of memory");
    return 0;
}
