/* The WGSL twin of a kernel: where it is, and its text. */
#ifndef SIM_CLI_TWIN_FILE_H
#define SIM_CLI_TWIN_FILE_H

#include "sim/arena.h"
#include "wgsim/wgsim.h"

/* The shader that stands beside the kernel which an operand names: NAME.wgsl for NAME.c and
 * NAME.so, a shader itself, else that of the built-in kernel. NULL when out of memory. */
const char *twin_file_path(const char *operand, struct arena *arena);

/* The whole file, or NULL with a message. */
const char *twin_file_read(const char *path, struct arena *arena, struct wgsim_error *err);

#endif
