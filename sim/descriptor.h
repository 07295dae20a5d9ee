/* The descriptor of a kernel: whether what it says can be true. Everything that reads one relies on
 * that. */
#ifndef SIM_DESCRIPTOR_H
#define SIM_DESCRIPTOR_H

#include "wgsim/kernel.h"
#include "wgsim/wgsim.h"

/* Ids of sites are below. */
enum { DESCRIPTOR_SITES = 65536 };

/* Refuses a descriptor of which something points outside of its object (texts to their end, lists,
 * functions to where code is), or is out of its range, or has the id of another. handle: the
 * object, from dlopen; NULL: part of the program, whose pointers are taken as they are. */
int descriptor_check(const struct wg_kernel *desc, void *handle, const char *name,
                     struct wgsim_error *err);

#endif
