/* A kernel from a file: a kernel object, C, or WGSL. */
#ifndef SIM_OPEN_H
#define SIM_OPEN_H

#include "sim/kernel.h"
#include "sim/wgsl/front.h"

/* The suffix of the path says what it is. settings: values of the overrides of a shader, which are
 * compiled in. `include` holds the folder wgsim/ of headers. A shader that is rejected gives its
 * first error as "file:line:column: message". */
int open_kernel(struct kernel *kernel, const char *path, const char *include,
                const struct wgsl_setting *settings, uint32_t setting_count,
                struct wgsim_error *err);

#endif
