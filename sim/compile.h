/* C kernels compiled by the system's compiler, kept in the user's cache. */
#ifndef SIM_COMPILE_H
#define SIM_COMPILE_H

#include "sim/arena.h"
#include "wgsim/wgsim.h"

/* The flags, besides -I for wgsim's headers: wrapping integers and floats as WGSL wants them. */
extern const char *const compile_flags[]; /* ends with NULL */

/* Compiles C text to a shared object and returns its path, which lives in the arena; it is compiled
 * only if the cache has none of the same text, headers, compiler, flags and processor. `name` is
 * what the text is called in messages, `include` the folder that holds wgsim/kernel.h. NULL with
 * one line when there is no compiler or it refused the text. */
const char *compile_text(struct arena *arena, const char *name, const char *text,
                         const char *include, struct wgsim_error *err);

/* The same for a C file and whatever it includes. */
const char *compile_file(struct arena *arena, const char *path, const char *include,
                         struct wgsim_error *err);

#endif
