/* Loading in a child. */
#include "sim/cli/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/error.h"
#include "sim/open.h"

enum { TRIAL_SECONDS = 20 };

/* A crash is silent, and a list without an end does not last. */
static void be_quiet(void) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGALRM};
    const struct rlimit none = {0};
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &none);
    dup2(null, STDERR_FILENO);
    alarm(TRIAL_SECONDS);
}

static void load(const char *path) {
    struct kernel kernel;

    be_quiet();
    if (open_kernel(&kernel, path, "", NULL, 0, NULL) == 0)
        kernel_release(&kernel);
    _exit(0);
}

int trial_load(const char *path, struct wgsim_error *err) {
    int status;
    pid_t child = fork();

    if (child == 0)
        load(path);
    if (child < 0)
        return 0; /* then it is loaded untried */
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return error_set(err, "%s: its shared object crashes as it is loaded", path);
    return 0;
}
