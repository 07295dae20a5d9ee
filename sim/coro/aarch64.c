/* Coroutine switch for 64-bit Arm: a called one that saves the callee-saved registers. */
#if defined(__aarch64__) && !defined(WGSIM_UCONTEXT)
#include "sim/coro/coro.h"

#include <string.h>

#include "sim/coro/stack.h"

const uint32_t coro_abi = WGSIM_KERNEL_ABI | WG_ABI_CALLED_SWITCH;

/* Saved at the stack pointer: x19 to x30, d8 to d15. */
enum { FRAME_BYTES = 160, FRAME_X30 = 88 };

/* void coro_suspend(struct wg_ctx *ctx): slot = ctx->cur; next = slot->next; ctx->cur = next; with
 * cur at offset 0 of ctx, sp at 0 and next at 8 of a slot. x0 keeps ctx for a lane that starts. */
__asm__(".text\n"
        ".balign 16\n"
        ".globl coro_suspend\n"
        ".type coro_suspend, %function\n"
        "coro_suspend:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    ldr x9, [x0]\n"
        "    mov x10, sp\n"
        "    str x10, [x9]\n"
        "    ldr x9, [x9, #8]\n"
        "    str x9, [x0]\n"
        "    ldr x10, [x9]\n"
        "    mov sp, x10\n"
        "    ldp x19, x20, [sp]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size coro_suspend, .-coro_suspend\n");

void coro_prepare(struct wg_slot *slot, const struct coro_stacks *stacks, size_t index,
                  void (*entry)(struct wg_ctx *)) {
    uint8_t *frame = coro_stack_top(stacks, index) - FRAME_BYTES;
    uint64_t start = (uint64_t)(uintptr_t)entry;

    memset(frame, 0, FRAME_BYTES);
    memcpy(frame + FRAME_X30, &start, sizeof start);
    slot->sp = frame;
}

__attribute__((noinline)) void coro_run(struct wg_ctx *ctx, struct wg_slot *first,
                                        struct wg_slot *home) {
    home->next = first;
    ctx->cur = home;
    coro_suspend(ctx);
}

struct coro_state coro_state(const struct wg_slot *slot, const struct coro_stacks *stacks,
                             size_t index) {
    const uint8_t *sp = slot->sp;

    return (struct coro_state){sp, (size_t)(coro_stack_top(stacks, index) - sp)};
}
#else
typedef int coro_aarch64_is_not_used;
#endif
