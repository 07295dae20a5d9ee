/* The adapters that a library offers. */
#ifndef SIM_WEBGPU_ADAPTER_H
#define SIM_WEBGPU_ADAPTER_H

#include <jansson.h>

#include "sim/webgpu/gpu.h"

/* An array of what adapter_describe gives for each, discrete ones first. */
json_t *adapter_list(struct gpu *gpu);

/* Makes one the gpu's: a number in the list, part of a name, or NULL for the first. */
int adapter_choose(struct gpu *gpu, const char *wanted, struct wgsim_error *err);

/* The chosen adapter as a JSON object: library, adapter, limits, subgroup sizes, features. */
json_t *adapter_describe(const struct gpu *gpu);

#endif
