/* Words that two invocations race for, before and after each step that touches them. Within a step
 * the lanes of a subgroup run one after the other, in ascending order: so it is known what the word
 * held before the first and after the last store to it, and nothing of what it held in between. */
#include "sim/witness.h"

#include <stdlib.h>
#include <string.h>

#include "sim/judge/judge.h"
#include "sim/word.h"

enum { WATCHES = 64 };

/* One side, in the last step in which it made its access. */
struct watched_side {
    bool seen;
    uint64_t step;
    uint32_t lane;   /* of its subgroup */
    uint32_t stores; /* to the word in that step by its invocation, up to and with its access */
    bool silent;     /* it stored what it found */
    bool has_trip;
    struct trip trip; /* in which it made it */
};

struct watch_word {
    const struct race *race;
    size_t entry; /* of the races */
    uint32_t dispatch;
    uint64_t byte; /* of the word */
    bool done;
    uint64_t step;                  /* the last one that touched it; 0: none */
    uint32_t before, last;          /* what it held before that step, and after it */
    uint32_t least_lane, most_lane; /* of those that stored in that step; least > most: none did */
    uint32_t own_stores[2];         /* in that step, by the invocation of each side */
    struct watched_side sides[2];
    struct race_value values[2];
};

struct witness {
    struct again *again;
    const struct kernel *kernel;
    const struct dispatch *dispatch;
    uint32_t begun;
    bool running, closed;
    struct watch_word words[WATCHES];
    size_t count, done, settling; /* words; settling: both sides were seen in the step under way */
    bool is_watched[WG_MAX_VARS];
    uint64_t rows; /* in lockstep each is a step of its own */
};

struct witness *witness_new(struct again *again, const struct races *races) {
    struct witness *witness = calloc(1, sizeof *witness);

    if (!witness)
        return NULL;
    witness->again = again;
    witness->kernel = again->run->job->kernel;
    witness->closed = again->run->options->weak_memory; /* each workgroup has values of its own */
    for (size_t i = 0; i < races->count && witness->count < WATCHES; i++) {
        const struct race_entry *entry = &races->items[i];
        if (witness->kernel->vars[entry->example.var]->stride < sizeof(uint32_t))
            continue; /* a word is more than an element, and may not be whole */
        witness->words[witness->count++] = (struct watch_word){.race = &entry->example,
                                                               .entry = i,
                                                               .dispatch = entry->dispatch,
                                                               .byte = entry->example.byte & ~3u};
        witness->is_watched[entry->example.var] = true;
    }
    return witness;
}

void witness_free(struct witness *witness) {
    free(witness);
}

bool witness_done(const struct witness *witness) {
    return witness->closed || witness->done == witness->count;
}

void witness_close(struct witness *witness) {
    witness->closed = true;
}

void witness_tell(const struct witness *witness, struct races *races) {
    for (size_t i = 0; i < witness->count; i++) {
        struct race_entry *entry = &races->items[witness->words[i].entry];
        const struct watched_side *sides = witness->words[i].sides;
        entry->first = witness->words[i].values[0];
        entry->second = witness->words[i].values[1];
        if (entry->example.first.has_trip && sides[0].has_trip && sides[1].seen)
            races_turn(entry, &sides[0].trip);
    }
}

/* ---- One word ---- */

static bool stores(const struct wg_site *site) {
    return site->op != WG_OP_LOAD && site->op != WG_OP_ATOMIC_LOAD;
}

/* What a side did in the step that is over: `total` stores of its invocation were among its. */
static struct race_value value_of(const struct watch_word *word, const struct wg_site *site,
                                  const struct watched_side *side, uint32_t total) {
    bool at_start = side->lane <= word->least_lane,
         at_end = side->lane >= word->most_lane || word->least_lane > word->most_lane;

    if (stores(site) && at_start && side->stores == 1 && side->silent)
        return (struct race_value){true, true, word->before, word->before};
    if (stores(site))
        return (struct race_value){.known = at_end && side->stores == total,
                                   .before_known = at_start && side->stores == 1,
                                   .value = word->last,
                                   .before = word->before};
    if (at_end && side->stores == total)
        return (struct race_value){.known = true, .value = word->last};
    return (struct race_value){.known = at_start && side->stores == 0, .value = word->before};
}

static void settle(struct witness *witness, struct watch_word *word) {
    const struct race_side *const sides[] = {&word->race->first, &word->race->second};

    for (int i = 0; i < 2; i++)
        if (word->sides[i].seen && word->sides[i].step == word->step)
            word->values[i] = value_of(word, sides[i]->site, &word->sides[i], word->own_stores[i]);
    if (!word->done && word->sides[0].seen && word->sides[1].seen) {
        word->done = true;
        witness->done++;
        witness->settling--;
    }
}

static void begin_step(struct watch_word *word, uint64_t step) {
    word->step = step;
    word->before = word->last;
    word->least_lane = UINT32_MAX;
    word->most_lane = 0;
    word->own_stores[0] = word->own_stores[1] = 0;
}

static void note_store(struct watch_word *word, uint32_t lane) {
    word->least_lane = lane < word->least_lane ? lane : word->least_lane;
    word->most_lane = lane > word->most_lane ? lane : word->most_lane;
}

/* An access of the lane that is a side's; whether it is that side's access. What a race knows of
 * the first one's trip is the last at its site of any lane of the subgroup; here it is its own. */
static bool note_side(struct watch_word *word, int which, const struct wg_site *site,
                      const struct track *track) {
    const struct race_side *side = which ? &word->race->second : &word->race->first;

    word->own_stores[which] += stores(site);
    return side->site == site &&
           (which == 0 || !side->has_trip || !track || side->trip.key == track->key);
}

static struct watched_side side_now(const struct watch_word *word, int which, uint64_t step,
                                    uint32_t lane, const struct track *track, bool silent) {
    struct watched_side side = {.seen = true,
                                .step = step,
                                .lane = lane,
                                .stores = word->own_stores[which],
                                .silent = silent,
                                .has_trip = track != NULL};

    trip_take(&side.trip, track);
    return side;
}

static bool is_invocation(const struct race_side *side, const struct workgroup *w, uint32_t index) {
    return side->workgroup == w->id && side->lane == index;
}

/* An access of a lane of a subgroup to a word that is looked at. */
static void see(struct witness *witness, struct watch_word *word, const struct workgroup *w,
                const struct subgroup *s, const struct wg_site *site, uint32_t lane, bool silent) {
    const struct track *track = judge_track(s, lane);
    const struct race *race = word->race;
    uint64_t step =
        witness->again->run->options->lockstep ? witness->rows : witness->dispatch->steps + 1;

    if (word->step != step) {
        settle(witness, word);
        begin_step(word, step);
    }
    if (word->done)
        return;
    memcpy(&word->last, w->ctx.vars[race->var].data + word->byte, sizeof word->last);
    if (stores(site))
        note_store(word, lane);
    if (is_invocation(&race->first, w, s->first + lane) && note_side(word, 0, site, track) &&
        !word->sides[1].seen)
        word->sides[0] = side_now(word, 0, step, lane, track, silent);
    if (is_invocation(&race->second, w, s->first + lane) && note_side(word, 1, site, track) &&
        word->sides[0].seen) {
        witness->settling += !word->sides[1].seen;
        word->sides[1] = side_now(word, 1, step, lane, track, silent);
    }
}

/* ---- What is heard ---- */

static void forget_values(struct witness *witness, struct watch_word *word) {
    witness->done -= word->done;
    witness->settling -= !word->done && word->sides[1].seen;
    *word = (struct watch_word){
        .race = word->race, .entry = word->entry, .dispatch = word->dispatch, .byte = word->byte};
}

static void begin(struct witness *witness, const struct dispatch *d) {
    witness->begun += !witness->running;
    witness->running = true;
    witness->dispatch = d;
    for (size_t i = 0; i < witness->count; i++) {
        struct watch_word *word = &witness->words[i];
        if (word->dispatch + 1 != witness->begun)
            continue;
        forget_values(witness, word);
        if (witness->kernel->vars[word->race->var]->space == WG_SPACE_STORAGE)
            memcpy(&word->last, d->launch.buffers[word->race->var].data + word->byte,
                   sizeof word->last);
    }
}

static void end(struct witness *witness) {
    witness->running = false;
    for (size_t i = 0; i < witness->count; i++)
        if (witness->words[i].dispatch + 1 == witness->begun && !witness->words[i].done)
            settle(witness, &witness->words[i]);
}

/* A step is over: what both sides did in it is known. */
static void settle_all(struct witness *witness) {
    for (size_t i = 0; i < witness->count && witness->settling; i++)
        if (!witness->words[i].done && witness->words[i].sides[1].seen)
            settle(witness, &witness->words[i]);
}

static void hear(void *self, const struct record *record) {
    struct witness *witness = self;

    again_poll(witness->again);
    if (witness->settling)
        settle_all(witness);
    if (record->type == RECORD_DISPATCH_BEGIN)
        begin(witness, record->dispatch);
    else if (record->type == RECORD_DISPATCH_END)
        end(witness);
}

static bool touches(const struct watch_word *word, const struct wg_site *site, uint64_t offset) {
    return offset < word->byte + 4 && word->byte < offset + site->bytes;
}

static void see_row(void *self, const struct access_row *row) {
    struct witness *witness = self;
    uint32_t var = word_var(row->first);

    witness->rows++;
    if (var >= WG_MAX_VARS || !witness->is_watched[var] || witness_done(witness))
        return;
    bool own = witness->kernel->vars[var]->space == WG_SPACE_WORKGROUP;
    for (size_t i = 0; i < witness->count; i++) {
        struct watch_word *word = &witness->words[i];
        if (word->done || word->race->var != var || word->dispatch + 1 != witness->begun ||
            (own && word->race->first.workgroup != row->workgroup->id))
            continue;
        for (uint32_t rest = row->mask; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            if (touches(word, row->site, row->words[lane] & WORD_OFFSET))
                see(witness, word, row->workgroup, row->subgroup, row->site, row->first_lane + lane,
                    word_is_silent(row->words[lane]));
        }
    }
}

struct listener witness_listener(struct witness *witness) {
    return (struct listener){.self = witness, .hear = hear};
}

struct row_observer witness_rows(struct witness *witness) {
    return (struct row_observer){.self = witness, .row = see_row};
}
