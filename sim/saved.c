/* Copies of buffers. */
#include "sim/saved.h"

#include <stdlib.h>
#include <string.h>

#include "sim/room.h"

int saved_take(struct saved *saved, const struct kernel *kernel, const struct wg_view *views) {
    *saved = (struct saved){0};
    for (size_t id = 0; id < kernel->var_limit; id++) {
        const struct wg_view *view = &views[id];
        if (!saved_concerns(kernel->vars[id]) || !view->data)
            continue;
        saved->copy[id] = room_take(view->bytes);
        if (!saved->copy[id]) {
            saved_release(saved);
            return -1;
        }
        saved->data[id] = view->data;
        saved->bytes[id] = view->bytes;
        memcpy(saved->copy[id], view->data, view->bytes);
    }
    return 0;
}

uint64_t saved_bytes(const struct saved *saved) {
    uint64_t bytes = 0;

    for (size_t id = 0; id < WG_MAX_VARS; id++)
        bytes += saved->copy[id] ? saved->bytes[id] : 0;
    return bytes;
}

void saved_restore(const struct saved *saved) {
    for (size_t id = 0; id < WG_MAX_VARS; id++)
        if (saved->copy[id])
            memcpy(saved->data[id], saved->copy[id], saved->bytes[id]);
}

void saved_release(struct saved *saved) {
    for (size_t id = 0; id < WG_MAX_VARS; id++) {
        free(saved->copy[id]);
        saved->copy[id] = NULL;
    }
}
