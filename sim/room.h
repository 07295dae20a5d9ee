/* Memory that the machine can give. */
#ifndef SIM_ROOM_H
#define SIM_ROOM_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that can be had without taking them from other programs or from under the limit of the
 * control group; UINT64_MAX where the system does not say. */
uint64_t room_left(void);
/* Bytes that can still be mapped under the limit of the process (ulimit -v), of which it has mapped
 * *mapped; UINT64_MAX where there is none, or the system does not say. */
uint64_t room_to_map(uint64_t *mapped);

/* Memory, for free(), that is likely to be written all over: if it is some megabytes, the system is
 * asked for large pages, for of small ones each costs a fault. NULL: out of memory. */
void *room_take(size_t bytes);

#endif
