/* What decides a run, as JSON in which large things stand as hashes: two runs with the same are the
 * same, bit for bit. */
#ifndef SIM_TRACE_INPUTS_H
#define SIM_TRACE_INPUTS_H

#include <jansson.h>

#include "sim/device.h"
#include "sim/job.h"
#include "sim/run.h"

struct trace_subject {
    const struct job *job;
    const struct device *device;
    const struct run_options *run;
    const char *const *files; /* that were read: kernel, shader, job, order */
    size_t file_count;
};

/* The buffers' initial contents are hashed, also after the run. NULL: a file cannot be read, or out
 * of memory. */
json_t *trace_inputs(const struct trace_subject *subject, struct wgsim_error *err);

/* The contents of the buffers now. NULL: out of memory. */
json_t *trace_contents(const struct job *job);

/* A hash as it stands in JSON; takes 17 bytes. */
char *trace_hex(char *text, uint64_t hash);

#endif
