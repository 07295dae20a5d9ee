/* Stacks of coroutines: one mapping, canaries at the low end of each. */
#include "sim/coro/coro.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef HAVE_VALGRIND
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(low, high) 0
#define VALGRIND_STACK_DEREGISTER(id) (void)(id)
#endif

#include "sim/coro/stack.h"
#include "sim/error.h"

/* So many that frames of few variables, whose gaps nobody writes, cannot pass between them. */
enum { CANARIES = 32, CANARY_BYTES = CANARIES * sizeof(uint64_t), PAGE = 4096, BORDER = 3584 };

#define CANARY UINT64_C(0x5bd1e9955bd1e995)

static size_t round_up(size_t value, size_t unit) {
    return (value + unit - 1) / unit * unit;
}

static void write_canaries(struct coro_stacks *stacks) {
    static const uint64_t canary = CANARY;

    for (size_t i = 0; i < stacks->count; i++)
        for (size_t k = 0; k < CANARIES; k++)
            memcpy(coro_stack_low(stacks, i) + k * sizeof canary, &canary, sizeof canary);
}

int coro_stacks_init(struct coro_stacks *stacks, size_t count, size_t stack_bytes,
                     struct wgsim_error *err) {
    size_t wanted = stack_bytes ? stack_bytes : CORO_STACK_BYTES;

    *stacks = (struct coro_stacks){.count = count};
    if (wanted > SIZE_MAX / 4 || count == 0)
        return error_set(err, "cannot give %zu invocations %zu bytes of stack each", count, wanted);
    stacks->stride = round_up(wanted + CORO_STAGGER_LINES * 64 + CANARY_BYTES, PAGE);
    if (count > SIZE_MAX / 2 / stacks->stride)
        return error_set(err, "cannot give %zu invocations %zu bytes of stack each", count, wanted);
    size_t guard = (size_t)sysconf(_SC_PAGESIZE);
    stacks->mapped_bytes = guard + round_up((count + 1) * stacks->stride + 2 * PAGE, guard) + guard;
    void *base = mmap(NULL, stacks->mapped_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return error_set(err, "out of memory for the stacks of %zu invocations", count);
    madvise(base, stacks->mapped_bytes, MADV_NOHUGEPAGE);
    stacks->mapping = base;
    stacks->base = stacks->mapping + guard + BORDER;
    /* Below may be the stacks of another thread; above is what an array runs into whose index is
     * too large. */
    mprotect(base, guard, PROT_NONE);
    mprotect(stacks->mapping + stacks->mapped_bytes - guard, guard, PROT_NONE);
    stacks->registration =
        VALGRIND_STACK_REGISTER(stacks->mapping, stacks->mapping + stacks->mapped_bytes);
    write_canaries(stacks);
    return 0;
}

void coro_stacks_release(struct coro_stacks *stacks) {
    if (!stacks->mapping)
        return;
    VALGRIND_STACK_DEREGISTER(stacks->registration);
    coro_forget_red_zones(stacks->mapping, stacks->mapped_bytes);
    munmap(stacks->mapping, stacks->mapped_bytes);
    stacks->mapping = stacks->base = NULL;
}

bool coro_stacks_overflown(const struct coro_stacks *stacks, size_t index) {
    const uint8_t *low = coro_stack_low(stacks, index);
    uint64_t words[CANARIES], differ = 0;

    memcpy(words, low, sizeof words);
    for (size_t k = 0; k < CANARIES; k++)
        differ |= words[k] ^ CANARY;
    return differ != 0;
}

/* Frames may leave gaps that nobody has written. */
enum { CLEAR_STEP = 256, CLEAR_GAP = 2048 };

void coro_clear_unused(const struct wg_lane *lane, const struct coro_stacks *stacks, size_t index) {
    static const uint8_t zeros[CLEAR_STEP];
    uint8_t *low = coro_stack_low(stacks, index) + CANARY_BYTES;
    uint8_t *at = (uint8_t *)(uintptr_t)coro_state(lane, stacks, index).bytes;

    if (at <= low)
        return;
    coro_forget_red_zones(low, (size_t)(at - low));
    for (size_t gap = 0; gap < CLEAR_GAP && at > low;) {
        size_t part = at - low < CLEAR_STEP ? (size_t)(at - low) : CLEAR_STEP;
        at -= part;
        gap = memcmp(at, zeros, part) == 0 ? gap + part : 0;
        if (!gap)
            memset(at, 0, part);
    }
}
