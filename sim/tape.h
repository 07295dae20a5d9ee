/* Bytes written one part after the other, or read in the same order to be compared with what is
 * there: one function then serves both. */
#ifndef SIM_TAPE_H
#define SIM_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed struct is an empty tape. */
struct tape {
    uint8_t *bytes;
    size_t length, capacity;
    size_t at; /* compared so far */
    bool comparing;
    bool differs; /* comparing: something did; the rest is skipped */
    bool failed;  /* out of memory */
};

void tape_write(struct tape *tape);   /* from the start, over what is there */
void tape_compare(struct tape *tape); /* from the start */
void tape_put(struct tape *tape, const void *bytes, size_t count);
static inline void tape_number(struct tape *tape, uint64_t number) {
    tape_put(tape, &number, sizeof number);
}
/* Comparing is over: whether all was the same. */
bool tape_same(const struct tape *tape);
void tape_release(struct tape *tape);

#endif
