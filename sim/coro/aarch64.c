/* Coroutine switch for 64-bit Arm: a called one that saves the callee-saved registers. */
#if defined(__aarch64__) && !defined(WGSIM_UCONTEXT)
#include "sim/coro/coro.h"

#include <string.h>

#include "sim/coro/stack.h"

const uint32_t coro_abi = WGSIM_KERNEL_ABI | WG_ABI_CALLED_SWITCH;

/* Saved at the stack pointer: x19 to x30, d8 to d15. */
enum { FRAME_BYTES = 160, FRAME_X30 = 88 };

/* Both save the state of who calls them at its own place: coro_run at `home`. x0 and x1 are what a
 * lane starts with. A lane that is passed over goes on at coro_pass. */
void coro_pass(void);
#define SAVE                                                                                       \
    "    sub sp, sp, #160\n"                                                                       \
    "    stp x19, x20, [sp]\n"                                                                     \
    "    stp x21, x22, [sp, #16]\n"                                                                \
    "    stp x23, x24, [sp, #32]\n"                                                                \
    "    stp x25, x26, [sp, #48]\n"                                                                \
    "    stp x27, x28, [sp, #64]\n"                                                                \
    "    stp x29, x30, [sp, #80]\n"                                                                \
    "    stp d8, d9, [sp, #96]\n"                                                                  \
    "    stp d10, d11, [sp, #112]\n"                                                               \
    "    stp d12, d13, [sp, #128]\n"                                                               \
    "    stp d14, d15, [sp, #144]\n"                                                               \
    "    mov x10, sp\n"
__asm__(".text\n"
        ".balign 16\n"
        ".globl coro_run\n"
        ".type coro_run, %function\n"
        "coro_run:\n" SAVE "    str x10, [x2]\n"
        "    b 1f\n"
        ".size coro_run, .-coro_run\n"
        ".globl coro_suspend\n"
        ".type coro_suspend, %function\n"
        "coro_suspend:\n" SAVE "    ldr x1, [x0]\n"
        "    str x10, [x1]\n"
        ".globl coro_pass\n"
        ".type coro_pass, %function\n"
        "coro_pass:\n"
        "    ldr x1, [x0]\n"
        "    add x1, x1, #8\n"
        "1:\n"
        "    str x1, [x0]\n"
        "    ldr x10, [x1]\n"
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

static uint8_t *prepare(const struct coro_stacks *stacks, size_t index, uint64_t start) {
    uint8_t *frame = coro_stack_top(stacks, index) - FRAME_BYTES;

    memset(frame, 0, FRAME_BYTES);
    memcpy(frame + FRAME_X30, &start, sizeof start);
    return frame;
}

void coro_prepare(struct wg_lane *lane, const struct coro_stacks *stacks, size_t index,
                  void (*entry)(struct wg_ctx *, struct wg_lane *)) {
    lane->sp = prepare(stacks, index, (uint64_t)(uintptr_t)entry);
}

/* On a stack of its own. */
void coro_pass_over(struct wg_lane *lane, const struct coro_stacks *stacks) {
    lane->sp = prepare(stacks, stacks->count, (uint64_t)(uintptr_t)coro_pass);
}

struct coro_state coro_state(const struct wg_lane *lane, const struct coro_stacks *stacks,
                             size_t index) {
    const uint8_t *sp = lane->sp;

    return (struct coro_state){coro_place_of(lane), sp,
                               (size_t)(coro_stack_top(stacks, index) - sp)};
}
#else
typedef int coro_aarch64_is_not_used;
#endif
