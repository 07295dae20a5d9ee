/* Finding pairs that cross. */
#include "sim/crossed.h"

#include "sim/element.h"
#include "sim/word.h"

void crossed_reset(struct crossed *crossed) {
    crossed->written.count = crossed->read.count = 0;
    crossed->found = false;
}

/* In another workgroup. */
static const struct pair *find(const struct pairs *pairs, uint64_t first, uint64_t second,
                               uint64_t other_than) {
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->items[i].first == first && pairs->items[i].second == second &&
            pairs->items[i].workgroup != other_than)
            return &pairs->items[i];
    return NULL;
}

static void add(struct pairs *pairs, const struct pair *pair) {
    if (pairs->count == PAIRS_MAX)
        return;
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->items[i].first == pair->first && pairs->items[i].second == pair->second &&
            pairs->items[i].workgroup == pair->workgroup)
            return;
    pairs->items[pairs->count++] = *pair;
}

void crossed_written(struct crossed *crossed, const struct pair *pair) {
    if (crossed->found)
        return;
    const struct pair *read = find(&crossed->read, pair->second, pair->first, pair->workgroup);
    if (read) {
        crossed->found = true;
        crossed->write = *pair;
        crossed->other = *read;
    }
    add(&crossed->written, pair);
}

void crossed_read(struct crossed *crossed, const struct pair *pair) {
    if (crossed->found)
        return;
    const struct pair *write = find(&crossed->written, pair->second, pair->first, pair->workgroup);
    if (write) {
        crossed->found = true;
        crossed->write = *write;
        crossed->other = *pair;
    }
    add(&crossed->read, pair);
}

static const char *name_of(const struct kernel *kernel, uint64_t place, const struct wg_site *site,
                           struct findings *findings) {
    return element_text(findings, kernel->vars[word_var(place)], place & WORD_OFFSET, site);
}

/* The places are the reader's first look and the store that it sees, perhaps too soon. */
void crossed_report(const struct crossed *crossed, const struct kernel *kernel, uint32_t dispatch,
                    struct findings *findings) {
    const struct pair *write = &crossed->write, *read = &crossed->other;

    if (!crossed->found)
        return;
    const struct wg_var *var = kernel->vars[word_var(read->first)];
    struct finding finding = {
        .kind = FINDING_WEAK_OUTCOME,
        .dispatch = dispatch,
        .variable = var->name,
        .element = var->stride ? (read->first & WORD_OFFSET) / var->stride : 0,
        .first = {read->first_site, read->workgroup, FINDING_UNKNOWN, FINDING_UNKNOWN},
        .second = {write->second_site, write->workgroup, FINDING_UNKNOWN, FINDING_UNKNOWN},
        .count = 1};

    finding.text = findings_text(
        findings,
        "workgroup %llu writes %s at line %u and then %s at line %u; workgroup %llu reads %s at "
        "line %u and then %s at line %u: relaxed atomics give no order between the two, so the "
        "second value may be seen without the first",
        (unsigned long long)write->workgroup,
        name_of(kernel, write->first, write->first_site, findings), write->first_site->line,
        name_of(kernel, write->second, write->second_site, findings), write->second_site->line,
        (unsigned long long)read->workgroup,
        name_of(kernel, read->first, read->first_site, findings), read->first_site->line,
        name_of(kernel, read->second, read->second_site, findings), read->second_site->line);
    findings_add(findings, &finding);
}
