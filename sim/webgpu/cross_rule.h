/* By which rule a buffer of a kernel is compared. */
#ifndef SIM_WEBGPU_CROSS_RULE_H
#define SIM_WEBGPU_CROSS_RULE_H

#include "sim/arena.h"
#include "sim/webgpu/compare.h"

/* The first that applies: the user's rules ("BUFFER=RULE", or "RULE" for all buffers), the table of
 * kernels, what WGSL promises of the type. A set's values live in arena. */
int cross_rule(const char *kernel, const char *buffer, const struct element_type *type,
               const char *const *users, size_t user_count, struct arena *arena,
               struct compare_rule *rule, struct wgsim_error *err);

#endif
