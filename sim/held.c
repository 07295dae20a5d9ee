/* Signals that wait. */
#include "sim/held.h"

#include <stddef.h>

static const int held_numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

enum { HELD_COUNT = sizeof held_numbers / sizeof *held_numbers };

void held_begin(struct held *held) {
    sigemptyset(&held->signals);
    for (size_t i = 0; i < HELD_COUNT; i++) {
        struct sigaction action;
        if (sigaction(held_numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&held->signals, held_numbers[i]);
    }
    pthread_sigmask(SIG_BLOCK, &held->signals, &held->before);
}

bool held_came(const struct held *held) {
    sigset_t pending;

    sigpending(&pending);
    for (size_t i = 0; i < HELD_COUNT; i++)
        if (sigismember(&held->signals, held_numbers[i]) == 1 &&
            sigismember(&pending, held_numbers[i]) == 1)
            return true;
    return false;
}

void held_end(const struct held *held) {
    pthread_sigmask(SIG_SETMASK, &held->before, NULL);
}
