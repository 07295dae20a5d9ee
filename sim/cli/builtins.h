/* The names of the built-in kernels. */
#ifndef SIM_CLI_BUILTINS_H
#define SIM_CLI_BUILTINS_H

#include "sim/arena.h"
#include "wgsim/wgsim.h"

struct builtins {
    struct arena arena;
    const char **names; /* sorted */
    size_t count;
};

/* Reads the folder of kernel objects. */
int builtins_read(struct builtins *builtins, struct wgsim_error *err);
void builtins_release(struct builtins *builtins);

#endif
