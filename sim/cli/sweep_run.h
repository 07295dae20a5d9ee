/* One run of a sweep: `wgsim run` of the kernel with the sweep's options and those of a variant. */
#ifndef SIM_CLI_SWEEP_RUN_H
#define SIM_CLI_SWEEP_RUN_H

#include "sim/cli/options.h"
#include "sim/cli/sweep_variants.h"
#include "sim/sweep.h"

struct sweep_subject {
    const char *kernel;
    struct cli_words options; /* those of `wgsim run` that the sweep was given */
};

/* A hash of all that decides the run. warn: prints what a shader is warned of. */
int sweep_hash(const struct sweep_subject *subject, const struct sweep_variant *variant, bool warn,
               uint64_t *hash, struct wgsim_error *err);

/* The size of the problem, by --size or the kernel's default. */
int sweep_size(const struct sweep_subject *subject, uint64_t *size, struct wgsim_error *err);

/* Runs it and keeps the result, which must be released either way. */
int sweep_run(const struct sweep_subject *subject, const struct sweep_variant *variant,
              struct sweep_result *result, struct wgsim_error *err);

/* Runs it and records that in a trace. 1: it was interrupted, and is not recorded. */
int sweep_record(const struct sweep_subject *subject, const struct sweep_variant *variant,
                 const char *path, struct wgsim_error *err);

#endif
