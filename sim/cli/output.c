/* Standard output. */
#include "sim/cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/error.h"

void output_init(void) {
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file over the limit is a write that fails */
}

static bool reader_gone(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP));
}

static int why; /* the first flush failed: errno */

void output_flush(void) {
    errno = 0;
    if (fflush(stdout) != 0 && !why)
        why = errno;
}

int output_finish(int status) {
    output_flush();
    /* stdio remembers that an earlier write failed, but not why. */
    if ((!ferror(stdout) && !why) || why == EPIPE || reader_gone())
        return status;
    fprintf(stderr, "wgsim: cannot write standard output%s%s\n", why ? ": " : "",
            why ? strerror(why) : "");
    return 2;
}

int output_json(json_t *document, struct wgsim_error *err) {
    if (!document)
        return error_set(err, "out of memory");
    json_dumpf(document, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
    putchar('\n');
    json_decref(document);
    return 0;
}
