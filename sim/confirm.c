/* Runs of two workgroups. */
#include "sim/confirm.h"

#include <string.h>

#include "sim/alone.h"
#include "sim/saved.h"
#include "sim/waits.h"
#include "sim/word.h"

/* A run of the two workgroups of a suspect: what they lose, and what the word is in the end. */
struct probe {
    struct waits *waits;
    uint64_t place;
    uint32_t value;
    bool ended;
    uint64_t budget; /* steps that may yet be made */
};

/* All runs together cost no more than such a part of the run and so many steps; copying so many
 * bytes of buffers counts as one. */
enum { PART = 8, STEPS_EXTRA = 1 << 16, BYTES_A_STEP = 1 << 10 };

static void probe_hear(void *self, const struct record *record) {
    struct probe *probe = self;

    if (record->type == RECORD_DISPATCH_BEGIN)
        waits_begin(probe->waits, record->dispatch);
}

static void probe_row(void *self, const struct access_row *row) {
    struct probe *probe = self;

    waits_row(probe->waits, row);
}

static void spend(struct probe *probe, uint64_t steps) {
    probe->budget -= steps < probe->budget ? steps : probe->budget;
}

static void probe_stopped(void *self, struct dispatch *d) {
    struct probe *probe = self;
    const struct wg_view *view = &d->launch.buffers[word_var(probe->place)];

    probe->ended = d->verdict == VERDICT_FINISHED;
    spend(probe, d->steps);
    memcpy(&probe->value, view->data + (probe->place & WORD_OFFSET), sizeof probe->value);
}

/* One after the other; or at once, late where they store: so that both have loaded the word before,
 * if they can. */
static void run_both(const struct dispatch *d, const uint64_t both[2], const struct wg_site *late,
                     struct probe *probe) {
    const struct listener listener = {.self = probe, .hear = probe_hear, .sparse = true};
    const struct row_observer rows = {.self = probe, .row = probe_row};
    const struct alone alone = {.workgroups = both,
                                .count = 2,
                                .pace = PACE_EVEN,
                                .resident = late ? 2 : 1,
                                .late = late,
                                .max_steps = probe->budget,
                                .listener = &listener,
                                .rows = &rows,
                                .stopped = probe_stopped,
                                .self = probe};

    probe->ended = false;
    spend(probe, saved_bytes(d->before) / BYTES_A_STEP);
    if (probe->budget)
        alone_run(d, &alone);
}

static void add_probed(struct lost *lost, const struct probe *probe) {
    const struct lost *seen = waits_lost(probe->waits);

    for (size_t i = 0; i < seen->count; i++) {
        struct lost_update update = seen->entries[i];
        update.what_if = true;
        if (update.place == probe->place && update.workgroup != update.changer)
            lost_add(lost, &update);
    }
}

static void confirm(struct lost *lost, const struct lost_suspect *suspect, const struct dispatch *d,
                    struct probe *probe) {
    const uint64_t both[] = {suspect->first, suspect->second},
                   swapped[] = {suspect->second, suspect->first};

    probe->place = suspect->place;
    run_both(d, both, NULL, probe);
    if (!probe->ended)
        return;
    uint32_t in_turn = probe->value;
    run_both(d, both, suspect->store, probe);
    if (probe->ended && probe->value == in_turn)
        run_both(d, swapped, suspect->store, probe);
    if (probe->ended && probe->value != in_turn)
        add_probed(lost, probe);
}

void confirm_lost(struct lost *lost, const struct dispatch *d) {
    struct waits *waits = lost->suspect_count ? waits_new(d->launch.kernel) : NULL;
    struct probe probe = {.waits = waits, .budget = d->steps / PART + STEPS_EXTRA};

    if (!waits)
        return;
    for (size_t i = 0; i < lost->suspect_count; i++)
        if (!lost_is_known(lost, lost->suspects[i].store))
            confirm(lost, &lost->suspects[i], d, &probe);
    waits_free(waits);
}
