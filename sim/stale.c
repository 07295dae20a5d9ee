/* Telling a stale tail from memory that is meant to stay. */
#include "sim/stale.h"

/* A new turn of loop d, or another loop. */
static void begin_turn(const struct seat *seat, struct store_trip *store, const struct trip *trip,
                       uint32_t d) {
    bool same_loop = d < store->trip.depth && store->first_phase[d] >= seat->first_phase &&
                     store->trip.loop[d] == trip->loop[d];

    store->most[d] = !same_loop                         ? 0
                     : store->count[d] > store->most[d] ? store->count[d]
                                                        : store->most[d];
    for (uint32_t inner = d; inner < trip->depth; inner++) {
        store->first_phase[inner] = seat->phase;
        store->count[inner] = 0;
        store->most[inner] = inner == d ? store->most[d] : 0;
    }
}

void stale_note_store(struct seat *seat, const struct wg_site *site, const struct trip *trip,
                      uint32_t invocations) {
    struct store_trip *store = &seat->stores[site->id];
    bool same = store->trip.key == trip->key && store->first_phase[0] >= seat->first_phase;

    for (uint32_t d = 0; d < trip->depth && !same; d++) {
        bool goes_on = d < store->trip.depth && store->first_phase[d] >= seat->first_phase &&
                       store->trip.loop[d] == trip->loop[d] && store->trip.turn[d] == trip->turn[d];
        if (goes_on && (d == 0 || store->first_phase[d] >= store->first_phase[d - 1]))
            continue;
        begin_turn(seat, store, trip, d);
        break;
    }
    for (uint32_t d = 0; d < trip->depth; d++)
        store->count[d] += invocations;
    if (!same && trip->depth)
        store->trip = *trip;
}

enum state { STATE_NEW, STATE_OLD, STATE_OTHER };

static enum state state_of(const struct stale_read *read, uint64_t piece, uint16_t site,
                           uint32_t since) {
    const struct cell_pair *writer = &read->cells->who[CELL_WRITE];
    uint32_t phase = cell_phase(writer->tag[0][piece]);

    if (writer->site[0][piece] != site || phase < read->seat->first_phase)
        return STATE_OTHER;
    return phase >= since ? STATE_NEW : STATE_OLD;
}

/* Whether in rows of `width` pieces each has its new words before its old ones, as many in every
 * row that has any. */
static bool tails_in_rows(const struct stale_read *read, uint16_t site, uint32_t since,
                          uint64_t width) {
    uint64_t fresh = 0;

    for (uint64_t row = 0; row < read->cells->pieces; row += width) {
        uint64_t here = 0;
        bool old = false;
        for (uint64_t i = row; i < row + width && i < read->cells->pieces; i++) {
            enum state state = state_of(read, i, site, since);
            if (state == STATE_NEW && old)
                return false;
            old |= state == STATE_OLD;
            here += state == STATE_NEW;
        }
        if (here && old && fresh && here != fresh)
            return false;
        fresh = here ? here : fresh;
    }
    return fresh != 0;
}

/* What a guard at the end of the data leaves out is a tail: of the variable, or of each of its
 * rows. Where a store leaves out words here and there, they are meant to stay. */
static bool is_tail(const struct stale_read *read, uint16_t site, uint32_t since) {
    uint32_t pieces = read->var->stride >> read->cells->shift;

    if (tails_in_rows(read, site, since, read->cells->pieces))
        return true;
    if (!pieces)
        return false;
    return (read->var->columns &&
            tails_in_rows(read, site, since, (uint64_t)read->var->columns * pieces)) ||
           (read->width > 1 && tails_in_rows(read, site, since, (uint64_t)read->width * pieces));
}

bool stale_is(const struct stale_read *read, uint32_t *turn) {
    uint16_t site = read->cells->who[CELL_WRITE].site[0][read->piece];
    uint32_t phase = cell_phase(read->cells->who[CELL_WRITE].tag[0][read->piece]);
    struct store_trip *store = &read->seat->stores[site];
    struct trip now;

    if (!store->trip.depth || store->updates || phase >= read->seat->phase)
        return false;
    trip_take(&now, read->track);
    uint32_t common = trip_common(&store->trip, &now);
    if (!common)
        return false;
    for (uint32_t d = 0; d < common; d++)
        if (store->trip.turn[d] != now.turn[d])
            return false;
    uint32_t since = store->first_phase[common - 1];
    if (phase >= since || since >= read->seat->phase || since < read->seat->first_phase)
        return false;
    if (store->judged_phase != since) {
        store->judged_phase = since;
        store->tail =
            store->count[common - 1] < store->most[common - 1] && is_tail(read, site, since);
    }
    *turn = now.turn[common - 1];
    return store->tail;
}
