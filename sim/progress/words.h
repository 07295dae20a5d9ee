/* Counterexamples in words. */
#ifndef SIM_PROGRESS_WORDS_H
#define SIM_PROGRESS_WORDS_H

#include "sim/buf.h"
#include "sim/progress/decide.h"

/* Several lines, of steps at most so many of the way there and of the cycle. `opening`: what the
 * first line begins with, as "Under" or "spinwait: under". */
void counterexample_words(struct buf *text, const char *opening, enum model model,
                          const struct counterexample *example, size_t most_steps);

#endif
