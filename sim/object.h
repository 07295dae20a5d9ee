/* Shared objects of kernels on disk: what they define that may change, and what they call. */
#ifndef SIM_OBJECT_H
#define SIM_OBJECT_H

#include "wgsim/wgsim.h"

/* Refuses an ELF object that defines writable objects (in .data, .bss, .tdata, .tbss and the like,
 * beyond those of the C runtime), for state outside invocation, workgroup and storage memory would
 * make runs irreproducible and proofs of deadlock unsound; and one that calls functions of
 * elsewhere which do not come back (exit, longjmp and the like), for the program would end with
 * them. The message names the first few. Nothing of the object is run. */
int object_check(const char *path, struct wgsim_error *err);

#endif
