/* Coroutine switch for any other system: ucontext. A lane's context lies at the top of its stack;
 * slow (system calls), and its state for comparisons is the whole stack. */
#if defined(WGSIM_UCONTEXT) ||                                                                     \
    (!defined(__aarch64__) && (!defined(__x86_64__) || defined(__ILP32__)))
#include "sim/coro/coro.h"

#include <ucontext.h>

#include "sim/coro/stack.h"

const uint32_t coro_abi = WGSIM_KERNEL_ABI | WG_ABI_CALLED_SWITCH;

/* A pointer in two arguments of makecontext, which are ints. */
#define HALVES(p) (unsigned)(uintptr_t)(p), (unsigned)((uint64_t)(uintptr_t)(p) >> 32)
static void *joined(unsigned low, unsigned high) {
    return (void *)((uintptr_t)low | (uintptr_t)((uint64_t)high << 32));
}

static void start(unsigned entry_low, unsigned entry_high, unsigned ctx_low, unsigned ctx_high,
                  unsigned lane_low, unsigned lane_high) {
    uintptr_t entry = (uintptr_t)joined(entry_low, entry_high);

    ((void (*)(struct wg_ctx *, struct wg_lane *))entry)(joined(ctx_low, ctx_high),
                                                         joined(lane_low, lane_high));
}

void coro_prepare(struct wg_lane *lane, const struct coro_stacks *stacks, size_t index,
                  void (*entry)(struct wg_ctx *, struct wg_lane *)) {
    uint8_t *low = coro_stack_low(stacks, index) + sizeof(uint64_t);
    ucontext_t *context =
        (ucontext_t *)(void *)(coro_stack_top(stacks, index) - (sizeof(ucontext_t) + 63) / 64 * 64);

    getcontext(context);
    context->uc_stack.ss_sp = low;
    context->uc_stack.ss_size = (size_t)((uint8_t *)context - low);
    context->uc_link = NULL;
    makecontext(context, (void (*)(void))start, 6, HALVES(entry), HALVES(lane->owner),
                HALVES(lane));
    lane->sp = context;
}

static const char passed_over;

void coro_pass_over(struct wg_lane *lane, const struct coro_stacks *stacks) {
    (void)stacks;
    lane->sp = (void *)(uintptr_t)&passed_over;
}

static struct wg_lane *behind(struct wg_lane *lane) {
    return (struct wg_lane *)(void *)(&lane->sp + 1);
}

void coro_suspend(struct wg_ctx *ctx) {
    struct wg_lane *from = ctx->cur, *to = behind(from);

    while (to->sp == &passed_over)
        to = behind(to);
    ctx->cur = to;
    swapcontext(from->sp, to->sp);
}

void coro_run(struct wg_ctx *ctx, struct wg_lane *first, struct wg_lane *home) {
    ucontext_t here;

    /* cppcheck-suppress autoVariables ; nothing switches here once this has returned */
    home->sp = &here;
    ctx->cur = first;
    swapcontext(&here, first->sp);
}

struct coro_state coro_state(const struct wg_lane *lane, const struct coro_stacks *stacks,
                             size_t index) {
    return (struct coro_state){coro_place_of(lane), coro_stack_low(stacks, index), stacks->stride};
}
#else
typedef int coro_ucontext_is_not_used;
#endif
