/* Shards and their files. */
#include "sim/cli/shard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/cli/line.h"
#include "sim/error.h"
#include "sim/read_file.h"
#include "sim/units.h"

static const char schema[] = "wgsim-shard/1";

enum { SHARDS_MAX = 1 << 20, ITEMS_MAX = 1 << 28, LINE_LIMIT_MIB = 16, FILE_LIMIT_GIB = 4 };

static int cannot(const char *verb, const char *path, const char *why, struct wgsim_error *err) {
    return error_set(err, "cannot %s %s: %s", verb, *path ? path : "''", why);
}

int shard_parse(struct shard *shard, const char *text, struct wgsim_error *err) {
    char index[16];
    const char *slash = text ? strchr(text, '/') : NULL;

    *shard = (struct shard){1, 1};
    if (!text)
        return 0;
    size_t length = slash ? (size_t)(slash - text) : sizeof index;
    if (length < sizeof index) {
        memcpy(index, text, length);
        index[length] = 0;
    }
    if (length >= sizeof index || parse_u32(index, &shard->index, NULL) < 0 ||
        parse_u32(slash + 1, &shard->count, NULL) < 0 || shard->index < 1 ||
        shard->index > shard->count || shard->count > SHARDS_MAX)
        return error_set(err, "--shard: '%s' is not I/N with I from 1 to N", text);
    return 0;
}

/* ---- Reading ---- */

int shard_results_init(struct shard_results *results, const char *work, json_t *about, size_t count,
                       struct wgsim_error *err) {
    *results = (struct shard_results){.about = about, .count = count};
    snprintf(results->work, sizeof results->work, "%s", work);
    results->items = calloc(count + 1, sizeof(json_t *));
    return results->items ? 0 : error_set(err, "out of memory");
}

void shard_results_release(struct shard_results *results) {
    for (size_t i = 0; results->items && i < results->count; i++)
        json_decref(results->items[i]);
    free(results->items);
    json_decref(results->about);
    *results = (struct shard_results){0};
}

static bool same_about(const json_t *a, const json_t *b) {
    return a && b ? json_equal(a, b) : a == b;
}

static int read_header(struct shard_results *results, const json_t *line, const char *path,
                       struct wgsim_error *err) {
    const char *name = json_string_value(json_object_get(line, "schema"));
    const char *work = json_string_value(json_object_get(line, "work"));
    json_t *about = json_object_get(line, "about");
    json_int_t count = json_integer_value(json_object_get(line, "items"));

    if (!name || strcmp(name, schema) != 0 || !work || strlen(work) >= sizeof results->work ||
        count < 0 || count > ITEMS_MAX)
        return error_set(err, "%s: is no file of finished items", path);
    if (!results->items)
        return shard_results_init(results, work, json_incref(about), (size_t)count, err);
    if (strcmp(work, results->work) != 0 || (size_t)count != results->count ||
        !same_about(about, results->about))
        return error_set(err, "%s: holds items of other work", path);
    return 0;
}

static void read_item(struct shard_results *results, const json_t *line) {
    const json_t *number = json_object_get(line, "item");
    json_t *result = json_object_get(line, "result");
    size_t item = (size_t)json_integer_value(number);

    if (!json_is_integer(number) || !json_is_object(result) || item >= results->count ||
        results->items[item])
        return;
    results->items[item] = json_incref(result);
    results->present++;
}

/* The last line of a file has no end. first: it, if it is the first as well. */
static int note_torn(struct shard_results *results, const char *first, const char *path,
                     struct wgsim_error *err) {
    static const char start[] = "{\"schema\":\"wgsim-shard/";

    if (first && strncmp(first, start, strnlen(first, sizeof start - 1)) != 0)
        return error_set(err, "%s: is no file of finished items", path);
    if (!*results->torn)
        snprintf(results->torn, sizeof results->torn, "%s", path);
    return 0;
}

static int read_line(struct shard_results *results, const struct buf *line, bool first,
                     const char *path, struct wgsim_error *err) {
    json_t *json = json_loadb(line->data, line->len, 0, NULL);
    int result = 0;

    if (first)
        result = read_header(results, json, path, err);
    else
        read_item(results, json);
    json_decref(json);
    return result;
}

/* Whether the file, of which `end` bytes and a line have been read, is still one to read. */
static int check_extent(const struct buf *line, off_t end, const char *path,
                        struct wgsim_error *err) {
    if (line->failed)
        return error_set(err, "out of memory");
    if (line->len > (size_t)LINE_LIMIT_MIB << 20)
        return error_set(err, "%s: has a line over %d MiB: too long for an item", path,
                         LINE_LIMIT_MIB);
    if (end >> 30 >= FILE_LIMIT_GIB)
        return error_set(err, "%s is over %d GiB: too long for items", path, FILE_LIMIT_GIB);
    return 0;
}

/* Reads lines that are complete; *end is where they end. */
static int read_lines(struct shard_results *results, FILE *file, const char *path, off_t *end,
                      struct wgsim_error *err) {
    struct buf line = {0};
    int result = 0;

    *end = 0;
    while (result == 0 && line_read(&line, (size_t)LINE_LIMIT_MIB << 20, file)) {
        result = check_extent(&line, *end, path, err);
        if (result == 0 && line.data[line.len - 1] != '\n') {
            result = note_torn(results, *end ? NULL : line.data, path, err);
            break;
        }
        if (result == 0)
            result = read_line(results, &line, *end == 0, path, err);
        *end += (off_t)line.len;
    }
    buf_release(&line);
    if (result == 0 && ferror(file))
        result = cannot("read", path, read_file_error(errno), err);
    return result;
}

int shard_results_read(struct shard_results *results, const char *path, struct wgsim_error *err) {
    FILE *file = fopen(path, "re");
    off_t end;

    if (!file)
        return cannot("read", path, strerror(errno), err);
    int result = read_lines(results, file, path, &end, err);
    fclose(file);
    return result;
}

bool shard_results_are_of(const struct shard_results *results, const char *kind) {
    size_t length = strlen(kind);

    return strncmp(results->work, kind, length) == 0 && results->work[length] == '-';
}

/* "4, 9-12" */
static void name_missing(const struct shard_results *results, char *text, size_t bytes) {
    size_t at = 0;

    for (size_t i = 0; i < results->count && at + 48 < bytes; i++) {
        size_t first = i;
        if (results->items[i])
            continue;
        while (i + 1 < results->count && !results->items[i + 1])
            i++;
        at += (size_t)snprintf(text + at, bytes - at, "%s%zu", at ? ", " : "", first);
        if (i > first)
            at += (size_t)snprintf(text + at, bytes - at, "-%zu", i);
    }
}

int shard_results_complete(const struct shard_results *results, struct wgsim_error *err) {
    char missing[512] = "";

    if (results->present == results->count)
        return 0;
    name_missing(results, missing, sizeof missing);
    return error_set(err, "%zu of %zu items are missing: %s%s%s%s",
                     results->count - results->present, results->count, missing,
                     *results->torn ? "; " : "", results->torn,
                     *results->torn ? " breaks off in its last line" : "");
}

/* ---- Writing ---- */

static int write_line(FILE *file, const char *path, json_t *line, struct wgsim_error *err) {
    int result = line ? json_dumpf(line, file, JSON_COMPACT) : -1;

    json_decref(line);
    if (result < 0 || putc('\n', file) == EOF || fflush(file) == EOF)
        return cannot("append to", path, strerror(errno), err);
    return 0;
}

static json_t *header_of(const struct shard_results *results) {
    return json_pack("{s:s, s:s, s:I, s:O*}", "schema", schema, "work", results->work, "items",
                     (json_int_t)results->count, "about", results->about);
}

/* Locks the file, reads it, and takes away what a crash left of its last line. */
static int open_at_end(FILE *file, const char *path, struct shard_results *results,
                       struct wgsim_error *err) {
    struct stat info;
    off_t end;

    if (fstat(fileno(file), &info) == 0 && !S_ISREG(info.st_mode))
        return cannot("append to", path, "it is no regular file", err);
    if (flock(fileno(file), LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
        return cannot("append to", path, "another process does", err);
    rewind(file);
    if (read_lines(results, file, path, &end, err) < 0)
        return -1;
    if (ftruncate(fileno(file), end) < 0 || fseek(file, 0, SEEK_END) < 0)
        return cannot("append to", path, strerror(errno), err);
    *results->torn = '\0';
    return end == 0 ? write_line(file, path, header_of(results), err) : 0;
}

FILE *shard_open(const char *path, struct shard_results *results, struct wgsim_error *err) {
    FILE *file = fopen(path, "a+e");

    if (!file) {
        cannot("append to", path, read_file_error(errno), err);
        return NULL;
    }
    if (open_at_end(file, path, results, err) < 0) {
        fclose(file);
        return NULL;
    }
    return file;
}

int shard_append(FILE *file, const char *path, size_t item, const json_t *result,
                 struct wgsim_error *err) {
    return write_line(file, path,
                      json_pack("{s:I, s:O}", "item", (json_int_t)item, "result", (json_t *)result),
                      err);
}
