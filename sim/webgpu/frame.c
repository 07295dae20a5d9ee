/* Frames: writing and parsing. */
#include "sim/webgpu/frame.h"

#include <string.h>

#include "sim/error.h"

static const char *const tags[] = {"JOB_", "DATA", "STEP", "FACT", "LIST", "DONE", "FAIL"};

static bool is_tag(const char *text) {
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (memcmp(text, tags[i], 4) == 0)
            return true;
    return false;
}

void frame_append(struct buf *out, const char *tag, const void *bytes, size_t length) {
    unsigned char header[FRAME_HEADER_BYTES];
    memcpy(header, tag, 4);
    for (int i = 0; i < 8; i++)
        header[4 + i] = (unsigned char)((uint64_t)length >> (8 * i));
    buf_append(out, header, sizeof header);
    buf_append(out, bytes, length);
}

int64_t frame_parse(const char *text, size_t length, struct frame *frame, struct wgsim_error *err) {
    if (length >= 4 && !is_tag(text))
        return error_set(err, "bytes that begin no frame");
    if (length < FRAME_HEADER_BYTES)
        return 0;
    uint64_t bytes = 0;
    for (int i = 0; i < 8; i++)
        bytes |= (uint64_t)(unsigned char)text[4 + i] << (8 * i);
    if (bytes > FRAME_LIMIT_BYTES)
        return error_set(err, "a %.4s frame of %llu bytes", text, (unsigned long long)bytes);
    if (length - FRAME_HEADER_BYTES < bytes)
        return 0;
    memcpy(frame->tag, text, 4);
    frame->tag[4] = 0;
    frame->bytes = text + FRAME_HEADER_BYTES;
    frame->length = bytes;
    return FRAME_HEADER_BYTES + (int64_t)bytes;
}
