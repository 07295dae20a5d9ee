/* Publishing by flag: of races on storage, those that would be none if atomics were release and
 * acquire. Found by a second run of the job, which is the same run, with clocks. */
#ifndef SIM_PUBLISH_H
#define SIM_PUBLISH_H

#include "sim/races.h"
#include "sim/run.h"

/* Runs the job of `run` once more, which leaves its buffers as they are now. *ordered: by entry of
 * the races, from malloc; NULL where the kernel has no atomics to be ordered by. */
int publish_classify(const struct run *run, const struct races *races, bool **ordered,
                     struct wgsim_error *err);

#endif
