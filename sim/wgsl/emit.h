/* The emitter: a shader's entry points as a C kernel against the public headers. */
#ifndef WGSIM_WGSL_EMIT_H
#define WGSIM_WGSL_EMIT_H

#include "include/wgsim/wgsim.h"
#include "sim/buf.h"
#include "sim/wgsl/front.h"

/* Appends the text of one C file with one kernel that has an entry point for each pipeline: the
 * functions that these reach, one for each of WGSL's, their sites and the descriptor. The
 * pipelines, at least one, are of one module and gave its overrides the same values. Returns -1 for
 * what cannot be emitted; out then holds rubbish. */
int wgsl_emit(struct wgsl_pipeline *const *pipelines, uint32_t count, struct buf *out,
              struct wgsim_error *err);

#endif
