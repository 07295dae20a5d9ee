/* Files of traces. */
#include "sim/trace/file.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/error.h"
#include "sim/trace/hash.h"

int trace_file_open(struct trace_file *file, const char *path, struct wgsim_error *err) {
    *file = (struct trace_file){.hash = HASH_START};
    if (new_file_open(&file->out, path, err) < 0)
        return -1;
    file->buffer = malloc(TRACE_BUFFER_BYTES);
    if (!file->buffer) {
        trace_file_release(file);
        return error_set(err, "out of memory");
    }
    return 0;
}

void trace_file_release(struct trace_file *file) {
    new_file_release(&file->out);
    free(file->buffer);
    *file = (struct trace_file){.buffer = NULL};
}

void trace_file_flush(struct trace_file *file) {
    size_t whole = file->used & ~(size_t)(HASH_BLOCK_BYTES - 1);

    file->hash = hash_blocks(file->hash, file->buffer, whole);
    new_file_write(&file->out, file->buffer, whole);
    file->written += whole;
    file->used -= whole;
    memmove(file->buffer, file->buffer + whole, file->used);
}

void trace_file_write(struct trace_file *file, const void *bytes, size_t count) {
    const char *from = bytes;

    while (count) {
        char *to = trace_file_room(file);
        size_t room = TRACE_BUFFER_BYTES - file->used, part = count < room ? count : room;
        memcpy(to, from, part);
        file->used += part;
        from += part;
        count -= part;
    }
}

void trace_file_puts(struct trace_file *file, const char *text) {
    trace_file_write(file, text, strlen(text));
}

uint64_t trace_file_hash(const struct trace_file *file) {
    size_t whole = file->used & ~(size_t)(HASH_BLOCK_BYTES - 1);

    return hash_rest(hash_blocks(file->hash, file->buffer, whole), file->buffer + whole,
                     file->used - whole);
}

struct trace_mark trace_file_mark(struct trace_file *file) {
    trace_file_flush(file);
    struct trace_mark mark = {.written = file->written, .hash = file->hash, .used = file->used};
    memcpy(mark.rest, file->buffer, file->used);
    return mark;
}

void trace_file_rewind(struct trace_file *file, const struct trace_mark *mark) {
    file->written = mark->written;
    file->hash = mark->hash;
    file->used = mark->used;
    memcpy(file->buffer, mark->rest, mark->used);
    if (!file->out.failed && (ftruncate(file->out.fd, (off_t)mark->written) < 0 ||
                              lseek(file->out.fd, (off_t)mark->written, SEEK_SET) < 0))
        file->out.failed = errno;
}

int trace_file_publish(struct trace_file *file, struct wgsim_error *err) {
    new_file_write(&file->out, file->buffer, file->used);
    file->used = 0;
    return new_file_publish(&file->out, err);
}
