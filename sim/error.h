/* Error messages: how a function that can fail says why. */
#ifndef SIM_ERROR_H
#define SIM_ERROR_H

#include "wgsim/wgsim.h"

/* Formats the message, cut at the size of the buffer. err may be NULL. */
void error_format(struct wgsim_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* int error_set(struct wgsim_error *err, const char *format, ...): the same with the value -1, for
 * `return error_set(err, ...)`. A macro, so that compilers see the -1 and warn rightly. */
#define error_set(err, ...) (error_format((err), __VA_ARGS__), -1)

#endif
