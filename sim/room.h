/* Memory that the machine can give. */
#ifndef SIM_ROOM_H
#define SIM_ROOM_H

#include <stdint.h>

/* Bytes that can be had without taking them from other programs or from under the limit of the
 * control group; UINT64_MAX where the system does not say. */
uint64_t room_left(void);
/* Bytes that can still be mapped under the limit of the process (ulimit -v), of which it has mapped
 * *mapped; UINT64_MAX where there is none, or the system does not say. */
uint64_t room_to_map(uint64_t *mapped);

#endif
