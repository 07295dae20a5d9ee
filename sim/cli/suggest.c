/* "did you mean". */
#include "sim/cli/suggest.h"

#include <string.h>

enum { LONGEST = 63 };

static size_t min3(size_t a, size_t b, size_t c) {
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Levenshtein distance; names longer than LONGEST are as far as can be. */
static size_t edit_distance(const char *a, const char *b) {
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > LONGEST || b_length > LONGEST)
        return LONGEST;
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = min3(replaced, row[j] + 1, row[j - 1] + 1);
        }
    }
    return row[b_length];
}

struct suggestion suggestion_for(const char *typed) {
    /* One edit and one more for each three letters: "rnu" is near "run", "xyz" is not. */
    return (struct suggestion){.typed = typed, .distance = 2 + strlen(typed) / 3};
}

void suggestion_offer(struct suggestion *suggestion, const char *name) {
    size_t distance = edit_distance(suggestion->typed, name);
    if (distance < suggestion->distance) {
        suggestion->distance = distance;
        suggestion->best = name;
    }
}
