/* From logged rows to requests, costs and counts. */
#include "sim/judge/parts.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"

int judge_init(struct judge *judge, const struct device *device, const struct kernel *kernel,
               struct wgsim_error *err) {
    *judge = (struct judge){.device = device, .kernel = kernel, .matching = matching_best()};
    judge->sites = calloc(kernel->site_limit + 1, sizeof *judge->sites);
    judge->memos = calloc(kernel->site_limit + 1, sizeof *judge->memos);
    judge->recent = calloc(kernel->site_limit + 1, sizeof *judge->recent);
    judge->lone = calloc(WG_LOG_ROW, sizeof *judge->lone);
    if (!judge->sites || !judge->memos || !judge->recent || !judge->lone) {
        judge_release(judge);
        return error_set(err, "out of memory");
    }
    for (uint32_t lane = 0; lane < WG_LOG_ROW; lane++)
        judge->lone[lane] = (struct shape){
            .pattern = no_distance, .segment_count = 1, .segments = {{(uint8_t)lane, 1, 0}}};
    return 0;
}

void judge_release(struct judge *judge) {
    for (size_t id = 0; judge->memos && id < judge->kernel->site_limit; id++)
        free(judge->memos[id]);
    free(judge->sites);
    free(judge->memos);
    free(judge->recent);
    free(judge->lone);
    judge->lone = NULL;
    judge->sites = NULL;
    judge->memos = judge->recent = NULL;
}
void judge_start(const struct judge *judge, struct workgroup *w) {
    for (size_t i = 0; i < judge->observer_count; i++)
        if (judge->observers[i].start)
            judge->observers[i].start(judge->observers[i].self, w);
    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        struct tracks *tracks = w->subgroups[i].tracks;
        if (!tracks)
            tracks = w->subgroups[i].tracks = calloc(1, sizeof *tracks);
        if (!tracks)
            continue;
        tracks->together = true;
        tracks->shared.key = tracks->shared.path = tracks->shared.depth = tracks->shared.lost = 0;
    }
}

void judge_close(struct judge *judge, struct workgroup *w) {
    for (uint32_t i = 0; i < w->launch->subgroups; i++)
        if (w->subgroups[i].tracks)
            judge_count_groups(judge, w->subgroups[i].tracks);
}

void judge_forget(struct workgroup *w) {
    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        struct tracks *tracks = w->subgroups[i].tracks;
        if (!tracks)
            continue;
        groups_release(&tracks->open);
        free(tracks->lanes);
        free(tracks);
        w->subgroups[i].tracks = NULL;
    }
}

/* Whether no lane that returned has gone further than one that did not: what the others will do is
 * not among the rows. */
static bool none_is_ahead(const struct lane_log *log, const struct subgroup *s, struct lanes ran) {
    uint32_t lane, returned = 0, least = UINT32_MAX;

    if (log->alike || log->even)
        return true;
    for (LANES_EACH(lane, ran)) {
        uint32_t rows = log->count[lane];
        if (stop_site(subgroup_stop(s, lane)) == WG_AT_END)
            returned = rows > returned ? rows : returned;
        else
            least = rows < least ? rows : least;
    }
    return returned <= least;
}

static void judge_ran(struct judge *judge, struct workgroup *w, struct subgroup *s,
                      const struct lane_log *log, struct lanes ran) {
    struct together together = {0};
    uint32_t from = 0;

    if (!s->tracks || requests_reserve(judge->issued, log->most) < 0) {
        judge->failed = true;
        return;
    }
    /* nothing was done, and all are where they were together */
    if (log->most == 0 && log->alike && lanes_empty(log->turned) && s->tracks->together &&
        !s->tracks->open.count && lanes_empty(lanes_without(s->live, ran)) &&
        !stop_flow(subgroup_stop(s, lanes_lowest(ran))))
        return;
    /* united lanes that are all that live: the row number joins their accesses */
    if (s->tracks->together && log->united && s->width <= WG_LOG_ROW &&
        lanes_empty(lanes_without(s->live, ran)) && none_is_ahead(log, s, ran) &&
        judge_together(judge, w, s, log, &together, &from)) {
        if (s->tracks->open.count)
            judge_sweep(judge, s);
        return;
    }
    judge_apart(judge, w, s, log, ran, from);
}

/* So many open requests, and lanes that are behind run so often before the others do again. */
enum { OPEN_MANY = 512, CATCH_UP_RUNS = 64 };

/* Lanes that have yet to come to the request that has been open for longest, and that nothing but
 * their log has stopped. */
static struct lanes late_lanes(const struct subgroup *s) {
    struct lanes late = {{0, 0}};
    uint32_t lane;

    if (!s->tracks || s->tracks->open.count < OPEN_MANY)
        return late;
    for (LANES_EACH(lane, lanes_without(s->ready, s->tracks->open.items[0].lanes))) {
        uint32_t event = stop_event(subgroup_stop(s, lane));
        if (event == WG_EVENT_ACCESS || event == WG_EVENT_MARK)
            lanes_add(&late, lane);
    }
    return late;
}

void judge_step(struct judge *judge, struct workgroup *w, struct subgroup *s, struct lane_log *log,
                struct lanes ran, struct requests *issued) {
    judge->issued = issued;
    judge->changed = judge->changed_storage = false;
    judge_ran(judge, w, s, log, ran);
    for (int i = 0; i < CATCH_UP_RUNS && !judge->failed; i++) {
        struct lanes late = late_lanes(s);
        if (lanes_empty(late))
            return;
        workgroup_step(w, s, late, log);
        judge_ran(judge, w, s, log, late);
    }
}

void judge_barrier_together(struct judge *judge, struct workgroup *w, const struct wg_site *site) {
    for (size_t i = 0; i < judge->observer_count; i++)
        if (judge->observers[i].barrier)
            judge->observers[i].barrier(judge->observers[i].self, w, site);
}

void judge_barrier(struct judge *judge, struct workgroup *w, const struct wg_site *site) {
    judge_barrier_together(judge, w, site);
    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        struct subgroup *s = &w->subgroups[i];
        if (!s->tracks || (s->tracks->together && !s->tracks->open.count))
            continue;
        judge_count_groups(judge, s->tracks);
        judge_meet(s);
    }
}

void judge_finish(struct judge *judge) {
    judge_settle_memos(judge);
}

void judge_add(const struct judge *judge, struct site_count *sites, struct var_count *vars) {
    for (size_t id = 0; id < judge->kernel->site_limit; id++) {
        const struct site_count *from = &judge->sites[id];
        sites[id].requests += from->requests;
        sites[id].wavefronts += from->wavefronts;
        sites[id].conflicts += from->conflicts;
        sites[id].sectors += from->sectors;
        sites[id].bytes += from->bytes;
        sites[id].lanes += from->lanes;
        sites[id].lower_bound |= from->lower_bound;
    }
    for (size_t id = 0; id <= WG_MAX_VARS; id++) {
        vars[id].loaded_bytes += judge->vars[id].loaded_bytes;
        vars[id].stored_bytes += judge->vars[id].stored_bytes;
    }
}

void judge_reset(struct judge *judge) {
    judge_finish(judge);
    memset(judge->sites, 0, (judge->kernel->site_limit + 1) * sizeof *judge->sites);
    memset(judge->vars, 0, sizeof judge->vars);
}

const struct track *judge_track(const struct subgroup *s, uint32_t lane) {
    if (!s->tracks)
        return NULL;
    return s->tracks->together ? &s->tracks->shared : &s->tracks->lanes[lane];
}
