/* Hashing records. */
#include "sim/trace/fingerprint.h"

#include "sim/dispatch/dispatch.h"
#include "sim/trace/hash.h"
#include "sim/workgroup.h"

enum { FIRST_STRIDE = 16 };

void fingerprint_init(struct fingerprint *print) {
    *print = (struct fingerprint){
        .now = {.hash = HASH_START, .stride = FIRST_STRIDE, .next_stop = FIRST_STRIDE}};
}

/* Every second stop goes, so that there is room for those to come. */
static void thin_out(struct fingerprint_state *print) {
    print->stop_count /= 2;
    for (size_t i = 0; i < print->stop_count; i++)
        print->stops[i] = print->stops[i * 2 + 1];
    print->stride *= 2;
}

static void stop_here(struct fingerprint_state *print, uint64_t cycle) {
    print->stops[print->stop_count++] =
        (struct fingerprint_stop){print->records, print->hash, print->dispatches, cycle};
    if (print->stop_count == FINGERPRINT_STOPS)
        thin_out(print);
    print->next_stop = (print->stop_count + 1) * print->stride;
}

/* What only some records have. */
static uint64_t hash_details(uint64_t hash, const struct record *record) {
    const struct wg_site *site = record->site;

    hash = hash_word(hash, (uint64_t)record->kind << 32 | record->invocation);
    if (site)
        hash = hash_word(hash, (uint64_t)site->line << 32 | site->column);
    hash = hash_word(hash, record->var);
    hash = hash_word(hash, (uint64_t)record->index);
    hash = hash_word(hash, record->count);
    for (int axis = 0; record->type == RECORD_NO_TEXEL && axis < 4; axis++)
        hash = hash_word(hash, (uint32_t)record->texel[axis]);
    return hash_text(hash, record->text);
}

static void note_dispatch(struct fingerprint *print, const struct record *record) {
    if (record->type == RECORD_DISPATCH_BEGIN) {
        if (print->in_dispatch)
            print->now = print->before;
        print->before = print->now;
        print->in_dispatch = true;
        print->now.dispatches++;
        print->now.ahead = record->dispatch->ahead;
    } else if (record->type == RECORD_DISPATCH_END) {
        print->in_dispatch = false;
    }
}

static void add(struct fingerprint_state *print, const struct record *record) {
    const struct workgroup *w = record->workgroup;
    uint64_t subgroup = record->subgroup ? record->subgroup->index + UINT64_C(1) : 0;
    uint64_t hash =
        hash_five(print->hash, (uint64_t)record->type << 32 | subgroup, record->cycle,
                  record->until, w ? w->id + 1 : 0, w ? (uint64_t)w->cu << 32 | w->slot : 0);

    if (record->type == RECORD_BARRIER_OPEN)
        hash = hash_word(hash, record->arrivals);
    if (record->type >= RECORD_DIVERGENCE && record->type != RECORD_FINISH)
        hash = hash_details(hash, record);
    print->hash = hash;
    if (++print->records == print->next_stop)
        stop_here(print, record->cycle);
}

void fingerprint_hear(struct fingerprint *print, const struct record *record) {
    if (record->type == RECORD_STEP && record->dispatch->ahead) /* not everybody hears these */
        return;
    note_dispatch(print, record);
    add(&print->now, record);
}
