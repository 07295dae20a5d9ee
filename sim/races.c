/* Races, and what is said of them. */
#include "sim/races.h"

#include <stdlib.h>
#include <string.h>

#include "sim/texture_spec.h"

enum { TABLE = 4096, LIMIT = TABLE / 2 };

int races_init(struct races *races, const struct kernel *kernel) {
    *races = (struct races){.kernel = kernel, .table = calloc(TABLE, sizeof *races->table)};
    return races->table ? 0 : -1;
}

void races_release(struct races *races) {
    free(races->items);
    free(races->table);
    *races = (struct races){0};
}

void races_clear(struct races *races) {
    races->count = 0;
    races->full = false;
    memset(races->table, 0, TABLE * sizeof *races->table);
}

/* ---- One entry for a pair of places ---- */

static bool same_pair(const struct race *a, const struct race *b) {
    return a->var == b->var &&
           ((a->first.site == b->first.site && a->second.site == b->second.site) ||
            (a->first.site == b->second.site && a->second.site == b->first.site));
}

static uint32_t place_of(const struct race *race) {
    uint32_t a = race->first.site->id, b = race->second.site->id, low = a < b ? a : b;

    return ((low * 40503u + (a ^ b) * 9973u) ^ race->var * 131u) % TABLE;
}

static struct race_entry *append(struct races *races) {
    if (races->count == races->capacity) {
        size_t capacity = races->capacity ? races->capacity * 2 : 16;
        struct race_entry *grown = realloc(races->items, capacity * sizeof *grown);
        if (!grown) {
            races->failed = true;
            return NULL;
        }
        races->items = grown;
        races->capacity = capacity;
    }
    return &races->items[races->count++];
}

/* Where in the table a pair of places is, or could be. */
static uint32_t find(const struct races *races, const struct race *race) {
    uint32_t place = place_of(race);

    while (races->table[place] && !same_pair(&races->items[races->table[place] - 1].example, race))
        place = (place + 1) % TABLE;
    return place;
}

struct race_entry *races_find(const struct races *races, const struct race *race) {
    uint32_t index = races->table[find(races, race)];

    return index ? &races->items[index - 1] : NULL;
}

static struct race_entry *entry_of(struct races *races, const struct race *race) {
    uint32_t place = find(races, race);

    if (races->table[place])
        return &races->items[races->table[place] - 1];
    if (races->count == LIMIT) {
        races->full = true;
        return NULL;
    }
    struct race_entry *entry = append(races);
    if (!entry)
        return NULL;
    *entry = (struct race_entry){.example = *race};
    races->table[place] = (uint32_t)races->count;
    return entry;
}

/* Of the races of a pair the first is shown; but one between workgroups before one within, one
 * between subgroups before one within, one that changes the value before one that does not. */
static bool shows_more(const struct race_entry *entry, const struct race *race) {
    if (race->crossing != entry->example.crossing)
        return race->crossing;
    if (race->behind != entry->example.behind)
        return race->behind;
    if (race->one_subgroup != entry->example.one_subgroup)
        return entry->example.one_subgroup;
    return entry->example.silent && !race->silent;
}

/* A barrier must stand in the innermost loop whose turns are to be kept apart. */
static void note_turns(struct race_entry *entry, const struct race *race) {
    if (race->crossing || !race->first.has_trip || !race->second.has_trip)
        return;
    uint32_t apart = trip_apart(&race->first.trip, &race->second.trip);
    if (apart > entry->apart) {
        entry->apart = apart;
        entry->loop = race->first.trip.loop[apart - 1];
    }
}

void races_add(struct races *races, const struct race *race) {
    struct race_entry *entry = entry_of(races, race);

    if (!entry)
        return;
    if (shows_more(entry, race))
        entry->example = *race;
    note_turns(entry, race);
    entry->count++;
    entry->within |= !race->crossing;
    entry->crossing |= race->crossing;
    entry->changes |= !race->silent;
}

void races_join(struct races *races, const struct race_entry *from, uint32_t dispatch) {
    size_t known = races->count;
    struct race_entry *entry = entry_of(races, &from->example);

    if (!entry)
        return;
    if (races->count > known)
        entry->dispatch = dispatch;
    if (!entry->ways && shows_more(entry, &from->example)) {
        entry->example = from->example;
        entry->dispatch = dispatch;
    }
    if (from->apart > entry->apart) {
        entry->apart = from->apart;
        entry->loop = from->loop;
    }
    if (from->ways && !entry->ways) { /* an example that shows it */
        entry->example = from->example;
        entry->dispatch = dispatch;
        entry->ways = from->ways;
        entry->workgroup_count = from->workgroup_count;
        memcpy(entry->workgroups, from->workgroups, sizeof entry->workgroups);
    }
    entry->looks += from->looks;
    entry->count += from->count;
    entry->within |= from->within;
    entry->crossing |= from->crossing;
    entry->changes |= from->changes;
}

void races_turn(struct race_entry *entry, const struct trip *trip) {
    entry->example.first.trip = *trip;
    note_turns(entry, &entry->example);
}

void races_settle(struct races *races) {
    size_t kept = 0;

    for (size_t i = 0; i < races->count; i++)
        if (!races->items[i].example.ordering || races->items[i].ways)
            races->items[kept++] = races->items[i];
    races->count = kept;
}

bool races_entry_changes(const struct race_entry *entry) {
    return entry->changes ||
           (entry->first.known && entry->second.known && entry->first.value != entry->second.value);
}

bool races_at(const struct races *races, const struct wg_site *site) {
    for (size_t i = 0; i < races->count; i++)
        if (races->items[i].example.first.site == site ||
            races->items[i].example.second.site == site)
            return true;
    return false;
}

uint8_t races_barrier_of(const struct wg_var *var) {
    if (var->space == WG_SPACE_WORKGROUP)
        return WG_OP_WORKGROUP_BARRIER;
    return texture_spec_is_texture(var->type) ? WG_OP_TEXTURE_BARRIER : WG_OP_STORAGE_BARRIER;
}
