/* Coroutine switch for x86-64: the inlined one of wgsim/kernel.h, also as functions. */
#if defined(__x86_64__) && !defined(__ILP32__) && !defined(WGSIM_UCONTEXT)
#include "sim/coro/coro.h"

#include <string.h>

#include "sim/coro/stack.h"

const uint32_t coro_abi = WGSIM_KERNEL_ABI;

_Static_assert(offsetof(struct wg_lane, resume) == 320 && offsetof(struct wg_lane, base) == 640 &&
                   offsetof(struct wg_lane, owner) == 2496,
               "these offsets are written out in the switch and below");

/* Where a lane starts: what it is to call is in %rbp. What others left in registers that functions
 * save must not get into its state. */
void coro_start(void);
/* Where one resumes that is passed over: it goes on with the next. */
void coro_pass(void);
__asm__(".text\n"
        ".globl coro_start\n"
        ".type coro_start, @function\n"
        "coro_start:\n"
        "    movq 2496(%rsi), %rdi\n"
        "    movq %rbp, %rax\n"
        "    xorl %ebp, %ebp\n"
        "    xorl %ebx, %ebx\n"
        "    xorl %r12d, %r12d\n"
        "    xorl %r13d, %r13d\n"
        "    xorl %r14d, %r14d\n"
        "    xorl %r15d, %r15d\n"
        "    jmpq *%rax\n"
        ".size coro_start, .-coro_start\n"
        ".globl coro_pass\n"
        ".type coro_pass, @function\n"
        "coro_pass:\n"
        "    movq 8(%rsi), %rsp\n"
        "    movq 648(%rsi), %rbp\n"
        "    addq $8, %rsi\n"
        "    jmpq *320(%rsi)\n"
        ".size coro_pass, .-coro_pass\n");

/* Bytes below the stack pointer that a function may use which calls no other. */
enum { RED_ZONE = 128 };

void coro_prepare(struct wg_lane *lane, const struct coro_stacks *stacks, size_t index,
                  void (*entry)(struct wg_ctx *, struct wg_lane *)) {
    /* where a call would have left it */
    uint8_t *sp = coro_stack_top(stacks, index) - 3 * sizeof(void *);

    /* it may have been left on its way */
    coro_forget_red_zones(coro_stack_low(stacks, index), stacks->stride);
    memset(sp - RED_ZONE, 0, RED_ZONE + 3 * sizeof(void *));
    lane->sp = sp;
    lane->resume = (void *)(uintptr_t)coro_start;
    lane->base = (void *)(uintptr_t)entry;
}

void coro_pass_over(struct wg_lane *lane, const struct coro_stacks *stacks) {
    (void)stacks;
    lane->resume = (void *)(uintptr_t)coro_pass;
}

/* As the inlined switch does it, but for who is next. */
__attribute__((noinline)) void coro_run(struct wg_ctx *ctx, struct wg_lane *first,
                                        struct wg_lane *home) {
    (void)ctx;
    __asm__ volatile("leaq 1f(%%rip), %%rdx\n\t"
                     "movq %%rdx, 320(%%rax)\n\t"
                     "movq %%rbp, 640(%%rax)\n\t"
                     "movq %%rsp, (%%rax)\n\t"
                     "movq (%%rsi), %%rsp\n\t"
                     "movq 640(%%rsi), %%rbp\n\t"
                     "jmpq *320(%%rsi)\n"
                     "1:\n"
                     : "+S"(first), "+a"(home)
                     :
                     : "rbx", "rcx", "rdx", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
                       "r15", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                       "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15" WG_CLOBBER_WIDE_);
}

__attribute__((noinline)) void coro_suspend(struct wg_ctx *ctx) {
    wg_switch_inlined_(ctx->cur);
}

struct coro_state coro_state(const struct wg_lane *lane, const struct coro_stacks *stacks,
                             size_t index) {
    const uint8_t *bytes = (const uint8_t *)lane->sp - RED_ZONE;

    return (struct coro_state){coro_place_of(lane), bytes,
                               (size_t)(coro_stack_top(stacks, index) - bytes)};
}
#else
typedef int coro_x86_64_is_not_used;
#endif
