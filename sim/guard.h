/* Finding communication between workgroups through storage: what allows each to be executed on its
 * own, ahead of time, is that there is none. */
#ifndef SIM_GUARD_H
#define SIM_GUARD_H

#include "sim/judge/judge.h"

/* Tags of the 4-byte words of a buffer that is written: who wrote a word, and who read it. */
struct guard_word {
    uint32_t writer; /* workgroup's number plus 1; GUARD_ATOMIC; 0: nobody */
    uint32_t reader; /* workgroup's number plus 1; GUARD_SEVERAL; 0: nobody */
};
#define GUARD_ATOMIC UINT32_MAX
#define GUARD_SEVERAL UINT32_MAX

enum { GUARD_PAGE_WORDS = 512 };

/* Tags in pages, which are zeroed when they are first needed. */
struct guard_tags {
    struct guard_word *words;
    bool *ready; /* by page */
    size_t pages;
};

struct guard {
    const struct kernel *kernel;
    struct guard_tags tags[WG_MAX_VARS + 1]; /* by variable; none: read only, or no buffer */
    bool conflict;                           /* two workgroups met on a word */
};

/* -1: out of memory; then nothing is kept. */
int guard_init(struct guard *guard, const struct launch *launch);
/* A row_observer's function. */
void guard_row(void *self, const struct access_row *row);
/* Adds the tags of a guard that has seen other workgroups, none with atomics. True: some of these
 * and some of those meet on a word. */
bool guard_join(struct guard *guard, const struct guard *other);
void guard_release(struct guard *guard);

#endif
