/* A growable byte string. */
#ifndef SIM_BUF_H
#define SIM_BUF_H

#include <stdbool.h>
#include <stddef.h>

/* Invariant: data is NULL or holds len bytes and a terminating NUL, len < cap. A zeroed struct is
 * an empty string. Once an append ran out of memory, failed is set and further appends do nothing,
 * so that a writer checks once, at the end. */
struct buf {
    char *data;
    size_t len, cap;
    bool failed;
};

void buf_append(struct buf *buf, const void *bytes, size_t count);
void buf_puts(struct buf *buf, const char *text);
/* Text of unknown origin for a terminal: control characters but tabs become '?'. */
void buf_append_plain(struct buf *buf, const char *text, size_t length);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Frees the bytes; the string is then empty and may be used again. */
void buf_release(struct buf *buf);

#endif
