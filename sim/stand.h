/* Where the invocations of a workgroup wait when its barrier opens. */
#ifndef SIM_STAND_H
#define SIM_STAND_H

#include "sim/workgroup.h"

/* Whether live lanes wait at different barriers, or some invocations had returned. *site: where the
 * first waits. */
bool stands_apart(const struct workgroup *workgroup, bool *different_calls,
                  const struct wg_site **site);

/* The barrier at which all invocations of a workgroup wait, if its subgroups are known to be at one
 * place each, and have left no request open; else NULL: they may be apart. */
const struct wg_site *stands_together(const struct workgroup *workgroup);

#endif
