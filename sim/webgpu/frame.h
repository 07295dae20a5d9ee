/* Frames: what wgsim and its device worker say to each other over a pipe.
 *
 * A frame is a tag of 4 characters, a length of 64 bits (little-endian) and that many bytes. The
 * worker reads one job and answers it:
 *
 *   to the worker     JOB_  the job, a JSON object (device_job.h)
 *                     DATA  the initial bytes of a buffer; one for each with "init", in order
 *   from the worker   STEP  {"step": TEXT, "running": BOOL}: what begins now, so that a silent
 *                           end can be placed; running: what happens is the kernel's doing
 *                     FACT  the device, a JSON object, as soon as it is open
 *                     LIST  {"adapters": [device...]}, the answer to a job that only asks for them
 *                     DONE  {}: all dispatches ended; followed by
 *                     DATA  the bytes of a buffer; one for each with "read", in order
 *                     FAIL  {"kind": "rejected" | "unable" | "lost", "step": TEXT, "message": TEXT}
 *
 * LIST, FAIL, or the last DATA after DONE is the last frame; then the worker exits with status 0.
 */
#ifndef SIM_WEBGPU_FRAME_H
#define SIM_WEBGPU_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "sim/buf.h"
#include "wgsim/wgsim.h"

enum { FRAME_HEADER_BYTES = 12 };

/* Longer frames are taken for garbage. */
#define FRAME_LIMIT_BYTES (UINT64_C(4) << 30)

/* bytes points into the text that was parsed. */
struct frame {
    char tag[5];
    const char *bytes;
    size_t length;
};

void frame_append(struct buf *out, const char *tag, const void *bytes, size_t length);

/* Takes one frame from the start of text. Returns the bytes it takes there, 0 if it is not complete
 * yet, or -1 with a message if no frame begins so. */
int64_t frame_parse(const char *text, size_t length, struct frame *frame, struct wgsim_error *err);

#endif
