/* Everything that makes findings of a run: watches it, and judges its counts when it is over. */
#ifndef SIM_ANALYSIS_H
#define SIM_ANALYSIS_H

#include "sim/finding.h"
#include "sim/run.h"

struct analysis;

/* For a run of the job; what is found goes to `findings`. */
struct analysis *analysis_new(const struct job *job, struct findings *findings,
                              struct wgsim_error *err);
void analysis_free(struct analysis *analysis);

/* Who is to hear the run. */
struct listener analysis_listener(struct analysis *analysis);
struct row_observer analysis_rows(struct analysis *analysis);

/* Of a hypothetical run of one dispatch: adds what is wrong, and no advice. */
int analysis_finish_what_if(struct analysis *analysis, struct wgsim_error *err);
/* The run is over: adds what can only be said now. */
int analysis_finish(struct analysis *analysis, const struct run *run, struct wgsim_error *err);

#endif
