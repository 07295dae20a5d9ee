/* Coroutines of invocations: their stacks, and switching between them without going through the
 * scheduler: from each to the next one of its block (wgsim/kernel.h). */
#ifndef SIM_CORO_CORO_H
#define SIM_CORO_CORO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wgsim/kernel.h"
#include "wgsim/wgsim.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif

/* Stacks of equal size in one mapping. Tops are staggered by cache lines, for at equal offsets the
 * hot lines of all stacks would share one set of the first-level cache; and stacks border inside a
 * page, so that the used end of one and the canaries of the next need one page together. */
struct coro_stacks {
    uint8_t *mapping, *base; /* base: low end of the first */
    size_t count, stride; /* bytes from one to the next; behind the last is one of the engine's */
    size_t mapped_bytes;
    unsigned registration; /* valgrind's */
};

enum { CORO_STACK_BYTES = 8192, CORO_STAGGER_LINES = 60 };

/* stack_bytes: what an invocation may use; 0: the default. Refuses sizes that overflow. */
int coro_stacks_init(struct coro_stacks *stacks, size_t count, size_t stack_bytes,
                     struct wgsim_error *err);
void coro_stacks_release(struct coro_stacks *stacks);
/* Whether invocation `index` has written past the end of its stack. */
bool coro_stacks_overflown(const struct coro_stacks *stacks, size_t index);

/* Makes `lane` start `entry` on stack `index` when it is next run. `entry` never returns. */
void coro_prepare(struct wg_lane *lane, const struct coro_stacks *stacks, size_t index,
                  void (*entry)(struct wg_ctx *, struct wg_lane *));

/* Runs `first` and the lanes behind it up to `home`, a place of the same block where the engine's
 * own state is saved meanwhile. Comes back when control reaches `home`. */
void coro_run(struct wg_ctx *ctx, struct wg_lane *first, struct wg_lane *home);

/* What a switch saves, to be put back where coro_run or coro_pass_over has put something else. */
struct coro_place {
    void *sp, *resume, *base;
};
static inline struct coro_place coro_place_of(const struct wg_lane *lane) {
    return (struct coro_place){lane->sp, lane->resume, lane->base};
}
static inline void coro_put_back(struct wg_lane *lane, struct coro_place place) {
    lane->sp = place.sp;
    lane->resume = place.resume;
    lane->base = place.base;
}
/* Makes coro_run pass over a lane. */
void coro_pass_over(struct wg_lane *lane, const struct coro_stacks *stacks);

/* The switch as a function, for kernels compiled without the inlined one: from ctx->cur. */
void coro_suspend(struct wg_ctx *ctx);

/* The state of a suspended invocation: what the switch saved, and the used stack as bytes at fixed
 * addresses. Two states are equal if all of these are. */
struct coro_state {
    struct coro_place place;
    const uint8_t *bytes;
    size_t length;
};
static inline bool coro_place_same(struct coro_place a, struct coro_place b) {
    return a.sp == b.sp && a.resume == b.resume && a.base == b.base;
}
struct coro_state coro_state(const struct wg_lane *lane, const struct coro_stacks *stacks,
                             size_t index);

/* Zeroes the unused part of a suspended invocation's stack, so that what it leaves there, and finds
 * there in variables not yet set, depends on its state alone. */
void coro_clear_unused(const struct wg_lane *lane, const struct coro_stacks *stacks, size_t index);

/* Before bytes of stacks are read as such, or unmapped: what AddressSanitizer left around variables
 * there is no longer out of bounds. */
static inline void coro_forget_red_zones(const void *bytes, size_t length) {
#ifdef ASAN_UNPOISON_MEMORY_REGION
    ASAN_UNPOISON_MEMORY_REGION(bytes, length);
#else
    (void)bytes, (void)length;
#endif
}

/* What kernels must have been compiled for: value of wg_kernel.abi. */
extern const uint32_t coro_abi;

#endif
