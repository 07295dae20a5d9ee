/* What stands around the events of a trace: how the file begins and ends. */
#ifndef SIM_TRACE_FRAME_H
#define SIM_TRACE_FRAME_H

#include "sim/trace/events.h"

void frame_begin(struct trace_file *file);
/* Ends it: with the object that says what was recorded, which is taken, where it starts, and a
 * checksum of all before it, both of fixed length. label: the run in a word. */
void frame_end(struct trace_file *file, const char *label, json_t *object);

/* Whether a trace can keep the words of a command, which are to be the same when it is replayed. */
int frame_check_arguments(char *const *arguments, int count, struct wgsim_error *err);
/* The words as an array. */
json_t *frame_arguments(char *const *arguments, int count);

#endif
