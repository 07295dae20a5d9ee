/* What may end a run from outside: an interrupt, an invocation that never gives up control, a crash
 * of the kernel, its plan, its check or its shared object. Also shows on a terminal how far a long
 * run is. The one part of the program with global state, for signals have no other. */
#ifndef SIM_CLI_WATCHDOG_H
#define SIM_CLI_WATCHDOG_H

#include <signal.h>

#include "sim/record.h"
#include "wgsim/kernel.h"

struct wgsim_error;

/* The seconds of processor time for which an invocation may run without giving up control; the
 * environment variable WGSIM_STALL_SECONDS overrides it, 0 meaning for ever. */
enum { WATCHDOG_STALL_SECONDS = 10 };

/* Watches from now on over the runs of a kernel. The name must stay. -1: the variable's value is
 * none. */
int watchdog_start(const char *kernel, struct wgsim_error *err);
/* The same for runs that nobody hears of: *running is to be set to the dispatch while one of its
 * invocations runs, else to NULL. Interrupts end the process. */
int watchdog_start_unheard(const char *kernel, const struct dispatch *volatile **running,
                           struct wgsim_error *err);
/* Ends either, and takes what it showed off the terminal. */
void watchdog_stop(void);

/* What of a kernel runs on the host, its plan for one, or NULL: for plan_options.running. */
extern const char *volatile watchdog_running;
/* From now on a crash in that is said to be the kernel's. The name must stay. */
void watchdog_plan(const char *kernel);
/* The same of a crash in any code of a loaded kernel. */
void watchdog_code(const struct wg_kernel *desc);

/* Must hear the runs. */
struct listener watchdog_listener(void);

/* Between two runs: whether an interrupt ends what blocks, as the opening of a FIFO that has no
 * writer, or is seen when that has been done. */
void watchdog_breaks(bool on);

/* Nonzero once SIGINT or SIGTERM came: that signal. For run_options.stop. A second one kills. */
extern volatile sig_atomic_t watchdog_signal;

#endif
