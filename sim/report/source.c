/* Lines of source files. A file is read once, when its first line is asked for. */
#include "sim/report/source.h"

#include <stdio.h>
#include <string.h>

enum { BYTES_MAX = 8 << 20, LINES_MAX = 1 << 20 };

struct source_file {
    const char *name;
    char **lines; /* NULL: it cannot be read */
    uint32_t line_count;
    struct source_file *next;
};

void sources_init(struct sources *sources, const char *root) {
    *sources = (struct sources){.root = root};
    arena_init(&sources->arena);
}

void sources_release(struct sources *sources) {
    arena_release(&sources->arena);
}

static FILE *open_file(struct sources *sources, const char *name) {
    const char *path = name;

    if (sources->root && name[0] != '/')
        path = arena_printf(&sources->arena, "%s/%s", sources->root, name);
    return path ? fopen(path, "rb") : NULL;
}

/* The whole file with a NUL behind it. */
static char *read_text(struct sources *sources, const char *name) {
    FILE *stream = open_file(sources, name);
    long size = -1;
    char *text = NULL;

    if (!stream)
        return NULL;
    if (fseek(stream, 0, SEEK_END) == 0)
        size = ftell(stream);
    rewind(stream);
    if (size >= 0 && size <= BYTES_MAX)
        text = arena_alloc(&sources->arena, (size_t)size + 1);
    if (text && fread(text, 1, (size_t)size, stream) != (size_t)size)
        text = NULL;
    fclose(stream);
    return text;
}

static void split(struct sources *sources, struct source_file *file, char *text) {
    uint32_t count = 1;

    for (const char *c = text; *c; c++)
        count += *c == '\n';
    if (count > LINES_MAX || !(file->lines = arena_alloc(&sources->arena, count * sizeof(char *))))
        return;
    for (char *line = text; file->line_count < count;) {
        char *end = line + strcspn(line, "\n"), *next = end + 1;
        file->lines[file->line_count++] = line;
        *end = 0;
        if (end > line && end[-1] == '\r')
            end[-1] = 0;
        line = next;
    }
}

static const struct source_file *file_of(struct sources *sources, const char *name) {
    for (const struct source_file *file = sources->files; file; file = file->next)
        if (strcmp(file->name, name) == 0)
            return file;
    struct source_file *file = arena_alloc(&sources->arena, sizeof *file);
    if (!file)
        return NULL;
    *file = (struct source_file){.name = name, .next = sources->files};
    sources->files = file;
    char *text = read_text(sources, name);
    if (text)
        split(sources, file, text);
    return file;
}

const char *sources_line(struct sources *sources, const char *file, uint32_t line) {
    const struct source_file *found = file_of(sources, file);

    return found && line >= 1 && line <= found->line_count ? found->lines[line - 1] : NULL;
}
