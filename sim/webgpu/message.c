/* Condensing the messages of WebGPU implementations. */
#include "sim/webgpu/message.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A stretch of the message. */
struct span {
    const char *at;
    size_t length;
};

static struct span trim(struct span s) {
    while (s.length && isspace((unsigned char)s.at[0]))
        s.at++, s.length--;
    while (s.length && isspace((unsigned char)s.at[s.length - 1]))
        s.length--;
    return s;
}

/* Takes the next line that is not blank off rest; an empty span at the end. */
static struct span next_line(struct span *rest) {
    struct span line = {rest->at, 0};
    while (rest->length && line.length == 0) {
        const char *end = memchr(rest->at, '\n', rest->length);
        size_t length = end ? (size_t)(end - rest->at) : rest->length;
        line = trim((struct span){rest->at, length});
        length += end != NULL;
        rest->at += length;
        rest->length -= length;
    }
    return line;
}

static bool starts(struct span s, const char *prefix) {
    size_t length = strlen(prefix);
    return s.length >= length && memcmp(s.at, prefix, length) == 0;
}

static struct span skip(struct span s, size_t count) {
    return (struct span){s.at + count, s.length - count};
}

/* What follows the first occurrence of text, or s itself. */
static struct span after(struct span s, const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= s.length; i++)
        if (memcmp(s.at + i, text, length) == 0)
            return skip(s, i + length);
    return s;
}

/* Reads "LINE:COLUMN" from the start of *s and takes it off. */
static bool take_place(struct span *s, unsigned *line, unsigned *column) {
    unsigned values[2];
    for (int i = 0; i < 2; i++) {
        if (i == 1 && !starts(*s, ":"))
            return false;
        *s = skip(*s, i == 1);
        if (!s->length || !isdigit((unsigned char)s->at[0]))
            return false;
        for (values[i] = 0; s->length && isdigit((unsigned char)s->at[0]); *s = skip(*s, 1))
            values[i] = values[i] * 10 + (unsigned)(s->at[0] - '0');
    }
    *line = values[0];
    *column = values[1];
    return true;
}

struct line {
    char *out;
    size_t size, used;
};

static void add(struct line *line, const char *separator, struct span s) {
    if (s.length == 0 || line->used >= line->size)
        return;
    int count = snprintf(line->out + line->used, line->size - line->used, "%s%.*s",
                         line->used ? separator : "", (int)s.length, s.at);
    line->used += count > 0 ? (size_t)count : 0;
}

/* "Validation Error", "Caused by:", "In wgpuFunction...", then causes one a line, innermost last; a
 * picture of the source begins with its place and goes on to a blank line, notes in it with "=". */
static void condense_wgpu(struct span rest, struct line *out) {
    static const char picture[] = "\xe2\x94\x8c\xe2\x94\x80 wgsl:";
    struct line causes = {out->out + 32, out->size - 32, 0};
    unsigned line = 0, column = 0;
    for (struct span s = next_line(&rest); s.length; s = next_line(&rest)) {
        if (starts(s, picture)) {
            struct span place = skip(s, sizeof picture - 1);
            if (line == 0)
                take_place(&place, &line, &column);
        } else if (starts(s, "= ")) {
            add(&causes, "; ", skip(s, 2));
        } else if (line == 0 && !starts(s, "In wgpu") && !starts(s, "Caused by:") &&
                   !starts(s, "Validation Error")) {
            add(&causes, ": ", after(after(s, "parsing error: "), "validation error: "));
        }
    }
    int prefix = line ? snprintf(out->out, 32, "%u:%u: ", line, column) : 0;
    if (causes.used == 0)
        causes.out[0] = 0;
    memmove(out->out + prefix, causes.out, strlen(causes.out) + 1);
}

/* "Error while parsing WGSL: :LINE:COLUMN error: TEXT" and a picture; or TEXT and " - While ..."
 * lines, of which the first says most. */
static void condense_dawn(struct span rest, struct line *out) {
    static const char parsing[] = "Error while parsing WGSL: :";
    struct span first = next_line(&rest);
    unsigned line, column;
    if (starts(first, parsing)) {
        struct span text = skip(first, sizeof parsing - 1);
        char place[32];
        if (take_place(&text, &line, &column)) {
            snprintf(place, sizeof place, "%u:%u:", line, column);
            add(out, "", (struct span){place, strlen(place)});
        }
        add(out, " ", trim(after(text, "error: ")));
        return;
    }
    add(out, "", first);
    struct span second = next_line(&rest);
    if (starts(second, "- While "))
        add(out, " while ", skip(second, strlen("- While ")));
}

void message_condense(const char *text, size_t length, char *out, size_t size) {
    struct span all = trim((struct span){text, length});
    struct line line = {out, size, 0};
    out[0] = 0;
    if (starts(all, "Validation Error"))
        condense_wgpu(all, &line);
    else
        condense_dawn(all, &line);
}
