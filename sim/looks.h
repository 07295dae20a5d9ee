/* What workgroups that wait look at while they turn in their closed loops, and who would change
 * that: told by a run of the same dispatch that ends. */
#ifndef SIM_LOOKS_H
#define SIM_LOOKS_H

#include "sim/arena.h"
#include "sim/dispatch/dispatch.h"

enum { LOOKS_MAX = 8 };

/* A word that an invocation looks at in its loop. */
struct look {
    const struct wg_site *site;
    uint64_t place;      /* variable and offset, as in a word of the log */
    uint32_t invocation; /* local index */
    uint32_t value;      /* the 32 bits there */
    /* In the run that was followed: it saw that value; then another one; and went on elsewhere. Or
     * it never saw that one, and went on: the first time counts. */
    bool stuck, passed, left, left_once;
    /* What it saw last before it went on, and who stored that, if that was in the run. */
    bool freed, has_writer;
    uint32_t freed_value;
    uint64_t writer;
    const struct wg_site *writer_site;
    /* Who stored the value that is there, in a run that hangs likewise. */
    bool has_origin;
    uint64_t origin;
    const struct wg_site *origin_site;
};

/* A workgroup that waits. */
struct looker {
    uint64_t workgroup;
    struct look *looks; /* NULL: it looks at nothing */
    uint32_t look_count;
    bool meets;      /* at barriers, in its loop */
    uint64_t *sites; /* in the loop: a bit for each */
};

struct looks_word;

struct looks {
    const struct kernel *kernel;
    struct looker *lookers; /* by workgroup, once sorted */
    size_t count, capacity;
    struct looks_word *words; /* by place */
    size_t word_count;
};

/* For so many workgroups. All in the arena. -1: out of memory. */
int looks_init(struct looks *looks, const struct kernel *kernel, size_t workgroups,
               struct arena *arena);
/* Lets a workgroup turn in its closed loop, which changes nothing but its invocations' states, and
 * adds it. -1: out of memory. */
int looks_add(struct looks *looks, struct dispatch *dispatch, struct workgroup *workgroup,
              struct arena *arena);
/* All were added. -1: out of memory. */
int looks_sort(struct looks *looks, struct arena *arena);
struct looker *looks_of(const struct looks *looks, uint64_t workgroup);

/* The run that was followed was the one that hangs: who stored what is looked at is kept. */
void looks_keep_origins(struct looks *looks);
/* What was seen of another run is forgotten. */
void looks_forget(struct looks *looks);
/* Follows a run. */
struct row_observer looks_follow(struct looks *looks);

#endif
