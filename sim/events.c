/* A binary heap. */
#include "sim/events.h"

#include <stdlib.h>

/* Which of two comes first is a matter of chance to a branch predictor: no branches here. */
static inline bool before(const struct event *a, const struct event *b) {
    return ((unsigned __int128)a->cycle << 64 | a->place) <
           ((unsigned __int128)b->cycle << 64 | b->place);
}

/* Moves `event` up from the hole at `at` to where its parent is not behind it. */
static void rise(struct events *events, size_t at, struct event event) {
    for (; at > 0 && before(&event, &events->heap[(at - 1) / 2]); at = (at - 1) / 2)
        events->heap[at] = events->heap[(at - 1) / 2];
    events->heap[at] = event;
}

/* Puts `event` in order below the hole at `top`. It mostly belongs at the bottom: the hole sinks
 * there without a look at it. */
static void sink(struct events *events, size_t top, struct event event) {
    size_t at = top, child;

    while ((child = at * 2 + 1) < events->count) {
        child +=
            child + 1 < events->count && before(&events->heap[child + 1], &events->heap[child]);
        events->heap[at] = events->heap[child];
        at = child;
    }
    for (; at > top && before(&event, &events->heap[(at - 1) / 2]); at = (at - 1) / 2)
        events->heap[at] = events->heap[(at - 1) / 2];
    events->heap[at] = event;
}

/* The place of the event that was taken last is given to the last one. */
static void close_gap(struct events *events) {
    events->gap = false;
    if (--events->count)
        sink(events, 0, events->heap[events->count]);
}

int events_push(struct events *events, struct event event) {
    if (events->gap) {
        events->gap = false;
        sink(events, 0, event);
        return 0;
    }
    if (events->count == events->capacity) {
        size_t capacity = events->capacity ? events->capacity * 2 : 256;
        struct event *heap = realloc(events->heap, capacity * sizeof *heap);
        if (!heap)
            return -1;
        events->heap = heap;
        events->capacity = capacity;
    }
    rise(events, events->count++, event);
    return 0;
}

/* What is taken mostly puts another one in its place. */
bool events_pop(struct events *events, struct event *event) {
    events_settle(events);
    if (events->count == 0)
        return false;
    *event = events->heap[0];
    events->gap = true;
    return true;
}

void events_settle(struct events *events) {
    if (events->gap)
        close_gap(events);
}

void events_restore(struct events *events) {
    for (size_t at = events->count / 2; at-- > 0;)
        sink(events, at, events->heap[at]);
}

void events_release(struct events *events) {
    free(events->heap);
    *events = (struct events){0};
}
