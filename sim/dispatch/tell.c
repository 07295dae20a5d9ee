/* Telling listeners what happens. */
#include "sim/dispatch/parts.h"

void dispatch_tell(const struct dispatch *d, const struct record *record) {
    bool frequent = RECORDS_FREQUENT >> record->type & 1;

    for (size_t i = 0; i < d->listener_count; i++)
        if (!frequent || !d->listeners[i].sparse)
            d->listeners[i].hear(d->listeners[i].self, record);
}

void dispatch_tell_now(const struct dispatch *d, struct record *record) {
    record->cycle = record->until = d->cycle;
    record->dispatch = d;
    dispatch_tell(d, record);
}

void dispatch_tell_of(struct dispatch *d, enum record_type type, uint64_t cycle,
                      const struct workgroup *w, const struct subgroup *s,
                      const struct wg_site *site) {
    d->told = true;
    if (!dispatch_is_heard(d, type))
        return;
    struct record record = {.type = type,
                            .cycle = cycle,
                            .until = cycle,
                            .dispatch = d,
                            .workgroup = w,
                            .subgroup = s,
                            .site = site};

    dispatch_tell(d, &record);
}
