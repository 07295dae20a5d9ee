/* This program as a child. */
#include "sim/cli/again.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/error.h"

/* In the child. */
static void become(char *const *arguments, int output) {
    char *argv[512] = {"wgsim"};
    int count = 1;

    for (; arguments[count - 1] && count < 511; count++)
        argv[count] = arguments[count - 1];
    argv[count] = NULL;
    if (dup2(output, STDOUT_FILENO) >= 0)
        execv("/proc/self/exe", argv);
    _exit(127);
}

static void collect(int from, struct buf *output) {
    char bytes[4096];
    ssize_t count;

    while ((count = read(from, bytes, sizeof bytes)) != 0) {
        if (count > 0)
            buf_append(output, bytes, (size_t)count);
        else if (errno != EINTR)
            return;
    }
}

int again_run(char *const *arguments, struct buf *output, struct wgsim_error *err) {
    int ends[2], status;

    if (pipe(ends) < 0)
        return error_set(err, "cannot run the program again: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0)
        become(arguments, ends[1]);
    close(ends[1]);
    if (child > 0)
        collect(ends[0], output);
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return error_set(err, "cannot run the program again: %s", strerror(errno));
    if (output->failed)
        return error_set(err, "out of memory");
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
        return error_set(err, "the command does not run any more");
    return 0;
}
