/* Kernels that others have compiled. */
#include "sim/cli/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/cli/watchdog.h"
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

/* What is called before a run: workgroup sizes and counts of elements. */
static void call_sizes(const struct kernel *kernel) {
    const struct wg_kernel *desc = kernel->desc;
    union wg_value overrides[WG_MAX_OVERRIDES];
    uint32_t size[3];

    kernel_defaults(kernel, overrides);
    for (const struct wg_entry *entry = desc->entries; entry < desc->entries_end; entry++)
        kernel_workgroup_size(entry, overrides, size);
    for (const struct wg_var *var = desc->vars; var < desc->vars_end; var++)
        kernel_var_count(var, overrides);
}

/* What is wrong with one that can be loaded is not said here. */
static void load(const char *path) {
    struct kernel kernel;

    be_quiet();
    if (open_kernel(&kernel, path, "", NULL, 0, NULL) == 0) {
        call_sizes(&kernel);
        kernel_release(&kernel);
    }
    _exit(0);
}

static int load_in_child(const char *path, struct wgsim_error *err) {
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
        return error_set(err, "%s: its shared object crashes before it is run", path);
    return 0;
}

int trial_open(struct kernel *kernel, const char *path, const char *include,
               struct wgsim_error *err) {
    const char *dot = strrchr(path, '.');

    if (dot && strcmp(dot, ".so") == 0 && load_in_child(path, err) < 0)
        return -1;
    watchdog_plan(path);
    watchdog_running = "shared object";
    int result = open_kernel(kernel, path, include, NULL, 0, err);
    watchdog_running = NULL;
    return result;
}
