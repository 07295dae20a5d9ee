/* A job from what a user asks for. */
#ifndef SIM_JOB_BUILD_H
#define SIM_JOB_BUILD_H

#include "sim/job.h"
#include "sim/job_spec.h"

/* Fills a job that has been initialised with the kernel: the buffers of the spec, zeroed ones for
 * bindings that it does not mention (a runtime-sized array gets an element for each invocation of
 * the first dispatch), its overrides and dispatches. The job is sealed afterwards. */
int job_build(struct job *job, const struct job_spec *spec, struct wgsim_error *err);

/* Whether the numbers that are given for a buffer, or expected in it, are other numbers to the
 * kernel: floats for integers, or the other way round. `line` says so. */
bool job_build_doubts(const struct kernel *kernel, const struct job_spec *spec,
                      const struct job_spec_buffer *buffer, struct wgsim_error *line);

#endif
