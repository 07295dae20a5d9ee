/* Reading what a trace says about its run. */
#ifndef SIM_TRACE_READ_H
#define SIM_TRACE_READ_H

#include <jansson.h>

#include "wgsim/wgsim.h"

/* A recorded run. The strings and objects are of `root`. */
struct trace_read {
    json_t *root;
    const char *text, *first_screen, *version;
    json_t *arguments, *inputs, *outcome, *report;
    json_t *counterexample; /* NULL: it is of a run */
    uint64_t records;
    int interrupted, status;
    int ahead; /* whether workgroups ran ahead in the last dispatch; -1: it does not say */
};

/* Reads a file, which must be whole and as it was written. Nothing is to be released after -1. */
int trace_read(struct trace_read *trace, const char *path, struct wgsim_error *err);
/* The same from memory; `name` is for messages. */
int trace_parse(struct trace_read *trace, const char *name, const char *data, size_t size,
                struct wgsim_error *err);
void trace_read_release(struct trace_read *trace);

#endif
