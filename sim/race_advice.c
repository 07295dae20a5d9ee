/* Which barrier is missing and where it could go, or what helps instead. */
#include "sim/race_advice.h"

#include <string.h>

#include "sim/element.h"

bool race_is_of_workgroup(const struct races *races, const struct race *race) {
    return races->kernel->vars[race->var]->space == WG_SPACE_WORKGROUP;
}

static uint8_t barrier_of(const struct races *races, const struct race *race) {
    return races_barrier_of(races->kernel->vars[race->var]);
}

const char *race_barrier_name(uint8_t op) {
    return op == WG_OP_WORKGROUP_BARRIER ? "workgroupBarrier()"
           : op == WG_OP_TEXTURE_BARRIER ? "textureBarrier()"
                                         : "storageBarrier()";
}

const char *race_barrier(const struct races *races, const struct race *race) {
    return race_barrier_name(barrier_of(races, race));
}

static uint32_t first_line(const struct race *race) {
    uint32_t one = race->first.site->line, two = race->second.site->line;

    return one < two ? one : two;
}

static uint32_t last_line(const struct race *race) {
    return race->first.site->line + race->second.site->line - first_line(race);
}

static const struct wg_site *barrier_between(const struct races *races, const struct race *race,
                                             uint8_t op) {
    for (size_t id = 0; id < races->kernel->site_limit; id++) {
        const struct wg_site *site = races->kernel->sites[id];
        if (site && site->op == op && site->line > first_line(race) &&
            site->line < last_line(race) && strcmp(site->file, race->first.site->file) == 0)
            return site;
    }
    return NULL;
}

/* Where the two of the example are in different turns of a loop around both: the innermost loop for
 * which that is so of any two; else NULL. */
static const struct wg_site *loop_between(const struct kernel *kernel,
                                          const struct race_entry *entry) {
    const struct race_side *first = &entry->example.first, *second = &entry->example.second;

    if (!first->has_trip || !second->has_trip || !trip_apart(&first->trip, &second->trip))
        return NULL;
    return kernel->sites[entry->loop];
}

const struct wg_site *race_wrong_barrier(const struct races *races, const struct race *race) {
    uint8_t right = barrier_of(races, race);
    const struct wg_site *wrong = NULL;

    for (uint8_t op = WG_OP_WORKGROUP_BARRIER; op <= WG_OP_TEXTURE_BARRIER && !wrong; op++)
        if (op != right && op != WG_OP_UNIFORM_LOAD)
            wrong = barrier_between(races, race, op);
    return wrong;
}

/* A barrier whose line is between the two and that would order them. */
static const struct wg_site *right_barrier(const struct races *races, const struct race *race) {
    return barrier_between(races, race, barrier_of(races, race));
}

/* Whether an invocation stores what it makes of its own load, which is the other site: one that
 * loads what a neighbour stored spells the place in another way. */
static bool is_split_update(const struct race *race, struct findings *findings) {
    return (race->first.after == race->second.site || race->second.after == race->first.site) &&
           strcmp(element_operand(findings, race->first.site->text),
                  element_operand(findings, race->second.site->text)) == 0;
}

static bool stores(const struct race_side *side) {
    return side->access == CELL_WRITE || side->access == CELL_ATOMIC_WRITE;
}

/* Whether several invocations store to one element at a site of the race. */
static bool is_shared_update(const struct races *races, const struct race *race) {
    const struct wg_site *store = stores(&race->first) ? race->first.site : race->second.site;

    for (size_t i = 0; i < races->count; i++) {
        const struct race *other = &races->items[i].example;
        if (other->var == race->var && other->first.site == store && other->second.site == store)
            return true;
    }
    return false;
}

static const char *order_advice(const struct race *race, struct findings *findings) {
    if (is_split_update(race, findings))
        return "an update in two steps loses what others do in between: make it one, by "
               "atomicAdd() or the like, or by atomicCompareExchangeWeak()";
    if (race->first.site == race->second.site)
        return "let one invocation store, or combine what they store by atomicMax() or the like";
    return NULL;
}

static const char *publish_advice(const struct races *races, const struct race *race) {
    bool both_store = stores(&race->first) && stores(&race->second);

    if (both_store || race->first.site->line == race->second.site->line)
        return "a lock of relaxed atomics guards nothing but itself: make what it guards one "
               "atomic "
               "operation, such as atomicAdd()";
    return race_is_of_workgroup(races, race)
               ? "let all invocations pass a workgroupBarrier() instead, or carry the payload in "
                 "the atomic itself"
               : NULL;
}

static const char *crossing_advice(const struct races *races, const struct race *race,
                                   struct findings *findings) {
    const struct race_side *reader = stores(&race->first) ? &race->second : &race->first;

    if (is_shared_update(races, race))
        return "give each invocation an element of its own, or let them share one by an atomic "
               "operation, such as atomicAdd() or atomicMax()";
    if (stores(reader))
        return "let one of the two places store the element, or put them in two dispatches";
    return findings_text(findings,
                         "read from one buffer and write to another, or do what reads at line %u "
                         "in a second dispatch",
                         reader->site->line);
}

static const char *barrier_advice(const struct races *races, const struct race_entry *entry,
                                  struct findings *findings) {
    const struct race *race = &entry->example;
    const char *barrier = race_barrier(races, race);
    const struct wg_site *loop = loop_between(races->kernel, entry);
    const struct wg_site *wrong = race_wrong_barrier(races, race);
    const struct wg_site *right = right_barrier(races, race);

    if (loop)
        return findings_text(findings,
                             "add %s at the end of the body of the loop at line %u, which all "
                             "invocations have to run, so that none begins the next turn before "
                             "all have ended this one",
                             barrier, loop->line);
    if (right)
        return findings_text(findings,
                             "the %s at line %u is not between these two: let all invocations pass "
                             "it, or, where a loop is around them, add another at the end of its "
                             "body",
                             barrier, right->line);
    if (wrong)
        return findings_text(findings,
                             "put a %s beside the other barrier at line %u, or in its "
                             "place",
                             barrier, wrong->line);
    if (first_line(race) != last_line(race))
        return findings_text(findings,
                             "put a %s between line %u and line %u, where all invocations pass",
                             barrier, first_line(race), last_line(race));
    if (race->first.access == race->second.access)
        return "let one invocation do it, or use an atomic";
    return findings_text(findings,
                         "read what is needed first, put a %s behind that, and store then; a "
                         "counter needs an atomic",
                         barrier);
}

/* The component of a vector that a site stores alone, as 'x'; 0: none. */
static char component_of(const struct wg_site *site) {
    size_t length = strlen(site->text);

    return site->vector_bytes && length > 2 && site->text[length - 2] == '.'
               ? site->text[length - 1]
               : 0;
}

/* Whether two stores are to different components. */
static bool store_components(const struct race *race) {
    char one = component_of(race->first.site), two = component_of(race->second.site);

    return race->first.access == CELL_WRITE && race->second.access == CELL_WRITE && one && two &&
           one != two;
}

const char *race_advice(const struct races *races, const struct race_entry *entry,
                        enum finding_kind kind, bool publish, struct findings *findings) {
    const struct race *race = &entry->example;
    const char *advice = race->ordering ? order_advice(race, findings) : NULL;

    if (advice)
        return advice;
    if (kind == FINDING_RACE_SAME_VALUE)
        return "let one invocation store it, or none but the one whose value it is";
    if (store_components(race))
        return "a store to one component of a vector is one to all of it: store whole vectors, or "
               "keep what several invocations store in scalars of their own";
    if (publish)
        return publish_advice(races, race);
    if (entry->crossing)
        return crossing_advice(races, race, findings);
    return barrier_advice(races, entry, findings);
}
