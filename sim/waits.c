/* Waiting, ordering and losing through atomics of storage. An invocation waits while it loads one
 * word at one site turn after turn and no other in between, or tries in vain to change a word that
 * stays as it is; a compare-exchange that lost to another has not waited. Where the translator
 * knows a site for a wait, one that passes at its first look counts as well. */
#include "sim/waits.h"

#include <stdlib.h>
#include <string.h>

#include "sim/element.h"
#include "sim/judge.h"
#include "sim/word.h"

enum { WORDS_INITIAL = 1024, ENTRIES_MAX = 64, PAIRS_MAX = 512 };

/* A word of storage. */
struct word {
    uint64_t place; /* of the log, plus 1; 0: free */
    uint64_t version, writer;
    uint32_t writer_lane;
    const struct wg_site *site; /* of the last change */
};

/* What an invocation did last. */
struct past_atomics {
    uint64_t workgroup; /* whose it is, plus 1 */
    uint64_t read, read_version, written;
    const struct wg_site *read_site, *written_site;
    bool waited; /* found it unchanged when it came back */
};

/* A wait that ended. */
struct wait_entry {
    const struct wg_site *site, *change;
    uint64_t place, waiting, waker, count;
    uint32_t lane;
    bool waited; /* not: passed at its first look */
};

/* An atomic store of what was made of an atomic load, although the word had changed in between. */
struct lost_entry {
    const struct wg_site *load, *store, *change;
    uint64_t place, workgroup, changer, count;
    uint32_t lane, changer_lane;
};

/* Two words that an invocation wrote, or read, one after the other. */
struct pair {
    uint64_t first, second, workgroup;
    const struct wg_site *first_site, *second_site;
};

struct pairs {
    struct pair items[PAIRS_MAX];
    size_t count;
};

struct waits {
    const struct kernel *kernel;
    const struct dispatch *dispatch;
    struct word *words; /* hash table */
    size_t word_count, word_capacity;
    struct past_atomics **seats; /* by compute unit and slot, of all invocations */
    size_t seat_count;
    struct wait_entry entries[ENTRIES_MAX];
    size_t entry_count;
    struct lost_entry lost[ENTRIES_MAX];
    size_t lost_count;
    struct pairs written, read;
    bool weak; /* some pair was read in the other order */
    struct pair weak_write, weak_read;
};

struct waits *waits_new(const struct kernel *kernel) {
    struct waits *waits = calloc(1, sizeof *waits);

    if (waits)
        waits->kernel = kernel;
    return waits;
}

static void forget(struct waits *waits) {
    for (size_t i = 0; i < waits->seat_count; i++)
        free(waits->seats[i]);
    free(waits->seats);
    free(waits->words);
    waits->seats = NULL;
    waits->words = NULL;
    waits->seat_count = waits->word_count = waits->word_capacity = 0;
}

void waits_free(struct waits *waits) {
    if (!waits)
        return;
    forget(waits);
    free(waits);
}

void waits_begin(struct waits *waits, const struct dispatch *d) {
    forget(waits);
    waits->dispatch = d;
    waits->entry_count = waits->lost_count = waits->written.count = waits->read.count = 0;
    waits->weak = false;
}

/* ---- Words ---- */

static size_t slot_of(const struct word *words, size_t capacity, uint64_t place) {
    size_t i = (size_t)((place + 1) * 0x9e3779b97f4a7c15u >> 20) & (capacity - 1);

    while (words[i].place && words[i].place != place + 1)
        i = (i + 1) & (capacity - 1);
    return i;
}

static bool grow(struct waits *waits) {
    size_t capacity = waits->word_capacity ? waits->word_capacity * 2 : WORDS_INITIAL;
    struct word *words = calloc(capacity, sizeof *words);

    if (!words)
        return false;
    for (size_t i = 0; i < waits->word_capacity; i++)
        if (waits->words[i].place)
            words[slot_of(words, capacity, waits->words[i].place - 1)] = waits->words[i];
    free(waits->words);
    waits->words = words;
    waits->word_capacity = capacity;
    return true;
}

static struct word *word_at(struct waits *waits, uint64_t place) {
    if (waits->word_count * 2 >= waits->word_capacity && !grow(waits))
        return NULL;
    struct word *word = &waits->words[slot_of(waits->words, waits->word_capacity, place)];
    if (!word->place) {
        word->place = place + 1;
        waits->word_count++;
    }
    return word;
}

static struct past_atomics *past_of(struct waits *waits, const struct workgroup *w) {
    const struct dispatch *d = waits->dispatch;
    size_t index = (size_t)w->cu * d->max_slots + w->slot;

    if (!waits->seats) {
        waits->seat_count = (size_t)d->device->cus * d->max_slots;
        waits->seats = calloc(waits->seat_count + 1, sizeof *waits->seats);
    }
    if (!waits->seats || index >= waits->seat_count)
        return NULL;
    if (!waits->seats[index])
        waits->seats[index] = calloc(w->launch->invocations, sizeof **waits->seats);
    return waits->seats[index];
}

/* ---- Pairs ---- */

static const struct pair *find_pair(const struct pairs *pairs, uint64_t first, uint64_t second,
                                    uint64_t other_than) {
    for (size_t i = 0; i < pairs->count; i++)
        if (pairs->items[i].first == first && pairs->items[i].second == second &&
            pairs->items[i].workgroup != other_than)
            return &pairs->items[i];
    return NULL;
}

static void add_pair(struct waits *waits, struct pairs *own, const struct pairs *other,
                     const struct pair *pair) {
    if (waits->weak || own->count == PAIRS_MAX)
        return;
    const struct pair *crossed = find_pair(other, pair->second, pair->first, pair->workgroup);
    if (crossed) {
        waits->weak = true;
        waits->weak_write = own == &waits->written ? *pair : *crossed;
        waits->weak_read = own == &waits->written ? *crossed : *pair;
    }
    for (size_t i = 0; i < own->count; i++)
        if (own->items[i].first == pair->first && own->items[i].second == pair->second &&
            own->items[i].workgroup == pair->workgroup)
            return;
    own->items[own->count++] = *pair;
}

/* ---- Rows ---- */

static void end_wait(struct waits *waits, const struct word *word, const struct wg_site *site,
                     const struct workgroup *w, uint32_t lane, bool waited) {
    struct wait_entry *entry = waits->entries;

    while (entry < waits->entries + waits->entry_count && entry->site != site)
        entry++;
    if (entry == waits->entries + ENTRIES_MAX)
        return;
    bool first = entry == waits->entries + waits->entry_count;
    uint64_t count = first ? 0 : entry->count;
    if (first || (waited && !entry->waited))
        *entry = (struct wait_entry){site,  word->site, word->place - 1, w->id, word->writer,
                                     count, lane,       waited};
    waits->entry_count += first;
    entry->count++;
}

static void see_read(struct waits *waits, const struct workgroup *w, const struct word *word,
                     const struct wg_site *site, struct past_atomics *past, uint32_t lane,
                     bool in_loop) {
    uint64_t place = word->place - 1;

    if (in_loop && past->read_site == site && past->read == place) {
        bool polls = site->op == WG_OP_ATOMIC_LOAD;
        if (past->read_version == word->version)
            past->waited = true;
        else if ((polls || past->waited) && word->writer != w->id)
            end_wait(waits, word, site, w, lane, true);
    } else if (site->flags & WG_SITE_WAIT && word->version && word->writer != w->id) {
        end_wait(waits, word, site, w, lane, false);
    }
    if (past->read_version != word->version || past->read != place)
        past->waited = false;
    if (past->read_site && past->read != place) {
        struct pair pair = {past->read, place, w->id, past->read_site, site};
        add_pair(waits, &waits->read, &waits->written, &pair);
    }
    past->read_site = site;
    past->read = place;
    past->read_version = word->version;
}

/* A store to a word that another invocation has changed since this one loaded it. */
static void lose_update(struct waits *waits, const struct workgroup *w, const struct word *word,
                        const struct wg_site *site, const struct past_atomics *past,
                        uint32_t lane) {
    struct lost_entry *entry = waits->lost;

    while (entry < waits->lost + waits->lost_count &&
           (entry->load != past->read_site || entry->store != site))
        entry++;
    if (entry == waits->lost + ENTRIES_MAX)
        return;
    if (entry == waits->lost + waits->lost_count) {
        *entry = (struct lost_entry){past->read_site, site, word->site, word->place - 1,  w->id,
                                     word->writer,    0,    lane,       word->writer_lane};
        waits->lost_count++;
    }
    entry->count++;
}

static void see_write(struct waits *waits, const struct workgroup *w, struct word *word,
                      const struct wg_site *site, struct past_atomics *past, uint32_t lane) {
    uint64_t place = word->place - 1;
    bool loaded = past->read_site && past->read == place;

    if (loaded && site->op == WG_OP_ATOMIC_STORE && past->read_site->op == WG_OP_ATOMIC_LOAD &&
        past->read_version != word->version)
        lose_update(waits, w, word, site, past, lane);
    word->version++;
    word->writer = w->id;
    word->writer_lane = lane;
    word->site = site;
    if (loaded) /* what it wrote itself it knows */
        past->read_version = word->version;
    if (past->written_site && past->written != place) {
        struct pair pair = {past->written, place, w->id, past->written_site, site};
        add_pair(waits, &waits->written, &waits->read, &pair);
    }
    past->written_site = site;
    past->written = place;
}

void waits_row(struct waits *waits, const struct access_row *row) {
    const struct workgroup *w = row->workgroup;
    const struct wg_site *site = row->site;

    if (site->op < WG_OP_ATOMIC_LOAD || site->space == WG_SPACE_WORKGROUP)
        return;
    struct past_atomics *seat = past_of(waits, w);
    if (!seat)
        return;
    for (uint32_t rest = row->mask; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        uint32_t lane = row->subgroup->first + row->first_lane + i;
        struct word *word = word_at(waits, row->words[i] & WORD_PLACE);
        struct past_atomics *past = &seat[lane];
        const struct track *track = judge_track(row->subgroup, row->first_lane + i);
        if (!word)
            return;
        if (past->workgroup != w->id + 1)
            *past = (struct past_atomics){.workgroup = w->id + 1};
        if (!(site->flags & WG_SITE_UNUSED))
            see_read(waits, w, word, site, past, lane, track && track_is_inside(track));
        if (site->op != WG_OP_ATOMIC_LOAD && !word_is_silent(row->words[i]))
            see_write(waits, w, word, site, past, lane);
    }
}

/* ---- What is said ---- */

static const struct wg_var *var_of(const struct waits *waits, uint64_t place) {
    return waits->kernel->vars[word_var(place)];
}

/* What the site accesses at that place, and in which element. */
static const char *name_of(const struct waits *waits, uint64_t place, const struct wg_site *site,
                           struct findings *findings, uint64_t *element) {
    const struct wg_var *var = var_of(waits, place);
    uint64_t byte = place & WORD_OFFSET;

    *element = var->stride ? byte / var->stride : 0;
    return element_text(findings, var, byte, site);
}

static void report_wait(const struct waits *waits, const struct wait_entry *entry,
                        uint32_t dispatch, struct findings *findings) {
    struct finding finding = {
        .kind = FINDING_NEEDS_PROGRESS,
        .dispatch = dispatch,
        .variable = var_of(waits, entry->place)->name,
        .first = {entry->site, entry->waiting, entry->lane, FINDING_UNKNOWN},
        .second = {entry->change, entry->waker, FINDING_UNKNOWN, FINDING_UNKNOWN},
        .count = entry->count};
    const char *name = name_of(waits, entry->place, entry->site, findings, &finding.element);

    finding.text = findings_text(
        findings,
        "workgroup %llu %s at line %u for %s%s workgroup %llu %s it at line %u: it ends only where "
        "a "
        "resident workgroup keeps running while others wait for it, which WebGPU does not promise",
        (unsigned long long)entry->waiting, entry->waited ? "waited" : "waits", entry->site->line,
        name, entry->waited ? " until" : ", but found that", (unsigned long long)entry->waker,
        entry->waited ? "changed" : "had changed", entry->change->line);
    findings_add(findings, &finding);
}

static void report_lost(const struct waits *waits, const struct lost_entry *entry,
                        uint32_t dispatch, struct findings *findings) {
    struct finding finding = {
        .kind = FINDING_ORDER_DEPENDENT,
        .dispatch = dispatch,
        .variable = var_of(waits, entry->place)->name,
        .first = {entry->load, entry->workgroup, entry->lane, FINDING_UNKNOWN},
        .second = {entry->store, entry->workgroup, entry->lane, FINDING_UNKNOWN},
        .advice = "make it one operation, by atomicAdd() or the like, or by "
                  "atomicCompareExchangeWeak()",
        .count = entry->count};
    const char *name = name_of(waits, entry->place, entry->load, findings, &finding.element);

    finding.text = findings_text(
        findings,
        "%s: invocation %u of workgroup %llu loads it at line %u and stores to it at line %u, "
        "although invocation %u of workgroup %llu has changed it in between, at line %u: that "
        "change is lost, and what stays depends on the order",
        name, entry->lane, (unsigned long long)entry->workgroup, entry->load->line,
        entry->store->line, entry->changer_lane, (unsigned long long)entry->changer,
        entry->change->line);
    findings_add(findings, &finding);
}

/* The places are the reader's first look and the store that it sees, perhaps too soon. */
static void report_weak(const struct waits *waits, uint32_t dispatch, struct findings *findings) {
    const struct pair *write = &waits->weak_write, *read = &waits->weak_read;
    struct finding finding = {
        .kind = FINDING_WEAK_OUTCOME,
        .dispatch = dispatch,
        .variable = var_of(waits, read->first)->name,
        .first = {read->first_site, read->workgroup, FINDING_UNKNOWN, FINDING_UNKNOWN},
        .second = {write->second_site, write->workgroup, FINDING_UNKNOWN, FINDING_UNKNOWN},
        .count = 1};
    uint64_t other;
    const char *one = name_of(waits, write->first, write->first_site, findings, &other),
               *two = name_of(waits, write->second, write->second_site, findings, &other),
               *seen = name_of(waits, read->first, read->first_site, findings, &finding.element),
               *behind = name_of(waits, read->second, read->second_site, findings, &other);

    finding.text = findings_text(
        findings,
        "workgroup %llu writes %s at line %u and then %s at line %u; workgroup %llu reads %s at "
        "line %u and then %s at line %u: relaxed atomics give no order between the two, so the "
        "second value may be seen without the first",
        (unsigned long long)write->workgroup, one, write->first_site->line, two,
        write->second_site->line, (unsigned long long)read->workgroup, seen, read->first_site->line,
        behind, read->second_site->line);
    findings_add(findings, &finding);
}

void waits_report(const struct waits *waits, uint32_t dispatch, bool ended,
                  struct findings *findings) {
    for (size_t i = 0; ended && i < waits->entry_count; i++)
        report_wait(waits, &waits->entries[i], dispatch, findings);
    for (size_t i = 0; i < waits->lost_count; i++)
        report_lost(waits, &waits->lost[i], dispatch, findings);
    if (waits->weak)
        report_weak(waits, dispatch, findings);
}
