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

static struct track_frame *top(struct track *track) {
    return track->depth ? &track->frames[track->depth - 1] : NULL;
}

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
    const struct track_frame *frame = top(track);

    track->key = frame->outer_key;
    track->path = frame->outer_path;
    track->depth--;
}

/* A turn of the innermost loop, or the first of one that begins here. */
static void turn(struct track *track, uint32_t site) {
    struct track_frame *frame = top(track);

    if (!frame || frame->is_call || frame->site != site)
        frame = push(track, site, false);
    if (frame)
        track->key = mix(frame->outer_key * 3 + site, ++frame->turn);
}

/* A loop that made no turn has no frame. */
static void leave(struct track *track, uint32_t site) {
    const struct track_frame *frame = top(track);

    if (track->lost && frame && frame->site != site)
        track->lost--;
    else if (frame && !frame->is_call && frame->site == site)
        pop(track);
}

static void call(struct track *track, uint32_t site) {
    if (!push(track, site, true))
        return;
    track->key = mix(track->key * 5, site);
    track->path = mix(track->path * 5, site);
}

void track_mark(struct track *track, uint32_t site, uint32_t mark) {
    switch (mark) {
    case WG_MARK_TURN:
        turn(track, site);
        break;
    case WG_MARK_LEAVE:
        leave(track, site);
        break;
    case WG_MARK_CALL:
        call(track, site);
        break;
    case WG_MARK_RETURN:
        if (track->lost)
            track->lost--;
        else if (track->depth)
            pop(track);
        break;
    default:
        break;
    }
}

void track_copy(struct track *to, const struct track *from) {
    memcpy(to, from, offsetof(struct track, frames) + from->depth * sizeof from->frames[0]);
}
