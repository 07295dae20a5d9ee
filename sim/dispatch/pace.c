/* How long a step takes where that is not modelled. */
#include "sim/dispatch/parts.h"
#include "sim/mix.h"

/* Of the buffers that the entry uses; each once, however often it is bound. */
static uint64_t storage_bytes(const struct launch *launch) {
    const struct kernel *kernel = launch->kernel;
    uint64_t sum = 0;

    for (size_t id = 0; id < kernel->var_limit; id++) {
        const struct wg_var *var = kernel->vars[id];
        bool counted =
            !var || var->space == WG_SPACE_WORKGROUP || !kernel_entry_uses(launch->entry, var->id);
        for (size_t before = 0; !counted && before < id; before++)
            counted = launch->buffers[before].data == launch->buffers[id].data;
        if (!counted)
            sum += launch->buffers[id].bytes;
    }
    return sum;
}

void dispatch_init_timing(struct dispatch *d) {
    timing_init(d->timing, d->device, storage_bytes(&d->launch));
    if (d->options->pace != PACE_MODELLED)
        timing_free_of_charge(d->timing);
}

uint64_t dispatch_end_of_step(struct dispatch *d) {
    uint64_t cycles = 1;

    if (d->options->pace == PACE_RANDOM)
        cycles += mix(mix(d->options->seed) + d->draws++) % PACE_CYCLES_MAX;
    return d->cycle + cycles;
}

static bool stands_before(const struct subgroup *s, const struct wg_site *site) {
    uint32_t lane;

    for (LANES_EACH(lane, s->ready))
        if (stop_site(subgroup_stop(s, lane)) == site->id)
            return true;
    return false;
}

uint64_t dispatch_next_step(struct dispatch *d, const struct subgroup *s) {
    const struct wg_site *late = d->options->late;

    return dispatch_end_of_step(d) + (late && stands_before(s, late) ? LATE_CYCLES : 0);
}
