/* The graph behind uniformity analysis. */
#include "sim/wgsl/uniformity_graph.h"

struct uniform_edge {
    struct uniform_node *from, *to;
    struct uniform_edge *next_out, *next_in;
};

struct queue {
    struct uniform_node *first, *last;
};

static void push(struct queue *q, struct uniform_node *node) {
    node->queued = NULL;
    if (q->last)
        q->last->queued = node;
    else
        q->first = node;
    q->last = node;
}

static struct uniform_node *pop(struct queue *q) {
    struct uniform_node *node = q->first;
    if (node)
        q->first = node->queued;
    if (!q->first)
        q->last = NULL;
    return node;
}

void graph_init(struct uniform_graph *g, struct wgsl_heap *heap) {
    *g = (struct uniform_graph){.heap = heap};
    for (int scope = 0; scope < SCOPE_COUNT; scope++)
        g->different[scope] = graph_node(g);
    graph_edge(g, g->different[SCOPE_SUBGROUP], g->different[SCOPE_WORKGROUP]);
}

struct uniform_node *graph_node(struct uniform_graph *g) {
    return HEAP_NEW(g->heap, struct uniform_node);
}

void graph_edge(struct uniform_graph *g, struct uniform_node *from, struct uniform_node *to) {
    if (!to || from == to)
        return;
    struct uniform_edge *e = HEAP_NEW(g->heap, struct uniform_edge);
    *e = (struct uniform_edge){from, to, from->out, to->in};
    from->out = e;
    to->in = e;
}

void graph_find_blame(struct uniform_graph *g) {
    for (int scope = 0; scope < SCOPE_COUNT; scope++) {
        struct queue q = {NULL, NULL};
        struct uniform_node *node = g->different[scope];
        node->blame[scope] = node;
        for (push(&q, node); (node = pop(&q));)
            for (struct uniform_edge *e = node->in; e; e = e->next_in)
                if (!e->from->blame[scope]) {
                    e->from->blame[scope] = node;
                    push(&q, e->from);
                }
    }
}

void graph_spread_demand(const struct uniform_demand *demand) {
    struct queue q = {NULL, NULL};
    struct uniform_node *node = demand->node;
    enum uniform_scope scope = demand->scope;
    if (node->demand[scope])
        return;
    node->demand[scope] = demand;
    for (push(&q, node); (node = pop(&q));)
        for (struct uniform_edge *e = node->out; e; e = e->next_out)
            if (!e->to->demand[scope]) {
                e->to->demand[scope] = demand;
                push(&q, e->to);
            }
}

void graph_mark(struct uniform_graph *g, struct uniform_node *node) {
    struct queue q = {NULL, NULL};
    node->mark = ++g->mark;
    for (push(&q, node); (node = pop(&q));)
        for (struct uniform_edge *e = node->out; e; e = e->next_out)
            if (e->to->mark != g->mark) {
                e->to->mark = g->mark;
                push(&q, e->to);
            }
}
