/* Where the invocations of a workgroup wait when its barrier opens. */
#ifndef SIM_STAND_H
#define SIM_STAND_H

#include "sim/workgroup.h"

/* Whether live lanes wait at different barriers, or some invocations had returned. *site: where the
 * first waits. */
bool stands_apart(const struct workgroup *workgroup, bool *different_calls,
                  const struct wg_site **site);

#endif
