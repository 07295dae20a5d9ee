/* Numbers as people write them on a command line or in a file. */
#ifndef SIM_UNITS_H
#define SIM_UNITS_H

#include <stdint.h>

#include "wgsim/wgsim.h"

/* Each reads the whole text, without sign or spaces, and returns 0; or -1 with a message that
 * quotes the text, and then leaves *out alone. Numbers are decimal, or hexadecimal with 0x. */
int parse_u32(const char *text, uint32_t *out, struct wgsim_error *err);
int parse_u64(const char *text, uint64_t *out, struct wgsim_error *err);

/* A number with an optional k, M or G: 1024, 1024^2 or 1024^3. */
int parse_size(const char *text, uint64_t *out, struct wgsim_error *err);

/* "X", "X,Y" or "X,Y,Z"; what is missing is 1. */
int parse_groups(const char *text, uint32_t out[3], struct wgsim_error *err);

#endif
