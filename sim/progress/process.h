/* A workgroup whose states can be kept and gone back to by number. A state is what its invocations
 * hold (used stacks at their fixed addresses, why they stopped, operands and results of subgroup
 * operations), who waits for what, and workgroup memory. Only what differs is copied. */
#ifndef SIM_PROGRESS_PROCESS_H
#define SIM_PROGRESS_PROCESS_H

#include "sim/progress/memory.h"
#include "sim/workgroup.h"

/* Numbers of states that are not kept. */
enum { PROCESS_NOT_STARTED = 0, PROCESS_FINISHED = 1, PROCESS_FIRST = 2 };
#define PROCESS_FAILED UINT32_MAX

/* What all workgroups of a dispatch share. */
struct process_contents {
    struct intern lanes, states;
    struct memory_contents memory;
};

struct process {
    struct workgroup *workgroup;
    struct process_contents *contents;
    struct memory memory;
    uint32_t now;    /* the state that it is in, as far as nothing was changed since */
    uint32_t next;   /* local index after that of the invocation that ran last */
    uint32_t *lanes; /* by local index: the number of what its stack holds, or LANE_CHANGED */
    uint8_t *record; /* scratch: a state */
    size_t record_bytes;
};

int process_init(struct process *process, struct process_contents *contents,
                 const struct launch *launch, uint64_t id, struct wgsim_error *err);
void process_release(struct process *process);

/* What an invocation holds is about to change. */
#define LANE_CHANGED UINT32_MAX
static inline void process_lane_changes(struct process *process, uint32_t index) {
    process->lanes[index] = LANE_CHANGED;
}
/* The number of its state. PROCESS_FAILED: out of memory. */
uint32_t process_save(struct process *process);
void process_load(struct process *process, uint32_t number);

void process_contents_release(struct process_contents *contents);
uint64_t process_contents_bytes(const struct process_contents *contents);

#endif
