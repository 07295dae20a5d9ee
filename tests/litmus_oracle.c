/* The definitions, read literally: all states numbered, who reaches whom by a closure. */
#include "tests/litmus_oracle.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *const oracle_models[ORACLE_MODELS] = {
    "HSA",         "OBE",         "HSA_OBE",    "LOBE",
    "WEAK_FAIR",   "HSA_STRONG",  "OBE_STRONG", "HSA_OBE_STRONG",
    "LOBE_STRONG", "STRONG_FAIR", "UNFAIR"};

struct state {
    int pc[ORACLE_THREADS], memory[ORACLE_LOCATIONS];
    bool started[ORACLE_THREADS];
};

/* (2 + 1)^2 program counters, 2^2 values, 2^2 of having started. */
enum { STATES_MAX = 144, NOWHERE = -1 };

struct space {
    const struct oracle_program *program;
    struct state states[STATES_MAX];
    int next[STATES_MAX][ORACLE_THREADS];
    bool reaches[STATES_MAX][STATES_MAX]; /* by one step or more */
    int count;
};

static bool ended(const struct space *space, const struct state *state, int thread) {
    return state->pc[thread] == space->program->threads[thread].count;
}

static bool equal(const struct state *a, const struct state *b) {
    for (int t = 0; t < ORACLE_THREADS; t++)
        if (a->pc[t] != b->pc[t] || a->started[t] != b->started[t])
            return false;
    return a->memory[0] == b->memory[0] && a->memory[1] == b->memory[1];
}

static struct state step(const struct space *space, struct state state, int thread) {
    int *pc = &state.pc[thread];
    const struct oracle_instruction *i = &space->program->threads[thread].code[*pc];
    int *word = &state.memory[i->location], old = *word;

    state.started[thread] = true;
    if (i->op == ORACLE_STORE)
        *word = i->value;
    else if (i->op == ORACLE_EXCHANGE)
        *word = i->exchange;
    *pc = i->op != ORACLE_STORE && old == i->value ? i->target : *pc + 1;
    return state;
}

static int number_of(struct space *space, const struct state *state) {
    for (int s = 0; s < space->count; s++)
        if (equal(&space->states[s], state))
            return s;
    space->states[space->count] = *state;
    return space->count++;
}

static void explore(struct space *space) {
    number_of(space, &(struct state){0});
    for (int s = 0; s < space->count; s++)
        for (int t = 0; t < ORACLE_THREADS; t++) {
            space->next[s][t] = NOWHERE;
            if (ended(space, &space->states[s], t))
                continue;
            struct state after = step(space, space->states[s], t);
            space->next[s][t] = number_of(space, &after);
            space->reaches[s][space->next[s][t]] = true;
        }
    for (int via = 0; via < space->count; via++)
        for (int from = 0; from < space->count; from++)
            for (int to = 0; space->reaches[from][via] && to < space->count; to++)
                space->reaches[from][to] |= space->reaches[via][to];
}

/* Whether a model, of weak or strong fairness alike, guarantees that a thread runs on. */
static bool guaranteed(const struct space *space, int s, int model, int thread) {
    const struct state *state = &space->states[s];
    bool lowest = true, below_started = false;

    if (model == ORACLE_UNFAIR || ended(space, state, thread))
        return false;
    for (int t = 0; t < ORACLE_THREADS; t++) {
        lowest &= t >= thread || ended(space, state, t);
        below_started |= t >= thread && state->started[t];
    }
    switch (model % 5) {
    case 0:
        return lowest;
    case 1:
        return state->started[thread];
    case 2:
        return lowest || state->started[thread];
    case 3:
        return below_started;
    default:
        return true;
    }
}

/* Whether a thread has a step on some closed walk through a state. */
static bool turns(const struct space *space, int s, int thread) {
    for (int u = 0; u < space->count; u++) {
        int v = space->next[u][thread];
        bool from = u == s || space->reaches[s][u];
        bool back = v != NOWHERE && (v == s || space->reaches[v][s]);
        if (from && back)
            return true;
    }
    return false;
}

static bool ends_weakly(const struct space *space, int model) {
    for (int s = 0; s < space->count; s++) {
        bool fair = space->reaches[s][s];
        for (int t = 0; t < ORACLE_THREADS; t++)
            fair &= !guaranteed(space, s, model, t) || turns(space, s, t);
        if (fair)
            return false;
    }
    return true;
}

static bool ends_strongly(const struct space *space, int model) {
    bool good[STATES_MAX], more = true;
    int lacking = 0;

    for (int s = 0; s < space->count; s++) {
        good[s] = true;
        for (int t = 0; t < ORACLE_THREADS; t++)
            good[s] &= !guaranteed(space, s, model, t);
    }
    while (more) {
        more = false;
        for (int s = 0; s < space->count; s++)
            for (int t = 0; t < ORACLE_THREADS; t++)
                if (!good[s] && guaranteed(space, s, model, t) && good[space->next[s][t]])
                    good[s] = more = true;
    }
    for (int s = 0; s < space->count; s++)
        lacking += !good[s];
    return lacking == 0;
}

void oracle_decide(const struct oracle_program *program, bool ends[ORACLE_MODELS]) {
    struct space space = {.program = program};

    explore(&space);
    for (int m = 0; m < ORACLE_MODELS; m++)
        ends[m] = m >= 5 && m != ORACLE_UNFAIR ? ends_strongly(&space, m) : ends_weakly(&space, m);
}

static size_t print_instruction(const struct oracle_instruction *i, char *text, size_t bytes) {
    int length = 0;

    switch (i->op) {
    case ORACLE_STORE:
        length = snprintf(text, bytes, "atomic_store(%d,%d)", i->location, i->value);
        break;
    case ORACLE_CHECK:
        length =
            snprintf(text, bytes, "atomic_chk_branch(%d,%d,%d)", i->location, i->value, i->target);
        break;
    case ORACLE_EXCHANGE:
        length = snprintf(text, bytes, "atomic_exch_branch(%d,%d,%d,%d)", i->location, i->value,
                          i->exchange, i->target);
        break;
    }
    return (size_t)length;
}

void oracle_print(const struct oracle_program *program, char *text, size_t bytes) {
    size_t at = 0;

    for (int t = 0; t < ORACLE_THREADS; t++)
        for (int i = 0; i < program->threads[t].count; i++) {
            const char *separator = i ? "; " : t ? " || " : "";
            at += (size_t)snprintf(text + at, bytes - at, "%s", separator);
            at += print_instruction(&program->threads[t].code[i], text + at, bytes - at);
        }
}
