/* A session with another program: shaders, pipelines, buffers and dispatches by requests in JSON.
 */
#ifndef SIM_SERVE_H
#define SIM_SERVE_H

#include <jansson.h>

#include "sim/device.h"
#include "wgsim/wgsim.h"

struct serve;

/* include: the folder of wgsim/wgsl.h. NULL when out of memory. */
struct serve *serve_new(const struct device *device, const char *include);
void serve_free(struct serve *serve);

/* Answers one request, schema "wgsim-serve/1"; see wgsim(1). Every answer has "ok", and "id" if the
 * request has; one that is not ok has "error". NULL when out of memory. */
json_t *serve_answer(struct serve *serve, const json_t *request);

#endif
