/* Steps that were made before: what a workgroup does is decided by its state and by the pages of
 * memory that it looks at on the way. */
#ifndef SIM_PROGRESS_MEMO_H
#define SIM_PROGRESS_MEMO_H

#include <stdbool.h>

#include "sim/arena.h"
#include "sim/progress/memory.h"
#include "wgsim/kernel.h"

/* What a step did, for people. */
struct system_step {
    const struct wg_site
        *site; /* of the storage access that made it visible; NULL: it ended without one */
    uint32_t var;
    uint64_t offset;
    bool changed; /* storage */
};

/* A page that a step looked at, and the numbers of its contents. */
struct memo_page {
    uint32_t page, before, after;
};

enum { MEMO_MEMORIES = 2 };

struct memo_entry {
    uint32_t process_after;
    struct system_step step;
    struct memo_page *pages; /* those of the first memory, then those of the second */
    uint32_t page_count[MEMO_MEMORIES];
    struct memo_entry *next; /* that began with the same pages */
};

/* The pages that a step from some state looks at first are always the same; by what they hold the
 * rest is found. */
struct memo {
    struct arena arena;
    struct intern starts; /* workgroup and state */
    struct memo_start {
        uint32_t page[MEMO_MEMORIES]; /* MEMO_NO_PAGE: it looks at none */
    } * first;                        /* by start */
    size_t first_capacity;
    struct intern keys;         /* start and the numbers of those pages */
    struct memo_entry **chains; /* by key */
    size_t chain_capacity;
    uint64_t bytes; /* of entries */
};
#define MEMO_NO_PAGE UINT32_MAX

void memo_init(struct memo *memo);
void memo_release(struct memo *memo);
uint64_t memo_bytes(const struct memo *memo);

/* The step that `which` made from this state where the memories held what they hold now, by the
 * numbers of their tables; NULL: not known. */
const struct memo_entry *memo_find(const struct memo *memo, uint32_t which, uint32_t process,
                                   const struct memory *const memories[MEMO_MEMORIES],
                                   const uint32_t tables[MEMO_MEMORIES]);
/* Keeps a step that was just made; the pages that it looked at are those noted in the memories, and
 * `tables` what they held before. -1: out of memory. */
int memo_add(struct memo *memo, uint32_t which, uint32_t process_before, uint32_t process_after,
             const struct memory *const memories[MEMO_MEMORIES],
             const uint32_t tables[MEMO_MEMORIES], const struct system_step *step);

#endif
