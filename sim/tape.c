/* Writing and comparing. */
#include "sim/tape.h"

#include <stdlib.h>
#include <string.h>

void tape_write(struct tape *tape) {
    tape->length = 0;
    tape->comparing = tape->differs = tape->failed = false;
}

void tape_compare(struct tape *tape) {
    tape->at = 0;
    tape->comparing = true;
    tape->differs = false;
}

static void compare(struct tape *tape, const void *bytes, size_t count) {
    tape->differs = tape->differs || count > tape->length - tape->at ||
                    memcmp(tape->bytes + tape->at, bytes, count) != 0;
    tape->at += count;
}

static bool make_room(struct tape *tape, size_t count) {
    if (count <= tape->capacity - tape->length)
        return true;
    size_t capacity = tape->length + count + tape->capacity;
    uint8_t *grown = realloc(tape->bytes, capacity);
    if (!grown) {
        tape->failed = true;
        return false;
    }
    tape->bytes = grown;
    tape->capacity = capacity;
    return true;
}

void tape_put(struct tape *tape, const void *bytes, size_t count) {
    if (count == 0 || tape->failed || (tape->comparing && tape->differs))
        return;
    if (tape->comparing) {
        compare(tape, bytes, count);
    } else if (make_room(tape, count)) {
        memcpy(tape->bytes + tape->length, bytes, count);
        tape->length += count;
    }
}

bool tape_same(const struct tape *tape) {
    return !tape->differs && !tape->failed && tape->at == tape->length;
}

void tape_release(struct tape *tape) {
    free(tape->bytes);
    *tape = (struct tape){0};
}
