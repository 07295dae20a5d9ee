/* Waiting through atomics of storage. An invocation waits where it would look at one word for ever
 * while that stays as it is; one that gives up after some turns, or that lost to another in
 * changing the word, waits for nobody. A site is known for a wait where the translator says so,
 * where an invocation came back to it with its own state as it had been, or where one waits that is
 * started alone; then one that passes at its first look counts as well. */
#include "sim/waits.h"

#include <stdlib.h>
#include <string.h>

#include "sim/alone.h"
#include "sim/crossed.h"
#include "sim/element.h"
#include "sim/judge/judge.h"
#include "sim/shadow.h"
#include "sim/watch.h"
#include "sim/word.h"

enum { WORDS_INITIAL = 1024 };
/* Sites in question for which a workgroup is started alone. */
enum { ALONE_MAX = 16 };

/* A word of storage. */
struct word {
    uint64_t place; /* of the log, plus 1; 0: free */
    uint64_t version, writer;
    uint32_t writer_lane;
    const struct wg_site *site;         /* of the last change */
    bool checked;                       /* that stored what was made of an atomic load */
    struct between_side before;         /* the last change by another workgroup than that one */
    struct between_side loaded, stored; /* last, also what was there */
};

/* What an invocation did last. */
struct past_atomics {
    uint64_t workgroup; /* whose it is, plus 1 */
    uint64_t read, read_version, written;
    const struct wg_site *read_site, *written_site;
    uint64_t updated; /* place, plus 1, also where that changed nothing */
    uint64_t state;   /* a hash of its own when it last came back to a look; 0: it has not */
};

/* Looks at one site that found the word changed by another workgroup: the ends of waits, if it is a
 * wait. */
struct wait_entry {
    const struct wg_site *change;
    uint64_t place, waiting, waker, count;
    uint32_t lane;
    bool waited;  /* not: passed at its first look */
    bool is_wait; /* found out when it was reported */
    bool endless; /* it would turn for ever if nobody changed the word */
};

/* Who makes an access. */
struct invocation {
    const struct workgroup *workgroup;
    const struct subgroup *subgroup;
    uint32_t lane; /* of the subgroup */
};

struct waits {
    const struct kernel *kernel;
    const struct dispatch *dispatch;
    struct word *words; /* hash table */
    size_t word_count, word_capacity;
    struct past_atomics **seats; /* by compute unit and slot, of all invocations */
    struct between_past *pasts;  /* the same, of the workgroup */
    size_t seat_count;
    struct wait_entry *entries; /* by site */
    struct lost lost;
    struct crossed crossed;
    struct between between;
    bool orders;  /* there are atomics of storage whose order may matter */
    bool turning; /* some invocation has come back to a look */
};

static bool is_of_storage(const struct wg_site *site) {
    return site && site->op >= WG_OP_ATOMIC_LOAD && site->op <= WG_OP_ATOMIC_COMPARE_EXCHANGE &&
           site->space != WG_SPACE_WORKGROUP;
}

static bool is_update(const struct wg_site *site) {
    return site->op != WG_OP_ATOMIC_LOAD && site->op != WG_OP_ATOMIC_STORE;
}

/* Whether not all atomics of storage are updates of one kind. */
static bool has_orders(const struct kernel *kernel) {
    const struct wg_site *update = NULL;

    for (size_t id = 0; id < kernel->site_limit; id++) {
        const struct wg_site *site = kernel->sites[id];
        if (!is_of_storage(site))
            continue;
        if (!is_update(site) || (update && !shadow_updates_commute(update->op, site->op)))
            return true;
        update = site;
    }
    return false;
}

struct waits *waits_new(const struct kernel *kernel) {
    struct waits *waits = calloc(1, sizeof *waits);

    if (!waits)
        return NULL;
    waits->kernel = kernel;
    waits->orders = has_orders(kernel);
    waits->entries = calloc(kernel->site_limit + 1, sizeof *waits->entries);
    if (waits->entries)
        return waits;
    waits_free(waits);
    return NULL;
}

static void forget(struct waits *waits) {
    for (size_t i = 0; i < waits->seat_count; i++)
        free(waits->seats[i]);
    free(waits->seats);
    free(waits->pasts);
    free(waits->words);
    waits->seats = NULL;
    waits->pasts = NULL;
    waits->words = NULL;
    waits->seat_count = waits->word_count = waits->word_capacity = 0;
}

void waits_free(struct waits *waits) {
    if (!waits)
        return;
    forget(waits);
    free(waits->entries);
    free(waits);
}

void waits_begin(struct waits *waits, const struct dispatch *d) {
    forget(waits);
    waits->dispatch = d;
    memset(waits->entries, 0, (waits->kernel->site_limit + 1) * sizeof *waits->entries);
    waits->lost.count = waits->lost.suspect_count = 0;
    waits->between.count = 0;
    crossed_reset(&waits->crossed);
    waits->turning = false;
}

struct lost *waits_lost(struct waits *waits) {
    return &waits->lost;
}

const struct between *waits_between(const struct waits *waits) {
    return &waits->between;
}

bool waits_at(const struct waits *waits, const struct wg_site *site) {
    return waits->entries[site->id].is_wait;
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
        waits->pasts = calloc(waits->seat_count + 1, sizeof *waits->pasts);
    }
    if (!waits->seats || !waits->pasts || index >= waits->seat_count)
        return NULL;
    if (!waits->seats[index])
        waits->seats[index] = calloc(w->launch->invocations, sizeof **waits->seats);
    return waits->seats[index];
}

static struct between_side last_change(const struct word *word) {
    return (struct between_side){word->site, word->writer, word->writer_lane};
}

/* ---- Rows ---- */

/* A look that found the word changed by another workgroup. */
static void end_wait(struct waits *waits, const struct word *word, const struct wg_site *site,
                     const struct invocation *who, bool waited) {
    struct wait_entry *entry = &waits->entries[site->id];

    if (!entry->count || (waited && !entry->waited)) {
        entry->change = word->site;
        entry->place = word->place - 1;
        entry->waiting = who->workgroup->id;
        entry->waker = word->writer;
        entry->lane = who->subgroup->first + who->lane;
        entry->waited = waited;
    }
    entry->count++;
}

/* The invocation has come back to a look. If its own state is as it was when it did so before, what
 * it found in between made no difference: it would come back for ever if the word stayed so. */
static void note_turn(struct waits *waits, const struct wg_site *site, const struct invocation *who,
                      struct past_atomics *past) {
    struct wait_entry *entry = &waits->entries[site->id];

    waits->turning = true;
    if (entry->endless)
        return;
    uint64_t state = watch_state_hash(who->workgroup, who->subgroup, who->lane);
    entry->endless = past->state == state;
    past->state = state;
}

static void see_read(struct waits *waits, const struct word *word, const struct wg_site *site,
                     const struct invocation *who, struct past_atomics *past) {
    uint64_t place = word->place - 1, own = who->workgroup->id;
    const struct track *track = judge_track(who->subgroup, who->lane);
    bool again = track && track_is_inside(track) && past->read_site == site && past->read == place;

    if (word->version && word->writer != own && !(again && past->read_version == word->version))
        end_wait(waits, word, site, who, again);
    if (word->checked && word->writer != own && site->op == WG_OP_ATOMIC_LOAD)
        lost_suspect(&waits->lost, &(struct lost_suspect){word->site, place, word->writer, own});
    if (again)
        note_turn(waits, site, who, past);
    else
        past->state = 0;
    if (past->read_site && past->read != place) {
        struct pair pair = {past->read, place, own, past->read_site, site};
        crossed_read(&waits->crossed, &pair);
    }
    past->read_site = site;
    past->read = place;
    past->read_version = word->version;
}

/* Whether an atomic store puts what was made of an atomic load, the last that its invocation made.
 */
static bool is_checked(const struct word *word, const struct wg_site *site,
                       const struct past_atomics *past) {
    return site->op == WG_OP_ATOMIC_STORE && past->read_site && past->read == word->place - 1 &&
           past->read_site->op == WG_OP_ATOMIC_LOAD;
}

/* A checked store, to a word that another invocation may have changed since this one loaded it:
 * also of what is there already, as when two have counted from one number. */
static void see_checked(struct waits *waits, const struct invocation *who, const struct word *word,
                        const struct wg_site *site, const struct past_atomics *past) {
    struct lost_update update = {.load = past->read_site,
                                 .store = site,
                                 .change = word->site,
                                 .place = past->read,
                                 .workgroup = who->workgroup->id,
                                 .changer = word->writer,
                                 .lane = who->subgroup->first + who->lane,
                                 .changer_lane = word->writer_lane};

    if (past->read_version != word->version)
        lost_add(&waits->lost, &update);
}

static void see_write(struct waits *waits, const struct invocation *who, struct word *word,
                      const struct wg_site *site, struct past_atomics *past, bool checked) {
    uint64_t place = word->place - 1;

    word->checked = checked && past->read_version == word->version;
    word->version++;
    if (word->site && word->writer != who->workgroup->id)
        word->before = last_change(word);
    word->writer = who->workgroup->id;
    word->writer_lane = who->subgroup->first + who->lane;
    word->site = site;
    if (past->read_site && past->read == place) /* what it wrote itself it knows */
        past->read_version = word->version;
    if (past->written_site && past->written != place) {
        struct pair pair = {past->written, place, word->writer, past->written_site, site};
        crossed_written(&waits->crossed, &pair);
    }
    past->written_site = site;
    past->written = place;
}

/* ---- Workgroups whose order may matter ---- */

/* An access whose order to others is looked at. */
struct access {
    const struct word *word;
    struct between_side side;
    struct between_past *own; /* what its workgroup did */
};

static struct between_past *past_of_workgroup(struct waits *waits, const struct workgroup *w) {
    struct between_past *past = &waits->pasts[(size_t)w->cu * waits->dispatch->max_slots + w->slot];

    if (past->workgroup != w->id + 1)
        *past = (struct between_past){.workgroup = w->id + 1};
    return past;
}

/* Which of the two is first matters to what one loads or leaves. */
static void see_pair(struct waits *waits, const struct between_side *first,
                     const struct access *access) {
    if (first->site)
        between_add(&waits->between, access->word->place - 1, first, &access->side, access->own);
}

static bool is_bound(const struct wg_site *site) {
    return site->op == WG_OP_ATOMIC_MIN || site->op == WG_OP_ATOMIC_MAX;
}

/* A load of what was stored is left out, as a message that comes or does not is meant so; so is one
 * of a bound that spreads, to which the invocation itself has added nothing. */
static bool load_may_matter(const struct word *word, const struct between_side *change,
                            const struct past_atomics *past) {
    return is_update(change->site) && (!is_bound(change->site) || past->updated == word->place);
}

static bool store_may_matter(const struct between_side *change, bool silent) {
    return is_update(change->site) || !silent;
}

static bool update_may_matter(const struct between_side *change, const struct wg_site *site) {
    return is_update(change->site) && !shadow_updates_commute(change->site->op, site->op);
}

/* A change of the word that came before. */
static void see_change(struct waits *waits, const struct access *access,
                       const struct between_side *change, const struct past_atomics *past,
                       bool silent) {
    const struct wg_site *site = access->side.site;

    if (change->site && (site->op == WG_OP_ATOMIC_LOAD ? load_may_matter(access->word, change, past)
                         : site->op == WG_OP_ATOMIC_STORE ? store_may_matter(change, silent)
                                                          : update_may_matter(change, site)))
        see_pair(waits, change, access);
}

static void see_order(struct waits *waits, const struct invocation *who, struct word *word,
                      const struct wg_site *site, struct past_atomics *past, bool silent) {
    const struct access access = {word,
                                  {site, who->workgroup->id, who->subgroup->first + who->lane},
                                  past_of_workgroup(waits, who->workgroup)};
    const struct between_side change = last_change(word);

    if (site->op != WG_OP_ATOMIC_LOAD)
        between_note(access.own, word->place - 1, site);
    if (is_update(site))
        past->updated = word->place;
    if (is_update(site) && silent)
        return;
    see_change(waits, &access, &change, past, silent);
    if (change.workgroup == access.side.workgroup)
        see_change(waits, &access, &word->before, past, silent);
    if (site->op == WG_OP_ATOMIC_LOAD) {
        word->loaded = access.side;
        return;
    }
    if (site->op == WG_OP_ATOMIC_STORE) {
        word->stored = access.side;
        return;
    }
    see_pair(waits, &word->stored, &access);
    if (word->loaded.workgroup != access.side.workgroup && !is_bound(site))
        see_pair(waits, &word->loaded, &access);
}

static void see_atomic(struct waits *waits, const struct invocation *who, uint64_t logged,
                       const struct wg_site *site, struct past_atomics *past) {
    struct word *word = word_at(waits, logged & WORD_PLACE);
    bool silent = word_is_silent(logged);

    if (!word)
        return;
    bool checked = is_checked(word, site, past);
    if (waits->orders)
        see_order(waits, who, word, site, past, silent);
    if (!(site->flags & WG_SITE_UNUSED))
        see_read(waits, word, site, who, past);
    if (checked)
        see_checked(waits, who, word, site, past);
    if (site->op != WG_OP_ATOMIC_LOAD && !silent)
        see_write(waits, who, word, site, past, checked);
}

void waits_row(struct waits *waits, const struct access_row *row) {
    const struct workgroup *w = row->workgroup;
    const struct wg_site *site = row->site;
    bool stores = site->op != WG_OP_LOAD && site->op != WG_OP_ATOMIC_LOAD;
    bool looked_at = is_of_storage(site);

    if (!looked_at && !(stores && waits->turning))
        return;
    struct past_atomics *seat = past_of(waits, w);
    if (!seat)
        return;
    for (uint32_t rest = row->mask; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        struct invocation who = {w, row->subgroup, row->first_lane + i};
        struct past_atomics *past = &seat[row->subgroup->first + who.lane];
        if (past->workgroup != w->id + 1)
            *past = (struct past_atomics){.workgroup = w->id + 1};
        if (looked_at)
            see_atomic(waits, &who, row->words[i], site, past);
        if (stores && !word_is_silent(row->words[i]))
            past->state = 0;
    }
}

/* ---- What is said ---- */

static void report_wait(const struct waits *waits, const struct wg_site *site, uint32_t dispatch,
                        struct findings *findings) {
    const struct wait_entry *entry = &waits->entries[site->id];
    const struct wg_var *var = waits->kernel->vars[word_var(entry->place)];
    uint64_t byte = entry->place & WORD_OFFSET;
    struct finding finding = {
        .kind = FINDING_NEEDS_PROGRESS,
        .dispatch = dispatch,
        .variable = var->name,
        .element = var->stride ? byte / var->stride : 0,
        .first = {site, entry->waiting, entry->lane, FINDING_UNKNOWN},
        .second = {entry->change, entry->waker, FINDING_UNKNOWN, FINDING_UNKNOWN},
        .count = entry->count};

    finding.text = findings_text(
        findings,
        "workgroup %llu %s at line %u for %s%s workgroup %llu %s it at line %u: it ends only where "
        "a resident workgroup keeps running while others wait for it, which WebGPU does not "
        "promise",
        (unsigned long long)entry->waiting, entry->waited ? "waited" : "waits", site->line,
        element_text(findings, var, byte, site), entry->waited ? " until" : ", but found that",
        (unsigned long long)entry->waker, entry->waited ? "changed" : "had changed",
        entry->change->line);
    findings_add(findings, &finding);
}

/* Whether it would wait there for ever if the others had not started. */
static bool waits_alone(const struct waits *waits, const struct wg_site *site) {
    const struct wait_entry *entry = &waits->entries[site->id];
    struct alone_look look = {site, entry->place, entry->waiting, entry->lane};

    return alone_waits(waits->dispatch, &look);
}

static void report_waits(struct waits *waits, uint32_t dispatch, struct findings *findings) {
    uint32_t asked = 0;

    for (size_t id = 0; id < waits->kernel->site_limit; id++) {
        const struct wg_site *site = waits->kernel->sites[id];
        if (site && waits->entries[id].count &&
            (site->flags & WG_SITE_WAIT || waits->entries[id].endless ||
             (asked++ < ALONE_MAX && waits_alone(waits, site)))) {
            waits->entries[id].is_wait = true;
            report_wait(waits, site, dispatch, findings);
        }
    }
}

void waits_report(struct waits *waits, uint32_t dispatch, bool ended, struct findings *findings) {
    if (ended)
        report_waits(waits, dispatch, findings);
    crossed_report(&waits->crossed, waits->kernel, dispatch, findings);
}
