/* Breadth-first search over states. */
#include "sim/progress/graph.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"

enum { DEFAULT_STATES = 2000000 };
#define DEFAULT_BYTES (UINT64_C(1) << 30)

struct search {
    struct graph *graph;
    struct system *system;
    struct graph_options options;
    struct intern states; /* numbers are states' */
    struct wgsim_error *err;
};

static int grow(struct graph *graph) {
    uint32_t capacity = graph->capacity ? graph->capacity * 2 : 256;
    struct system_state *states = realloc(graph->states, capacity * sizeof *states);
    if (states)
        graph->states = states;
    uint32_t *next = realloc(graph->next, (size_t)capacity * graph->processes * sizeof *next);
    if (next)
        graph->next = next;
    uint32_t *parent = realloc(graph->parent, capacity * sizeof *parent);
    if (parent)
        graph->parent = parent;
    uint8_t *process = realloc(graph->parent_process, capacity);
    if (process)
        graph->parent_process = process;
    if (!states || !next || !parent || !process)
        return -1;
    graph->capacity = capacity;
    return 0;
}

/* The number of a state, which is added if it is new. INTERN_FAILED: out of memory. */
static uint32_t state_number(struct search *search, const struct system_state *state,
                             uint32_t parent, uint32_t process) {
    struct graph *graph = search->graph;
    uint32_t key[SYSTEM_MAX + 2];

    key[0] = state->storage;
    key[1] = state->uses;
    memcpy(key + 2, state->process, graph->processes * sizeof key[0]);
    uint32_t number = intern_add(&search->states, key, (graph->processes + 2) * sizeof key[0]);
    if (number == INTERN_FAILED || number < graph->count)
        return number;
    if (graph->count == graph->capacity && grow(graph) < 0)
        return INTERN_FAILED;
    graph->states[number] = *state;
    graph->parent[number] = parent;
    graph->parent_process[number] = (uint8_t)process;
    graph->count++;
    return number;
}

static uint32_t residents(const struct graph *graph, const struct system_state *state) {
    uint32_t count = 0;

    for (uint32_t p = 0; p < graph->processes; p++)
        count += process_started(state, p) && process_unfinished(state, p);
    return count;
}

static bool can_step(const struct search *search, const struct system_state *state,
                     uint32_t process) {
    if (!process_unfinished(state, process))
        return false;
    return process_started(state, process) || !search->options.resident ||
           residents(search->graph, state) < search->options.resident;
}

static int expand(struct search *search, uint32_t number) {
    struct graph *graph = search->graph;

    for (uint32_t p = 0; p < graph->processes; p++) {
        struct system_state from = graph->states[number], to;
        uint32_t after = GRAPH_NO_STEP;
        if (can_step(search, &from, p)) {
            if (system_make_step(search->system, &from, p, &to, NULL, search->err) < 0)
                return -1;
            after = state_number(search, &to, number, p);
            if (after == INTERN_FAILED)
                return error_set(search->err, "out of memory");
        }
        graph->next[(size_t)number * graph->processes + p] = after;
    }
    return 0;
}

static uint64_t graph_bytes(const struct graph *graph) {
    return graph->capacity *
           (sizeof *graph->states + sizeof *graph->parent + sizeof *graph->parent_process +
            graph->processes * sizeof *graph->next);
}

static bool within_limits(struct search *search) {
    const struct system *system = search->system;
    uint64_t states = search->options.max_states ? search->options.max_states : DEFAULT_STATES;
    uint64_t bytes = search->options.max_bytes ? search->options.max_bytes : DEFAULT_BYTES;

    if (search->graph->count > states)
        search->graph->why = "more states than --max-states allows";
    else if (system_bytes(system) + intern_bytes(&search->states) + graph_bytes(search->graph) >
             bytes)
        search->graph->why = "more memory than --max-memory allows";
    else if (search->options.max_steps && system->dispatch.steps > search->options.max_steps)
        search->graph->why = "more steps than --max-steps allows";
    return !search->graph->why;
}

/* Explores until all is known or a limit is reached. When a word turns out to be shared, goes on
 * for as long as it took to find that, as there may be more of them. */
static int explore_once(struct graph *graph, struct system *system,
                        const struct system_state *initial, const struct graph_options *options,
                        struct wgsim_error *err) {
    struct search search = {.graph = graph, .system = system, .options = *options, .err = err};
    uint32_t enough = UINT32_MAX;
    int result = 0;

    *graph = (struct graph){.processes = system->count};
    if (state_number(&search, initial, 0, 0) == INTERN_FAILED)
        result = error_set(err, "out of memory");
    while (result == 0 && graph->expanded < graph->count && graph->expanded < enough &&
           within_limits(&search)) {
        result = expand(&search, graph->expanded);
        graph->expanded++;
        if (system->again && enough == UINT32_MAX)
            enough = graph->expanded * 2;
    }
    graph->complete = result == 0 && graph->expanded == graph->count;
    intern_release(&search.states);
    if (result < 0)
        graph_release(graph);
    return result;
}

int graph_explore(struct graph *graph, struct system *system, const struct system_state *initial,
                  const struct graph_options *options, struct wgsim_error *err) {
    for (;;) {
        system_begin_again(system);
        int result = explore_once(graph, system, initial, options, err);
        if (result < 0 || !system->again)
            return result;
        graph_release(graph);
    }
}

void graph_release(struct graph *graph) {
    free(graph->states);
    free(graph->next);
    free(graph->parent);
    free(graph->parent_process);
    *graph = (struct graph){0};
}
