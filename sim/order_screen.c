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

/* The workgroups of the pair; resident: how many at once, 0: all. */
static struct screen run(const struct dispatch *d, const struct order_pair *pair,
                         const struct order_turns *turns, uint32_t resident, bool adds_floats) {
    struct screen screen = {.adds_floats = adds_floats};
    const struct alone alone = {.workgroups = pair->workgroups,
                                .count = pair->count,
                                .pace = PACE_EVEN,
                                .resident = resident,
                                .turns = turns,
                                .independent = true,
                                .unstressed = true,
                                .stopped = take_results,
                                .self = &screen};

    alone_run(d, &alone);
    return screen;
}

static void add_workgroup(struct order_pair *pair, uint64_t id) {
    for (uint32_t i = 0; i < pair->count; i++)
        if (pair->workgroups[i] == id)
            return;
    pair->workgroups[pair->count++] = id;
}

void order_screen(const struct dispatch *d, struct race_entry *entry, bool adds_floats) {
    const struct race *race = &entry->example;
    const uint64_t total = dispatch_total(d),
                   few[] = {race->second.workgroup, 0, total / 2, total - 1};

    struct order_pair pair = {.first = race->first.site, .second = race->second.site};
    for (size_t i = 0; i < ORDER_TURNS_WORKGROUPS; i++)
        add_workgroup(&pair, few[i]);
    memcpy(entry->workgroups, pair.workgroups, sizeof pair.workgroups);
    entry->workgroup_count = pair.count;
    entry->ways = 0;
    entry->looks++;
    struct screen usual = run(d, &pair, NULL, 1, adds_floats);
    if (!usual.ended) /* they wait for others: nothing is seen by themselves */
        entry->ways = (1u << ORDER_TURNS_WAYS) - 1;
    for (uint32_t way = 0; usual.ended && way < ORDER_TURNS_WAYS; way++) {
        struct order_turns turns = order_turns_way(&pair, way);
        struct screen other = run(d, &pair, &turns, 1, adds_floats);
        struct results_difference difference;
        if (other.ended && results_differ(&usual.results, &other.results, &difference))
            entry->ways |= 1u << way;
        results_release(&other.results);
    }
    results_release(&usual.results);
}

bool order_screen_between(const struct dispatch *d, struct between_entry *entry, bool adds_floats) {
    const uint64_t few[] = {entry->first.workgroup, entry->second.workgroup, 0,
                            dispatch_total(d) - 1};
    struct order_pair *pair = &entry->pair;

    *pair = (struct order_pair){.first = entry->first.site, .second = entry->second.site};
    for (size_t i = 0; i < ORDER_TURNS_WORKGROUPS; i++)
        add_workgroup(pair, few[i]);
    struct screen usual = run(d, pair, NULL, 0, adds_floats);
    bool differ = !usual.ended; /* they wait for others: nothing is seen by themselves */
    for (uint32_t i = 0; i < 2 && !differ; i++) {
        struct order_turns turns = order_turns_by_workgroup(pair, i == 1);
        struct screen other = run(d, pair, &turns, 0, adds_floats);
        struct results_difference difference;
        differ = other.ended && results_differ(&usual.results, &other.results, &difference);
        results_release(&other.results);
    }
    results_release(&usual.results);
    return differ;
}
