/* Signals during a run. Handlers read the dispatch under way, on whose thread they run; they print
 * by write() and end the process by _exit(), for a lane's stack may be broken. */
#include "sim/cli/watchdog.h"

#include <inttypes.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "sim/dispatch/dispatch.h"
#include "sim/error.h"
#include "sim/units.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZER_HANDLES_CRASHES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZER_HANDLES_CRASHES 1
#endif
#endif

enum { HANDLER_STACK_BYTES = 65536, HOST_STACK_BYTES = 16 << 20, BAR_WIDTH = 20 };

volatile sig_atomic_t watchdog_signal;
const char *volatile watchdog_running;

static struct {
    const char *kernel;
    const struct dispatch *volatile dispatch; /* under way, or NULL */
    uint64_t dispatches;                      /* begun so far */
    uint64_t steps;                           /* at the last tick that saw some */
    int idle_ticks;                           /* since then */
    int stall_ticks;                          /* that end the run; 0: none do */
    volatile sig_atomic_t ticks;
    int shown_ticks;
    struct timespec interrupted; /* when the first signal came */
    bool terminal, shown;
    uintptr_t code; /* where the kernel's is */
    size_t code_bytes;
} state;

static unsigned char handler_stack[HANDLER_STACK_BYTES];

/* ---- Last words ---- */

/* In one write, so that lines of several processes do not mix. Called in signal handlers. */
static void write_line(const char *begin, const char *middle, const char *end) {
    char line[1024] = "";
    const char *parts[] = {
        state.shown ? "\r\033[Kwgsim: " : "wgsim: ", state.kernel, ": ", begin, middle, end, "\n"};
    size_t length = 0;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (const char *c = parts[i]; *c && length < sizeof line; c++)
            line[length++] = *c;
    ssize_t written = write(STDERR_FILENO, line, length);
    (void)written; /* nothing is left to be done about it */
}

/* Several threads may come here: the first ends them all. */
static void die(const char *what) {
    static atomic_flag dying = ATOMIC_FLAG_INIT;

    while (atomic_flag_test_and_set(&dying))
        pause();
    write_line(what, "", "");
    _exit(2);
}

/* A stack that is overrun ruins others: whatever goes wrong may come from that. */
static void die_of_overrun(const struct dispatch *d) {
    if (d && dispatch_overflown(d))
        die(runner_overrun);
}

/* ---- Handlers ---- */

static void end_by(int number) {
    signal(number, SIG_DFL);
    raise(number);
}

/* So soon after the first a second signal is the same one: sent to a process and its group, say. */
enum { SAME_SIGNAL_MS = 200 };

static int64_t milliseconds_since(struct timespec then) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)(now.tv_sec - then.tv_sec) * 1000 + (now.tv_nsec - then.tv_nsec) / 1000000;
}

/* The second one kills. */
static void on_interrupt(int number) {
    if (watchdog_signal && milliseconds_since(state.interrupted) > SAME_SIGNAL_MS)
        end_by(number);
    if (!watchdog_signal)
        clock_gettime(CLOCK_MONOTONIC, &state.interrupted);
    watchdog_signal = number;
}

/* So many seconds of processor time without a step, and a run does not see that it should end. */
enum { DEAF_TICKS = 5 };

/* Once a second of processor time. */
static void on_tick(int number) {
    const struct dispatch *d = state.dispatch;

    (void)number;
    state.ticks++;
    if (watchdog_signal && watchdog_running)
        end_by(watchdog_signal); /* a check does not see that it should end */
    if (!d || d->steps != state.steps) {
        state.idle_ticks = 0;
        state.steps = d ? d->steps : 0;
        return;
    }
    state.idle_ticks++;
    if (watchdog_signal && state.idle_ticks > DEAF_TICKS)
        end_by(watchdog_signal);
    if (state.stall_ticks && state.idle_ticks > state.stall_ticks) {
        die_of_overrun(d);
        die("an invocation does not give up control: it runs in a C loop without an access, an "
            "atomic, a barrier or a mark (WG_FOR, WG_WHILE, WG_LOOP); stopped "
            "(WGSIM_STALL_SECONDS)");
    }
}

#ifndef SANITIZER_HANDLES_CRASHES
static uintptr_t stack_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.sp;
#else
    (void)context;
    return 0;
#endif
}

/* Whether it happened in an invocation, which has a stack of its own: not in the program, whose
 * stack is that of its environment. Dispatches are also run again, to explain, and nobody hears
 * of those. */
static bool in_kernel(const ucontext_t *context) {
    uintptr_t sp = stack_pointer(context), host = (uintptr_t)environ;

    return !(sp < host && host - sp < HOST_STACK_BYTES);
}

static uintptr_t program_counter(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

/* Whether it happened in the kernel's code, though on the program's stack: it is asked for its
 * workgroup sizes and counts of elements all the time. */
static bool in_size(const ucontext_t *context) {
    uintptr_t pc = program_counter(context);

    return pc >= state.code && pc - state.code < state.code_bytes;
}

static void die_in_function(void) {
    write_line("its ", watchdog_running, " crashed");
    _exit(2);
}

static void on_crash(int number, siginfo_t *info, void *context) {
    (void)info;
    if (watchdog_running)
        die_in_function();
    ahead_leave_crash(number);
    if (!in_kernel(context) && in_size(context))
        die(number == SIGFPE ? "a workgroup size or a count of elements divides by zero"
                             : "what computes a workgroup size or a count of elements crashed");
    if (!in_kernel(context)) {
        signal(number, SIG_DFL); /* the program's own fault: it happens again, and ends it */
        return;
    }
    die_of_overrun(state.dispatch);
    if (number == SIGFPE)
        die("an invocation divided an integer by zero, which is not defined in C");
    if (number == SIGABRT)
        die("an invocation aborted: by abort() or an assertion that failed");
    if (number == SIGILL || number == SIGTRAP)
        die("an invocation ran into a trap or an illegal instruction");
    die("an invocation crashed: a pointer that points nowhere, an index outside of one of its "
        "local "
        "arrays, or more stack than it has (deep recursion, large local arrays)");
}
#endif

static void handle(int number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK | SA_RESTART};

    sigaction(number, &action, NULL);
}

static void handle_crashes(void) {
#ifndef SANITIZER_HANDLES_CRASHES
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_ONSTACK | SA_SIGINFO};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
#endif
}

/* ---- How far it is ---- */

static void show(const struct dispatch *d) {
    static const char bar[BAR_WIDTH + 1] = "####################";
    uint64_t total = dispatch_total(d);
    double done = total ? (double)d->finished / (double)total : 1;

    state.shown_ticks = state.ticks;
    state.shown = true;
    fprintf(stderr,
            "\r%s: [%-*.*s] %2.0f %% of the workgroups of dispatch %" PRIu64 ", %" PRIu64
            " steps\033[K",
            state.kernel, BAR_WIDTH, (int)(done * BAR_WIDTH), bar, done * 100, state.dispatches,
            d->steps);
}

static void hear(void *self, const struct record *record) {
    (void)self;
    if (record->type == RECORD_DISPATCH_BEGIN) {
        if (!state.dispatch)
            state.dispatches++;
        state.dispatch = record->dispatch;
    } else if (record->type == RECORD_VERDICT) {
        state.dispatch = NULL;
    } else if (state.terminal && state.ticks != state.shown_ticks) {
        show(record->dispatch);
    }
}

struct listener watchdog_listener(void) {
    return (struct listener){.hear = hear, .sparse = !isatty(STDERR_FILENO)};
}

/* ---- Start and stop ---- */

static int stall_seconds(int *seconds, struct wgsim_error *err) {
    enum { LIMIT = 1000000 };
    const char *text = getenv("WGSIM_STALL_SECONDS");
    uint32_t given = WATCHDOG_STALL_SECONDS;

    if (text && *text && (parse_u32(text, &given, NULL) < 0 || given > LIMIT))
        return error_set(err, "WGSIM_STALL_SECONDS: '%s' is no whole number from 0 to %d", text,
                         LIMIT);
    *seconds = (int)given;
    return 0;
}

static void set_timer(int seconds) {
    struct itimerval timer = {{.tv_sec = seconds}, {.tv_sec = seconds}};

    setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

void watchdog_plan(const char *kernel) {
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};

    state.kernel = kernel;
    sigaltstack(&stack, NULL);
    handle_crashes();
}

/* Called for each object of the process: takes the segment that has the start of what is known of
 * the code. */
static int find_code(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size;
    (void)unused;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || state.code < start ||
            state.code - start >= segment->p_memsz)
            continue;
        state.code = start;
        state.code_bytes = segment->p_memsz;
        return 1;
    }
    return 0;
}

void watchdog_code(const struct wg_kernel *desc) {
    state.code = (uintptr_t)desc->entries->size;
    state.code_bytes = 0;
    dl_iterate_phdr(find_code, NULL);
}

static int watch(const char *kernel, struct wgsim_error *err) {
    if (stall_seconds(&state.stall_ticks, err) < 0)
        return -1;
    watchdog_plan(kernel);
    handle(SIGVTALRM, on_tick);
    set_timer(1);
    return 0;
}

int watchdog_start(const char *kernel, struct wgsim_error *err) {
    if (watch(kernel, err) < 0)
        return -1;
    state.terminal = isatty(STDERR_FILENO);
    handle(SIGINT, on_interrupt);
    handle(SIGTERM, on_interrupt);
    return 0;
}

int watchdog_start_unheard(const char *kernel, const struct dispatch *volatile **running,
                           struct wgsim_error *err) {
    *running = &state.dispatch;
    return watch(kernel, err);
}

void watchdog_breaks(bool on) {
    static const int numbers[] = {SIGINT, SIGTERM};
    struct sigaction action;

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (sigaction(numbers[i], NULL, &action) < 0 || action.sa_handler != on_interrupt)
            continue;
        action.sa_flags = on ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
        sigaction(numbers[i], &action, NULL);
    }
}

void watchdog_stop(void) {
    set_timer(0);
    state.dispatch = NULL;
    if (state.shown)
        fputs("\r\033[K", stderr);
    state.shown = false;
}
