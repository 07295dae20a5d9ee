/* Tags on words of storage. */
#include "sim/guard.h"

#include <stdlib.h>

#define OFFSET_MASK ((UINT64_C(1) << WG_LOG_VAR_SHIFT) - 1)

int guard_init(struct guard *guard, const struct launch *launch) {
    *guard = (struct guard){.kernel = launch->kernel};
    for (size_t id = 0; id < launch->kernel->var_limit; id++) {
        const struct wg_var *var = launch->kernel->vars[id];
        if (!var || var->space != WG_SPACE_STORAGE || !launch->buffers[id].data)
            continue;
        guard->words[id] = calloc(launch->buffers[id].bytes / 4 + 1, sizeof *guard->words[id]);
        if (!guard->words[id]) {
            guard_release(guard);
            return -1;
        }
    }
    return 0;
}

void guard_release(struct guard *guard) {
    for (size_t id = 0; id < WG_MAX_VARS; id++) {
        free(guard->words[id]);
        guard->words[id] = NULL;
    }
}

enum touch { TOUCH_READ, TOUCH_WRITE, TOUCH_ATOMIC };

/* Notes an access to a word; true: another workgroup's access to it must come before or after this
 * one. */
static bool meets(struct guard_word *word, uint32_t me, enum touch touch) {
    if (touch == TOUCH_ATOMIC) {
        bool plain = (word->writer != 0 && word->writer != GUARD_ATOMIC) || word->reader != 0;
        word->writer = GUARD_ATOMIC;
        return plain;
    }
    bool other = word->writer != 0 && word->writer != me;
    if (touch == TOUCH_WRITE) {
        other |= word->reader != 0 && word->reader != me;
        word->writer = me;
    } else if (word->reader != me) {
        word->reader = word->reader ? GUARD_SEVERAL : me;
    }
    return other;
}

static enum touch touch_of(const struct wg_site *site) {
    if (site->op == WG_OP_LOAD)
        return TOUCH_READ;
    return site->op == WG_OP_STORE ? TOUCH_WRITE : TOUCH_ATOMIC;
}

void guard_row(void *self, const struct access_row *row) {
    struct guard *guard = self;
    struct guard_word *tags = guard->words[row->first >> WG_LOG_VAR_SHIFT & 127];
    enum touch touch = touch_of(row->site);
    bool conflict = false;

    if (!tags)
        return;
    for (uint32_t rest = row->mask; rest; rest &= rest - 1) {
        uint64_t offset = row->words[__builtin_ctz(rest)] & OFFSET_MASK;
        for (uint64_t word = offset / 4; word * 4 < offset + row->site->bytes; word++)
            conflict |= meets(&tags[word], (uint32_t)row->workgroup->id + 1, touch);
    }
    guard->conflict |= conflict;
}
