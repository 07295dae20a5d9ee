/* Loops. */
#include "sim/event_loop.h"

#include <errno.h>
#include <unistd.h>

/* Whether as many file descriptors as a loop takes can be had; else an error. */
static int look_for_room(void) {
    enum { PIPES = 4 };
    int ends[PIPES][2], count = 0, error = 0;

    while (count < PIPES && !error)
        if (pipe(ends[count]) == 0)
            count++;
        else
            error = errno;
    while (count-- > 0) {
        close(ends[count][0]);
        close(ends[count][1]);
    }
    return error ? uv_translate_sys_error(error) : 0;
}

int event_loop_init(uv_loop_t *loop) {
    int error = look_for_room();

    return error ? error : uv_loop_init(loop);
}
