/* Following loops and calls. */
#include "sim/track.h"

#include <stddef.h>
#include <string.h>

#include "wgsim/kernel.h"

static uint64_t mix(uint64_t key, uint64_t value) {
    key ^= value * 0x9e3779b97f4a7c15u;
    key = (key ^ key >> 29) * 0xbf58476d1ce4e5b9u;
    return key ^ key >> 32;
}

/* NULL: too deep to be followed. */
static struct track_frame *push(struct track *track, uint32_t site, bool is_call) {
    if (track->depth == TRACK_DEPTH) {
        track->lost++;
        return NULL;
    }
    struct track_frame *frame = &track->frames[track->depth++];
    *frame = (struct track_frame){site, is_call, 0, track->key, track->path};
    return frame;
}

static void pop(struct track *track) {
    if (track->lost) {
        track->lost--;
        return;
    }
    if (track->depth == 0)
        return;
    const struct track_frame *frame = &track->frames[--track->depth];
    track->key = frame->outer_key;
    track->path = frame->outer_path;
}

static void enter(struct track *track, uint32_t site) {
    if (push(track, site, false))
        track->key = mix(track->key * 3, site);
}

static void call(struct track *track, uint32_t site) {
    if (!push(track, site, true))
        return;
    track->key = mix(track->key * 5, site);
    track->path = mix(track->path * 5, site);
}

void track_leave(struct track *track, uint32_t count) {
    while (count-- > 0)
        pop(track);
}

void track_mark(struct track *track, uint32_t site, uint32_t mark) {
    if (mark == WG_MARK_ENTER)
        enter(track, site);
    else if (mark == WG_MARK_CALL)
        call(track, site);
}

bool track_is_inside(const struct track *track) {
    for (uint32_t i = 0; i < track->depth; i++)
        if (track->frames[i].is_call || track->frames[i].turn)
            return true;
    return false;
}

void track_copy(struct track *to, const struct track *from) {
    memcpy(to, from, offsetof(struct track, frames) + from->depth * sizeof from->frames[0]);
}
