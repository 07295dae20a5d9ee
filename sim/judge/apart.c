/* Judging lanes apart: groups by site, iteration and call path. */
#include "sim/judge/parts.h"

#include <stdlib.h>

static struct request_cost cost_of_group(const struct judge *judge, const struct group *group) {
    return cost_of(judge->device, judge->kernel->sites[group->site], group->lanes, group->address);
}

static void count_group(void *self, const struct group *group) {
    struct judge *judge = self;
    const struct wg_site *site = judge->kernel->sites[group->site];
    bool grown = !lanes_equal(group->charged, group->lanes);
    struct request_cost cost = grown ? cost_of_group(judge, group) : group->cost;

    judge_count(judge, site, group->var, &cost, 1);
    if (group->repeated)
        judge->sites[site->id].lower_bound = true;
}

/* Charges the groups that the step opened. Lanes that join them later cost no more time. */
static void issue_groups(struct judge *judge, struct groups *groups) {
    if (requests_reserve(judge->issued, groups->count - groups->issued) < 0) {
        judge->failed = true;
        return;
    }
    for (; groups->issued < groups->count; groups->issued++) {
        struct group *group = &groups->items[groups->issued];
        group->charged = group->lanes;
        group->cost = cost_of_group(judge, group);
        struct timing_request request =
            judge_request(judge->kernel->sites[group->site], &group->cost);
        judge_issue(judge, &request,
                    wg_word_(group->site, group->var, group->address[lanes_lowest(group->lanes)]));
    }
}

void judge_count_groups(struct judge *judge, struct tracks *tracks) {
    groups_close(&tracks->open, count_group, judge);
}

static void close_groups(struct judge *judge, struct tracks *tracks) {
    issue_groups(judge, &tracks->open);
    judge_count_groups(judge, tracks);
}

static bool has_room_for_lanes(struct tracks *tracks, uint32_t width) {
    if (!tracks->lanes)
        tracks->lanes = calloc(width, sizeof *tracks->lanes);
    return tracks->lanes != NULL;
}

/* Lanes that have stayed where all were together get a track of their own. */
static void keep_track(struct tracks *tracks, struct lanes stayed) {
    uint32_t lane;

    for (LANES_EACH(lane, stayed))
        track_copy(&tracks->lanes[lane], &tracks->shared);
}

/* Accesses of lanes of one block to one site, where loops and calls are as `track` says. */
static void judge_apart_row(struct judge *judge, const struct workgroup *w,
                            const struct subgroup *s, const struct track *track, uint32_t block,
                            const uint64_t *row, uint32_t mask) {
    uint64_t first = row[__builtin_ctz(mask)] & ~WORD_SILENT;
    const struct wg_site *site = judge->kernel->sites[word_site(first)];
    struct groups *groups = &s->tracks->open;
    struct access_row seen = {.workgroup = w,
                              .subgroup = s,
                              .site = site,
                              .track = track,
                              .words = row,
                              .first = first & ~WORD_FLOW,
                              .first_lane = block * WG_LOG_ROW,
                              .mask = mask};

    seen.shape = mask & (mask - 1) ? judge_passing_shape(judge, row, first, mask)
                                   : &judge->lone[__builtin_ctz(mask)];
    if (!judge->ignore_changes)
        judge_note_change(judge, site, row, mask);
    judge_observe(judge, &seen);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t column = (uint32_t)__builtin_ctz(rest);
        if (groups_add(groups, word_site(first), word_var(first), track->key,
                       block * WG_LOG_ROW + column, row[column] & WORD_OFFSET) < 0)
            judge->failed = true;
        if (groups_full(groups))
            close_groups(judge, s->tracks);
    }
}

/* A row of a party: of lanes that logged the same mark, or an access at the same site. */
static void judge_party_row(struct judge *judge, const struct workgroup *w,
                            const struct subgroup *s, struct track *track, uint32_t block,
                            const uint64_t *row, uint32_t mask) {
    uint64_t first = row[__builtin_ctz(mask)];

    track_flow(track, word_flow(first));
    if (word_is_mark(first))
        track_mark(track, word_site(first), word_mark(first));
    else
        judge_apart_row(judge, w, s, track, block, row, mask);
}

static void judge_lane(struct judge *judge, const struct workgroup *w, const struct subgroup *s,
                       const struct lane_log *log, uint32_t lane) {
    struct track *track = &s->tracks->lanes[lane];
    uint32_t block = lane / WG_LOG_ROW, column = lane % WG_LOG_ROW;

    for (uint32_t r = 0; r < lane_log_rows(log, lane); r++)
        judge_party_row(judge, w, s, track, block,
                        lane_log_block(log, block) + (size_t)r * WG_LOG_ROW, UINT32_C(1) << column);
    track_flow(track, stop_flow(subgroup_stop(s, lane)));
}

/* ---- Lanes that part: those that go one way are a party, with one track ---- */

/* Lanes that have yet to be followed from a row on. Their track is that of the lowest of them. */
struct party {
    uint32_t mask, row;
};

/* Where parties have ended: `same` where `first` did. */
struct ends {
    uint32_t same, first;
};

/* Lanes that wrote no more rows keep the track, which is where they stand. A copy for each is
 * put off as long as all have ended at one place. */
static void end_at(struct tracks *tracks, const struct track *track, struct ends *ends,
                   uint32_t ended) {
    if (!ends->same) {
        ends->same = ended;
        ends->first = (uint32_t)__builtin_ctz(ended);
        track_copy(&tracks->lanes[ends->first], track);
    } else if (tracks->lanes[ends->first].key == track->key) {
        ends->same |= ended;
    } else {
        for (uint32_t rest = ended; rest; rest &= rest - 1)
            track_copy(&tracks->lanes[__builtin_ctz(rest)], track);
    }
}

/* Lanes wrote no more rows, of which `track` is the track. */
static void end_lanes(const struct subgroup *s, const struct track *track, struct ends *ends,
                      uint32_t ended) {
    while (ended) {
        uint32_t flow = stop_flow(subgroup_stop(s, (uint32_t)__builtin_ctz(ended))), same = 0;
        struct track end;
        for (uint32_t rest = ended; rest; rest &= rest - 1)
            if (stop_flow(subgroup_stop(s, (uint32_t)__builtin_ctz(rest))) == flow)
                same |= rest & -rest;
        track_copy(&end, track);
        track_flow(&end, flow);
        end_at(s->tracks, &end, ends, same);
        ended &= ~same;
    }
}

/* The lanes of a party that wrote more rows. */
static uint32_t going_on(const struct judge *judge, const struct lane_log *log, uint32_t mask,
                         uint32_t row) {
    if (log->even)
        return row < log->most ? mask : 0;
    return mask & judge->matching->above(log->count, row);
}

/* Follows a party from a row on, as far as its lanes stay together; those that do not are put aside
 * in `waiting`. Returns how many parties wait. */
static uint32_t follow_party(struct judge *judge, const struct workgroup *w,
                             const struct subgroup *s, const struct lane_log *log,
                             struct party party, struct party *waiting, uint32_t count,
                             struct ends *ends) {
    struct tracks *tracks = s->tracks;
    uint32_t mask = party.mask;

    for (uint32_t row = party.row; mask; row++) {
        const uint64_t *words = log->words + (size_t)row * WG_LOG_ROW;
        uint32_t on = going_on(judge, log, mask, row);
        end_lanes(s, &tracks->shared, ends, mask & ~on);
        if (!on)
            break;
        mask = judge_of_one_mind(judge, words, on);
        if (on & ~mask) {
            waiting[count++] = (struct party){on & ~mask, row};
            track_copy(&tracks->lanes[__builtin_ctz(on & ~mask)], &tracks->shared);
        }
        judge_party_row(judge, w, s, &tracks->shared, 0, words, mask);
    }
    return count;
}

/* Lanes of one block were together up to `row`. Follows them party by party; meanwhile the shared
 * track is that of the party that is followed, at last that of all if the result is true; else each
 * lane has its own. */
static bool judge_parties(struct judge *judge, const struct workgroup *w, const struct subgroup *s,
                          const struct lane_log *log, uint32_t ran, uint32_t row) {
    struct party waiting[WG_LOG_ROW], party = {ran, row};
    struct tracks *tracks = s->tracks;
    struct ends ends = {0, 0};
    uint32_t count = 0;

    for (;;) {
        count = follow_party(judge, w, s, log, party, waiting, count, &ends);
        if (count == 0)
            break;
        party = waiting[--count];
        track_copy(&tracks->shared, &tracks->lanes[__builtin_ctz(party.mask)]);
    }
    track_copy(&tracks->shared, &tracks->lanes[ends.first]);
    if (ends.same == ran)
        return true;
    for (uint32_t rest = ends.same; rest; rest &= rest - 1)
        if ((uint32_t)__builtin_ctz(rest) != ends.first)
            track_copy(&tracks->lanes[__builtin_ctz(rest)], &tracks->shared);
    return false;
}

/* Whether the lanes of a set stand at one place, in one iteration of every loop. */
static bool at_one_place(const struct subgroup *s, struct lanes set) {
    uint32_t lane;

    if (lanes_empty(set))
        return true;
    uint32_t lowest = lanes_lowest(set);
    for (LANES_EACH(lane, set))
        if (stop_place(subgroup_stop(s, lane)) != stop_place(subgroup_stop(s, lowest)) ||
            s->tracks->lanes[lane].key != s->tracks->lanes[lowest].key)
            return false;
    return true;
}

/* All that go on have passed a group of which one of them is a member, once they are at one place;
 * else if all of them are members. Lanes that wait at a barrier or have returned join nothing. */
static bool passed_by_all(const struct group *group, struct lanes going) {
    return lanes_empty(going) || !lanes_empty(lanes_and(group->lanes, going));
}
static bool joined_by_all(const struct group *group, struct lanes going) {
    return lanes_empty(lanes_without(going, group->lanes));
}

static bool is_passed(const struct group *group, struct lanes going) {
    (void)going;
    return group->passed;
}

/* It is looked at more closely from so many open groups on. */
enum { OPEN_SOME = 256 };

/* Counts the groups that nobody can join any more. Others stay open for lanes behind. */
void judge_sweep(struct judge *judge, struct subgroup *s) {
    struct tracks *tracks = s->tracks;
    struct lanes going = lanes_or(s->ready, s->collective);
    bool one_place = tracks->together || at_one_place(s, going);

    if (tracks->open.count < OPEN_SOME || one_place) {
        groups_sweep(&tracks->open, one_place ? passed_by_all : joined_by_all, going, count_group,
                     judge);
        return;
    }
    groups_find_passed(&tracks->open, going);
    groups_sweep(&tracks->open, is_passed, going, count_group, judge);
}

/* Where all that live are at one place again, they have one track. */
void judge_meet(struct subgroup *s) {
    struct tracks *tracks = s->tracks;

    if (tracks->together || lanes_empty(s->live) || !at_one_place(s, s->live))
        return;
    track_copy(&tracks->shared, &tracks->lanes[lanes_lowest(s->live)]);
    tracks->together = true;
}

void judge_apart(struct judge *judge, const struct workgroup *w, struct subgroup *s,
                 const struct lane_log *log, struct lanes ran, uint32_t from_row) {
    uint32_t lane;

    if (!has_room_for_lanes(s->tracks, s->width)) {
        judge->failed = true;
        return;
    }
    if (s->tracks->together && s->width <= WG_LOG_ROW) {
        keep_track(s->tracks, lanes_without(lanes_first(s->width), ran));
        bool one_end = judge_parties(judge, w, s, log, (uint32_t)ran.bits[0], from_row);
        s->tracks->together = one_end && log->united && lanes_empty(lanes_without(s->live, ran));
        if (one_end && !s->tracks->together)
            keep_track(s->tracks, ran);
    } else {
        if (s->tracks->together)
            keep_track(s->tracks, lanes_first(s->width));
        s->tracks->together = false;
        for (LANES_EACH(lane, ran))
            judge_lane(judge, w, s, log, lane);
    }
    issue_groups(judge, &s->tracks->open);
    if (w->launch->lockstep) /* what the mask runs together is a request */
        close_groups(judge, s->tracks);
    else
        judge_sweep(judge, s);
    judge_meet(s);
}
