/* wgsim progress --litmus: the verdicts of a file of litmus tests, or of a part of them. */
#ifndef SIM_CLI_PROGRESS_LITMUS_H
#define SIM_CLI_PROGRESS_LITMUS_H

#include "sim/cli/run_options.h"
#include "sim/cli/split.h"
#include "sim/progress/graph.h"

struct litmus_request {
    const char *path;
    struct split_options split; /* with a file to append to nothing is printed */
    struct graph_options limits;
    uint32_t fail_on; /* models, as bits */
    bool json;
    int argc; /* the command line, for more processes */
    char *const *argv;
};

/* Returns the exit status. */
int progress_litmus(const struct litmus_request *request, struct setup *setup);

#endif
