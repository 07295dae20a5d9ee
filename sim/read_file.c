/* Whole files. */
#include "sim/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/buf.h"
#include "sim/error.h"

const char *read_file_error(int number) {
    return number == EISDIR ? "it is a folder" : strerror(number);
}

int check_regular(const char *path, const struct stat *info, struct wgsim_error *err) {
    if (S_ISREG(info->st_mode))
        return 0;
    return error_set(err, "cannot read %s: %s", path,
                     S_ISDIR(info->st_mode) ? read_file_error(EISDIR) : "it is no regular file");
}

/* One byte more than the limit at the most. errno, or 0. EINTR ends it, for it comes where somebody
 * wants that: a FIFO may never have a writer. */
static int read_all(int fd, size_t limit, struct buf *bytes) {
    char piece[16384];

    while (bytes->len <= limit) {
        size_t room = limit + 1 - bytes->len;
        ssize_t count = read(fd, piece, room < sizeof piece ? room : sizeof piece);
        if (count < 0)
            return errno;
        if (count == 0)
            break;
        buf_append(bytes, piece, (size_t)count);
        if (bytes->failed)
            return ENOMEM;
    }
    return 0;
}

char *read_file(const char *path, const char *what, size_t limit, size_t *length,
                struct wgsim_error *err) {
    struct buf bytes = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int number = fd < 0 ? errno : read_all(fd, limit, &bytes);

    if (fd >= 0)
        close(fd);
    *length = bytes.len;
    buf_append(&bytes, "", 0); /* there may be no byte at all */
    if (number == 0 && bytes.failed)
        number = ENOMEM;
    if (number == 0 && bytes.len <= limit)
        return bytes.data;
    buf_release(&bytes);
    if (number)
        error_format(err, "cannot read %s: %s", *path ? path : "''", read_file_error(number));
    else
        error_format(err, "%s is over %zu MiB: too long for %s", path, limit >> 20, what);
    return NULL;
}
