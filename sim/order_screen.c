/* Runs of a few workgroups, one behind the other, as they are and in other orders. */
#include "sim/order_screen.h"

#include <string.h>

#include "sim/alone.h"

struct screen {
    bool adds_floats;
    bool ended;
    struct results results; /* then; or none: out of memory */
};

static void take_results(void *self, struct dispatch *d) {
    struct screen *screen = self;

    screen->ended = d->verdict == VERDICT_FINISHED || d->verdict == VERDICT_DIVERGENCE;
    if (screen->ended && results_keep_views(&screen->results, d->launch.kernel, d->launch.buffers,
                                            screen->adds_floats) < 0)
        screen->ended = false;
}

static struct screen run(const struct dispatch *d, const struct race_entry *entry,
                         const struct order_turns *turns, bool adds_floats) {
    struct screen screen = {.adds_floats = adds_floats};
    const struct alone alone = {.workgroups = entry->workgroups,
                                .count = entry->workgroup_count,
                                .pace = PACE_EVEN,
                                .resident = 1,
                                .turns = turns,
                                .independent = true,
                                .unstressed = true,
                                .stopped = take_results,
                                .self = &screen};

    alone_run(d, &alone);
    return screen;
}

static void add_workgroup(struct race_entry *entry, uint64_t id) {
    for (uint32_t i = 0; i < entry->workgroup_count; i++)
        if (entry->workgroups[i] == id)
            return;
    entry->workgroups[entry->workgroup_count++] = id;
}

void order_screen(const struct dispatch *d, struct race_entry *entry, bool adds_floats) {
    const struct race *race = &entry->example;
    const uint64_t total = dispatch_total(d),
                   few[] = {race->second.workgroup, 0, total / 2, total - 1};

    entry->workgroup_count = entry->ways = 0;
    for (size_t i = 0; i < ORDER_TURNS_WORKGROUPS; i++)
        add_workgroup(entry, few[i]);
    entry->looks++;
    struct screen usual = run(d, entry, NULL, adds_floats);
    if (!usual.ended) /* they wait for others: nothing is seen by themselves */
        entry->ways = (1u << ORDER_TURNS_WAYS) - 1;
    struct order_pair pair = {race->first.site, race->second.site, {0}, entry->workgroup_count};
    memcpy(pair.workgroups, entry->workgroups, sizeof pair.workgroups);
    for (uint32_t way = 0; usual.ended && way < ORDER_TURNS_WAYS; way++) {
        struct order_turns turns = order_turns_way(&pair, way);
        struct screen other = run(d, entry, &turns, adds_floats);
        struct results_difference difference;
        if (other.ended && results_differ(&usual.results, &other.results, &difference))
            entry->ways |= 1u << way;
        results_release(&other.results);
    }
    results_release(&usual.results);
}
