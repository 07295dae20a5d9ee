/* Races, and what is said of them. */
#include "sim/races.h"

#include <stdlib.h>
#include <string.h>

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

static struct race_entry *entry_of(struct races *races, const struct race *race) {
    uint32_t place = place_of(race);

    for (; races->table[place]; place = (place + 1) % TABLE)
        if (same_pair(&races->items[races->table[place] - 1].example, race))
            return &races->items[races->table[place] - 1];
    if (races->count == LIMIT)
        return NULL;
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

void races_add(struct races *races, const struct race *race) {
    struct race_entry *entry = entry_of(races, race);

    if (!entry)
        return;
    if (shows_more(entry, race))
        entry->example = *race;
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
    if (shows_more(entry, &from->example)) {
        entry->example = from->example;
        entry->dispatch = dispatch;
    }
    entry->count += from->count;
    entry->within |= from->within;
    entry->crossing |= from->crossing;
    entry->changes |= from->changes;
}

bool races_at(const struct races *races, const struct wg_site *site) {
    for (size_t i = 0; i < races->count; i++)
        if (races->items[i].example.first.site == site ||
            races->items[i].example.second.site == site)
            return true;
    return false;
}

/* ---- What is said ---- */

/* What an access is called. */
static const char *access_word(const struct wg_site *site) {
    switch (site->op) {
    case WG_OP_LOAD:
        return "read";
    case WG_OP_STORE:
        return "write";
    case WG_OP_ATOMIC_LOAD:
        return "atomic load";
    case WG_OP_ATOMIC_STORE:
        return "atomic store";
    default:
        return "atomic update";
    }
}

/* Where a report shows an element: name[i], name where there is one only. */
static const char *element_text(struct findings *findings, const struct wg_var *var,
                                uint64_t byte) {
    uint64_t element = var->stride ? byte / var->stride : 0;

    if (var->columns)
        return findings_text(findings, "%s[%llu][%llu]", var->name,
                             (unsigned long long)(element / var->columns),
                             (unsigned long long)(element % var->columns));
    return findings_text(findings, "%s[%llu]", var->name, (unsigned long long)element);
}

/* " in turn 2 of the loop at line 12" for the outermost common loop in which the turns differ. */
static const char *turn_text(struct findings *findings, const struct kernel *kernel,
                             const struct race_side *side, const struct race_side *other) {
    if (!side->has_trip || !other->has_trip)
        return "";
    uint32_t common = trip_common(&side->trip, &other->trip);
    for (uint32_t d = 0; d < common; d++)
        if (side->trip.turn[d] != other->trip.turn[d])
            return findings_text(findings, " in turn %u of the loop at line %u",
                                 side->trip.turn[d] + 1, kernel->sites[side->trip.loop[d]]->line);
    return "";
}

/* The loop around both in which their turns differ, or NULL. */
static const struct wg_site *loop_between(const struct kernel *kernel, const struct race *race) {
    if (!race->first.has_trip || !race->second.has_trip)
        return NULL;
    uint32_t common = trip_common(&race->first.trip, &race->second.trip);
    for (uint32_t d = 0; d < common; d++)
        if (race->first.trip.turn[d] != race->second.trip.turn[d])
            return kernel->sites[race->first.trip.loop[d]];
    return NULL;
}

static const char *side_text(struct findings *findings, const struct race_side *side,
                             bool crossing) {
    if (crossing)
        return findings_text(findings, "%s at line %u by invocation %u of workgroup %llu",
                             access_word(side->site), side->site->line, side->lane,
                             (unsigned long long)side->workgroup);
    return findings_text(findings, "%s at line %u by invocation %u", access_word(side->site),
                         side->site->line, side->lane);
}

static bool is_workgroup(const struct races *races, const struct race *race) {
    return races->kernel->vars[race->var]->space == WG_SPACE_WORKGROUP;
}

static enum finding_kind kind_of(const struct races *races, const struct race_entry *entry,
                                 bool publish) {
    if (entry->example.ordering)
        return FINDING_ORDER_DEPENDENT;
    if (!entry->changes)
        return FINDING_RACE_SAME_VALUE;
    if (is_workgroup(races, &entry->example))
        return FINDING_RACE;
    return publish ? FINDING_PUBLISH_BY_FLAG : FINDING_RACE_STORAGE;
}

static const char *order_text(const struct races *races, const struct race_entry *entry,
                              enum finding_kind kind, bool publish) {
    if (kind == FINDING_ORDER_DEPENDENT)
        return entry->example.first.site->op == WG_OP_ATOMIC_STORE &&
                       entry->example.second.site->op == WG_OP_ATOMIC_STORE
                   ? "no workgroupBarrier() between the two: which of them stays depends on the "
                     "order in which they run"
                   : "no workgroupBarrier() between the two: what is read depends on the order in "
                     "which they run";
    if (publish)
        return "only an atomic stands between the two, and WGSL's atomics order nothing but "
               "themselves";
    if (entry->crossing)
        return "nothing orders two workgroups of one dispatch";
    return is_workgroup(races, &entry->example) ? "no workgroupBarrier() between the two"
                                                : "no storageBarrier() between the two";
}

/* Whether an invocation stores what it makes of its own load, which is the other site. */
static bool is_split_update(const struct race *race) {
    return race->first.after == race->second.site || race->second.after == race->first.site;
}

static const char *advice_text(const struct races *races, struct findings *findings,
                               const struct race_entry *entry, enum finding_kind kind) {
    const struct race *race = &entry->example;
    const struct wg_site *loop = loop_between(races->kernel, race);
    const char *barrier = is_workgroup(races, race) ? "workgroupBarrier()" : "storageBarrier()";

    if (race->ordering && is_split_update(race))
        return "an update in two steps loses what others do in between: make it one, by "
               "atomicAdd() or the like, or by atomicCompareExchangeWeak()";
    if (race->ordering && race->first.site == race->second.site)
        return "let one invocation store, or combine what they store by atomicMax() or the like";
    if (kind == FINDING_RACE_SAME_VALUE)
        return "let one invocation store it, or none but the one whose value it is";
    if (entry->crossing || kind == FINDING_PUBLISH_BY_FLAG)
        return NULL;
    if (loop)
        return findings_text(findings,
                             "add %s at the end of the body of the loop at line %u, so that no "
                             "invocation begins the next turn before all have ended this one",
                             barrier, loop->line);
    if (race->first.site->line == race->second.site->line)
        return race->first.access == race->second.access || entry->crossing
                   ? "let one invocation do it, or use an atomic"
                   : findings_text(findings,
                                   "read what is needed first, put a %s behind that, and store "
                                   "then; a counter needs an atomic",
                                   barrier);
    uint32_t one = race->first.site->line, two = race->second.site->line;
    return findings_text(findings,
                         "put a %s between line %u and line %u, where all invocations pass",
                         barrier, one < two ? one : two, one < two ? two : one);
}

static struct finding_place place(const struct race_side *side, const struct race_side *other) {
    struct finding_place place = {side->site, side->workgroup, side->lane, FINDING_UNKNOWN};

    if (side->has_trip && other->has_trip)
        for (uint32_t d = 0, n = trip_common(&side->trip, &other->trip); d < n; d++)
            if (side->trip.turn[d] != other->trip.turn[d] || d == n - 1) {
                place.iteration = side->trip.turn[d];
                break;
            }
    return place;
}

static bool stores_value(const struct wg_site *site) {
    return site->op != WG_OP_LOAD && site->op != WG_OP_ATOMIC_LOAD;
}

static const char *value_text(struct findings *findings, const struct wg_var *var, uint32_t word) {
    float number;

    memcpy(&number, &word, sizeof number);
    if (var->scalar == WG_F32)
        return findings_text(findings, "%.9g", (double)number);
    if (var->scalar == WG_I32)
        return findings_text(findings, "%d", (int32_t)word);
    return findings_text(findings, "%u", word);
}

/* The value that weak memory gave, and the one that was missed. */
static const char *behind_text(struct findings *findings, const struct wg_var *var,
                               const struct race *race) {
    if (!race->behind)
        return "";
    return findings_text(findings, "; it read %s, which is stale: %s had been written",
                         value_text(findings, var, race->seen),
                         value_text(findings, var, race->stored));
}

/* "the write put 7 where 3 was" */
static const char *side_value_text(struct findings *findings, const struct wg_var *var,
                                   const struct race_side *side, const struct race_value *value,
                                   const char *which) {
    const char *word = access_word(side->site);

    if (value->known && value->before_known)
        return findings_text(findings, "the %s%s put %s where %s was", which, word,
                             value_text(findings, var, value->value),
                             value_text(findings, var, value->before));
    if (value->known)
        return findings_text(findings, "the %s%s %s %s", which, word,
                             stores_value(side->site) ? "put" : "got",
                             value_text(findings, var, value->value));
    return "";
}

/* What the two sides read and stored, as far as it is known. */
static const char *values_text(struct findings *findings, const struct wg_var *var,
                               const struct race_entry *entry) {
    const struct race *race = &entry->example;
    bool alike = access_word(race->first.site) == access_word(race->second.site);
    const char *one = side_value_text(findings, var, &race->first, &entry->first,
                                      alike ? "first " : ""),
               *two = side_value_text(findings, var, &race->second, &entry->second,
                                      alike ? "second " : "");

    if (!*one && !*two)
        return "";
    return findings_text(findings, "; %s%s%s", one, *one && *two ? ", " : "", two);
}

/* Lanes in lockstep have done one line before they begin the next. */
static bool hidden_in_lockstep(const struct race *race) {
    return race->one_subgroup && race->first.site->line != race->second.site->line;
}

static struct finding_value finding_value(const struct wg_var *var,
                                          const struct race_value *value) {
    return (struct finding_value){.known = value->known,
                                  .before_known = value->before_known,
                                  .scalar = var->scalar,
                                  .value = value->value,
                                  .before = value->before};
}

static void report(const struct races *races, const struct race_entry *entry, bool publish,
                   struct findings *findings) {
    const struct race *race = &entry->example;
    const struct wg_var *var = races->kernel->vars[race->var];
    enum finding_kind kind = kind_of(races, entry, publish);
    struct finding finding = {.kind = kind,
                              .dispatch = entry->dispatch,
                              .variable = var->name,
                              .element = var->stride ? race->byte / var->stride : 0,
                              .first = place(&race->first, &race->second),
                              .second = place(&race->second, &race->first),
                              .first_value = finding_value(var, &entry->first),
                              .second_value = finding_value(var, &entry->second),
                              .count = entry->count};

    finding.text = findings_text(
        findings, "%s: %s%s and %s%s%s, %s%s%s%s%s", element_text(findings, var, race->byte),
        side_text(findings, &race->first, race->crossing),
        turn_text(findings, races->kernel, &race->first, &race->second),
        side_text(findings, &race->second, race->crossing),
        turn_text(findings, races->kernel, &race->second, &race->first),
        kind == FINDING_RACE_SAME_VALUE ? " store the same value" : "",
        order_text(races, entry, kind, publish),
        entry->within && entry->crossing ? "; within a workgroup as well" : "",
        hidden_in_lockstep(race) ? "; hidden where the lanes of a subgroup run in lockstep" : "",
        values_text(findings, var, entry), behind_text(findings, var, race));
    finding.advice = advice_text(races, findings, entry, kind);
    findings_add(findings, &finding);
}

void races_report(const struct races *races, const bool *publish, struct findings *findings) {
    for (size_t i = 0; i < races->count; i++)
        if (!races->items[i].example.ordering || (publish && !publish[i]))
            report(races, &races->items[i], publish && publish[i], findings);
}
