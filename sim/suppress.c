/* Rules of suppression. */
#include "sim/suppress.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/read_file.h"
#include "sim/units.h"

enum { FILE_LIMIT_BYTES = 1 << 20 };

static struct suppress_rule *new_rule(struct suppress *suppress) {
    if (suppress->count == suppress->capacity) {
        size_t capacity = suppress->capacity ? suppress->capacity * 2 : 16;
        struct suppress_rule *grown =
            arena_alloc(&suppress->arena, capacity * sizeof *suppress->rules);
        if (!grown)
            return NULL;
        if (suppress->count)
            memcpy(grown, suppress->rules, suppress->count * sizeof *grown);
        suppress->rules = grown;
        suppress->capacity = capacity;
    }
    return &suppress->rules[suppress->count++];
}

static int read_line_number(struct suppress_rule *rule, const char *value,
                            struct wgsim_error *err) {
    if (rule->line)
        return error_set(err, "line= is given twice");
    if (parse_u32(value, &rule->line, err) < 0)
        return -1;
    return rule->line ? 0 : error_set(err, "line=0: lines count from 1");
}

static int read_pattern(const char **pattern, const char *key, const char *value,
                        struct wgsim_error *err) {
    if (*pattern)
        return error_set(err, "%s= is given twice", key);
    if (!*value)
        return error_set(err, "%s= names nothing", key);
    *pattern = value;
    return 0;
}

/* Reads "name=value" into a rule. */
static int read_condition(struct suppress_rule *rule, char *word, struct wgsim_error *err) {
    char *value = strchr(word, '=');

    if (!value)
        return error_set(err, "'%s' is not file=, line= or variable=", word);
    *value++ = 0;
    if (strcmp(word, "file") == 0)
        return read_pattern(&rule->file, word, value, err);
    if (strcmp(word, "variable") == 0)
        return read_pattern(&rule->variable, word, value, err);
    if (strcmp(word, "line") == 0)
        return read_line_number(rule, value, err);
    return error_set(err, "'%s' is not file, line or variable", word);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* A comment begins where a word could: names have a '#' inside. */
static void cut_comment(char *line) {
    for (char *c = line; *c; c++)
        if (*c == '#' && (c == line || is_blank(c[-1]))) {
            *c = 0;
            return;
        }
}

static int read_rule(struct suppress *suppress, char *line, struct wgsim_error *err) {
    const char *blank = " \t\r";
    char *rest, *word = strtok_r(line, blank, &rest);

    if (!word)
        return 0;
    struct suppress_rule *rule = new_rule(suppress);
    if (!rule)
        return error_set(err, "out of memory");
    *rule = (struct suppress_rule){0};
    if (finding_set_parse(word, &rule->kinds, err) < 0)
        return -1;
    if (!rule->kinds)
        return error_set(err, "'%s' is no kind of finding", word);
    while ((word = strtok_r(NULL, blank, &rest)))
        if (read_condition(rule, word, err) < 0)
            return -1;
    return 0;
}

int suppress_parse(struct suppress *suppress, const char *text, size_t length, const char *name,
                   struct wgsim_error *err) {
    static const char mark[] = "\xef\xbb\xbf"; /* editors put it in front of UTF-8 */
    const char *end = text + length;
    struct wgsim_error why;
    unsigned number = 0;

    *suppress = (struct suppress){0};
    arena_init(&suppress->arena);
    if (length >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0)
        text += strlen(mark);
    while (text < end) {
        const char *next = memchr(text, '\n', (size_t)(end - text));
        size_t line_length = (size_t)((next ? next : end) - text);
        number++;
        if (memchr(text, 0, line_length))
            return error_set(err, "%s:%u: a byte 0: not a text", name, number);
        char *line = arena_printf(&suppress->arena, "%.*s", (int)line_length, text);
        if (!line)
            return error_set(err, "out of memory");
        cut_comment(line);
        if (read_rule(suppress, line, &why) < 0)
            return error_set(err, "%s:%u: %s", name, number, why.message);
        text = next ? next + 1 : end;
    }
    return 0;
}

int suppress_read(struct suppress *suppress, const char *path, struct wgsim_error *err) {
    size_t length;
    char *text = read_file(path, "rules", FILE_LIMIT_BYTES, &length, err);

    *suppress = (struct suppress){0};
    int result = text ? suppress_parse(suppress, text, length, path, err) : -1;
    free(text);
    return result;
}

void suppress_release(struct suppress *suppress) {
    arena_release(&suppress->arena);
    *suppress = (struct suppress){0};
}

/* A pattern without a slash is compared with the name of the file alone. */
static bool file_matches(const char *pattern, const char *file) {
    const char *name = strrchr(file, '/');

    if (!strchr(pattern, '/') && name)
        file = name + 1;
    return fnmatch(pattern, file, 0) == 0;
}

static bool place_matches(const struct suppress_rule *rule, const char *file, uint32_t line) {
    return (!rule->file || (file && file_matches(rule->file, file))) &&
           (!rule->line || rule->line == line);
}

static bool site_matches(const struct suppress_rule *rule, const struct wg_site *site) {
    return site && place_matches(rule, site->file, site->line);
}

static bool applies(const struct suppress_rule *rule, const struct finding *finding) {
    if (!(rule->kinds >> finding->kind & 1))
        return false;
    if (rule->variable &&
        (!finding->variable || fnmatch(rule->variable, finding->variable, 0) != 0))
        return false;
    return site_matches(rule, finding->first.site) || site_matches(rule, finding->second.site) ||
           place_matches(rule, finding->file, finding->line);
}

size_t suppress_apply(const struct suppress *suppress, struct findings *findings) {
    size_t kept = 0, before = findings->count;

    for (size_t i = 0; i < before; i++) {
        bool hidden = false;
        for (size_t r = 0; r < suppress->count; r++)
            hidden |= applies(&suppress->rules[r], &findings->items[i]);
        if (!hidden)
            findings->items[kept++] = findings->items[i];
    }
    findings->count = kept;
    return before - kept;
}
