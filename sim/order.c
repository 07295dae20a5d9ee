/* Who updated, loaded and stored without a barrier between. */
#include "sim/order.h"

#include "sim/word.h"

/* The ways of access: a store that changes the value, a load, an update that changes it, and a
 * store of the value that was there. */
#define ORDER_STORE CELL_WRITE
#define ORDER_LOAD CELL_READ
#define ORDER_UPDATE CELL_ATOMIC_WRITE
#define ORDER_SAME_STORE CELL_ATOMIC_READ
/* `updates`: how updates conflict with updates. */
#define CONFLICTS(updates)                                                                         \
    {                                                                                              \
        [ORDER_STORE] =                                                                            \
            1u << ORDER_STORE | 1u << ORDER_LOAD | 1u << ORDER_UPDATE | 1u << ORDER_SAME_STORE,    \
        [ORDER_LOAD] = 1u << ORDER_STORE | 1u << ORDER_UPDATE,                                     \
        [ORDER_UPDATE] =                                                                           \
            1u << ORDER_STORE | 1u << ORDER_SAME_STORE | 1u << ORDER_LOAD | (updates),             \
        [ORDER_SAME_STORE] = 1u << ORDER_UPDATE,                                                   \
    }
static const uint32_t order_conflicts[CELL_ACCESSES] = CONFLICTS(0);
/* Of a variable that is updated in ways that do not commute. */
static const uint32_t mixed_conflicts[CELL_ACCESSES] = CONFLICTS(1u << ORDER_UPDATE);

/* The way in which a lane accesses a variable of which the order is looked at; CELL_ACCESSES: one
 * that does not matter. */
static enum cell_access order_access(const struct row *row, uint32_t lane,
                                     struct past_order *past) {
    bool same = row_is_silent(row->seen->words, row->seen->silent, lane);

    if (row->seen->site->op == WG_OP_ATOMIC_STORE)
        return same ? ORDER_SAME_STORE : ORDER_STORE;
    if (row->seen->site->op == WG_OP_ATOMIC_LOAD) {
        past->load_phase = row->seat->phase;
        past->load_site = (uint16_t)row->seen->site->id;
        return ORDER_LOAD;
    }
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
    bool mixed = row->shadow->vars[row->var].updates_mixed;

    if (row->seen->site->op == WG_OP_ATOMIC_LOAD || row->seen->site->op == WG_OP_ATOMIC_STORE)
        var->looked_phase = row->seat->phase;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t piece = touch_first_piece(row, lane);
        one.access = order_access(row, lane, &var->past[cell_lane(row->tag + lane)]);
        if (one.access == CELL_ACCESSES ||
            (one.access == ORDER_UPDATE && !mixed && is_crowd(row, piece)))
            continue;
        touch_check(&one, mixed ? mixed_conflicts : order_conflicts, lane, piece);
        touch_keep(&one, lane, piece);
    }
}
