/* Which of two workgroups is first, as findings. */
#include "sim/between.h"

#include "sim/element.h"
#include "sim/word.h"

static bool is_of(const struct between_entry *entry, const struct wg_site *one,
                  const struct wg_site *two) {
    return (entry->first.site == one && entry->second.site == two) ||
           (entry->first.site == two && entry->second.site == one);
}

static struct between_entry *find(struct between *between, const struct wg_site *one,
                                  const struct wg_site *two) {
    for (size_t i = 0; i < between->count; i++)
        if (is_of(&between->entries[i], one, two))
            return &between->entries[i];
    return NULL;
}

/* Where in a set. */
static uint32_t bit_of(uint64_t place, const struct wg_site *site) {
    return (uint32_t)((place ^ (uint64_t)site->id << 48) * 0x9e3779b97f4a7c15u >> 55);
}

void between_note(struct between_past *past, uint64_t place, const struct wg_site *site) {
    uint32_t bit = bit_of(place, site);

    past->set[bit / 64] |= 1ull << bit % 64;
}

static bool has_changed(const struct between_past *past, uint64_t place,
                        const struct wg_site *site) {
    uint32_t bit = bit_of(place, site);

    return past->set[bit / 64] >> bit % 64 & 1;
}

void between_add(struct between *between, uint64_t place, const struct between_side *first,
                 const struct between_side *second, const struct between_past *past) {
    struct between_entry *entry = find(between, first->site, second->site);
    bool own = first->workgroup == second->workgroup;

    if (!entry && between->count == BETWEEN_MAX)
        return;
    if (!entry) {
        entry = &between->entries[between->count++];
        *entry = (struct between_entry){
            .first = *first, .second = *second, .own = first->site == second->site};
    }
    entry->own |= own || has_changed(past, place, first->site);
    if (own)
        return;
    if (!entry->count++) {
        entry->first = *first;
        entry->second = *second;
        entry->place = place;
    }
}

bool between_is_open(const struct between_entry *entry) {
    return entry->own && entry->count > 0;
}

struct between_entry *between_find(struct between *between, const struct between_entry *entry) {
    return find(between, entry->first.site, entry->second.site);
}

void between_keep(struct between *between, const struct between_entry *entry) {
    if (between->count < BETWEEN_MAX)
        between->entries[between->count++] = *entry;
}

/* ---- What is said ---- */

static const char *word_of(const struct wg_site *site) {
    return site->op == WG_OP_ATOMIC_LOAD    ? "atomic load"
           : site->op == WG_OP_ATOMIC_STORE ? "atomic store"
                                            : "atomic update";
}

static bool has(const struct between_entry *entry, uint8_t op) {
    return entry->first.site->op == op || entry->second.site->op == op;
}

static const char *dependent_text(const struct between_entry *entry) {
    if (has(entry, WG_OP_ATOMIC_LOAD))
        return "what is read";
    return entry->first.site->op == WG_OP_ATOMIC_STORE &&
                   entry->second.site->op == WG_OP_ATOMIC_STORE
               ? "which of them stays"
               : "what they leave";
}

/* The site of the pair that makes the access. */
static const struct wg_site *site_of(const struct between_entry *entry, uint8_t op) {
    return entry->first.site->op == op ? entry->first.site : entry->second.site;
}

static const char *advice_of(const struct between_entry *entry, struct findings *findings) {
    if (has(entry, WG_OP_ATOMIC_LOAD))
        return findings_text(findings,
                             "do what reads it at line %u in a second dispatch: no barrier waits "
                             "for other workgroups",
                             site_of(entry, WG_OP_ATOMIC_LOAD)->line);
    if (entry->first.site->op == WG_OP_ATOMIC_STORE && entry->second.site->op == WG_OP_ATOMIC_STORE)
        return "let one invocation store, or combine what they store by atomicMax() or the like";
    if (has(entry, WG_OP_ATOMIC_STORE))
        return findings_text(findings,
                             "do what is stored at line %u before the dispatch, or in one of its "
                             "own: no barrier keeps other workgroups waiting for it",
                             site_of(entry, WG_OP_ATOMIC_STORE)->line);
    return "make the updates of one kind in a dispatch of their own";
}

static void report(const struct between_entry *entry, const struct wg_var *var,
                   struct findings *findings) {
    const struct between_side *first = &entry->first, *second = &entry->second;
    uint64_t byte = entry->place & WORD_OFFSET;
    struct finding finding = {
        .kind = FINDING_ORDER_DEPENDENT,
        .dispatch = entry->dispatch,
        .variable = var->name,
        .element = var->stride ? byte / var->stride : 0,
        .first = {first->site, first->workgroup, first->lane, FINDING_UNKNOWN},
        .second = {second->site, second->workgroup, second->lane, FINDING_UNKNOWN},
        .count = entry->count};

    finding.text = findings_text(
        findings,
        "%s: %s at line %u by invocation %u of workgroup %llu and %s at line %u by invocation %u "
        "of workgroup %llu, nothing orders two workgroups of one dispatch: %s depends on the order "
        "in which they run%s",
        element_text(findings, var, byte, first->site), word_of(first->site), first->site->line,
        first->lane, (unsigned long long)first->workgroup, word_of(second->site),
        second->site->line, second->lane, (unsigned long long)second->workgroup,
        dependent_text(entry), order_difference_text(findings, &entry->proof));
    finding.advice = advice_of(entry, findings);
    findings_add(findings, &finding);
}

void between_report(const struct between *between, const struct kernel *kernel,
                    struct findings *findings) {
    for (size_t i = 0; i < between->count; i++)
        if (between->entries[i].proof.buffer)
            report(&between->entries[i], kernel->vars[word_var(between->entries[i].place)],
                   findings);
}
