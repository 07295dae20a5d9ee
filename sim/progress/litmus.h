/* Litmus tests of workgroup progress: small programs of atomics, run as a kernel by the same engine
 * as all others.
 *
 * threads are separated by "||", instructions by ";": atomic_store(loc,val);
 * atomic_chk_branch(loc,check,target): goes to instruction `target` if mem[loc] == check;
 * atomic_exch_branch(loc,check,exch,target): old = mem[loc], mem[loc] = exch, goes to target if old
 * == check. END as a target is the end. Memory begins zeroed. */
#ifndef SIM_PROGRESS_LITMUS_H
#define SIM_PROGRESS_LITMUS_H

#include "sim/arena.h"
#include "sim/job.h"

struct litmus_test {
    const char *config, *id; /* NULL where the file has no such column */
    const char *program;
    uint32_t line; /* of the file */
};

struct litmus_file {
    struct arena arena;
    struct litmus_test *tests;
    size_t count;
};

/* Reads a file of tab-separated columns whose first line names them (of which "program" is needed),
 * or of one program a line. Lines that begin with # are comments. Must be released also after a
 * failure. */
int litmus_read(struct litmus_file *file, const char *path, struct wgsim_error *err);
void litmus_release(struct litmus_file *file);

/* The kernel that interprets them. */
extern const struct wg_kernel litmus_kernel;

/* Fills a job of one dispatch, a workgroup a thread. `kernel` is litmus_kernel, loaded. */
int litmus_job(struct job *job, const struct kernel *kernel, const char *program,
               struct wgsim_error *err);

#endif
