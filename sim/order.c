/* Who updated, loaded and stored without a barrier between. */
#include "sim/order.h"

#include "sim/word.h"

/* The ways of access: a store that changes the value, a load, an update that changes it, a store of
 * the value that was there, and a load of what the invocation has updated itself: it means to see
 * what the others made of it. */
#define ORDER_STORE CELL_WRITE
#define ORDER_LOAD CELL_READ
#define ORDER_UPDATE CELL_ATOMIC_WRITE
#define ORDER_SAME_STORE CELL_ATOMIC_READ
#define ORDER_RESULT CELL_RESULT_READ
static const uint32_t order_conflicts[CELL_ACCESSES] = {
    [ORDER_STORE] = 1u << ORDER_STORE | 1u << ORDER_LOAD | 1u << ORDER_UPDATE |
                    1u << ORDER_SAME_STORE | 1u << ORDER_RESULT,
    [ORDER_LOAD] = 1u << ORDER_STORE | 1u << ORDER_UPDATE,
    [ORDER_UPDATE] =
        1u << ORDER_STORE | 1u << ORDER_SAME_STORE | 1u << ORDER_LOAD | 1u << ORDER_RESULT,
    [ORDER_SAME_STORE] = 1u << ORDER_UPDATE,
    [ORDER_RESULT] = 1u << ORDER_STORE | 1u << ORDER_UPDATE,
};

/* Whether a lane updated the variable before, in this phase, but not in an earlier turn of a loop
 * that it is still in. */
static bool has_part(const struct row *row, uint32_t lane, const struct past_order *past) {
    struct trip now = {0};

    if (past->update_phase != row->seat->phase)
        return false;
    trip_take(&now, judge_track(row->subgroup, row->first_lane + lane));
    for (uint32_t d = 0, common = trip_common(&past->update, &now); d < common; d++)
        if (past->update.turn[d] != now.turn[d])
            return false;
    return true;
}

static void note_update(const struct row *row, uint32_t lane, struct past_order *past) {
    const struct track *track = judge_track(row->subgroup, row->first_lane + lane);

    past->update_phase = row->seat->phase;
    if (!track || past->update.key != track->key)
        trip_take(&past->update, track);
}

/* The way in which a lane accesses a variable of which the order is looked at; CELL_ACCESSES: one
 * that does not matter. */
static enum cell_access order_access(const struct row *row, uint32_t lane,
                                     struct past_order *past) {
    bool same = row_is_silent(row->words, row->silent, lane);

    if (row->site->op == WG_OP_ATOMIC_STORE)
        return same ? ORDER_SAME_STORE : ORDER_STORE;
    if (row->site->op == WG_OP_ATOMIC_LOAD) {
        past->load_phase = row->seat->phase;
        past->load_site = (uint16_t)row->site->id;
        return has_part(row, lane, past) ? ORDER_RESULT : ORDER_LOAD;
    }
    note_update(row, lane, past);
    return same ? CELL_ACCESSES : ORDER_UPDATE;
}

/* Whether two invocations are known that updated a piece in this phase, and none that did anything
 * else to the variable: a third adds nothing. */
static bool is_crowd(const struct row *row, uint64_t piece) {
    const struct cell_pair *who = &row->cells->who[ORDER_UPDATE];
    cell_tag one = who->tag[0][piece], two = who->tag[1][piece];
    uint32_t phase = row->seat->phase;

    return row->seat->vars[row->var].looked_phase != phase && cell_phase(one) == phase &&
           cell_phase(two) == phase && one != two;
}

void order_row(const struct row *row, uint32_t mask) {
    struct seat_var *var = &row->seat->vars[row->var];
    struct row one = *row;

    if (row->site->op == WG_OP_ATOMIC_LOAD || row->site->op == WG_OP_ATOMIC_STORE)
        var->looked_phase = row->seat->phase;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t piece = touch_first_piece(row, lane);
        one.access = order_access(row, lane, &var->past[cell_lane(row->tag + lane)]);
        if (one.access == CELL_ACCESSES || (one.access == ORDER_UPDATE && is_crowd(row, piece)))
            continue;
        touch_check(&one, order_conflicts, lane, piece);
        touch_keep(&one, lane, piece);
    }
}
