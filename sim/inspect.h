/* What a shader declares: entry points, bindings, workgroup memory, overrides, occupancy. */
#ifndef SIM_INSPECT_H
#define SIM_INSPECT_H

#include <jansson.h>

#include "sim/buf.h"
#include "sim/device.h"
#include "sim/shader.h"

/* Schema "wgsim-inspect/1"; NULL when out of memory. */
json_t *inspect_shader(const struct shader *shader, const struct device *device);

/* The same for a person. */
void inspect_print(const json_t *inspection, struct buf *out);

#endif
