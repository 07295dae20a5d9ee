/* What a command runs: the kernel that its operand names, and how jobs of it are made. */
#ifndef SIM_CLI_SUBJECT_H
#define SIM_CLI_SUBJECT_H

#include "sim/cli/run_options.h"

struct subject_kind;

struct subject {
    struct arena arena;
    const struct subject_kind *kind;
    const char *operand;
    const char *source_root; /* where names of its source files start; NULL: the current folder */
    struct kernel kernel;
};

/* Loads the kernel: a built-in one by name, a kernel object (.so) or a C kernel (.c). Must be
 * released only after success. */
int subject_open(struct subject *subject, const char *operand, struct wgsim_error *err);
void subject_release(struct subject *subject);

/* Fills a job for the subject. The job must be released either way. */
int subject_job(const struct subject *subject, struct job *job, const struct setup *setup,
                struct wgsim_error *err);

#endif
