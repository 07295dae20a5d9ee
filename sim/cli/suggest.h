/* "did you mean": the known name closest to a mistyped one. */
#ifndef SIM_CLI_SUGGEST_H
#define SIM_CLI_SUGGEST_H

#include <stddef.h>

/* Offer each known name to suggestion_offer; best is then the closest, or NULL if none is near. */
struct suggestion {
    const char *typed;
    const char *best;
    size_t distance; /* of best, or one more than what is still near */
};

struct suggestion suggestion_for(const char *typed);
void suggestion_offer(struct suggestion *suggestion, const char *name);

#endif
