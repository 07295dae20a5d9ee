/* Runs a built-in kernel through the library: loads it, plans, runs, checks. */
#ifndef TESTS_KERNEL_RUN_H
#define TESTS_KERNEL_RUN_H

#include <check.h>
#include <stdio.h>

#include "sim/preset.h"
#include "sim/report/report.h"

struct kernel_run {
    struct device device;
    struct run_options options;
    struct plan_options plan;
    struct kernel kernel;
    struct job job;
    struct report report;
    struct plan_check check;
};

/* A run of the kernel on a device, to be changed before it is started. */
static struct kernel_run kernel_run_on(const char *device) {
    struct kernel_run r = {.options.max_steps = 100000000};
    struct wgsim_error err;

    ck_assert_msg(preset_find(&r.device, device, &err) == 0, "%s", err.message);
    return r;
}

/* What a job of r's kernel, or of its twin, does under r's conditions. The report must be released.
 */
static void kernel_run_job(const struct kernel_run *r, struct job *job, struct report *report) {
    struct limits limits = limits_of_device(&r->device);
    struct report_request request = {
        .job = job, .device = &r->device, .run = &r->options, .limits = &limits};
    struct wgsim_error err;

    ck_assert_msg(report_run(report, &request, &err) == 0, "%s: %s", job->kernel->desc->name,
                  err.message);
}

/* Fills r->report and r->check. */
static void kernel_run_start(struct kernel_run *r, const char *name) {
    struct wgsim_error err;
    char path[256];

    snprintf(path, sizeof path, "kernels/%s.so", name);
    r->plan.device = &r->device;
    ck_assert_msg(kernel_load(&r->kernel, path, &err) == 0, "%s", err.message);
    job_init(&r->job, &r->kernel);
    ck_assert_msg(plan_job(&r->job, &r->plan, &err) == 0, "%s", err.message);
    kernel_run_job(r, &r->job, &r->report);
    ck_assert_msg(plan_check(&r->job, &r->plan, &r->check, &err) == 0, "%s", err.message);
}

static void kernel_run_end(struct kernel_run *r) {
    report_release(&r->report);
    job_release(&r->job);
    kernel_release(&r->kernel);
}

#endif
