/* Findings that the user does not want to hear of: a file with one rule a line,
 *     KIND [file=PATTERN] [line=N] [variable=PATTERN]
 * where KIND is a kind of finding or `all`, patterns are those of the shell, and a `#` where a word
 * could begin begins a comment. No condition is empty or given twice. A rule applies to a finding
 * of which all that it names is true; a file or line, of one of its places. */
#ifndef SIM_SUPPRESS_H
#define SIM_SUPPRESS_H

#include "sim/finding.h"

struct suppress_rule {
    finding_set kinds;
    const char *file, *variable; /* NULL: any */
    uint32_t line;               /* 0: any */
};

struct suppress {
    struct arena arena;
    struct suppress_rule *rules;
    size_t count, capacity;
};

/* Reads a file of rules; messages name it and the line. Must be released either way. */
int suppress_read(struct suppress *suppress, const char *path, struct wgsim_error *err);
/* Reads rules from so many bytes of text; `name` is what messages call it. */
int suppress_parse(struct suppress *suppress, const char *text, size_t length, const char *name,
                   struct wgsim_error *err);
void suppress_release(struct suppress *suppress);

/* Takes the findings out to which a rule applies; returns how many. */
size_t suppress_apply(const struct suppress *suppress, struct findings *findings);

#endif
