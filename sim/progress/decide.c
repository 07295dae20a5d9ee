/* From a job to verdicts and counterexamples. */
#include "sim/progress/decide.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"

struct decider {
    struct decision *decision;
    struct system system;
    struct graph graph;
    struct arena *arena;
    struct wgsim_error *err;
};

/* ---- Counterexamples ---- */

/* The steps by which a state was first reached. */
static int add_prefix(struct decider *d, struct counterexample *example, uint32_t state) {
    size_t count = 0;

    for (uint32_t s = state; s != 0; s = d->graph.parent[s])
        count++;
    example->prefix = arena_alloc(d->arena, (count + 1) * sizeof *example->prefix);
    if (!example->prefix)
        return -1;
    example->prefix_count = count;
    for (uint32_t s = state; s != 0; s = d->graph.parent[s])
        example->prefix[--count].process = d->graph.parent_process[s];
    return 0;
}

/* Searches among the states that lead back to one. */
struct walk {
    const struct graph *graph;
    bool *leads; /* there is a way back from here */
    bool *seen;
    uint32_t *before, *queue; /* seen ones: from which first, in which order */
    uint8_t *by;              /* whose step that was */
};

static void walk_release(struct walk *walk) {
    free(walk->leads);
    free(walk->seen);
    free(walk->before);
    free(walk->queue);
    free(walk->by);
}

/* Edges backwards: those into state s come from sources[first[s]] to sources[first[s + 1] - 1]. */
static void turn_round(const struct graph *graph, uint32_t *first, uint32_t *sources) {
    size_t edges = (size_t)graph->expanded * graph->processes;

    for (size_t e = 0; e < edges; e++)
        if (graph->next[e] != GRAPH_NO_STEP)
            first[graph->next[e]]++;
    for (uint32_t s = 1; s <= graph->count; s++)
        first[s] += first[s - 1];
    for (size_t e = 0; e < edges; e++)
        if (graph->next[e] != GRAPH_NO_STEP)
            sources[--first[graph->next[e]]] = (uint32_t)(e / graph->processes);
}

static void mark_leading(struct walk *walk, uint32_t to, const uint32_t *first,
                         const uint32_t *sources) {
    uint32_t head = 0, tail = 0;

    walk->queue[tail++] = to;
    walk->leads[to] = true;
    for (; head < tail; head++)
        for (uint32_t i = first[walk->queue[head]]; i < first[walk->queue[head] + 1]; i++) {
            if (walk->leads[sources[i]])
                continue;
            walk->leads[sources[i]] = true;
            walk->queue[tail++] = sources[i];
        }
}

static int walk_init(struct walk *walk, const struct graph *graph, uint32_t to) {
    uint32_t *first = calloc((size_t)graph->count + 1, sizeof *first);
    uint32_t *sources = calloc((size_t)graph->expanded * graph->processes + 1, sizeof *sources);

    *walk = (struct walk){.graph = graph,
                          .leads = calloc(graph->count, sizeof(bool)),
                          .seen = calloc(graph->count, sizeof(bool)),
                          .before = calloc(graph->count, sizeof(uint32_t)),
                          .queue = calloc(graph->count, sizeof(uint32_t)),
                          .by = calloc(graph->count, 1)};
    bool complete =
        first && sources && walk->leads && walk->seen && walk->before && walk->queue && walk->by;
    if (complete) {
        turn_round(graph, first, sources);
        mark_leading(walk, to, first, sources);
    }
    free(first);
    free(sources);
    return complete ? 0 : -1;
}

/* The state after a process' step, if it leads back; or GRAPH_NO_STEP. */
static uint32_t step_back(const struct walk *walk, uint32_t state, uint32_t process) {
    uint32_t next =
        state < walk->graph->expanded ? graph_next(walk->graph, state, process) : GRAPH_NO_STEP;

    return next != GRAPH_NO_STEP && walk->leads[next] ? next : GRAPH_NO_STEP;
}

/* The nearest of the states that lead back which is `to`, or from which `process` has such a step;
 * one of both is GRAPH_NO_STEP. The way is in before and by. */
static uint32_t walk_from(struct walk *walk, uint32_t from, uint32_t to, uint32_t process) {
    uint32_t head = 0, tail = 0;

    memset(walk->seen, 0, walk->graph->count * sizeof(bool));
    walk->queue[tail++] = from;
    walk->seen[from] = true;
    for (; head < tail; head++) {
        uint32_t state = walk->queue[head];
        if (state == to ||
            (process != GRAPH_NO_STEP && step_back(walk, state, process) != GRAPH_NO_STEP))
            return state;
        for (uint32_t p = 0; p < walk->graph->processes; p++) {
            uint32_t next = step_back(walk, state, p);
            if (next == GRAPH_NO_STEP || walk->seen[next])
                continue;
            walk->seen[next] = true;
            walk->before[next] = state;
            walk->by[next] = (uint8_t)p;
            walk->queue[tail++] = next;
        }
    }
    return GRAPH_NO_STEP;
}

static int append_step(struct decider *d, struct counterexample *example, size_t *capacity,
                       uint32_t process) {
    if (example->cycle_count == *capacity) {
        size_t larger = *capacity ? *capacity * 2 : 16;
        struct decision_step *steps = arena_alloc(d->arena, larger * sizeof *steps);
        if (!steps)
            return -1;
        if (example->cycle_count)
            memcpy(steps, example->cycle, example->cycle_count * sizeof *steps);
        example->cycle = steps;
        *capacity = larger;
    }
    example->cycle[example->cycle_count++] = (struct decision_step){.process = process};
    return 0;
}

/* Appends the way that walk_from found. */
static int append_way(struct decider *d, struct counterexample *example, size_t *capacity,
                      const struct walk *walk, uint32_t from, uint32_t to) {
    size_t first = example->cycle_count;

    for (uint32_t s = to; s != from; s = walk->before[s])
        if (append_step(d, example, capacity, walk->by[s]) < 0)
            return -1;
    for (size_t a = first, b = example->cycle_count; a + 1 < b; a++, b--) {
        struct decision_step swapped = example->cycle[a];
        example->cycle[a] = example->cycle[b - 1];
        example->cycle[b - 1] = swapped;
    }
    return 0;
}

/* A closed walk through `state` with a step of every process of `needed`, each time from the
 * nearest state that has one. */
static int add_cycle(struct decider *d, struct counterexample *example, uint32_t state,
                     uint32_t needed, uint32_t turning) {
    struct walk walk;
    size_t capacity = 0;
    uint32_t at = state;
    int result = walk_init(&walk, &d->graph, state);

    if (!needed)
        needed = turning & (~turning + 1);
    for (; result == 0 && needed; needed &= needed - 1) {
        uint32_t process = (uint32_t)__builtin_ctz(needed);
        uint32_t found = walk_from(&walk, at, GRAPH_NO_STEP, process);
        result = append_way(d, example, &capacity, &walk, at, found);
        if (result == 0)
            result = append_step(d, example, &capacity, process);
        at = graph_next(&d->graph, found, process);
    }
    if (result == 0 && at != state)
        result = append_way(d, example, &capacity, &walk, at,
                            walk_from(&walk, at, state, GRAPH_NO_STEP));
    walk_release(&walk);
    return result;
}

/* Plays steps again to see what each did. */
static int describe(struct decider *d, struct system_state *state, struct decision_step *steps,
                    size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct system_state after;
        if (system_make_step(&d->system, state, steps[i].process, &after, &steps[i].step, d->err) <
            0)
            return -1;
        *state = after;
    }
    return 0;
}

static int add_example(struct decider *d, int model) {
    const struct model_result *result = &d->decision->results[model];
    struct counterexample *example = &d->decision->examples[model];
    const struct system_state *at = &d->graph.states[result->state];
    struct system_state state = d->graph.states[0];

    example->processes = d->graph.processes;
    example->guaranteed = model_guaranteed(models[model].fairness, at, d->graph.processes);
    if (!models[model].strong)
        example->guaranteed &= result->processes;
    for (uint32_t p = 0; p < d->graph.processes; p++) {
        example->started |= (uint32_t)process_started(at, p) << p;
        example->finished |= (uint32_t)!process_unfinished(at, p) << p;
    }
    if (add_prefix(d, example, result->state) < 0)
        return error_set(d->err, "out of memory");
    if (!models[model].strong &&
        add_cycle(d, example, result->state, example->guaranteed, result->processes) < 0)
        return error_set(d->err, "out of memory");
    if (describe(d, &state, example->prefix, example->prefix_count) < 0)
        return -1;
    return describe(d, &state, example->cycle, example->cycle_count);
}

/* ---- The whole ---- */

static int decide_graph(struct decider *d, bool examples) {
    struct decision *decision = d->decision;

    if (models_decide(&d->graph, decision->results) < 0)
        return error_set(d->err, "out of memory");
    decision->processes = d->graph.processes;
    decision->states = d->graph.count;
    decision->complete = d->graph.complete;
    decision->why = d->graph.why;
    if (examples && classes_collect(&decision->classes, &d->system, d->arena) < 0)
        return error_set(d->err, "out of memory");
    for (int m = 0; examples && m < MODEL_COUNT; m++)
        if (decision->results[m].verdict == MODEL_FAILS && add_example(d, m) < 0)
            return -1;
    return 0;
}

int decide(struct decision *decision, struct job *job, const struct device *device,
           const struct run_options *options, const struct graph_options *limits, bool examples,
           struct arena *arena, struct wgsim_error *err) {
    struct system_state initial;
    struct decider d = {.decision = decision, .arena = arena, .err = err};

    *decision = (struct decision){0};
    if (system_open(&d.system, job, device, options, &initial, err) < 0)
        return -1;
    d.system.running = limits->running;
    if (limits->keep_unread)
        classes_read_all(&d.system);
    int result = graph_explore(&d.graph, &d.system, &initial, limits, err);
    if (result == 0) {
        result = decide_graph(&d, examples);
        graph_release(&d.graph);
    }
    decision->divergence = d.system.divergence;
    system_release(&d.system);
    job_reset(job);
    return result;
}

const char *decision_reliance(const struct decision *decision) {
    static const struct {
        enum model model;
        const char *text;
    } rows[] = {
        {MODEL_UNFAIR, "nothing: it ends however workgroups are scheduled"},
        {MODEL_OBE, "occupancy: a workgroup that has started is not starved"},
        {MODEL_HSA, "ascending order: the lowest unfinished workgroup is not starved"},
        {MODEL_HSA_OBE, "occupancy and ascending order together"},
        {MODEL_LOBE,
         "ascending order with occupancy: workgroups below one that started are not starved"},
        {MODEL_WEAK_FAIR, "all workgroups being resident and scheduled fairly"},
        {MODEL_STRONG_FAIR,
         "strong fairness: every workgroup is scheduled in every state that recurs"},
    };

    if (!decision->complete)
        return "not known: the states are too many; fewer workgroups (--groups or --size) have "
               "fewer";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (decision->results[rows[i].model].verdict == MODEL_PASSES)
            return rows[i].text;
    return "luck: it may never end under any model";
}
