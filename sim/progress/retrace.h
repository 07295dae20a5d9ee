/* A counterexample again: its choices are made one after the other, by running the workgroups, and
 * what comes of them is looked at. Nothing is searched for but (strong models) a way out of the
 * state that they lead to. */
#ifndef SIM_PROGRESS_RETRACE_H
#define SIM_PROGRESS_RETRACE_H

#include "sim/progress/decide.h"

/* Who makes each step is taken from the example; what the steps do, and the rest of it, are filled
 * in as they come out. *fault: what is wrong, in words, at the first step that cannot be made, or
 * where it is no counterexample to the model; NULL: it is one, exactly.
 *
 * Weak models: after the cycle everything is as it was before, byte for byte, and every workgroup
 * that is promised to run on and can has made a step in it. Strong models: whatever steps the
 * promised ones make, they reach neither the end nor a state that promises nothing. */
int retrace(struct counterexample *example, enum model model, const struct class_list *classes,
            struct job *job, const struct device *device, const struct run_options *options,
            struct arena *arena, const char **fault, struct wgsim_error *err);

#endif
