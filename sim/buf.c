/* A growable byte string. */
#include "sim/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

/* Makes room for count more bytes and the terminating NUL. */
static bool buf_reserve(struct buf *buf, size_t count) {
    if (buf->failed)
        return false;
    size_t needed = buf->len + count + 1;
    if (needed <= buf->len)
        goto failed;
    if (needed <= buf->cap)
        return true;
    size_t cap = buf->cap ? buf->cap : FIRST_CAPACITY;
    while (cap < needed)
        cap = cap > SIZE_MAX / 2 ? needed : cap * 2;
    char *data = realloc(buf->data, cap);
    if (!data)
        goto failed;
    buf->data = data;
    buf->cap = cap;
    return true;
failed:
    buf->failed = true;
    return false;
}

void buf_append(struct buf *buf, const void *bytes, size_t count) {
    if (!buf_reserve(buf, count))
        return;
    if (count)
        memcpy(buf->data + buf->len, bytes, count);
    buf->len += count;
    buf->data[buf->len] = '\0';
}

void buf_puts(struct buf *buf, const char *text) {
    buf_append(buf, text, strlen(text));
}

void buf_printf(struct buf *buf, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0) {
        buf->failed = true;
        return;
    }
    if (!buf_reserve(buf, (size_t)length))
        return;
    va_start(args, format);
    vsnprintf(buf->data + buf->len, (size_t)length + 1, format, args);
    va_end(args);
    buf->len += (size_t)length;
}

void buf_release(struct buf *buf) {
    free(buf->data);
    *buf = (struct buf){0};
}

void buf_append_plain(struct buf *buf, const char *text, size_t length) {
    size_t from = buf->len;

    buf_append(buf, text, length);
    for (size_t i = from; !buf->failed && i < buf->len; i++)
        if (((unsigned char)buf->data[i] < ' ' && buf->data[i] != '\t') || buf->data[i] == 0x7f)
            buf->data[i] = '?';
}
