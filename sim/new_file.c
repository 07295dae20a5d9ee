/* Files without a name until they are whole. */
#include "sim/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/error.h"

static int cannot_write(const char *path, const char *why, struct wgsim_error *err) {
    return error_set(err, "cannot write %s: %s", *path ? path : "''", why);
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

/* Devices, pipes and what is open already: they are copied to at the end, for what was written to
 * them cannot be taken back. */
static bool is_special(const char *path, const struct stat *info) {
    return !S_ISREG(info->st_mode) || strncmp(path, "/dev/", 5) == 0 ||
           strncmp(path, "/proc/", 6) == 0;
}

int new_file_open(struct new_file *file, const char *path, struct wgsim_error *err) {
    struct stat info;
    bool exists = stat(path, &info) == 0;

    *file = (struct new_file){.path = path, .fd = -1, .target = -1};
    if (!exists && (errno != ENOENT || !*path))
        return cannot_write(path, strerror(errno), err);
    if (exists && S_ISDIR(info.st_mode))
        return cannot_write(path, "it is a folder", err);
    if (exists && access(path, W_OK) < 0)
        return cannot_write(path, strerror(errno), err);
    bool special = exists && is_special(path, &info);
    if (special && (file->target = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)) < 0)
        return cannot_write(path, strerror(errno), err);
    file->fd = open_nameless(special ? "/tmp/" : path);
    if (file->fd < 0 && special)
        file->fd = memfd_create("wgsim", MFD_CLOEXEC);
    if (file->fd >= 0)
        return 0;
    int number = errno;
    new_file_release(file);
    return cannot_write(path, strerror(number), err);
}

int new_file_check(const char *path, struct wgsim_error *err) {
    struct new_file file;
    int result = new_file_open(&file, path, err);

    new_file_release(&file);
    return result;
}

void new_file_release(struct new_file *file) {
    if (file->path && file->fd >= 0)
        close(file->fd);
    if (file->path && file->target >= 0)
        close(file->target);
    *file = (struct new_file){.fd = -1, .target = -1};
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

void new_file_write(struct new_file *file, const void *bytes, size_t count) {
    if (!file->failed)
        file->failed = write_all(file->fd, bytes, count);
}

/* ---- Publishing ---- */

/* errno, or 0. */
static int copy_to(const struct new_file *file, int to) {
    char buffer[16384];
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

/* Gives the nameless file the name; errno, or 0. */
static int name_it(const struct new_file *file, const char *name) {
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
static int replace(const struct new_file *file, const char *path) {
    char suffix[64];

    snprintf(suffix, sizeof suffix, ".wgsim-%ld.part", (long)getpid());
    char *part = beside(path, suffix);
    if (!part)
        return ENOMEM;
    unlink(part);
    int number = name_it(file, part);
    if (!number && rename(part, path) < 0)
        number = errno;
    if (number)
        unlink(part);
    free(part);
    return number;
}

/* A link to a file stays one. */
static int replace_target(const struct new_file *file) {
    char *target = realpath(file->path, NULL);
    int number = replace(file, target ? target : file->path);

    free(target);
    return number;
}

int new_file_publish(struct new_file *file, struct wgsim_error *err) {
    int number = file->failed;

    if (!number)
        number = file->target < 0 ? replace_target(file) : copy_to(file, file->target);
    return number ? cannot_write(file->path, strerror(number), err) : 0;
}
