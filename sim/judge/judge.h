/* Judging what a subgroup logged in one step: accesses of its lanes are joined into requests, and
 * each request is costed and counted. The one place where banks, sectors, reuse and observers of
 * accesses come in.
 *
 * Accesses join when they come from the same site in the same iteration of every loop and the same
 * call path since the lanes were last together. While all lanes log the same sites the row number
 * says so (fast path); else groups are kept open until nobody can join them any more. */
#ifndef SIM_JUDGE_H
#define SIM_JUDGE_H

#include "sim/cost.h"
#include "sim/device.h"
#include "sim/groups.h"
#include "sim/kernel.h"
#include "sim/match.h"
#include "sim/timing.h"
#include "sim/track.h"
#include "sim/workgroup.h"

struct site_count {
    uint64_t requests, wavefronts, conflicts, sectors;
    uint64_t bytes;   /* asked for by active lanes */
    uint64_t lanes;   /* accesses of single lanes */
    bool lower_bound; /* requests may be missing: loops without marks */
};

struct var_count {
    uint64_t loaded_bytes, stored_bytes;
};

/* Requests as the time model sees them, in the order in which they were made. */
struct requests {
    struct timing_request *items;
    size_t count, capacity;
};

/* Lanes of a row from `lane` on whose addresses are `step` bytes apart. */
struct segment {
    uint8_t lane, count;
    int32_t step;
};

/* How the addresses of a row lie. Found once for rows that come again. */
struct shape {
    const uint64_t *pattern; /* by lane: word less the first active lane's, without silent bits */
    bool passing;            /* known during the call only */
    uint8_t segment_count;
    struct segment segments[WG_LOG_ROW];
};

/* A row of accesses: words[i], for every i in mask, is the word that lane first_lane + i logged at
 * the site. Whoever is told later knows its place from the shape, and from `silent` whether it
 * stored what was there. */
struct access_row {
    const struct workgroup *workgroup;
    const struct subgroup *subgroup;
    const struct wg_site *site;
    const struct shape *shape;
    const struct track *track; /* of the first active lane */
    const uint64_t *words;     /* NULL: it is told later */
    uint64_t first;            /* word of the first active lane, without its silent bit */
    uint32_t first_lane, mask;
    uint32_t silent; /* told later: a bit for each lane */
};

static inline bool row_is_silent(const uint64_t *words, uint32_t silent, uint32_t lane) {
    return words ? words[lane] >> WG_LOG_SILENT_SHIFT & 1 : silent >> lane & 1;
}

/* Looks at rows of accesses in the order in which they are judged. */
struct row_observer {
    void *self;
    bool storage_only; /* rows of workgroup memory are of no interest */
    bool later;        /* looks at nothing but what it is told, and may be told after the run */
    void (*row)(void *self, const struct access_row *row);
    /* May be NULL. Shapes that were given with rows before are about to change. */
    void (*reshape)(void *self);
    /* Both may be NULL. A workgroup starts; all its invocations that live go past a barrier. */
    void (*start)(void *self, const struct workgroup *workgroup);
    void (*barrier)(void *self, const struct workgroup *workgroup, const struct wg_site *site);
};

/* Where the lanes of a subgroup are. */
struct tracks {
    struct track shared; /* of all lanes, while they are together */
    bool together;
    struct track *lanes; /* of each, while they are not */
    struct groups open;  /* requests that lanes behind may still join */
};

struct memo;

struct judge {
    const struct device *device;
    const struct kernel *kernel;
    struct site_count *sites; /* by id */
    struct var_count vars[WG_MAX_VARS + 1];
    struct memo **memos;  /* by site, once it was seen */
    struct memo **recent; /* by site: the one that was used last */
    const struct matching *matching;
    struct requests *issued; /* where requests of the current step go */
    struct shape *lone;      /* of rows with one lane, by lane */
    struct shape passing;    /* of a row that no memo keeps */
    uint64_t passing_pattern[WG_LOG_ROW];
    const struct row_observer *observers;
    size_t observer_count;
    bool changed;         /* the current step stored a value that was not there */
    bool changed_storage; /* it did so in storage */
    bool ignore_changes;  /* nobody asks for these two */
    bool failed;          /* out of memory: counts are not complete */
};

int judge_init(struct judge *judge, const struct device *device, const struct kernel *kernel,
               struct wgsim_error *err);
void judge_release(struct judge *judge);

/* Forgets where the lanes of a workgroup are: it starts again. */
void judge_start(const struct judge *judge, struct workgroup *workgroup);
/* Judges the step that `ran` lanes have just made. Appends its requests to `issued`. Lanes that
 * have fallen far behind others, for they log more, go on at once: what may yet be joined is kept,
 * and would be too much. */
void judge_step(struct judge *judge, struct workgroup *workgroup, struct subgroup *subgroup,
                struct lane_log *log, struct lanes ran, struct requests *issued);
/* The same for lanes that did nothing but come to one barrier, handing over the same flow. False:
 * they are not where judging is so easy. */
static inline bool judge_quiet_step(struct subgroup *s) {
    struct tracks *tracks = s->tracks;
    uint32_t flow = stop_flow(s->blocks->stop);

    if (!tracks || !tracks->together || tracks->open.count)
        return false;
    if (flow)
        track_flow(&tracks->shared, flow);
    return true;
}
/* The lanes of all subgroups are together: the barrier at `site` opens. */
void judge_barrier(struct judge *judge, struct workgroup *workgroup, const struct wg_site *site);
/* The same where those of each have been so all along, and have left no request open. */
void judge_barrier_together(struct judge *judge, struct workgroup *workgroup,
                            const struct wg_site *site);
/* Counts the requests of a workgroup that others of its lanes might still have joined. */
void judge_close(struct judge *judge, struct workgroup *workgroup);
/* Moves what the memos still hold into the counts. */
void judge_finish(struct judge *judge);
/* Adds the counts to others. */
void judge_add(const struct judge *judge, struct site_count *sites, struct var_count *vars);
/* Starts counting afresh, for the next dispatch. */
void judge_reset(struct judge *judge);
/* Makes room for so many requests behind `count`. -1: out of memory. */
int requests_reserve(struct requests *requests, size_t count);
/* Frees what judging keeps in a workgroup. */
void judge_forget(struct workgroup *workgroup);

/* The loops and calls that a lane is in, as of the row under way; NULL: not known. */
const struct track *judge_track(const struct subgroup *subgroup, uint32_t lane);

/* Whether the lanes of a subgroup are known to be at one place. */
static inline bool judge_united(const struct subgroup *subgroup) {
    return subgroup->tracks && subgroup->tracks->together;
}
/* The call path of a lane: equal for lanes in the same calls. */
static inline uint64_t judge_path(const struct subgroup *subgroup, uint32_t lane) {
    const struct tracks *tracks = subgroup->tracks;

    if (!tracks)
        return 0;
    return tracks->together ? tracks->shared.path : tracks->lanes[lane].path;
}

#endif
