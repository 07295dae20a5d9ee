/* Keeping rows, and telling them. A row is kept as the place of its first lane and a shape, which
 * many rows share; the tracks of lanes where they have changed since the last row. */
#include "sim/later.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sim/word.h"

enum kept_kind { KEPT_ROW, KEPT_TRACK, KEPT_BARRIER, KEPT_REPORT };

struct kept_row {
    uint8_t kind, first_lane;
    bool together; /* the lanes of the subgroup */
    uint16_t subgroup;
    uint32_t mask, silent; /* lanes that stored what was there */
    uint64_t first;
    const struct shape *shape;
};

/* Followed by the used part of a track. */
struct kept_track {
    uint8_t kind;
    bool together; /* the track is that of all lanes */
    uint16_t subgroup;
    uint32_t lane;
};

struct kept_barrier {
    uint8_t kind;
    const struct wg_site *site;
};

struct kept_report {
    uint8_t kind;
    uint32_t subgroup;
    struct record record;
};

enum { SHAPES_IN_BLOCK = 64 };

struct kept_shape {
    struct shape shape;
    uint64_t pattern[WG_LOG_ROW];
};

/* The first block is the last that was made. */
struct kept_shapes {
    struct kept_shapes *next;
    struct kept_shape items[SHAPES_IN_BLOCK];
};

/* ---- Stores ---- */

void later_store_empty(struct later_store *store) {
    while (store->shapes && store->shapes->next) {
        struct kept_shapes *block = store->shapes;
        store->shapes = block->next;
        free(block);
    }
    store->shape_count = 0;
    store->length = 0;
}

void later_store_release(struct later_store *store) {
    later_store_empty(store);
    free(store->shapes);
    free(store->bytes);
    *store = (struct later_store){0};
}

/* Room for an entry of so many bytes; NULL: out of memory. Entries are aligned for all they hold.
 */
static void *append(struct later_store *store, size_t bytes) {
    bytes = (bytes + 7) / 8 * 8;
    if (store->capacity - store->length < bytes) {
        size_t capacity = (store->length + bytes) * 2;
        uint8_t *grown = realloc(store->bytes, capacity);
        if (!grown)
            return NULL;
        store->bytes = grown;
        store->capacity = capacity;
    }
    store->length += bytes;
    return store->bytes + store->length - bytes;
}

static const struct shape *keep_shape(struct later_store *store, const struct shape *shape) {
    size_t place = store->shape_count % SHAPES_IN_BLOCK;

    if (place == 0 && (store->shape_count || !store->shapes)) {
        struct kept_shapes *block = malloc(sizeof *block);
        if (!block)
            return NULL;
        block->next = store->shapes;
        store->shapes = block;
    }
    store->shape_count++;
    struct kept_shape *kept = &store->shapes->items[place];
    kept->shape = *shape;
    memcpy(kept->pattern, shape->pattern, sizeof kept->pattern);
    kept->shape.pattern = kept->pattern;
    return &kept->shape;
}

/* ---- Keeping ---- */

int later_init(struct later *later, const struct launch *launch) {
    *later = (struct later){.invocations = launch->invocations,
                            .subgroups = launch->subgroups,
                            .shared = calloc(launch->subgroups, sizeof *later->shared),
                            .lanes = calloc(launch->invocations, sizeof *later->lanes)};
    if (later->shared && later->lanes)
        return 0;
    later_release(later);
    return -1;
}

void later_release(struct later *later) {
    free(later->shared);
    free(later->lanes);
    later->shared = later->lanes = NULL;
}

void later_begin(struct later *later, struct later_store *store) {
    later->store = store;
    later->age++; /* shapes go with the store */
}

static void see_start(void *self, const struct workgroup *w) {
    struct later *later = self;

    (void)w;
    memset(later->shared, 0, later->subgroups * sizeof *later->shared);
    if (later->lanes_known)
        memset(later->lanes, 0, later->invocations * sizeof *later->lanes);
    later->lanes_known = false;
}

static void see_reshape(void *self) {
    struct later *later = self;

    later->age++;
}

static void keep_track(struct later *later, const struct subgroup *s, uint32_t lane,
                       const struct track *track) {
    size_t bytes = offsetof(struct track, frames) + track->depth * sizeof track->frames[0];
    struct kept_track *kept = append(later->store, sizeof *kept + bytes);

    if (!kept) {
        later->lost = true;
        return;
    }
    *kept = (struct kept_track){KEPT_TRACK, s->tracks->together, (uint16_t)s->index, lane};
    memcpy(kept + 1, track, bytes);
}

static struct later_track name_of(const struct track *track) {
    struct later_track name = {.known = true, .depth = track->depth, .key = track->key};

    if (track->depth) {
        name.site = track->frames[track->depth - 1].site;
        name.turn = track->frames[track->depth - 1].turn;
    }
    return name;
}

static bool same_track(const struct later_track *a, const struct later_track *b) {
    return a->known == b->known && a->key == b->key && a->depth == b->depth && a->site == b->site &&
           a->turn == b->turn;
}

/* The track of a lane goes before a row, unless whoever is told has it. */
static void keep_changed_track(struct later *later, const struct subgroup *s, uint32_t lane) {
    const struct track *track = judge_track(s, lane);
    bool together = s->tracks->together;
    struct later_track now = name_of(track), *known = together ? &later->shared[s->index]
                                                               : &later->lanes[s->first + lane];

    later->lanes_known |= !together;
    if (same_track(known, &now))
        return;
    *known = now;
    keep_track(later, s, lane, track);
}

static const struct shape *kept_shape(struct later *later, const struct shape *shape) {
    size_t hash = (uintptr_t)shape / sizeof *shape;
    struct later_shape *known = &later->shapes[(hash ^ hash >> 8) % LATER_SHAPES];

    if (shape->passing)
        return keep_shape(later->store, shape);
    if (known->from != shape || known->age != later->age)
        *known = (struct later_shape){shape, keep_shape(later->store, shape), later->age};
    return known->kept;
}

static uint32_t silent_lanes(const struct access_row *row) {
    uint32_t silent = 0;

    for (uint32_t rest = row->mask; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        silent |= (uint32_t)word_is_silent(row->words[i]) << i;
    }
    return silent;
}

static void see_row(void *self, const struct access_row *row) {
    const struct subgroup *s = row->subgroup;
    struct later *later = self;

    keep_changed_track(later, s, row->first_lane);
    for (uint32_t rest = s->tracks->together ? 0 : row->mask; rest; rest &= rest - 1)
        keep_changed_track(later, s, row->first_lane + (uint32_t)__builtin_ctz(rest));
    const struct shape *shape = kept_shape(later, row->shape);
    struct kept_row *kept = append(later->store, sizeof *kept);
    if (!kept || !shape) {
        later->lost = true;
        return;
    }
    *kept = (struct kept_row){.kind = KEPT_ROW,
                              .first_lane = (uint8_t)row->first_lane,
                              .together = s->tracks->together,
                              .subgroup = (uint16_t)s->index,
                              .mask = row->mask,
                              .silent = row->site->op == WG_OP_LOAD ? 0 : silent_lanes(row),
                              .first = row->first,
                              .shape = shape};
}

static void see_barrier(void *self, const struct workgroup *w, const struct wg_site *site) {
    struct later *later = self;

    keep_changed_track(later, &w->subgroups[0], 0);
    struct kept_barrier *kept = append(later->store, sizeof *kept);
    if (kept)
        *kept = (struct kept_barrier){KEPT_BARRIER, site};
    else
        later->lost = true;
}

struct row_observer later_rows(struct later *later) {
    return (struct row_observer){.self = later,
                                 .row = see_row,
                                 .reshape = see_reshape,
                                 .start = see_start,
                                 .barrier = see_barrier};
}

void later_report(struct later *later, const struct record *record) {
    struct kept_report *kept = append(later->store, sizeof *kept);

    if (kept)
        *kept = (struct kept_report){KEPT_REPORT, record->subgroup->index, *record};
    else
        later->lost = true;
}

/* ---- Telling ---- */

static int tell_track(const struct kept_track *kept, struct workgroup *w, size_t *bytes) {
    const struct track *track = (const struct track *)(const void *)(kept + 1);
    struct subgroup *s = &w->subgroups[kept->subgroup];
    struct tracks *tracks = s->tracks;

    *bytes = sizeof *kept + offsetof(struct track, frames) + track->depth * sizeof track->frames[0];
    tracks->together = kept->together;
    if (!kept->together && !tracks->lanes)
        tracks->lanes = calloc(s->width, sizeof *tracks->lanes);
    if (!kept->together && !tracks->lanes)
        return -1;
    track_copy(kept->together ? &tracks->shared : &tracks->lanes[kept->lane], track);
    return 0;
}

static void tell_row(const struct kept_row *kept, const struct later_audience *audience) {
    const struct judge *judge = audience->judge;
    struct subgroup *s = &audience->workgroup->subgroups[kept->subgroup];

    s->tracks->together = kept->together;
    struct access_row row = {
        .workgroup = audience->workgroup,
        .subgroup = s,
        .site = judge->kernel->sites[word_site(kept->first)],
        .shape = kept->shape,
        .track = judge_track(s, kept->first_lane + (uint32_t)__builtin_ctz(kept->mask)),
        .first = kept->first,
        .first_lane = kept->first_lane,
        .mask = kept->mask,
        .silent = kept->silent};
    for (size_t i = 0; i < judge->observer_count; i++)
        if (!judge->observers[i].storage_only || row.site->space != WG_SPACE_WORKGROUP)
            judge->observers[i].row(judge->observers[i].self, &row);
}

static void tell_barrier(const struct kept_barrier *kept, const struct later_audience *audience) {
    const struct judge *judge = audience->judge;

    for (size_t i = 0; i < judge->observer_count; i++)
        if (judge->observers[i].barrier)
            judge->observers[i].barrier(judge->observers[i].self, audience->workgroup, kept->site);
}

static void tell_report(const struct kept_report *kept, const struct later_audience *audience) {
    struct record record = kept->record;

    record.workgroup = audience->workgroup;
    record.subgroup = &audience->workgroup->subgroups[kept->subgroup];
    audience->report(audience->self, &record);
}

/* -1: out of memory; else *bytes: what the entry takes. */
static int tell_entry(const uint8_t *at, const struct later_audience *audience, size_t *bytes) {
    const void *entry = at;

    switch ((enum kept_kind) * at) {
    case KEPT_ROW:
        tell_row(entry, audience);
        *bytes = sizeof(struct kept_row);
        return 0;
    case KEPT_TRACK:
        return tell_track(entry, audience->workgroup, bytes);
    case KEPT_BARRIER:
        tell_barrier(entry, audience);
        *bytes = sizeof(struct kept_barrier);
        return 0;
    default:
        tell_report(entry, audience);
        *bytes = sizeof(struct kept_report);
        return 0;
    }
}

/* Tracks as they are when a workgroup starts. */
static int start_tracks(const struct later_audience *audience) {
    struct workgroup *w = audience->workgroup;

    judge_start(audience->judge, w);
    for (uint32_t i = 0; i < w->launch->subgroups; i++)
        if (!w->subgroups[i].tracks)
            return -1;
    return 0;
}

int later_tell(const struct later_store *store, size_t from, size_t to,
               const struct later_audience *audience) {
    size_t bytes;

    if (start_tracks(audience) < 0)
        return -1;
    for (size_t at = from; at < to; at += (bytes + 7) / 8 * 8)
        if (tell_entry(store->bytes + at, audience, &bytes) < 0)
            return -1;
    return 0;
}

void later_forget_shapes(const struct later_audience *audience) {
    const struct judge *judge = audience->judge;

    for (size_t i = 0; i < judge->observer_count; i++)
        if (judge->observers[i].reshape)
            judge->observers[i].reshape(judge->observers[i].self);
}
