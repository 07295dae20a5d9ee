/* The workgroups of a dispatch as processes of which any may make the next step: states that can be
 * saved, compared and gone back to.
 *
 * A step of a workgroup is its next ready invocation's (round robin inside), from one suspension to
 * the next; steps that no other workgroup can tell are made at once with the one that they come
 * before: those that touch no storage, plain accesses to words that no other workgroup touches, or
 * nobody writes, and changes of words whose value nobody takes, which are left out of the state as
 * well: no step depends on one, so that states which differ only there have the same futures. Which
 * words are read or shared is found on the way: where one turns out to be that was not taken for
 * it, what was explored is void (system.again). The first step goes through the first atomic. A
 * state is the number of each workgroup's own state and of the storage's contents; equal numbers
 * are equal bytes: used stacks at their fixed addresses, stops, workgroup memory. */
#ifndef SIM_PROGRESS_SYSTEM_H
#define SIM_PROGRESS_SYSTEM_H

#include "sim/dispatch/dispatch.h"
#include "sim/job.h"
#include "sim/progress/memo.h"
#include "sim/progress/process.h"

enum { SYSTEM_MAX = 32 }; /* workgroups */

struct system_state {
    uint32_t storage;
    uint32_t uses;                /* who has touched which word of storage so far */
    uint32_t process[SYSTEM_MAX]; /* as process_load takes it */
};

/* Who has touched a word of storage on the way to a state. */
struct word_use {
    uint8_t reader, writer; /* plain: workgroup + 1, or WORD_SEVERAL; 0: nobody */
    uint8_t atomic;         /* some access was atomic */
};
#define WORD_SEVERAL 255

/* What is known of a word of storage. */
enum word_class {
    WORD_UNREAD,  /* nobody takes its value: by a load, or an atomic whose result is used */
    WORD_DROPPED, /* nor that, and changes of it were left out */
    WORD_READ,
    WORD_SHARED /* and plain accesses to it are not independent of another workgroup's */
};

struct system {
    struct dispatch dispatch; /* for its launch, log and judge; never run */
    struct process processes[SYSTEM_MAX];
    uint32_t count;
    struct process_contents process_contents;
    struct memory storage, uses_memory;
    struct memory_contents storage_contents, uses_contents;
    struct memo memo;
    uint32_t first_page[WG_MAX_VARS]; /* of `storage`, by variable */
    size_t word_count;                /* of all storage, in words of 4 bytes */
    size_t first_word[WG_MAX_VARS];   /* by variable */
    struct word_use *uses;            /* by word */
    uint8_t *classes;                 /* by word, on any way: enum word_class */
    uint8_t *initial;                 /* contents of all words */
    const struct wg_site *divergence; /* a barrier at which a workgroup was not complete, or NULL */
    bool again;                       /* a word turned out to be read or shared */
    /* NULL, or what is set to `dispatch` while an invocation runs, which may never give up control;
     * dispatch.steps counts those that did. */
    const struct dispatch *volatile *running;
};

/* spec.groups: at most SYSTEM_MAX workgroups in all. */
int system_init(struct system *system, const struct device *device,
                const struct run_options *options, const struct dispatch_spec *spec,
                struct system_state *initial, struct wgsim_error *err);
/* The same for the first dispatch of a job, on its buffers. */
int system_open(struct system *system, const struct job *job, const struct device *device,
                const struct run_options *options, struct system_state *initial,
                struct wgsim_error *err);
/* Lets process `which`, which is not finished, make a step from `from`. *step may be NULL. A loop
 * that nobody else can tell ends the step after a while. -1: out of memory. */
int system_make_step(struct system *system, const struct system_state *from, uint32_t which,
                     struct system_state *to, struct system_step *step, struct wgsim_error *err);
/* The same, by running the workgroup even where the step was made before. */
int system_execute_step(struct system *system, const struct system_state *from, uint32_t which,
                        struct system_state *to, struct system_step *step, struct wgsim_error *err);
/* After a word turned out to be read or shared. */
void system_begin_again(struct system *system);
void system_release(struct system *system);
/* Memory that kept states take. */
uint64_t system_bytes(const struct system *system);

/* Whether a variable is a buffer that workgroups may tell each other something by. */
static inline bool system_is_storage(const struct system *system, size_t var) {
    const struct launch *launch = &system->dispatch.launch;

    return saved_concerns(launch->kernel->vars[var]) && launch->buffers[var].data;
}

static inline bool process_unfinished(const struct system_state *state, uint32_t which) {
    return state->process[which] != PROCESS_FINISHED;
}
static inline bool process_started(const struct system_state *state, uint32_t which) {
    return state->process[which] != PROCESS_NOT_STARTED;
}

#endif
