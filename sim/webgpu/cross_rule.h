/* By which rule a buffer of a kernel is compared. */
#ifndef SIM_WEBGPU_CROSS_RULE_H
#define SIM_WEBGPU_CROSS_RULE_H

#include "sim/arena.h"
#include "sim/webgpu/compare.h"
#include "sim/webgpu/scan.h"

/* The first that applies: the user's rules ("BUFFER=RULE", or "RULE" for all buffers), the job's
 * own if it is not NULL, the table of kernels, what WGSL promises of the type and of the functions
 * that the shader calls. A set's values live in arena. */
int cross_rule(const char *kernel, const char *buffer, const struct element_type *type,
               enum float_accuracy accuracy, const char *const *users, size_t user_count,
               const char *jobs, struct arena *arena, struct compare_rule *rule,
               struct wgsim_error *err);

#endif
