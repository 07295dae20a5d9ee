/* Subjects that are shaders or job files: how they are opened and how their jobs are made. */
#ifndef SIM_CLI_SUBJECT_SHADER_H
#define SIM_CLI_SUBJECT_SHADER_H

#include "sim/cli/subject.h"

int subject_shader_open(struct subject *subject, const struct setup *setup,
                        struct wgsim_error *err);
int subject_job_open(struct subject *subject, const struct setup *setup, struct wgsim_error *err);

int subject_shader_fill(const struct subject *subject, struct job *job, const struct setup *setup,
                        struct wgsim_error *err);
int subject_job_fill(const struct subject *subject, struct job *job, const struct setup *setup,
                     struct wgsim_error *err);

#endif
