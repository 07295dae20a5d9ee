/* Watching for the proof that a run can never go on.
 *
 * A window opens when every runnable subgroup was stepped since the last change: a store of another
 * value, a barrier that opened, an invocation that ended, a workgroup that started. Inside it
 * memory is constant, so an invocation that comes back to an earlier own state (saved registers and
 * used stack, compared by bytes) is a closed loop on its own, in whatever order the residents run.
 * When all runnable ones have, nothing can ever change. */
#ifndef SIM_WATCH_H
#define SIM_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct workgroup;
struct subgroup;
struct watch;

struct watch *watch_new(void);
void watch_free(struct watch *watch);

/* Something changed. */
void watch_change(struct watch *watch);
/* How often. */
uint64_t watch_changes(const struct watch *watch);
/* A subgroup made a step in which nothing changed and has ready lanes again. `stepping`: subgroups
 * that can run. True: proved. */
bool watch_quiet_step(struct watch *watch, const struct workgroup *workgroup,
                      struct subgroup *subgroup, uint32_t stepping);
/* The longest period found, in steps of one subgroup. */
uint64_t watch_period(const struct watch *watch);
/* A hash of a suspended invocation's own state. */
uint64_t watch_state_hash(const struct workgroup *workgroup, const struct subgroup *subgroup,
                          uint32_t lane);
/* Frees what watching keeps in a workgroup. */
void watch_forget(struct workgroup *workgroup);

#endif
