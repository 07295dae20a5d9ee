/* Coroutine switch for x86-64: the inlined one of wgsim/kernel.h, also as functions. A suspended
 * lane's stack pointer points to the address where it goes on. */
#if defined(__x86_64__) && !defined(__ILP32__) && !defined(WGSIM_UCONTEXT)
#include "sim/coro/coro.h"

#include "sim/coro/stack.h"

const uint32_t coro_abi = WGSIM_KERNEL_ABI;

void coro_prepare(struct wg_slot *slot, const struct coro_stacks *stacks, size_t index,
                  void (*entry)(struct wg_ctx *)) {
    void **top = (void **)(void *)coro_stack_top(stacks, index);

    *--top = NULL; /* where a return address would be: keeps the alignment and ends backtraces */
    *--top = (void *)entry;
    slot->sp = top;
}

__attribute__((noinline)) void coro_run(struct wg_ctx *ctx, struct wg_slot *first,
                                        struct wg_slot *home) {
    home->next = first;
    ctx->cur = home;
    wg_switch_inlined_(ctx);
}

__attribute__((noinline)) void coro_suspend(struct wg_ctx *ctx) {
    wg_switch_inlined_(ctx);
}

struct coro_state coro_state(const struct wg_slot *slot, const struct coro_stacks *stacks,
                             size_t index) {
    const uint8_t *sp = slot->sp;

    return (struct coro_state){sp, (size_t)(coro_stack_top(stacks, index) - sp)};
}
#else
typedef int coro_x86_64_is_not_used;
#endif
