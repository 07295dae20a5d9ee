/* Loops that wait, told by what was seen in them. */
#include "sim/spins.h"

#include <stdlib.h>
#include <string.h>

int spins_init(struct spins *spins, const struct kernel *kernel) {
    *spins = (struct spins){.kernel = kernel,
                            .only = calloc(kernel->site_limit + 1, sizeof *spins->only),
                            .loop = calloc(kernel->site_limit + 1, sizeof *spins->loop),
                            .wanders = calloc(kernel->site_limit + 1, sizeof *spins->wanders)};
    return spins->only && spins->loop && spins->wanders ? 0 : -1;
}

void spins_release(struct spins *spins) {
    free(spins->only);
    free(spins->loop);
    free(spins->wanders);
    *spins = (struct spins){0};
}

static void join_loop(struct spins *spins, uint32_t loop, uint32_t who) {
    uint32_t *only = &spins->only[loop];

    *only = *only == 0 || *only == who ? who : SPINS_MANY;
}

static bool is_turn(const struct track_frame *frame) {
    return !frame->is_call && frame->turn > 0;
}

/* The innermost loop in a turn of which a track is, or NULL. */
static const struct track_frame *innermost(const struct track *track) {
    for (uint32_t i = track ? track->depth : 0; i > 0; i--)
        if (is_turn(&track->frames[i - 1]))
            return &track->frames[i - 1];
    return NULL;
}

void spins_note(struct spins *spins, const struct wg_site *site, const struct track *track,
                uint32_t lane, uint64_t word, struct poll *poll) {
    const struct track_frame *frame = innermost(track);

    if (!frame)
        return;
    for (uint32_t i = 0; i < track->depth; i++)
        if (is_turn(&track->frames[i]))
            join_loop(spins, track->frames[i].site, site->id + 1);
    spins->loop[site->id] = frame->site + 1;
    if (poll->lane == lane && poll->visit == frame->outer_key && frame->turn > 1)
        spins->wanders[site->id] |= poll->word != word;
    *poll = (struct poll){word, frame->outer_key, lane};
}

void spins_note_barrier(struct spins *spins, const struct track *track) {
    for (uint32_t i = 0; track && i < track->depth; i++)
        if (is_turn(&track->frames[i]))
            join_loop(spins, track->frames[i].site, SPINS_MANY);
}

/* The condition of a loop in C is first evaluated before the loop is marked: a loop on the site's
 * line in which nothing else was seen; NULL: there is none. */
static const struct wg_site *loop_on_line(const struct spins *spins, const struct wg_site *site) {
    for (size_t id = 0; id < spins->kernel->site_limit; id++) {
        const struct wg_site *loop = spins->kernel->sites[id];
        if (loop && loop->op == WG_OP_LOOP && loop->line == site->line &&
            strcmp(loop->file, site->file) == 0)
            return loop;
    }
    return NULL;
}

bool spins_is_wait(const struct spins *spins, const struct wg_site *site) {
    if (site->op != WG_OP_ATOMIC_LOAD || spins->wanders[site->id])
        return false;
    if (spins->loop[site->id])
        return spins->only[spins->loop[site->id] - 1] == site->id + 1;
    const struct wg_site *loop = loop_on_line(spins, site);
    return loop && spins->only[loop->id] == 0;
}
