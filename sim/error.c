/* Error messages. */
#include "sim/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The start and the end, for what is wrong stands behind the name that is too long. */
static void shorten(struct wgsim_error *err, const char *whole, size_t length) {
    static const char dots[] = " ... ";
    size_t half = (sizeof err->message - sizeof dots) / 2;

    memcpy(err->message, whole, half);
    memcpy(err->message + half, dots, sizeof dots - 1);
    memcpy(err->message + half + sizeof dots - 1, whole + length - half, half + 1);
}

/* Names come from files: what would make another line of the message, or speak to a terminal. */
static void mask(struct wgsim_error *err) {
    for (char *at = err->message; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            *at = '?';
}

void error_format(struct wgsim_error *err, const char *format, ...) {
    va_list args;
    char *whole;

    if (!err)
        return;
    va_start(args, format);
    int length = vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    if (length >= (int)sizeof err->message) {
        va_start(args, format);
        if (vasprintf(&whole, format, args) >= 0) {
            shorten(err, whole, (size_t)length);
            free(whole);
        }
        va_end(args);
    }
    mask(err);
}
