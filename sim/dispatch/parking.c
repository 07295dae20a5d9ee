/* Parking, for what-if runs: residents that only wait give their invocations up. */
#include <stdlib.h>
#include <string.h>

#include "sim/dispatch/parts.h"
#include "sim/error.h"
#include "sim/watch.h"

static int append(struct dispatch *d, struct id_list *list, uint64_t id) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 64;
        uint64_t *ids = realloc(list->ids, capacity * sizeof *ids);
        if (!ids)
            return error_set(d->err, "out of memory");
        list->ids = ids;
        list->capacity = capacity;
    }
    list->ids[list->count++] = id;
    return 0;
}

int dispatch_unpark(struct dispatch *d) {
    while (d->parked.count)
        if (append(d, &d->returning, d->parked.ids[--d->parked.count]) < 0)
            return -1;
    return dispatch_admit(d, d->cycle);
}

static bool grow_slots(struct dispatch *d) {
    uint64_t most = PARK_INVOCATIONS_MAX / d->launch.invocations;

    for (uint32_t cu = 0; cu < d->device->cus; cu++) {
        struct unit *unit = &d->units[cu];
        if (d->held + d->device->cus > most)
            return false;
        struct workgroup **slots =
            realloc(unit->slots, ((size_t)unit->slot_count * 2 + 1) * sizeof *slots);
        if (!slots)
            return false;
        memset(slots + unit->slot_count, 0, (unit->slot_count + 1) * sizeof *slots);
        unit->slots = slots;
        unit->slot_count *= 2;
        d->max_slots = unit->slot_count > d->max_slots ? unit->slot_count : d->max_slots;
    }
    return true;
}

/* Takes the invocations of all that only wait. */
static int park_waiting(struct dispatch *d) {
    size_t kept = 0;

    events_settle(&d->events);
    for (size_t i = 0; i < d->events.count; i++)
        if (d->events.heap[i].workgroup->stored)
            d->events.heap[kept++] = d->events.heap[i];
    d->events.count = kept;
    events_restore(&d->events);
    for (uint32_t cu = 0; cu < d->device->cus; cu++)
        for (uint32_t slot = 0; slot < d->units[cu].slot_count; slot++) {
            struct workgroup *w = d->units[cu].slots[slot];
            if (!w || w->stored)
                continue;
            if (append(d, &d->parked, w->id) < 0)
                return -1;
            d->stepping -= w->schedule->running;
            timing_finish(d->timing, cu, d->launch.subgroups, w->schedule->start,
                          d->cycle > w->schedule->start ? d->cycle : w->schedule->start);
            dispatch_leave_slot(d, w);
        }
    return 0;
}

int dispatch_try_park(struct dispatch *d) {
    bool more = d->queue.next < d->queue.total && d->resident < d->options->resident;
    uint64_t held = d->held;

    if (!more && !d->returning.count)
        return 0;
    if (park_waiting(d) < 0)
        return -1;
    if (d->held == held && !grow_slots(d))
        return 0;
    held = d->held;
    watch_change(d->watch);
    if (dispatch_admit(d, d->cycle) < 0)
        return -1;
    if (d->held > held)
        d->verdict = VERDICT_FINISHED;
    return 0;
}
