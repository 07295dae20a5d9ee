/* Lost updates as findings. */
#include "sim/lost.h"

#include "sim/element.h"
#include "sim/word.h"

static struct lost_update *entry_of(struct lost *lost, const struct lost_update *update) {
    struct lost_update *entry = lost->entries;

    while (entry < lost->entries + lost->count &&
           (entry->load != update->load || entry->store != update->store))
        entry++;
    if (entry == lost->entries + LOST_MAX)
        return NULL;
    if (entry == lost->entries + lost->count) {
        *entry = *update;
        entry->count = 0;
        lost->count++;
    }
    return entry;
}

void lost_add(struct lost *lost, const struct lost_update *update) {
    struct lost_update *entry = entry_of(lost, update);

    if (entry)
        entry->count++;
}

void lost_join(struct lost *lost, const struct lost *from, uint32_t dispatch) {
    for (size_t i = 0; i < from->count; i++) {
        struct lost_update update = from->entries[i];
        update.dispatch = dispatch;
        struct lost_update *entry = entry_of(lost, &update);
        if (entry)
            entry->count += update.count;
    }
}

bool lost_is_known(const struct lost *lost, const struct wg_site *store) {
    for (size_t i = 0; i < lost->count; i++)
        if (lost->entries[i].store == store)
            return true;
    return false;
}

void lost_suspect(struct lost *lost, const struct lost_suspect *suspect) {
    for (size_t i = 0; i < lost->suspect_count; i++)
        if (lost->suspects[i].store == suspect->store)
            return;
    if (lost->suspect_count < SUSPECTS_MAX)
        lost->suspects[lost->suspect_count++] = *suspect;
}

/* ---- What is said ---- */

static const char *sentence(const struct lost_update *update, const char *name,
                            struct findings *findings) {
    unsigned long long workgroup = update->workgroup, changer = update->changer;
    const char *proof = order_difference_text(findings, &update->proof);

    if (update->what_if)
        return findings_text(
            findings,
            "%s: if workgroups %llu and %llu run at the same time, invocation %u of workgroup %llu "
            "loads it at line %u and stores to it at line %u, although invocation %u of the other "
            "has changed it in between, at line %u: that change is lost, and what stays depends on "
            "the order%s",
            name, changer, workgroup, update->lane, workgroup, update->load->line,
            update->store->line, update->changer_lane, update->change->line, proof);
    return findings_text(
        findings,
        "%s: invocation %u of workgroup %llu loads it at line %u and stores to it at line %u, "
        "although invocation %u of workgroup %llu has changed it in between, at line %u: that "
        "change is lost, and what stays depends on the order%s",
        name, update->lane, workgroup, update->load->line, update->store->line,
        update->changer_lane, changer, update->change->line, proof);
}

static void report(const struct lost_update *update, const struct wg_var *var,
                   struct findings *findings) {
    uint64_t byte = update->place & WORD_OFFSET;
    const char *name = element_text(findings, var, byte, update->load);
    struct finding finding = {
        .kind = FINDING_ORDER_DEPENDENT,
        .dispatch = update->dispatch,
        .variable = var->name,
        .element = var->stride ? byte / var->stride : 0,
        .first = {update->load, update->workgroup, update->lane, FINDING_UNKNOWN},
        .second = {update->store, update->workgroup, update->lane, FINDING_UNKNOWN},
        .text = sentence(update, name, findings),
        .advice = "make it one operation, by atomicAdd() or the like, or by "
                  "atomicCompareExchangeWeak()",
        .count = update->count};

    findings_add(findings, &finding);
}

void lost_report(const struct lost *lost, const struct kernel *kernel, struct findings *findings) {
    for (size_t i = 0; i < lost->count; i++)
        if (lost->entries[i].proof.buffer)
            report(&lost->entries[i], kernel->vars[word_var(lost->entries[i].place)], findings);
}
