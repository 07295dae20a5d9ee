/* A kernel's own plan: how it fills a job with buffers and dispatches, and how it checks the
 * result. */
#ifndef SIM_PLAN_H
#define SIM_PLAN_H

#include "sim/device.h"
#include "sim/job.h"

struct plan_options {
    const struct device *device;
    uint64_t size; /* --size */
    bool size_given;
    uint32_t groups[3];     /* --groups; all 0: not given */
    bool groups_offered;    /* nobody asked for them: a plan need not follow */
    uint32_t registers;     /* a lane; 0: default */
    const char *const *set; /* "NAME=VALUE" */
    size_t set_count;
    /* Not NULL: "plan" or "check" while that function of the kernel runs, else NULL, for a signal
     * handler. */
    const char *volatile *running;
};

/* Fills `job`, which has been initialised, by the kernel's plan. */
int plan_job(struct job *job, const struct plan_options *options, struct wgsim_error *err);

enum { PLAN_CHECK_ANY = WG_MAX_VARS };

/* How the outputs compare with the kernel's CPU reference. */
struct plan_check {
    bool checked; /* the kernel has a check */
    bool differs;
    uint32_t var; /* PLAN_CHECK_ANY: it does not say which */
    uint64_t element;
    char text[256];
    bool looked[WG_MAX_VARS]; /* by variable: the check asked for its result */
};
int plan_check(struct job *job, const struct plan_options *options, struct plan_check *check,
               struct wgsim_error *err);

/* Applies "NAME=VALUE" to a table of overrides by id; sets given[id]. */
int plan_set(const struct kernel *kernel, const char *assignment, union wg_value *overrides,
             bool *given, struct wgsim_error *err);

#endif
