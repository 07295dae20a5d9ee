/* Opening libuv's loops. */
#ifndef SIM_EVENT_LOOP_H
#define SIM_EVENT_LOOP_H

#include <uv.h>

/* As uv_loop_init, which ends the process by abort() where it comes short of file descriptors:
 * here that is an error, of libuv's, like others. */
int event_loop_init(uv_loop_t *loop);

#endif
