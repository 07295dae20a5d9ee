/* Uniformity analysis: that barriers and their like are reached by all invocations together. */
#ifndef WGSIM_WGSL_UNIFORMITY_H
#define WGSIM_WGSL_UNIFORMITY_H

#include "sim/wgsl/uniformity_graph.h"

/* Checks a resolved module. worst: the severity of what the standard calls an error. */
void wgsl_check_uniformity(const struct wgsl_module *module, enum wgsl_severity worst,
                           struct wgsl_diagnostics *diagnostics);

/* -- for the analysis's own files -- */

/* What some outcome of a call depends on, other than control flow at the call. */
struct uniform_flow {
    bool different[SCOPE_COUNT]; /* not uniform, whatever the arguments */
    bool *values;                /* by parameter: its value */
    bool *contents;              /* by parameter: what it points at */
};

/* What callers have to know of a parameter. */
struct uniform_param {
    const struct uniform_demand *value[SCOPE_COUNT], *contents[SCOPE_COUNT]; /* or NULL */
    struct uniform_flow after; /* of what it points at, if that is function memory */
};

/* What callers have to know of a function. */
struct uniform_summary {
    const struct uniform_demand *control[SCOPE_COUNT]; /* or NULL */
    struct uniform_flow result;
    struct uniform_param *params;
};

/* What a variable holds after some statement. */
struct uniform_change {
    uint32_t index; /* of the variable */
    struct uniform_node *value;
};

/* One way on which control flow leaves a statement: what it has changed on it. */
struct uniform_exit {
    struct uniform_exit *next;
    struct uniform_change *changes;
    uint32_t count;
};

struct uniform_exits {
    struct uniform_exit *first;
    uint32_t count;
};

/* A statement that break or continue refer to. */
struct uniform_target {
    struct uniform_target *outer;
    bool is_loop;
    uint32_t mark;
    struct uniform_exits breaks, continues;
};

/* Nodes of a parameter. */
struct uniform_port {
    struct uniform_node *value;
    struct uniform_node *contents, *after; /* of function memory that it points at, else NULL */
};

/* The analysis of one function. */
struct uniformity {
    struct wgsl_diagnostics *diagnostics;
    enum wgsl_severity worst;
    struct wgsl_heap *kept;            /* for the whole analysis */
    struct wgsl_heap *heap;            /* for this function */
    struct uniform_summary *summaries; /* by function, callees first */
    const struct wgsl_function *function;
    struct uniform_graph graph;
    struct uniform_node *start, *result; /* control flow at the beginning; what is returned */
    struct uniform_port *ports;          /* by parameter */
    struct uniform_demand *demands, **last_demand;
    struct uniform_target *target; /* innermost */

    /* Variables by index: what a 'var' or the memory behind a pointer parameter holds now, or the
     * value of a 'let'. The log says what they held before, to go back. */
    struct uniform_node **values;
    struct uniform_change *log;
    uint32_t log_count, log_capacity;
    uint32_t *stamps, stamp; /* by index: seen in the traversal that has this stamp */
    uint32_t *places;        /* by index: scratch of the traversal */
};

/* What depends on both; either may be NULL. */
struct uniform_node *uniform_both(struct uniformity *u, struct uniform_node *a,
                                  struct uniform_node *b);
/* The value of an expression evaluated in this control flow; of a reference or pointer: which
 * memory it names. */
struct uniform_node *uniform_value(struct uniformity *u, const struct wgsl_expr *e,
                                   struct uniform_node *flow);
/* Control flow that a condition has decided. */
struct uniform_node *uniform_condition(struct uniformity *u, const struct wgsl_expr *e,
                                       struct uniform_node *flow);
/* Evaluates a call in this control flow. */
struct uniform_node *uniform_call(struct uniformity *u, const struct wgsl_expr *e,
                                  struct uniform_node *flow);
/* The outcome of a load or call that is not uniform in the scope. */
struct uniform_node *uniform_source(struct uniformity *u, const struct wgsl_expr *e,
                                    enum uniform_scope scope);
/* A reference or pointer that stands for all of its variable. */
bool uniform_is_whole(const struct wgsl_expr *e);
/* The local variable, or parameter pointing at one, that memory belongs to; NULL: other memory. */
const struct wgsl_variable *uniform_local(const struct wgsl_expr *e);

/* Goes over a function's body and makes its graph. */
void uniform_walk(struct uniformity *u);

void uniform_assign(struct uniformity *u, uint32_t index, struct uniform_node *value);
/* Notes what has changed since the log had this length. */
void uniform_leave(struct uniformity *u, uint32_t mark, struct uniform_exits *exits);
void uniform_go_back(struct uniformity *u, uint32_t mark);
/* What variables hold when control flow has come by any of the exits; for use after going back to
 * their mark. */
void uniform_join(struct uniformity *u, const struct uniform_exits *exits);

/* Reports a demand that is not met. */
void uniform_report(struct uniformity *u, const struct uniform_demand *demand);

#endif
