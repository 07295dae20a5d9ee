/* The queue of events, ordered by (cycle, compute unit, slot, subgroup). */
#ifndef SIM_EVENTS_H
#define SIM_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct workgroup;

/* Instead of a subgroup: the workgroup ends. After all its subgroups' events of that cycle. */
#define EVENT_END 0xffffu

struct event {
    uint64_t cycle;
    uint64_t place; /* compute unit, slot, subgroup: 24, 24 and 16 bits */
    struct workgroup *workgroup;
    bool together; /* of several subgroups, this one and those above it that start together */
};

struct events {
    struct event *heap;
    size_t count, capacity;
    bool gap; /* heap[0] was taken, and counts still */
};

static inline uint64_t event_place(uint32_t cu, uint32_t slot, uint32_t subgroup) {
    return (uint64_t)cu << 40 | (uint64_t)slot << 16 | subgroup;
}
static inline uint32_t event_subgroup(const struct event *event) {
    return event->place & 0xffff;
}

/* -1: out of memory. */
int events_push(struct events *events, struct event event);
/* False: there is none. */
bool events_pop(struct events *events, struct event *event);
/* Makes the heap hold the events that there are, and no others. */
void events_settle(struct events *events);
/* Puts the heap in order again after members were taken out. */
void events_restore(struct events *events);
void events_release(struct events *events);

#endif
