/* Files without a name until they are whole. */
#include "sim/trace/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/error.h"
#include "sim/trace/hash.h"

static int cannot_write(const char *path, int number, struct wgsim_error *err) {
    return error_set(err, "cannot write the trace %s: %s", path, strerror(number));
}

/* ---- Opening ---- */

/* "FOLDER/NAME" beside `path`, to be freed. */
static char *beside(const char *path, const char *name) {
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    char *result;

    return asprintf(&result, "%.*s%s", folder, path, name) < 0 ? NULL : result;
}

/* A file without a name in the folder of `path`. */
static int open_nameless(const char *path) {
    char *folder = beside(path, ".");
    int fd = folder ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666) : -1;

    free(folder);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return fd;
    char *name = beside(path, ".wgsim-XXXXXX");
    if (!name)
        return -1;
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    free(name);
    return fd;
}

/* Devices and pipes are copied to at the end: what was written to them cannot be taken back. */
static bool is_special(const char *path) {
    struct stat info;

    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

int trace_file_open(struct trace_file *file, const char *path, struct wgsim_error *err) {
    struct stat info;

    *file = (struct trace_file){.path = path, .fd = -1, .hash = HASH_START};
    if (!*path)
        return cannot_write("''", ENOENT, err);
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return cannot_write(path, EISDIR, err);
    if (stat(path, &info) == 0 && access(path, W_OK) < 0)
        return cannot_write(path, errno, err);
    file->rewindable = !is_special(path);
    file->fd = open_nameless(file->rewindable ? path : "/tmp/");
    if (file->fd < 0)
        return cannot_write(path, errno, err);
    file->buffer = malloc(TRACE_BUFFER_BYTES);
    if (!file->buffer) {
        trace_file_release(file);
        return error_set(err, "out of memory");
    }
    return 0;
}

void trace_file_release(struct trace_file *file) {
    if (file->fd >= 0)
        close(file->fd);
    free(file->buffer);
    *file = (struct trace_file){.fd = -1};
}

/* ---- Writing ---- */

/* errno, or 0. */
static int write_all(int fd, const char *bytes, size_t count) {
    while (count) {
        ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return 0;
}

void trace_file_flush(struct trace_file *file) {
    size_t whole = file->used & ~(size_t)7;

    file->hash = hash_words(file->hash, file->buffer, whole);
    if (!file->failed)
        file->failed = write_all(file->fd, file->buffer, whole);
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
    size_t whole = file->used & ~(size_t)7;

    return hash_rest(hash_words(file->hash, file->buffer, whole), file->buffer + whole,
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
    if (!file->failed && (ftruncate(file->fd, (off_t)mark->written) < 0 ||
                          lseek(file->fd, (off_t)mark->written, SEEK_SET) < 0))
        file->failed = errno;
}

/* ---- Publishing ---- */

/* errno, or 0. */
static int copy_to(const struct trace_file *file, int to) {
    char buffer[4096];
    off_t at = 0;
    ssize_t count;

    while ((count = pread(file->fd, buffer, sizeof buffer, at)) > 0) {
        int number = write_all(to, buffer, (size_t)count);
        if (number)
            return number;
        at += count;
    }
    return count < 0 ? errno : 0;
}

static int copy_to_special(const struct trace_file *file) {
    int to = open(file->path, O_WRONLY | O_CLOEXEC);
    if (to < 0)
        return errno;
    int number = copy_to(file, to);
    if (close(to) < 0 && !number)
        number = errno;
    return number;
}

/* Gives the nameless file the name; errno, or 0. */
static int name_it(const struct trace_file *file, const char *name) {
    char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", file->fd);
    if (linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0)
        return 0;
    int to = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (to < 0)
        return errno;
    int number = copy_to(file, to);
    if (close(to) < 0 && !number)
        number = errno;
    return number;
}

/* Under another name first, for renaming alone replaces what was there in one go. */
static int replace(const struct trace_file *file) {
    char suffix[64];

    snprintf(suffix, sizeof suffix, ".wgsim-%ld.part", (long)getpid());
    char *part = beside(file->path, suffix);
    if (!part)
        return ENOMEM;
    unlink(part);
    int number = name_it(file, part);
    if (!number && rename(part, file->path) < 0)
        number = errno;
    if (number)
        unlink(part);
    free(part);
    return number;
}

int trace_file_publish(struct trace_file *file, struct wgsim_error *err) {
    int number = file->failed;

    if (!number)
        number = write_all(file->fd, file->buffer, file->used);
    file->used = 0;
    if (!number)
        number = file->rewindable ? replace(file) : copy_to_special(file);
    return number ? cannot_write(file->path, number, err) : 0;
}
