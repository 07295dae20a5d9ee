/* Comparing the places at which lanes wait. */
#include "sim/stand.h"

#include "sim/judge/judge.h"

/* Where lanes wait, as far as it was looked at. */
struct stand {
    uint32_t site;
    uint64_t path;
    bool known, different;
};

static void note_stand(struct stand *stand, uint32_t site, uint64_t path) {
    stand->different |= stand->known && (site != stand->site || path != stand->path);
    if (stand->known)
        return;
    *stand = (struct stand){site, path, true, false};
}

bool stands_apart(const struct workgroup *w, bool *different_calls, const struct wg_site **site) {
    struct stand stand = {0};
    uint32_t lane;

    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        const struct subgroup *s = &w->subgroups[i];
        if (lanes_empty(s->at_barrier))
            continue;
        if (judge_united(s)) {
            lane = lanes_lowest(s->at_barrier);
            note_stand(&stand, stop_site(subgroup_stop(s, lane)), s->tracks->shared.path);
            continue;
        }
        for (LANES_EACH(lane, s->at_barrier))
            note_stand(&stand, stop_site(subgroup_stop(s, lane)), judge_path(s, lane));
    }
    *different_calls = stand.different;
    *site = w->launch->kernel->sites[stand.site];
    return stand.different || w->live < w->launch->invocations;
}

const struct wg_site *stands_together(const struct workgroup *w) {
    uint32_t site = stop_site(w->blocks->stop);
    const struct tracks *first = w->subgroups->tracks;

    if (w->live < w->launch->invocations || !first)
        return NULL;
    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        const struct subgroup *s = &w->subgroups[i];
        if (!judge_united(s) || s->tracks->open.count || stop_site(s->blocks->stop) != site ||
            s->tracks->shared.path != first->shared.path)
            return NULL;
    }
    return w->launch->kernel->sites[site];
}
