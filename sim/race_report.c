/* Sentences on races. */
#include "sim/race_report.h"

#include <string.h>

#include "sim/element.h"
#include "sim/half.h"
#include "sim/race_advice.h"
#include "sim/texture_spec.h"

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

/* " in turn 2 of the loop at line 12" for the outermost common loop in which the turns differ. */
static const char *turn_text(struct findings *findings, const struct kernel *kernel,
                             const struct race_side *side, const struct race_side *other) {
    if (!side->has_trip || !other->has_trip)
        return "";
    uint32_t apart = trip_apart(&side->trip, &other->trip);
    return apart ? findings_text(findings, " in turn %u of the loop at line %u",
                                 side->trip.turn[apart - 1] + 1,
                                 kernel->sites[side->trip.loop[apart - 1]]->line)
                 : "";
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

static enum finding_kind kind_of(const struct races *races, const struct race_entry *entry,
                                 bool publish) {
    if (entry->example.ordering)
        return FINDING_ORDER_DEPENDENT;
    if (!races_entry_changes(entry))
        return FINDING_RACE_SAME_VALUE;
    if (race_is_of_workgroup(races, &entry->example))
        return FINDING_RACE;
    return publish ? FINDING_PUBLISH_BY_FLAG : FINDING_RACE_STORAGE;
}

/* What of two atomics depends on their order. */
static const char *dependent_text(const struct race *race) {
    uint8_t one = race->first.site->op, two = race->second.site->op;

    if (one == WG_OP_ATOMIC_STORE && two == WG_OP_ATOMIC_STORE)
        return "which of them stays";
    return one == WG_OP_ATOMIC_LOAD || two == WG_OP_ATOMIC_LOAD ? "what is read"
                                                                : "what they leave";
}

static const char *order_text(const struct races *races, const struct race_entry *entry,
                              enum finding_kind kind, bool publish, struct findings *findings) {
    const struct race *race = &entry->example;
    const char *missing =
        findings_text(findings, "no %s between the two", race_barrier(races, race));
    const struct wg_site *wrong = race_wrong_barrier(races, race);

    if (kind == FINDING_ORDER_DEPENDENT)
        return findings_text(findings, "%s: %s depends on the order in which they run", missing,
                             dependent_text(race));
    if (publish)
        return "only an atomic stands between the two, and WGSL's atomics order nothing but "
               "themselves";
    if (entry->crossing)
        return "nothing orders two workgroups of one dispatch";
    if (!wrong)
        return missing;
    return findings_text(findings, "%s: the %s at line %u orders %s alone", missing,
                         race_barrier_name(wrong->op), wrong->line,
                         wrong->op == WG_OP_WORKGROUP_BARRIER ? "workgroup memory"
                         : wrong->op == WG_OP_TEXTURE_BARRIER ? "textures"
                                                              : "storage memory");
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

/* Of a word; one of halves holds two. */
static const char *value_text(struct findings *findings, const struct wg_var *var, uint32_t word) {
    float number;

    memcpy(&number, &word, sizeof number);
    if (var->scalar == WG_STRUCT)
        return findings_text(findings, "0x%x", word);
    if (var->scalar == WG_F16)
        return findings_text(findings, "(%.5g, %.5g)", (double)half_to_float((uint16_t)word),
                             (double)half_to_float((uint16_t)(word >> 16)));
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
    if (var->scalar == WG_F16 && (uint16_t)race->seen != (uint16_t)race->stored)
        return findings_text(findings, "; it read %.5g, which is stale: %.5g had been written",
                             (double)half_to_float((uint16_t)race->seen),
                             (double)half_to_float((uint16_t)race->stored));
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

/* Whether a word, as which values are known, is more than an element. */
static bool is_part_of_word(const struct wg_var *var) {
    return texture_spec_is_texture(var->type) || (var->stride && var->stride < sizeof(uint32_t));
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

    if (is_part_of_word(var) || (!*one && !*two))
        return "";
    return findings_text(findings, "; %s%s%s", one, *one && *two ? ", " : "", two);
}

/* Lanes in lockstep have done one line before they begin the next. */
static bool hidden_in_lockstep(const struct race *race) {
    return race->one_subgroup && race->first.site->line != race->second.site->line;
}

static struct finding_value finding_value(const struct wg_var *var,
                                          const struct race_value *value) {
    if (is_part_of_word(var))
        return (struct finding_value){0};
    return (struct finding_value){.known = value->known,
                                  .before_known = value->before_known,
                                  .scalar = var->scalar,
                                  .value = value->value,
                                  .before = value->before};
}

/* The texture in which a race is; NULL: it is in none. */
static const struct job_buffer *texture_of(const struct job *job, const struct race_entry *entry) {
    const struct wg_var *var = job->kernel->vars[entry->example.var];
    uint32_t bound = job->dispatches[entry->dispatch].bound[entry->example.var];

    return texture_spec_is_texture(var->type) && bound != JOB_UNBOUND ? &job->buffers[bound] : NULL;
}

static uint64_t element_of(const struct job *job, const struct race_entry *entry) {
    const struct wg_var *var = job->kernel->vars[entry->example.var];
    const struct job_buffer *texture = texture_of(job, entry);

    if (texture)
        return texture_spec_texel(texture->data, entry->example.byte);
    return var->stride ? entry->example.byte / var->stride : FINDING_UNKNOWN;
}

/* "b[3]", "b at (7, 0)" */
static const char *place_text(const struct job *job, const struct race_entry *entry,
                              struct findings *findings) {
    const struct wg_var *var = job->kernel->vars[entry->example.var];
    const struct job_buffer *texture = texture_of(job, entry);
    char texel[TEXTURE_PLACE_LENGTH];

    if (!texture)
        return element_text(findings, var, entry->example.byte, entry->example.first.site);
    return findings_text(findings, "%s at %s", var->name,
                         texture_spec_place(texture->data, var->type, entry->example.byte, texel));
}

static void report(const struct races *races, const struct job *job, const struct race_entry *entry,
                   bool publish, struct findings *findings) {
    const struct race *race = &entry->example;
    const struct wg_var *var = races->kernel->vars[race->var];
    enum finding_kind kind = kind_of(races, entry, publish);
    struct finding finding = {.kind = kind,
                              .dispatch = entry->dispatch,
                              .variable = var->name,
                              .element = element_of(job, entry),
                              .first = place(&race->first, &race->second),
                              .second = place(&race->second, &race->first),
                              .first_value = finding_value(var, &entry->first),
                              .second_value = finding_value(var, &entry->second),
                              .count = entry->count};

    finding.text = findings_text(
        findings, "%s: %s%s and %s%s%s, %s%s%s%s%s%s", place_text(job, entry, findings),
        side_text(findings, &race->first, race->crossing),
        turn_text(findings, races->kernel, &race->first, &race->second),
        side_text(findings, &race->second, race->crossing),
        turn_text(findings, races->kernel, &race->second, &race->first),
        kind == FINDING_RACE_SAME_VALUE ? " store the same value" : "",
        order_text(races, entry, kind, publish, findings),
        entry->within && entry->crossing ? "; within a workgroup as well" : "",
        hidden_in_lockstep(race) ? "; hidden where the lanes of a subgroup run in lockstep" : "",
        values_text(findings, var, entry), behind_text(findings, var, race),
        race->ordering ? order_difference_text(findings, &entry->proof) : "");
    finding.advice = race_advice(races, entry, kind, publish, findings);
    findings_add(findings, &finding);
}

void races_report(const struct races *races, const struct job *job, const bool *publish,
                  struct findings *findings) {
    findings->more_races |= races->full;
    for (size_t i = 0; i < races->count; i++)
        if (!races->items[i].example.ordering || races->items[i].proof.buffer)
            report(races, job, &races->items[i], publish && publish[i], findings);
}
