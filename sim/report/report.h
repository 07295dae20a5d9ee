/* A report: everything there is to say about the run of a job, as data. Printers are beside it. */
#ifndef SIM_REPORT_REPORT_H
#define SIM_REPORT_REPORT_H

#include "sim/explain.h"
#include "sim/finding.h"
#include "sim/plan.h"
#include "sim/run.h"

enum report_access {
    REPORT_WORKGROUP_LOAD,
    REPORT_WORKGROUP_STORE,
    REPORT_WORKGROUP_ATOMIC,
    REPORT_STORAGE_LOAD,
    REPORT_STORAGE_STORE,
    REPORT_STORAGE_ATOMIC,
    REPORT_UNIFORM_LOAD, /* of sites only: not part of the counts */
    REPORT_ACCESS_COUNT
};
extern const char *const report_access_names[REPORT_ACCESS_COUNT + 1]; /* ends with NULL */

struct report_counts {
    struct site_count access[REPORT_ACCESS_COUNT];
    uint64_t barriers;
};

struct report_site {
    const struct wg_site *site;
    enum report_access access;
    struct site_count count;
};

struct report_variable {
    const struct wg_var *var;
    uint64_t bytes; /* of the largest there was */
    struct var_count count;
};

enum report_check { REPORT_MATCH, REPORT_DIFFER, REPORT_UNCHECKED };
extern const char *const report_check_names[]; /* ends with NULL */

struct report_output {
    const char *name;
    uint64_t elements;
    enum report_check check;
    uint64_t element; /* REPORT_DIFFER: the first that does */
    const char *text; /* REPORT_DIFFER: how; REPORT_MATCH: with what */
};

struct report_print {
    uint64_t workgroup;
    uint32_t invocation;
    const struct wg_site *site;
    const char *text;
};

/* Where invocations of resident workgroups stand when a run stops. */
struct report_stand {
    const struct wg_site *site; /* NULL: at their start */
    uint32_t event;             /* enum wg_event */
    uint64_t invocations, workgroups;
    uint64_t first, last; /* workgroups, by linear id */
};

enum { REPORT_PRINTS_MAX = 10000 };

struct report {
    struct arena arena;
    const char *kernel, *command;
    struct run run; /* zeroed but for the verdict where nothing ran */
    struct findings findings;
    struct findings what_if;                 /* of the hypothetical run; in findings as well */
    const char *fixes[FINDING_KIND_COUNT];   /* of kinds, where they are said otherwise; or NULL */
    struct report_counts total, *dispatches; /* one for each of run.dispatches */
    struct report_site *sites;               /* that made requests, in the order of the source */
    size_t site_count;
    struct report_variable *variables; /* that some dispatch of the job uses, by id */
    size_t variable_count;
    struct report_output *outputs;
    size_t output_count;
    struct report_print *prints;
    size_t print_count, print_capacity;
    size_t prints_before; /* the current dispatch */
    bool in_dispatch;
    uint64_t prints_dropped; /* beyond REPORT_PRINTS_MAX */
    struct report_stand *stands;
    size_t stand_count, stand_capacity;
    struct report_queue {
        uint64_t ended, pending, first; /* first: the next workgroup to be admitted */
    } queue;                            /* where the last dispatch stopped unfinished */
    struct explanation deadlock;        /* VERDICT_DEADLOCK: of the last dispatch */
    uint64_t cycle_steps; /* VERDICT_DEADLOCK, VERDICT_LIVELOCK: steps after which it repeats */
    bool interrupted;     /* run_options.stop ended the run */
    bool failed;          /* out of memory */
};

/* What to run and how. */
struct report_request {
    struct job *job;
    const struct device *device;
    const struct run_options *run;
    const struct limits *limits;
    const struct plan_options *plan; /* for the kernel's check; NULL: there is none */
    const char *command;
    const struct listener *listeners; /* that hear the run besides the report */
    size_t listener_count;
};

/* Runs the job and collects the report, which must be released also after a failure. */
int report_run(struct report *report, const struct report_request *request,
               struct wgsim_error *err);
void report_release(struct report *report);

/* Whether all workgroups of all dispatches ended, so that times mean something. */
static inline bool report_ended(const struct report *report) {
    return !report->run.trapped && report->run.hang == VERDICT_FINISHED &&
           (report->run.verdict == VERDICT_FINISHED || report->run.verdict == VERDICT_DIVERGENCE);
}
/* What to do about a finding that has no advice of its own. */
static inline const char *report_fix(const struct report *report, enum finding_kind kind) {
    return report->fixes[kind] ? report->fixes[kind] : finding_kinds[kind].fix;
}
/* Whether a site, which may be NULL, is one that makes requests. */
bool report_is_access(const struct wg_site *site);
enum report_access report_access_of(const struct wg_site *site);

#endif
