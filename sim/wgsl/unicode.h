/* Code points: UTF-8 and the classes that identifiers are made of. */
#ifndef WGSIM_WGSL_UNICODE_H
#define WGSIM_WGSL_UNICODE_H

#include <stdbool.h>
#include <stdint.h>

#define UTF8_INVALID 0xffffffffu

/* The code point at *p, which moves behind it; UTF8_INVALID moves one byte on. *p < end. */
uint32_t utf8_next(const char **p, const char *end);

bool unicode_is_xid_start(uint32_t c);
bool unicode_is_xid_continue(uint32_t c);

#endif
