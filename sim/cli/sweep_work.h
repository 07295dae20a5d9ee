/* wgsim sweep: its runs, or a part of them, and their report. */
#ifndef SIM_CLI_SWEEP_WORK_H
#define SIM_CLI_SWEEP_WORK_H

#include "sim/cli/split.h"
#include "sim/cli/sweep_run.h"

struct sweep_request {
    struct sweep_subject subject;
    const char *over; /* axes; NULL: the usual ones */
    uint32_t seeds;
    const char *trace;          /* NULL, or what names of traces begin with */
    struct split_options split; /* with a file to append to nothing is printed */
    bool json, quiet;
};

/* Returns the exit status. */
int sweep_work(const struct sweep_request *request);

#endif
