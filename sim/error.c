/* Error messages. */
#include "sim/error.h"

#include <stdarg.h>
#include <stdio.h>

void error_format(struct wgsim_error *err, const char *format, ...) {
    if (!err)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
}
