/* Coroutine switch for any other system: ucontext. A lane's context lies at the top of its stack;
 * slow (system calls), and its state for comparisons is the whole stack. */
#if defined(WGSIM_UCONTEXT) ||                                                                     \
    (!defined(__aarch64__) && (!defined(__x86_64__) || defined(__ILP32__)))
#include "sim/coro/coro.h"

#include <ucontext.h>

#include "sim/coro/stack.h"

const uint32_t coro_abi = WGSIM_KERNEL_ABI | WG_ABI_CALLED_SWITCH;

static void start(unsigned entry_low, unsigned entry_high, unsigned ctx_low, unsigned ctx_high) {
    uintptr_t entry = (uintptr_t)entry_low | (uintptr_t)((uint64_t)entry_high << 32);
    uintptr_t ctx = (uintptr_t)ctx_low | (uintptr_t)((uint64_t)ctx_high << 32);

    ((void (*)(struct wg_ctx *))entry)((struct wg_ctx *)ctx);
}

/* makecontext takes its arguments now, but which workgroup runs on the slot is known only when it
 * is run: coro_run hands it over by ctx->cur, so the lane finds it in the slot. */
void coro_prepare(struct wg_slot *slot, const struct coro_stacks *stacks, size_t index,
                  void (*entry)(struct wg_ctx *)) {
    uint8_t *low = coro_stack_low(stacks, index) + sizeof(uint64_t);
    ucontext_t *context =
        (ucontext_t *)(void *)(coro_stack_top(stacks, index) - (sizeof(ucontext_t) + 63) / 64 * 64);
    uint64_t entry_bits = (uintptr_t)entry, ctx_bits = (uintptr_t)slot->owner;

    getcontext(context);
    context->uc_stack.ss_sp = low;
    context->uc_stack.ss_size = (size_t)((uint8_t *)context - low);
    context->uc_link = NULL;
    makecontext(context, (void (*)(void))start, 4, (unsigned)entry_bits,
                (unsigned)(entry_bits >> 32), (unsigned)ctx_bits, (unsigned)(ctx_bits >> 32));
    slot->sp = context;
}

void coro_suspend(struct wg_ctx *ctx) {
    struct wg_slot *from = ctx->cur, *to = from->next;

    ctx->cur = to;
    swapcontext(from->sp, to->sp);
}

void coro_run(struct wg_ctx *ctx, struct wg_slot *first, struct wg_slot *home) {
    ucontext_t here;

    /* cppcheck-suppress autoVariables ; nothing switches here once this has returned */
    home->sp = &here;
    home->next = first;
    ctx->cur = home;
    coro_suspend(ctx);
}

struct coro_state coro_state(const struct wg_slot *slot, const struct coro_stacks *stacks,
                             size_t index) {
    (void)slot;
    return (struct coro_state){coro_stack_low(stacks, index), stacks->stride};
}
#else
typedef int coro_ucontext_is_not_used;
#endif
