/* Events in the format that Perfetto and chrome://tracing read, one a line: a process for each
 * compute unit, a thread for each of its slots, and a process for the run as a whole. A microsecond
 * there is a cycle here. */
#ifndef SIM_TRACE_EVENTS_H
#define SIM_TRACE_EVENTS_H

#include <jansson.h>

#include "sim/trace/file.h"

enum { EVENTS_RUN = 1, EVENTS_FIRST_UNIT = 2 }; /* processes */
/* Threads of the run. */
enum { EVENTS_DISPATCHES = 1, EVENTS_FINDINGS = 2, EVENTS_QUEUE = 3 };

/* Where an event stands. */
struct events_track {
    uint64_t process, thread;
};
static inline struct events_track events_slot(uint32_t cu, uint32_t slot) {
    return (struct events_track){EVENTS_FIRST_UNIT + (uint64_t)cu, (uint64_t)slot + 1};
}
/* Of one subgroup of the workgroups in a slot, for steps. */
static inline struct events_track events_subgroup(uint32_t cu, uint32_t slot, uint32_t subgroup) {
    return (struct events_track){EVENTS_FIRST_UNIT + (uint64_t)cu,
                                 ((uint64_t)slot + 1) * 100000 + subgroup};
}

/* A slice "NAME" or "NAME NUMBER"; name: a plain word of at most 64 characters. */
void events_slice(struct trace_file *file, struct events_track track, uint64_t start, uint64_t end,
                  const char *name);
void events_numbered(struct trace_file *file, struct events_track track, uint64_t start,
                     uint64_t end, const char *name, uint64_t number);
void events_counter(struct trace_file *file, uint64_t cycle, const char *name, uint64_t value);

/* A slice with any name, and with what there is to know about it; takes args, NULL being a failed
 * allocation. */
void events_detailed(struct trace_file *file, struct events_track track, uint64_t start,
                     uint64_t end, const char *name, json_t *args);
void events_instant(struct trace_file *file, struct events_track track, uint64_t cycle,
                    const char *name, json_t *args);
/* An arrow from one slice to another: each must be there at `cycle`. */
void events_arrow(struct trace_file *file, uint64_t id, uint64_t cycle, struct events_track from,
                  struct events_track to);
/* What a process or a thread is called, and where it is shown. Thread 0: the process. */
void events_name(struct trace_file *file, struct events_track track, const char *name,
                 uint64_t place);

/* Writes a value that stands by itself; takes it. */
void events_json(struct trace_file *file, json_t *value);

#endif
