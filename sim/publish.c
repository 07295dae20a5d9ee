/* Vector clocks, with one component for each access that raced: until when what its invocation did
 * is known to have happened. */
#include "sim/publish.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/word.h"

enum { BATCH = 16, WORDS_INITIAL = 256 };

struct clock {
    uint64_t until[BATCH]; /* by question */
};

/* A race to be judged. */
struct question {
    size_t entry;
    const struct race *race;
    uint32_t dispatch;
    uint64_t time;   /* of the first access; 0: not yet */
    bool waits_only; /* nothing but waits and locks counts */
    bool by_update;  /* what an update returned counts as well, for what comes behind it */
    uint8_t barrier; /* which orders it */
    bool answered, ordered;
};

struct word_clock {
    uint64_t place; /* plus 1; 0: free */
    uint64_t owner; /* of workgroup memory: whose, plus 1 */
    struct clock clock;
};

struct seat_clocks {
    uint64_t workgroup; /* plus 1 */
    struct clock *lanes;
};

struct publish {
    struct again *again;
    const struct races *races;
    bool *ordered; /* by race */
    const struct spins *spins;
    const struct kernel *kernel;
    const struct dispatch *dispatch;
    uint32_t begun;
    bool running, failed;
    uint64_t time;                    /* rows seen */
    struct question questions[BATCH]; /* of this run */
    size_t count, answered;
    size_t asked;             /* races that were looked at so far */
    struct word_clock *words; /* hash table */
    size_t word_count, word_capacity;
    struct seat_clocks *seats; /* by compute unit and slot */
    size_t seat_count;
};

static void forget(struct publish *publish) {
    for (size_t i = 0; i < publish->seat_count; i++)
        free(publish->seats[i].lanes);
    free(publish->seats);
    free(publish->words);
    publish->seats = NULL;
    publish->words = NULL;
    publish->seat_count = publish->word_count = publish->word_capacity = 0;
}

/* For one question, or for all. */
static void join_one(struct clock *to, const struct clock *from, size_t i) {
    to->until[i] = from->until[i] > to->until[i] ? from->until[i] : to->until[i];
}

static void join(struct clock *to, const struct clock *from) {
    for (size_t i = 0; i < BATCH; i++)
        join_one(to, from, i);
}

/* ---- Words and seats ---- */

static size_t slot_of(const struct word_clock *words, size_t capacity, uint64_t place,
                      uint64_t owner) {
    size_t i = (size_t)((place + 1 + owner * 31) * 0x9e3779b97f4a7c15u >> 20) & (capacity - 1);

    while (words[i].place && (words[i].place != place + 1 || words[i].owner != owner))
        i = (i + 1) & (capacity - 1);
    return i;
}

static bool grow(struct publish *publish) {
    size_t capacity = publish->word_capacity ? publish->word_capacity * 2 : WORDS_INITIAL;
    struct word_clock *words = calloc(capacity, sizeof *words);

    if (!words)
        return false;
    for (size_t i = 0; i < publish->word_capacity; i++)
        if (publish->words[i].place)
            words[slot_of(words, capacity, publish->words[i].place - 1, publish->words[i].owner)] =
                publish->words[i];
    free(publish->words);
    publish->words = words;
    publish->word_capacity = capacity;
    return true;
}

static struct clock *word_clock(struct publish *publish, uint64_t place, uint64_t owner) {
    if (publish->word_count * 2 >= publish->word_capacity && !grow(publish)) {
        publish->failed = true;
        return NULL;
    }
    struct word_clock *word =
        &publish->words[slot_of(publish->words, publish->word_capacity, place, owner)];
    if (!word->place) {
        word->place = place + 1;
        word->owner = owner;
        publish->word_count++;
    }
    return &word->clock;
}

static struct clock *lane_clocks(struct publish *publish, const struct workgroup *w) {
    size_t index = (size_t)w->cu * publish->dispatch->max_slots + w->slot;
    size_t bytes = w->launch->invocations * sizeof(struct clock);

    if (index >= publish->seat_count)
        return NULL;
    struct seat_clocks *seat = &publish->seats[index];
    if (!seat->lanes)
        seat->lanes = calloc(1, bytes);
    if (!seat->lanes) {
        publish->failed = true;
        return NULL;
    }
    if (seat->workgroup != w->id + 1) {
        seat->workgroup = w->id + 1;
        memset(seat->lanes, 0, bytes);
    }
    return seat->lanes;
}

/* ---- What is heard ---- */

static void hear(void *self, const struct record *record) {
    struct publish *publish = self;
    const struct dispatch *d = record->dispatch;

    again_poll(publish->again);
    if (record->type == RECORD_DISPATCH_END)
        publish->running = false;
    if (record->type != RECORD_DISPATCH_BEGIN)
        return;
    publish->begun += !publish->running;
    publish->running = true;
    forget(publish);
    publish->dispatch = d;
    publish->seat_count = (size_t)d->device->cus * d->max_slots;
    publish->seats = calloc(publish->seat_count + 1, sizeof *publish->seats);
    if (!publish->seats) {
        publish->failed = true;
        publish->seat_count = 0;
    }
}

static bool is_side(const struct race_side *side, const struct wg_site *site, uint64_t workgroup,
                    uint32_t lane) {
    return side->site == site && side->workgroup == workgroup && side->lane == lane;
}

/* Whether an access touches the byte of a race. */
static bool touches(const struct race *race, const struct wg_site *site, uint64_t word) {
    uint64_t offset = word & WORD_OFFSET;

    return word_var(word) == race->var && offset < race->byte + 4 &&
           race->byte < offset + (site->vector_bytes ? 16 : site->bytes);
}

static void look(struct publish *publish, const struct workgroup *w, const struct wg_site *site,
                 uint64_t word, uint32_t lane, const struct clock *clock) {
    for (size_t i = 0; i < publish->count; i++) {
        struct question *q = &publish->questions[i];
        if (q->answered || q->dispatch + 1 != publish->begun || !touches(q->race, site, word))
            continue;
        if (q->time && is_side(&q->race->second, site, w->id, lane)) {
            q->answered = true;
            publish->answered++;
            q->ordered = clock->until[i] >= q->time;
        }
        if (is_side(&q->race->first, site, w->id, lane))
            q->time = publish->time;
    }
}

/* What an invocation did itself is known to it. */
static void know_oneself(const struct publish *publish, const struct workgroup *w, uint32_t lane,
                         struct clock *clock) {
    for (size_t i = 0; i < publish->count; i++)
        if (publish->questions[i].race->first.workgroup == w->id &&
            publish->questions[i].race->first.lane == lane)
            clock->until[i] = publish->time;
}

/* What an atomic learns from the word. */
static void acquire(const struct publish *publish, const struct wg_site *site,
                    const struct clock *flag, struct clock *clock) {
    bool waits = site->op >= WG_OP_ATOMIC_EXCHANGE || spins_is_wait(publish->spins, site);

    for (size_t i = 0; i < publish->count; i++)
        if (waits || !publish->questions[i].waits_only)
            join_one(clock, flag, i);
}

/* The last to arrive knows that all others have. */
static void learn_by_update(const struct publish *publish, const struct clock *flag,
                            struct clock *clock) {
    for (size_t i = 0; i < publish->count; i++)
        if (publish->questions[i].by_update)
            join_one(clock, flag, i);
}

static void see_atomic(struct publish *publish, const struct workgroup *w,
                       const struct wg_site *site, uint64_t word, uint32_t lane,
                       struct clock *clock) {
    uint64_t owner = site->space == WG_SPACE_WORKGROUP ? w->id + 1 : 0;
    struct clock *flag = word_clock(publish, word & WORD_PLACE, owner);

    if (!flag)
        return;
    if (site->op != WG_OP_ATOMIC_STORE)
        acquire(publish, site, flag, clock);
    look(publish, w, site, word, lane, clock);
    if (site->op == WG_OP_ATOMIC_LOAD)
        return;
    if (site->op != WG_OP_ATOMIC_STORE && !(site->flags & WG_SITE_UNUSED))
        learn_by_update(publish, flag, clock);
    know_oneself(publish, w, lane, clock);
    if (site->op == WG_OP_ATOMIC_STORE)
        *flag = *clock;
    else
        join(flag, clock);
}

static void see_row(void *self, const struct access_row *row) {
    struct publish *publish = self;
    const struct workgroup *w = row->workgroup;
    const struct wg_site *site = row->site;
    struct clock *clocks = lane_clocks(publish, w);

    publish->time++;
    if (!clocks)
        return;
    for (uint32_t rest = row->mask; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        uint32_t lane = row->subgroup->first + row->first_lane + i;
        if (site->op >= WG_OP_ATOMIC_LOAD)
            see_atomic(publish, w, site, row->words[i], lane, &clocks[lane]);
        else
            look(publish, w, site, row->words[i], lane, &clocks[lane]);
    }
}

/* A barrier orders what the workgroup did in its address space. */
static void see_barrier(void *self, const struct workgroup *w, const struct wg_site *site) {
    struct publish *publish = self;
    struct clock *clocks = lane_clocks(publish, w), all = {{0}};

    if (!clocks || !site)
        return;
    uint8_t barrier = site->op == WG_OP_UNIFORM_LOAD ? WG_OP_WORKGROUP_BARRIER : site->op;
    for (uint32_t lane = 0; lane < w->launch->invocations; lane++) {
        know_oneself(publish, w, lane, &clocks[lane]);
        join(&all, &clocks[lane]);
    }
    for (uint32_t lane = 0; lane < w->launch->invocations; lane++)
        for (size_t i = 0; i < publish->count; i++)
            if (publish->questions[i].barrier == barrier)
                join_one(&clocks[lane], &all, i);
}

/* ---- Batches ---- */

static bool has_flags(const struct kernel *kernel) {
    for (size_t id = 0; id < kernel->site_limit; id++)
        if (kernel->sites[id] && kernel->sites[id]->op >= WG_OP_ATOMIC_LOAD &&
            kernel->sites[id]->op <= WG_OP_ATOMIC_COMPARE_EXCHANGE)
            return true;
    return false;
}

struct publish *publish_new(struct again *again, const struct races *races,
                            const struct spins *spins) {
    struct publish *publish = calloc(1, sizeof *publish);

    if (!publish)
        return NULL;
    publish->again = again;
    publish->races = races;
    publish->spins = spins;
    publish->kernel = races->kernel;
    publish->ordered = calloc(races->count + 1, sizeof *publish->ordered);
    if (!publish->ordered) {
        free(publish);
        return NULL;
    }
    if (!has_flags(races->kernel)) /* nothing to ask */
        publish->asked = races->count;
    return publish;
}

void publish_free(struct publish *publish) {
    if (!publish)
        return;
    forget(publish);
    free(publish->ordered);
    free(publish);
}

static bool loads(const struct race *race) {
    return race->first.site->op == WG_OP_ATOMIC_LOAD || race->second.site->op == WG_OP_ATOMIC_LOAD;
}

bool publish_ask(struct publish *publish) {
    publish->count = publish->answered = 0;
    publish->begun = 0;
    publish->running = false;
    publish->time = 0;
    for (; publish->asked < publish->races->count && publish->count < BATCH; publish->asked++) {
        const struct race_entry *entry = &publish->races->items[publish->asked];
        const struct wg_var *var = publish->kernel->vars[entry->example.var];
        publish->questions[publish->count++] =
            (struct question){.entry = publish->asked,
                              .race = &entry->example,
                              .dispatch = entry->dispatch,
                              .waits_only = entry->example.ordering,
                              .by_update = entry->example.ordering && !loads(&entry->example),
                              .barrier = races_barrier_of(var)};
    }
    return publish->count > 0;
}

bool publish_done(const struct publish *publish) {
    return publish->answered == publish->count;
}

int publish_take(struct publish *publish, struct wgsim_error *err) {
    for (size_t i = 0; i < publish->count; i++)
        publish->ordered[publish->questions[i].entry] = publish->questions[i].ordered;
    forget(publish);
    return publish->failed ? error_set(err, "out of memory") : 0;
}

const bool *publish_ordered(const struct publish *publish) {
    return publish->ordered;
}

struct listener publish_listener(struct publish *publish) {
    return (struct listener){.self = publish, .hear = hear};
}

struct row_observer publish_rows(struct publish *publish) {
    return (struct row_observer){.self = publish, .row = see_row, .barrier = see_barrier};
}
