/* Looks of closed loops, and what becomes of them in another run. */
#include "sim/looks.h"

#include <stdlib.h>
#include <string.h>

#include "sim/lockstep.h"
#include "sim/word.h"

/* A loop is stepped through at most so often; looks of one site that are kept. */
enum { ROUNDS_MAX = 64, SITE_LOOKS_MAX = 3 };

/* A word of storage that somebody looks at, in the run that is followed. */
struct looks_word {
    uint64_t place;
    uint64_t writes;
    uint32_t value; /* at the end of the step in which it was last written */
    uint64_t writer;
    const struct wg_site *site;
};

int looks_init(struct looks *looks, const struct kernel *kernel, size_t workgroups,
               struct arena *arena) {
    *looks = (struct looks){.kernel = kernel, .capacity = workgroups};
    looks->lookers = arena_alloc(arena, (workgroups + 1) * sizeof *looks->lookers);
    return looks->lookers ? 0 : -1;
}

/* ---- What is looked at ---- */

/* A workgroup that is stepped through. */
struct gaze {
    const struct kernel *kernel;
    struct workgroup *workgroup;
    struct looker *looker;
    struct look looks[LOOKS_MAX];
};

static bool is_look(const struct wg_site *site) {
    return site->bytes && site->op != WG_OP_STORE && site->op != WG_OP_ATOMIC_STORE &&
           !(site->flags & WG_SITE_UNUSED);
}

static uint32_t value_at(const struct workgroup *w, uint64_t place) {
    const struct wg_view *view = &w->ctx.vars[word_var(place)];
    uint64_t offset = place & WORD_OFFSET;
    uint32_t value = 0;

    if (offset + sizeof value <= view->bytes)
        memcpy(&value, view->data + offset, sizeof value);
    return value;
}

static void note_look(struct gaze *gaze, const struct wg_site *site, uint64_t place,
                      uint32_t invocation) {
    struct looker *looker = gaze->looker;
    uint32_t of_site = 0;

    for (uint32_t i = 0; i < looker->look_count; i++) {
        const struct look *look = &gaze->looks[i];
        if (look->site == site && look->place == place)
            return;
        of_site += look->site == site;
    }
    if (looker->look_count == LOOKS_MAX || of_site == SITE_LOOKS_MAX)
        return;
    gaze->looks[looker->look_count++] = (struct look){.site = site,
                                                      .place = place,
                                                      .invocation = invocation,
                                                      .value = value_at(gaze->workgroup, place)};
}

static void note_lane(struct gaze *gaze, const struct subgroup *s, const struct lane_log *log,
                      uint32_t lane) {
    const uint64_t *block = lane_log_block(log, lane / WG_LOG_ROW);

    for (uint32_t row = 0; row < lane_log_rows(log, lane); row++) {
        uint64_t word = block[(size_t)row * WG_LOG_ROW + lane % WG_LOG_ROW];
        const struct wg_site *site = gaze->kernel->sites[word_site(word)];
        if (word_is_mark(word) || !site)
            continue;
        gaze->looker->sites[site->id / 64] |= UINT64_C(1) << site->id % 64;
        if (is_look(site))
            note_look(gaze, site, word & WORD_PLACE, s->first + lane);
    }
}

/* The lanes that run next. */
static struct lanes next_lanes(const struct dispatch *d, struct subgroup *s) {
    bool failed = false;
    struct lanes lanes = d->options->lockstep ? lockstep_next(s, &failed) : s->ready;

    return failed ? (struct lanes){{0, 0}} : lanes;
}

/* A step of every subgroup that can run; false: none can. */
static bool step_all(struct dispatch *d, struct gaze *gaze) {
    struct workgroup *w = gaze->workgroup;
    bool ran = false;

    for (uint32_t i = 0; i < d->launch.subgroups; i++) {
        struct subgroup *s = &w->subgroups[i];
        struct lanes lanes = next_lanes(d, s);
        uint32_t lane;
        if (lanes_empty(lanes))
            continue;
        ran = true;
        workgroup_step(w, s, lanes, &d->logs[0]);
        for (LANES_EACH(lane, lanes))
            note_lane(gaze, s, &d->logs[0], lane);
        if (lanes_empty(s->ready) && !lanes_empty(s->collective))
            workgroup_collect(w, s);
    }
    return ran;
}

/* Until all that is in the loop was seen, or at least something. Lanes at barriers and in lockstep
 * make fewer steps than there are. */
static void turn(struct dispatch *d, struct gaze *gaze) {
    struct workgroup *w = gaze->workgroup;
    uint64_t least = d->options->lockstep || w->waiting ? ROUNDS_MAX : d->period_steps + 1;

    for (uint64_t i = 0; i < ROUNDS_MAX && (i < least || gaze->looker->look_count == 0); i++) {
        if (step_all(d, gaze))
            continue;
        if (w->waiting == 0 || w->waiting < w->live)
            return;
        workgroup_release(w);
        gaze->looker->meets = true;
    }
}

int looks_add(struct looks *looks, struct dispatch *d, struct workgroup *w, struct arena *arena) {
    struct looker *looker = &looks->lookers[looks->count];
    struct gaze gaze = {.kernel = looks->kernel, .workgroup = w, .looker = looker};
    size_t bytes = (looks->kernel->site_limit / 64 + 1) * sizeof *looker->sites;

    *looker = (struct looker){.workgroup = w->id, .sites = arena_alloc(arena, bytes)};
    if (!looker->sites)
        return -1;
    memset(looker->sites, 0, bytes);
    turn(d, &gaze);
    bytes = looker->look_count * sizeof *looker->looks;
    if (bytes && !(looker->looks = arena_alloc(arena, bytes)))
        return -1;
    if (bytes)
        memcpy(looker->looks, gaze.looks, bytes);
    looks->count++;
    return 0;
}

/* ---- By workgroup and by place ---- */

static int compare_workgroups(const void *left, const void *right) {
    uint64_t a = ((const struct looker *)left)->workgroup;
    uint64_t b = ((const struct looker *)right)->workgroup;

    return (a > b) - (a < b);
}

static int compare_places(const void *left, const void *right) {
    uint64_t a = ((const struct looks_word *)left)->place;
    uint64_t b = ((const struct looks_word *)right)->place;

    return (a > b) - (a < b);
}

int looks_sort(struct looks *looks, struct arena *arena) {
    size_t count = 0;

    if (looks->count)
        qsort(looks->lookers, looks->count, sizeof *looks->lookers, compare_workgroups);
    for (size_t i = 0; i < looks->count; i++)
        count += looks->lookers[i].look_count;
    looks->words = arena_alloc(arena, (count + 1) * sizeof *looks->words);
    if (!looks->words)
        return -1;
    count = 0;
    for (size_t i = 0; i < looks->count; i++)
        for (uint32_t k = 0; k < looks->lookers[i].look_count; k++)
            if (looks->lookers[i].looks[k].site->space != WG_SPACE_WORKGROUP)
                looks->words[count++] =
                    (struct looks_word){.place = looks->lookers[i].looks[k].place};
    if (count)
        qsort(looks->words, count, sizeof *looks->words, compare_places);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || looks->words[i].place != looks->words[looks->word_count - 1].place)
            looks->words[looks->word_count++] = looks->words[i];
    return 0;
}

struct looker *looks_of(const struct looks *looks, uint64_t workgroup) {
    struct looker key = {.workgroup = workgroup};

    return looks->count
               ? bsearch(&key, looks->lookers, looks->count, sizeof key, compare_workgroups)
               : NULL;
}

/* ---- Another run ---- */

void looks_forget(struct looks *looks) {
    for (size_t i = 0; i < looks->word_count; i++)
        looks->words[i] = (struct looks_word){.place = looks->words[i].place};
    for (size_t i = 0; i < looks->count; i++)
        for (uint32_t k = 0; k < looks->lookers[i].look_count; k++) {
            struct look *look = &looks->lookers[i].looks[k];
            *look = (struct look){.site = look->site,
                                  .place = look->place,
                                  .invocation = look->invocation,
                                  .value = look->value,
                                  .has_origin = look->has_origin,
                                  .origin = look->origin,
                                  .origin_site = look->origin_site};
        }
}

static struct looks_word *word_of(const struct looks *looks, uint64_t place) {
    struct looks_word key = {.place = place};

    return looks->word_count
               ? bsearch(&key, looks->words, looks->word_count, sizeof key, compare_places)
               : NULL;
}

void looks_keep_origins(struct looks *looks) {
    for (size_t i = 0; i < looks->count; i++)
        for (uint32_t k = 0; k < looks->lookers[i].look_count; k++) {
            struct look *look = &looks->lookers[i].looks[k];
            const struct looks_word *word = word_of(looks, look->place);
            look->has_origin = word && word->writes && word->value == look->value;
            if (!look->has_origin)
                continue;
            look->origin = word->writer;
            look->origin_site = word->site;
        }
}

/* It looks there. Who sees what it was stuck on waits from then on, whatever was before. */
static void see(struct look *look, const struct looks_word *word, const struct workgroup *w,
                bool silent) {
    uint32_t value = word->writes ? word->value : value_at(w, word->place);
    bool changes = look->site->op > WG_OP_ATOMIC_LOAD && !silent;

    if (!changes && value == look->value) {
        look->stuck = true;
        look->passed = look->freed = look->has_writer = false;
        return;
    }
    if (look->left_once && !look->stuck)
        return;
    look->passed = look->stuck;
    look->freed = true;
    look->freed_value = value;
    look->has_writer = word->writes > 0;
    look->writer = word->writer;
    look->writer_site = word->site;
}

/* An access of a workgroup that waits. */
static void follow_look(const struct looks *looks, const struct looker *looker, struct look *look,
                        const struct access_row *row) {
    uint32_t lane = look->invocation - row->subgroup->first - row->first_lane;
    const struct wg_site *site = row->site;

    if (look->left || lane >= WG_LOG_ROW || !(row->mask >> lane & 1))
        return;
    uint64_t word = row->words[lane];
    if (site == look->site && (word & WORD_PLACE) == look->place) {
        const struct looks_word *seen = word_of(looks, look->place);
        if (seen)
            see(look, seen, row->workgroup, word_is_silent(word));
    } else if (!(looker->sites[site->id / 64] >> site->id % 64 & 1)) {
        look->left = look->passed;
        look->left_once |= look->freed;
    }
}

static void follow_write(const struct looks *looks, const struct access_row *row, uint64_t logged) {
    struct looks_word *word = word_of(looks, logged & WORD_PLACE);

    if (!word || word_is_silent(logged))
        return;
    word->writes++;
    word->value = value_at(row->workgroup, word->place);
    word->writer = row->workgroup->id;
    word->site = row->site;
}

static void follow_row(void *self, const struct access_row *row) {
    const struct looks *looks = self;
    struct looker *looker = looks_of(looks, row->workgroup->id);
    bool writes = row->site->op != WG_OP_LOAD && row->site->op != WG_OP_ATOMIC_LOAD;

    for (uint32_t i = 0; looker && i < looker->look_count; i++)
        follow_look(looks, looker, &looker->looks[i], row);
    if (!writes || row->site->space == WG_SPACE_WORKGROUP)
        return;
    for (uint32_t rest = row->mask; rest; rest &= rest - 1)
        follow_write(looks, row, row->words[__builtin_ctz(rest)]);
}

struct row_observer looks_follow(struct looks *looks) {
    return (struct row_observer){.self = looks, .row = follow_row};
}
