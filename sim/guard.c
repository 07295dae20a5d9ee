/* Tags on words of storage. */
#include "sim/guard.h"

#include <stdlib.h>
#include <string.h>

#include "sim/room.h"
#include "sim/word.h"

static int tags_init(struct guard_tags *tags, uint64_t bytes) {
    tags->pages = bytes / 4 / GUARD_PAGE_WORDS + 1;
    tags->words = room_take(tags->pages * GUARD_PAGE_WORDS * sizeof *tags->words);
    tags->ready = calloc(tags->pages, sizeof *tags->ready);
    return tags->words && tags->ready ? 0 : -1;
}

int guard_init(struct guard *guard, const struct launch *launch) {
    *guard = (struct guard){.kernel = launch->kernel};
    for (size_t id = 0; id < launch->kernel->var_limit; id++) {
        const struct wg_var *var = launch->kernel->vars[id];
        if (var && var->space == WG_SPACE_STORAGE && launch->buffers[id].data &&
            tags_init(&guard->tags[id], launch->buffers[id].bytes) < 0) {
            guard_release(guard);
            return -1;
        }
    }
    return 0;
}

void guard_release(struct guard *guard) {
    for (size_t id = 0; id < WG_MAX_VARS; id++) {
        free(guard->tags[id].words);
        free(guard->tags[id].ready);
        guard->tags[id] = (struct guard_tags){0};
    }
}

/* Words from one to another, which is one of them. Memory that is written before it is read costs
 * the system one page fault, not two, of which the second stops all threads. */
static struct guard_word *words_at(struct guard_tags *tags, size_t from, size_t to) {
    for (size_t page = from / GUARD_PAGE_WORDS; page <= to / GUARD_PAGE_WORDS; page++) {
        if (tags->ready[page])
            continue;
        memset(tags->words + page * GUARD_PAGE_WORDS, 0, GUARD_PAGE_WORDS * sizeof *tags->words);
        tags->ready[page] = true;
    }
    return tags->words + from;
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

/* The same for words side by side, two at a time. */
static bool meets_any(struct guard_word *words, uint32_t count, uint32_t me, enum touch touch) {
    typedef uint32_t pair __attribute__((vector_size(16), aligned(4), may_alias));
    const pair mine = {me, me, me, me}, writers = {UINT32_MAX, 0, UINT32_MAX, 0};
    pair other = {0};
    uint32_t i = 0;
    bool last = false;

    for (; touch != TOUCH_ATOMIC && i + 2 <= count; i += 2) {
        pair *tags = (pair *)(void *)(words + i), strange = *tags != mine, known = *tags != 0;
        if (touch == TOUCH_WRITE) {
            other |= strange & known;
            *tags = (*tags & ~writers) | (mine & writers);
        } else {
            other |= strange & known & writers;
            *tags |= (mine | (strange & known)) & ~writers;
        }
    }
    for (; i < count; i++)
        last |= meets(&words[i], me, touch);
    return last || (other[0] | other[1] | other[2] | other[3]) != 0;
}

/* Lanes that touch a word each, side by side, at once. */
static bool meets_segment(struct guard_tags *tags, const struct access_row *row,
                          const struct segment *segment, uint32_t me, enum touch touch) {
    uint32_t bytes = row->site->bytes;
    uint64_t offset = (row->first + row->shape->pattern[segment->lane]) & WORD_OFFSET;
    bool conflict = false;

    if (offset % 4 == 0 && bytes == 4 && segment->step == 4)
        return meets_any(words_at(tags, offset / 4, offset / 4 + segment->count - 1),
                         segment->count, me, touch);
    for (uint32_t i = 0; i < segment->count; i++, offset += (uint64_t)(int64_t)segment->step)
        for (uint64_t word = offset / 4; word * 4 < offset + bytes; word++)
            conflict |= meets(words_at(tags, word, word), me, touch);
    return conflict;
}

void guard_row(void *self, const struct access_row *row) {
    struct guard *guard = self;
    struct guard_tags *tags = &guard->tags[word_var(row->first)];
    enum touch touch = touch_of(row->site);
    bool conflict = false;

    if (!tags->words)
        return;
    for (uint32_t i = 0; i < row->shape->segment_count; i++)
        conflict |= meets_segment(tags, row, &row->shape->segments[i],
                                  (uint32_t)row->workgroup->id + 1, touch);
    guard->conflict |= conflict;
}

static bool join_words(struct guard_word *words, const struct guard_word *others) {
    uint32_t meet = 0;

    for (size_t i = 0; i < GUARD_PAGE_WORDS; i++) {
        struct guard_word a = words[i], b = others[i];
        meet |= (uint32_t)(a.writer != 0) & (uint32_t)((b.writer | b.reader) != 0);
        meet |= (uint32_t)(b.writer != 0) & (uint32_t)(a.reader != 0);
        words[i] = (struct guard_word){a.writer | b.writer, a.reader | b.reader};
    }
    return meet;
}

static bool join_tags(struct guard_tags *tags, const struct guard_tags *others) {
    bool meet = false;

    for (size_t page = 0; page < tags->pages; page++) {
        size_t first = page * GUARD_PAGE_WORDS;
        if (others->ready[page])
            meet |= join_words(words_at(tags, first, first), others->words + first);
    }
    return meet;
}

bool guard_join(struct guard *guard, const struct guard *other) {
    bool meet = false;

    for (size_t id = 0; id < WG_MAX_VARS; id++)
        if (guard->tags[id].words)
            meet |= join_tags(&guard->tags[id], &other->tags[id]);
    return meet;
}
