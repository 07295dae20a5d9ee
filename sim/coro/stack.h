/* Where the stack of an invocation begins and ends. */
#ifndef SIM_CORO_STACK_H
#define SIM_CORO_STACK_H

#include "sim/coro/coro.h"

static inline uint8_t *coro_stack_low(const struct coro_stacks *stacks, size_t index) {
    return stacks->base + index * stacks->stride;
}

static inline uint8_t *coro_stack_top(const struct coro_stacks *stacks, size_t index) {
    /* 7 and the number of lines have no common factor: neighbours take different lines, and all
     * lines are taken */
    size_t stagger = index * 7 % CORO_STAGGER_LINES * 64;

    return coro_stack_low(stacks, index) + stacks->stride - stagger;
}

#endif
