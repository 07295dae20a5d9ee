/* Runs in other orders. What they share with the run that they are compared with is all but that
 * order: workgroups run one behind the other where only the order within one is asked for. */
#include "sim/order_proof.h"

#include <stdlib.h>
#include <string.h>

#include "sim/again.h"
#include "sim/error.h"
#include "sim/order_turns.h"
#include "sim/word.h"

/* All runs together make no more than so many times the steps of the run, and some more. */
enum { TIMES_RUN = 64, STEPS_EXTRA = 1 << 20 };

/* How a job runs where nothing is turned round. */
struct usual {
    bool known, ended;
    enum verdict verdict;
    struct results results;
};

struct proof {
    struct again again;
    bool adds_floats;
    uint64_t budget;        /* steps that may yet be made */
    struct usual usual[2];  /* [1]: workgroups one behind the other */
    struct results results; /* of the present run */
    enum verdict verdict;
    bool ended, failed;
};

/* ---- One run ---- */

static bool has_results(const struct run *run) {
    return !run->trapped &&
           (run->verdict == VERDICT_FINISHED || run->verdict == VERDICT_DIVERGENCE);
}

static void take_results(void *self, const struct run *run) {
    struct proof *proof = self;

    proof->budget -= run->steps < proof->budget ? run->steps : proof->budget;
    proof->verdict = run->verdict;
    proof->ended = has_results(run);
    if (proof->ended && results_keep(&proof->results, run->job, proof->adds_floats) < 0)
        proof->failed = true;
}

/* Lanes are independent, steps take turns, and nothing is seen late: what is left is the order. */
static struct run_options options_of(const struct proof *proof, bool one_by_one) {
    struct run_options options = *proof->again.run->options;

    options.pace = PACE_EVEN;
    options.lockstep = options.stress_yield = options.weak_memory = false;
    options.max_steps = proof->budget;
    if (one_by_one)
        options.resident = 1;
    return options;
}

static int run(struct proof *proof, const struct order_turns *turns, bool one_by_one,
               struct wgsim_error *err) {
    struct run_options options = options_of(proof, one_by_one);
    const struct again_way way = {.options = &options, .ended = take_results, .self = proof};

    options.turns = turns;
    results_release(&proof->results);
    proof->ended = false;
    if (!proof->budget || (options.stop && *options.stop))
        return 0;
    if (again_run_otherwise(&proof->again, &way, err) < 0)
        return -1;
    return proof->failed ? error_set(err, "out of memory") : 0;
}

/* ---- What it shows ---- */

/* The run without another order. */
static int make_usual(struct proof *proof, bool one_by_one, struct wgsim_error *err) {
    struct usual *usual = &proof->usual[one_by_one];

    if (usual->known)
        return 0;
    usual->known = true;
    if (run(proof, NULL, one_by_one, err) < 0)
        return -1;
    usual->ended = proof->ended;
    usual->verdict = proof->verdict;
    usual->results = proof->results;
    proof->results = (struct results){0};
    return 0;
}

static void compare(const struct proof *proof, const struct usual *usual,
                    struct order_difference *difference) {
    struct results_difference found;

    if (!proof->ended || proof->verdict != usual->verdict ||
        !results_differ(&usual->results, &proof->results, &found))
        return;
    difference->buffer = proof->again.run->job->buffers[found.a - usual->results.buffers].name;
    difference->element = found.element;
    memcpy(difference->texel, found.texel, sizeof found.texel);
    memcpy(difference->a_value, found.a_value, sizeof found.a_value);
    memcpy(difference->b_value, found.b_value, sizeof found.b_value);
}

/* ways: set of 1 << way. */
static int ask(struct proof *proof, const struct order_pair *pair, uint32_t ways, bool one_by_one,
               struct order_difference *difference, struct wgsim_error *err) {
    const struct usual *usual = &proof->usual[one_by_one];

    if (ways && make_usual(proof, one_by_one, err) < 0)
        return -1;
    for (uint32_t rest = ways; rest && usual->ended && !difference->buffer; rest &= rest - 1) {
        struct order_turns turns = order_turns_way(pair, (uint32_t)__builtin_ctz(rest));
        if (run(proof, &turns, one_by_one, err) < 0)
            return -1;
        compare(proof, usual, difference);
    }
    return 0;
}

/* Only workgroups that can end one behind the other are told apart from what others do. */
static int ask_of_race(struct proof *proof, struct race_entry *entry, struct wgsim_error *err) {
    struct order_pair pair = {
        entry->example.first.site, entry->example.second.site, {0}, entry->workgroup_count};

    memcpy(pair.workgroups, entry->workgroups, sizeof pair.workgroups);
    if (ask(proof, &pair, entry->ways, true, &entry->proof, err) < 0)
        return -1;
    return proof->usual[true].ended ? 0 : ask(proof, &pair, entry->ways, false, &entry->proof, err);
}

static int ask_of_update(struct proof *proof, struct lost_update *update, struct wgsim_error *err) {
    struct order_pair pair = {update->load,
                              update->store,
                              {update->workgroup, update->changer},
                              update->workgroup == update->changer ? 1 : 2};

    return ask(proof, &pair, (1u << ORDER_TURNS_WAYS) - 1, false, &update->proof, err);
}

static int ask_between(struct proof *proof, struct between_entry *entry, struct wgsim_error *err) {
    const struct usual *usual = &proof->usual[false];

    if (make_usual(proof, false, err) < 0)
        return -1;
    for (uint32_t i = 0; i < 2 && usual->ended && !entry->proof.buffer; i++) {
        struct order_turns turns = order_turns_by_workgroup(&entry->pair, i == 1);
        if (run(proof, &turns, false, err) < 0)
            return -1;
        compare(proof, usual, &entry->proof);
    }
    return 0;
}

/* Whether a variable is known whose order matters. */
static bool is_told(const struct order_doubts *doubts, uint64_t place) {
    const struct between *between = doubts->between;

    for (size_t i = 0; i < doubts->lost->count; i++)
        if (doubts->lost->entries[i].proof.buffer &&
            word_var(doubts->lost->entries[i].place) == word_var(place))
            return true;
    for (size_t i = 0; i < between->count; i++)
        if (between->entries[i].proof.buffer &&
            word_var(between->entries[i].place) == word_var(place))
            return true;
    return false;
}

/* Where there are data races, a result may be another one by them. */
static bool has_races(const struct races *races) {
    for (size_t i = 0; i < races->count; i++)
        if (!races->items[i].example.ordering)
            return true;
    return false;
}

static int ask_all_between(struct proof *proof, const struct order_doubts *doubts,
                           struct wgsim_error *err) {
    if (has_races(doubts->races))
        return 0;
    for (size_t i = 0; i < doubts->between->count; i++) {
        struct between_entry *entry = &doubts->between->entries[i];
        if (!is_told(doubts, entry->place) && ask_between(proof, entry, err) < 0)
            return -1;
    }
    return 0;
}

static int ask_all(struct proof *proof, const struct order_doubts *doubts,
                   struct wgsim_error *err) {
    for (size_t i = 0; i < doubts->races->count; i++) {
        struct race_entry *entry = &doubts->races->items[i];
        if (entry->example.ordering && !doubts->made_sure[i] && ask_of_race(proof, entry, err) < 0)
            return -1;
    }
    for (size_t i = 0; i < doubts->lost->count; i++)
        if (ask_of_update(proof, &doubts->lost->entries[i], err) < 0)
            return -1;
    return ask_all_between(proof, doubts, err);
}

int order_prove(const struct run *run, const struct order_doubts *doubts, struct wgsim_error *err) {
    struct proof proof = {.again = {.run = run},
                          .adds_floats = doubts->adds_floats,
                          .budget = run->steps * TIMES_RUN + STEPS_EXTRA};
    int result = 0;

    /* results that may be any prove nothing */
    if (has_results(run) && !(run->job->kernel->desc->flags & WG_KERNEL_RESULT_FREE))
        result = ask_all(&proof, doubts, err);
    for (size_t i = 0; i < 2; i++)
        results_release(&proof.usual[i].results);
    results_release(&proof.results);
    return result;
}
