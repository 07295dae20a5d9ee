/* Deciding termination: strongly connected components for weak fairness, reachability for strong.
 */
#include "sim/progress/models.h"

#include <stdlib.h>
#include <string.h>

const struct model_info models[MODEL_COUNT] = {
    [MODEL_HSA] = {"HSA", FAIRNESS_HSA, false, "the lowest unfinished workgroup runs on"},
    [MODEL_OBE] = {"OBE", FAIRNESS_OBE, false, "a workgroup that has started runs on"},
    [MODEL_HSA_OBE] = {"HSA_OBE", FAIRNESS_HSA_OBE, false,
                       "the lowest unfinished workgroup and those that have started run on"},
    [MODEL_LOBE] = {"LOBE", FAIRNESS_LOBE, false,
                    "workgroups up to the highest that has started run on"},
    [MODEL_WEAK_FAIR] = {"WEAK_FAIR", FAIRNESS_ALL, false, "every workgroup runs on"},
    [MODEL_HSA_STRONG] = {"HSA_STRONG", FAIRNESS_HSA, true, "as HSA, strongly fair"},
    [MODEL_OBE_STRONG] = {"OBE_STRONG", FAIRNESS_OBE, true, "as OBE, strongly fair"},
    [MODEL_HSA_OBE_STRONG] = {"HSA_OBE_STRONG", FAIRNESS_HSA_OBE, true,
                              "as HSA+OBE, strongly fair"},
    [MODEL_LOBE_STRONG] = {"LOBE_STRONG", FAIRNESS_LOBE, true, "as LOBE, strongly fair"},
    [MODEL_STRONG_FAIR] = {"STRONG_FAIR", FAIRNESS_ALL, true, "every workgroup, strongly fair"},
    [MODEL_UNFAIR] = {"UNFAIR", FAIRNESS_NONE, false, "nothing"},
};

static uint32_t unfinished(const struct system_state *state, uint32_t processes) {
    uint32_t set = 0;

    for (uint32_t p = 0; p < processes; p++)
        set |= (uint32_t)process_unfinished(state, p) << p;
    return set;
}

static uint32_t started(const struct system_state *state, uint32_t processes) {
    uint32_t set = 0;

    for (uint32_t p = 0; p < processes; p++)
        set |= (uint32_t)process_started(state, p) << p;
    return set;
}

uint32_t model_guaranteed(enum fairness fairness, const struct system_state *state,
                          uint32_t processes) {
    uint32_t left = unfinished(state, processes), begun = started(state, processes);
    uint32_t lowest = left & (~left + 1);

    switch (fairness) {
    case FAIRNESS_HSA:
        return lowest;
    case FAIRNESS_OBE:
        return left & begun;
    case FAIRNESS_HSA_OBE:
        return lowest | (left & begun);
    case FAIRNESS_LOBE:
        return begun ? left & (UINT32_MAX >> __builtin_clz(begun)) : 0;
    case FAIRNESS_ALL:
        return left;
    default:
        return 0;
    }
}

/* ---- Components, by Tarjan's algorithm without recursion ---- */

struct components {
    const struct graph *graph;
    uint32_t *component; /* of each state */
    uint32_t *order, *low, *stack, *calls, *edge;
    bool *on_stack;
    uint32_t clock, stacked, called, count;
};

static void components_release(struct components *c) {
    free(c->component);
    free(c->order);
    free(c->low);
    free(c->stack);
    free(c->calls);
    free(c->edge);
    free(c->on_stack);
}

static int components_init(struct components *c, const struct graph *graph) {
    size_t n = graph->count;

    *c = (struct components){.graph = graph};
    c->component = calloc(n, sizeof *c->component);
    c->order = calloc(n, sizeof *c->order);
    c->low = calloc(n, sizeof *c->low);
    c->stack = calloc(n, sizeof *c->stack);
    c->calls = calloc(n, sizeof *c->calls);
    c->edge = calloc(n, sizeof *c->edge);
    c->on_stack = calloc(n, sizeof *c->on_stack);
    return c->component && c->order && c->low && c->stack && c->calls && c->edge && c->on_stack
               ? 0
               : -1;
}

static void visit(struct components *c, uint32_t state) {
    c->order[state] = c->low[state] = ++c->clock;
    c->stack[c->stacked++] = state;
    c->calls[c->called++] = state;
    c->on_stack[state] = true;
    c->edge[state] = 0;
}

static bool has_edges(const struct graph *graph, uint32_t state) {
    return state < graph->expanded;
}

/* Looks at one more edge of the state on top; true: none is left. */
static bool advance(struct components *c, uint32_t state) {
    const struct graph *graph = c->graph;

    while (has_edges(graph, state) && c->edge[state] < graph->processes) {
        uint32_t to = graph_next(graph, state, c->edge[state]++);
        if (to == GRAPH_NO_STEP)
            continue;
        if (!c->order[to]) {
            visit(c, to);
            return false;
        }
        if (c->on_stack[to] && c->order[to] < c->low[state])
            c->low[state] = c->order[to];
    }
    return true;
}

static void finish(struct components *c, uint32_t state) {
    c->called--;
    if (c->called && c->low[state] < c->low[c->calls[c->called - 1]])
        c->low[c->calls[c->called - 1]] = c->low[state];
    if (c->low[state] != c->order[state])
        return;
    uint32_t member;
    do {
        member = c->stack[--c->stacked];
        c->on_stack[member] = false;
        c->component[member] = c->count;
    } while (member != state);
    c->count++;
}

static void find_components(struct components *c) {
    for (uint32_t root = 0; root < c->graph->count; root++) {
        if (c->order[root])
            continue;
        visit(c, root);
        while (c->called) {
            uint32_t state = c->calls[c->called - 1];
            if (advance(c, state))
                finish(c, state);
        }
    }
}

/* ---- Weak fairness ---- */

/* Those that can make a step: a pending one cannot while as many are resident as may be. */
static uint32_t able(const struct graph *graph, uint32_t state) {
    uint32_t set = 0;

    for (uint32_t p = 0; has_edges(graph, state) && p < graph->processes; p++)
        set |= (uint32_t)(graph_next(graph, state, p) != GRAPH_NO_STEP) << p;
    return set;
}

/* Inside a component all states have the same workgroups started and finished, so the guaranteed
 * ones are the same; it goes on for ever, fairly, if each of them that can has a step inside.
 * States are in breadth-first order: the first found is nearest. */
static int decide_weak(const struct graph *graph, struct model_result *results) {
    struct components c;
    int result = components_init(&c, graph);
    uint32_t *turning = NULL;

    if (result == 0) {
        find_components(&c);
        turning = calloc((size_t)c.count + 1, sizeof *turning);
    }
    if (!turning)
        result = -1;
    for (uint32_t s = 0; turning && s < graph->count; s++)
        for (uint32_t p = 0; has_edges(graph, s) && p < graph->processes; p++) {
            uint32_t to = graph_next(graph, s, p);
            if (to != GRAPH_NO_STEP && c.component[to] == c.component[s])
                turning[c.component[s]] |= UINT32_C(1) << p;
        }
    for (int m = 0; turning && m < MODEL_COUNT; m++) {
        for (uint32_t s = 0; !models[m].strong && s < graph->count; s++) {
            uint32_t inside = turning[c.component[s]];
            if (!inside ||
                (model_guaranteed(models[m].fairness, &graph->states[s], graph->processes) &
                 able(graph, s) & ~inside))
                continue;
            results[m] = (struct model_result){MODEL_FAILS, s, inside};
            break;
        }
    }
    free(turning);
    components_release(&c);
    return result;
}

/* ---- Strong fairness ---- */

/* Marks the states from which steps of guaranteed workgroups can reach the end, or a state that
 * guarantees nothing. */
static void mark_ending(const struct graph *graph, enum fairness fairness, bool *ending) {
    bool more = true;

    for (uint32_t s = 0; s < graph->count; s++)
        ending[s] = !model_guaranteed(fairness, &graph->states[s], graph->processes);
    while (more) {
        more = false;
        for (uint32_t s = graph->count; s-- > 0;) {
            uint32_t set = model_guaranteed(fairness, &graph->states[s], graph->processes);
            for (; !ending[s] && set; set &= set - 1) {
                uint32_t to = graph_next(graph, s, (uint32_t)__builtin_ctz(set));
                if (to != GRAPH_NO_STEP && ending[to])
                    more = ending[s] = true;
            }
        }
    }
}

static int decide_strong(const struct graph *graph, struct model_result *results) {
    bool *ending = calloc(graph->count, sizeof *ending);

    if (!ending)
        return -1;
    for (int m = 0; m < MODEL_COUNT; m++) {
        if (!models[m].strong)
            continue;
        mark_ending(graph, models[m].fairness, ending);
        for (uint32_t s = 0; s < graph->count; s++) {
            if (ending[s])
                continue;
            uint32_t set =
                model_guaranteed(models[m].fairness, &graph->states[s], graph->processes);
            results[m] = (struct model_result){MODEL_FAILS, s, set};
            break;
        }
    }
    free(ending);
    return 0;
}

int models_decide(const struct graph *graph, struct model_result results[MODEL_COUNT]) {
    for (int m = 0; m < MODEL_COUNT; m++)
        results[m] = (struct model_result){graph->complete ? MODEL_PASSES : MODEL_UNKNOWN, 0, 0};
    if (decide_weak(graph, results) < 0)
        return -1;
    return graph->complete ? decide_strong(graph, results) : 0;
}
