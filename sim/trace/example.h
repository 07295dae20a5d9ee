/* The trace of a counterexample to a progress model: the steps that lead to where it fails, and
 * those that may then be repeated for ever. A step takes one unit of time. */
#ifndef SIM_TRACE_EXAMPLE_H
#define SIM_TRACE_EXAMPLE_H

#include <jansson.h>

#include "sim/progress/decide.h"
#include "sim/trace/inputs.h"

struct example_about {
    struct trace_subject subject;
    char *const *arguments; /* of the command */
    int argument_count;
    const char *opening; /* of the words: counterexample_words */
    json_t *report;      /* what the command prints as JSON */
    int status;          /* exit status */
};

/* `model` is one that fails. */
int example_write(const char *path, const struct decision *decision, enum model model,
                  const struct example_about *about, struct wgsim_error *err);

/* {"guaranteed", "prefix", "cycle"}. NULL: out of memory. */
json_t *example_json(const struct counterexample *example);

/* A counterexample as a trace holds it, in its member "counterexample". */
struct example_choices {
    enum model model;
    struct counterexample example;
    struct class_list classes;
};

/* NULL: out of memory. */
json_t *example_choices_json(const struct example_choices *choices, const struct kernel *kernel);
/* Of the example only who makes each step. -1: it is none that this version can follow. */
int example_read(struct example_choices *choices, const json_t *json, const struct kernel *kernel,
                 struct arena *arena, struct wgsim_error *err);

#endif
