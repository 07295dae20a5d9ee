/* Coroutine switch for x86-64: the inlined one of wgsim/kernel.h, also as functions. A suspended
 * lane's stack pointer points to the address where it goes on. */
#if defined(__x86_64__) && !defined(__ILP32__) && !defined(WGSIM_UCONTEXT)
#include "sim/coro/coro.h"

#include "sim/coro/stack.h"

const uint32_t coro_abi = WGSIM_KERNEL_ABI;

/* Goes on with the next lane: what a lane that is passed over does. */
void coro_pass(void);
__asm__(".text\n"
        ".type coro_pass, @function\n"
        "coro_pass:\n"
        "    movq 8(%rsi), %rsp\n"
        "    addq $8, %rsi\n"
        "    jmpq *(%rsp)\n"
        ".size coro_pass, .-coro_pass\n");

/* A function begins where a call would have left the stack pointer. */
static void **prepare(const struct coro_stacks *stacks, size_t index, uintptr_t start) {
    uintptr_t *top = (uintptr_t *)(void *)coro_stack_top(stacks, index);

    top[-3] = start;
    return (void **)(void *)&top[-3];
}

void coro_prepare(struct wg_ctx *ctx, struct wg_lane *lane, const struct coro_stacks *stacks,
                  size_t index, void (*entry)(struct wg_ctx *, struct wg_lane *)) {
    (void)ctx;
    lane->sp = prepare(stacks, index, (uintptr_t)entry);
}

/* On a stack, for signals. */
void *coro_passed_over(const struct coro_stacks *stacks) {
    return prepare(stacks, stacks->count, (uintptr_t)coro_pass);
}

/* As the inlined switch does it, but for who is next. */
__attribute__((noinline)) void coro_run(struct wg_ctx *ctx, struct wg_lane *first,
                                        struct wg_lane *home) {
    __asm__ volatile("leaq -144(%%rsp), %%rsp\n\t"
                     "leaq 1f(%%rip), %%rdx\n\t"
                     "movq %%rdx, (%%rsp)\n\t"
                     "movq %%rbp, 8(%%rsp)\n\t"
                     "movq %%rsp, (%%rax)\n\t"
                     "movq (%%rsi), %%rsp\n\t"
                     "jmpq *(%%rsp)\n"
                     "1:\tmovq 8(%%rsp), %%rbp\n\t"
                     "leaq 144(%%rsp), %%rsp\n"
                     : "+D"(ctx), "+S"(first), "+a"(home)
                     :
                     : "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
                       "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
                       "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15" WG_CLOBBER_WIDE_);
}

__attribute__((noinline)) void coro_suspend(struct wg_ctx *ctx) {
    struct wg_lane *lane = ctx->cur;

    wg_switch_inlined_(ctx, &lane);
}

struct coro_state coro_state(const struct wg_lane *lane, const struct coro_stacks *stacks,
                             size_t index) {
    const uint8_t *sp = lane->sp;

    return (struct coro_state){sp, (size_t)(coro_stack_top(stacks, index) - sp)};
}
#else
typedef int coro_x86_64_is_not_used;
#endif
