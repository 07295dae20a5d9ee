/* Shared objects of kernels on disk: what they define that may change. */
#ifndef SIM_OBJECT_H
#define SIM_OBJECT_H

#include "wgsim/wgsim.h"

/* Refuses an ELF object that defines writable objects (in .data, .bss, .tdata, .tbss and the like,
 * beyond those of the C runtime), for state outside invocation, workgroup and storage memory would
 * make runs irreproducible and proofs of deadlock unsound. The message names the first few. */
int object_check(const char *path, struct wgsim_error *err);

#endif
