/* Where the program's own files are: installed, or in the tree it was built in. */
#ifndef SIM_CLI_PATHS_H
#define SIM_CLI_PATHS_H

#include "sim/arena.h"

/* When a folder kernels/ stands beside the program it runs from its build tree: kernel objects are
 * there, their sources and the headers in the source tree. Else all are where `make install` put
 * them. The paths live in the arena; NULL when out of memory. Files are not checked for being
 * there. */
const char *paths_kernel_object(struct arena *arena, const char *name);

/* The folder of kernel objects. */
const char *paths_kernel_folder(struct arena *arena);

/* extension: "c" or "wgsl". */
const char *paths_kernel_source(struct arena *arena, const char *name, const char *extension);

/* The folder that names of built-in kernels' sources, such as "kernels/reduce.c", start from. */
const char *paths_source_root(struct arena *arena);

/* The folder that holds wgsim/kernel.h. */
const char *paths_include(struct arena *arena);

/* The program that runs jobs on a WebGPU device: beside this one in the build tree, else where
 * `make install` put it. It is not there when configure found no webgpu.h. */
const char *paths_device_worker(struct arena *arena);

/* The folder of the running program. */
const char *paths_program(struct arena *arena);

#endif
