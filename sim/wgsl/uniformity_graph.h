/* The graph behind uniformity analysis: an edge says that its start is uniform only if its end is.
 */
#ifndef WGSIM_WGSL_UNIFORMITY_GRAPH_H
#define WGSIM_WGSL_UNIFORMITY_GRAPH_H

#include "sim/wgsl/ast.h"
#include "sim/wgsl/heap.h"

/* Among which invocations something is the same. What differs within a subgroup differs within its
 * workgroup too. Outside of compute shaders the wider scope is a draw command. */
enum uniform_scope { SCOPE_SUBGROUP, SCOPE_WORKGROUP, SCOPE_COUNT };

struct uniform_edge;

/* That control flow, a value, or what a variable holds, is uniform at some point of a function. */
struct uniform_node {
    struct uniform_edge *out, *in;
    struct uniform_node *queued; /* next in the queue of a traversal */
    uint32_t mark;               /* of the last graph_mark that came here */
    /* The next node on a shortest way to the one that is not uniform in the scope, or NULL. */
    struct uniform_node *blame[SCOPE_COUNT];
    const struct uniform_demand *demand[SCOPE_COUNT]; /* the first that needs this to be uniform */

    /* For people; at most one of condition, source and input is set. */
    const struct wgsl_expr *condition;   /* control flow depends on it from here */
    struct uniform_node *outer;          /* with condition: control flow before it */
    const struct wgsl_expr *source;      /* a load or call whose outcome may not be uniform */
    const struct wgsl_variable *input;   /* of the entry point */
    const struct wgsl_variable *changed; /* with source: by a call, through a pointer */
};

/* That the module calls for something to be uniform. */
struct uniform_demand {
    struct uniform_demand *next;
    struct uniform_node *node;
    enum uniform_scope scope;
    enum wgsl_severity severity;
    const struct wgsl_expr *call;  /* in the function in hand */
    const struct wgsl_expr *cause; /* the call of a builtin function behind it; may be the same */
    int32_t arg;                   /* what must be uniform is this argument; -1: control flow */
    bool contents;                 /* no, what this argument points at */
};

struct uniform_graph {
    struct wgsl_heap *heap;
    /* What is never uniform in the scope. Nodes with an edge to it have a source or input. */
    struct uniform_node *different[SCOPE_COUNT];
    uint32_t mark;
};

void graph_init(struct uniform_graph *g, struct wgsl_heap *heap);
struct uniform_node *graph_node(struct uniform_graph *g);
/* to may be NULL: nothing to say. */
void graph_edge(struct uniform_graph *g, struct uniform_node *from, struct uniform_node *to);
/* Sets blame in all nodes. */
void graph_find_blame(struct uniform_graph *g);
/* Sets demand in the nodes that the demand's node needs, but for those that have one. */
void graph_spread_demand(const struct uniform_demand *demand);
/* Gives the nodes that this one needs, and no others, the graph's current mark. */
void graph_mark(struct uniform_graph *g, struct uniform_node *node);

#endif
