/* Listing the built-in kernels. */
#ifndef SIM_CLI_LIST_KERNELS_H
#define SIM_CLI_LIST_KERNELS_H

#include <jansson.h>

#include "wgsim/wgsim.h"

/* Prints a line for each kernel on stdout, saying what it shows, and one for each of its
 * overrides. */
int list_kernels_text(struct wgsim_error *err);

/* The same; NULL with a message on failure. */
json_t *list_kernels_json(struct wgsim_error *err);

#endif
