/* The file that a trace is written to, with the checksum of what was written. */
#ifndef SIM_TRACE_FILE_H
#define SIM_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sim/new_file.h"
#include "sim/trace/hash.h"

enum { TRACE_BUFFER_BYTES = 1 << 16, TRACE_LINE_BYTES = 512 };

/* Invariant: used <= TRACE_BUFFER_BYTES. */
struct trace_file {
    struct new_file out;
    uint64_t written; /* bytes that have left the buffer: whole blocks of its hash */
    uint64_t hash;    /* of those */
    size_t used;
    char *buffer;
};

/* A place to go back to. */
struct trace_mark {
    uint64_t written, hash;
    size_t used;
    char rest[HASH_BLOCK_BYTES];
};

/* The path must stay. */
int trace_file_open(struct trace_file *file, const char *path, struct wgsim_error *err);
/* Throws away what was written, if it was not published. */
void trace_file_release(struct trace_file *file);

void trace_file_write(struct trace_file *file, const void *bytes, size_t count);
void trace_file_puts(struct trace_file *file, const char *text);

/* Lets whole blocks go, so that TRACE_LINE_BYTES have room. */
void trace_file_flush(struct trace_file *file);
/* Room for a line; trace_file_took says where it ended. */
static inline char *trace_file_room(struct trace_file *file) {
    if (file->used > TRACE_BUFFER_BYTES - TRACE_LINE_BYTES)
        trace_file_flush(file);
    return file->buffer + file->used;
}
static inline void trace_file_took(struct trace_file *file, const char *end) {
    file->used = (size_t)(end - file->buffer);
}

/* Bytes written so far, and their hash. */
static inline uint64_t trace_file_at(const struct trace_file *file) {
    return file->written + file->used;
}
uint64_t trace_file_hash(const struct trace_file *file);

struct trace_mark trace_file_mark(struct trace_file *file);
/* Takes back all that was written since. */
void trace_file_rewind(struct trace_file *file, const struct trace_mark *mark);

/* The file is whole: gives it its name. Says also whether something failed before. */
int trace_file_publish(struct trace_file *file, struct wgsim_error *err);

#endif
