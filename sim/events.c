/* A binary heap. */
#include "sim/events.h"

#include <stdlib.h>

static bool before(const struct event *a, const struct event *b) {
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->place < b->place;
}

int events_push(struct events *events, struct event event) {
    if (events->count == events->capacity) {
        size_t capacity = events->capacity ? events->capacity * 2 : 256;
        struct event *heap = realloc(events->heap, capacity * sizeof *heap);
        if (!heap)
            return -1;
        events->heap = heap;
        events->capacity = capacity;
    }
    size_t at = events->count++;
    while (at > 0 && before(&event, &events->heap[(at - 1) / 2])) {
        events->heap[at] = events->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    events->heap[at] = event;
    return 0;
}

/* Puts `event` at `at` or below, where its children are not before it. */
static void sink(struct events *events, size_t at, struct event event) {
    for (size_t child; (child = at * 2 + 1) < events->count; at = child) {
        if (child + 1 < events->count && before(&events->heap[child + 1], &events->heap[child]))
            child++;
        if (!before(&events->heap[child], &event))
            break;
        events->heap[at] = events->heap[child];
    }
    events->heap[at] = event;
}

bool events_pop(struct events *events, struct event *event) {
    if (events->count == 0)
        return false;
    *event = events->heap[0];
    events->count--;
    if (events->count)
        sink(events, 0, events->heap[events->count]);
    return true;
}

void events_restore(struct events *events) {
    for (size_t at = events->count / 2; at-- > 0;)
        sink(events, at, events->heap[at]);
}

void events_release(struct events *events) {
    free(events->heap);
    *events = (struct events){0};
}
