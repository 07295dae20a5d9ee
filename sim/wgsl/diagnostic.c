/* Errors and warnings about a shader. */
#include "sim/wgsl/diagnostic.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void wgsl_diagnostics_init(struct wgsl_diagnostics *list) {
    memset(list, 0, sizeof *list);
    arena_init(&list->arena);
}

void wgsl_diagnostics_release(struct wgsl_diagnostics *list) {
    arena_release(&list->arena);
    memset(list, 0, sizeof *list);
}

static const char *format_text(struct wgsl_diagnostics *list, const char *format, va_list args) {
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    const char *copy = arena_strdup(&list->arena, text);
    return copy ? copy : "out of memory";
}

struct wgsl_diagnostic *wgsl_diagnose(struct wgsl_diagnostics *list, enum wgsl_severity severity,
                                      struct wgsl_span span, const char *format, ...) {
    if (severity == WGSL_OFF)
        return NULL;
    if (severity == WGSL_ERROR && list->error_count++ >= WGSL_MAX_ERRORS)
        return NULL;
    struct wgsl_diagnostic *d = arena_alloc(&list->arena, sizeof *d);
    if (!d)
        return NULL;
    d->severity = severity;
    d->span = span;
    va_list args;
    va_start(args, format);
    d->message = format_text(list, format, args);
    va_end(args);
    if (list->last)
        list->last->next = d;
    else
        list->first = d;
    list->last = d;
    return d;
}

void wgsl_note(struct wgsl_diagnostics *list, struct wgsl_diagnostic *diagnostic,
               struct wgsl_span span, const char *format, ...) {
    if (!diagnostic)
        return;
    diagnostic->note_span = span;
    va_list args;
    va_start(args, format);
    diagnostic->note = format_text(list, format, args);
    va_end(args);
}

/* The text of a line, without its end. */
static const char *find_line(const struct wgsl_file *file, uint32_t line, size_t *length) {
    const char *p = file->text, *end = file->text + file->length;
    for (uint32_t n = 1; n < line && p < end; n++) {
        size_t part = strcspn(p, "\r\n");
        if ((size_t)(end - p) < part + 1)
            return NULL;
        p += part;
        p += p + 1 < end && p[0] == '\r' && p[1] == '\n' ? 2 : 1;
    }
    *length = strcspn(p, "\r\n");
    return p;
}

/* The line with a caret under the place; tabs are kept so that the caret lines up. */
static void print_line(const struct wgsl_diagnostics *list, struct wgsl_span span,
                       struct buf *out) {
    size_t length = 0;
    const char *line = find_line(&list->files[span.file], span.line, &length);
    if (!line || span.column > length + 1)
        return;
    size_t shown = length > 200 ? 200 : length;
    if (span.column > shown)
        return;
    buf_puts(out, "    ");
    buf_append_plain(out, line, shown);
    buf_puts(out, "\n    ");
    for (size_t i = 0; i + 1 < span.column; i++)
        if (line[i] == '\t')
            buf_puts(out, "\t");
        else if (((unsigned char)line[i] & 0xc0) != 0x80) /* one per code point */
            buf_puts(out, " ");
    buf_puts(out, "^");
    for (size_t i = span.column; i + 1 < span.column + (size_t)span.length && i < shown; i++)
        if (((unsigned char)line[i] & 0xc0) != 0x80)
            buf_puts(out, "~");
    buf_puts(out, "\n");
}

static void print_part(const struct wgsl_diagnostics *list, struct wgsl_span span,
                       const char *label, const char *message, struct buf *out) {
    bool placed = span.line && span.file < list->file_count;
    if (placed)
        buf_printf(out, "%s:%u:%u: ", list->files[span.file].name, span.line, span.column);
    else if (list->file_count)
        buf_printf(out, "%s: ", list->files[0].name);
    buf_printf(out, "%s: ", label);
    buf_append_plain(out, message, strlen(message));
    buf_puts(out, "\n");
    if (placed)
        print_line(list, span, out);
}

void wgsl_diagnostics_print(const struct wgsl_diagnostics *list, struct buf *out) {
    static const char *const labels[] = {"", "info", "warning", "error"};
    for (const struct wgsl_diagnostic *d = list->first; d; d = d->next) {
        print_part(list, d->span, labels[d->severity], d->message, out);
        if (d->note)
            print_part(list, d->note_span, "note", d->note, out);
    }
    if (list->error_count > WGSL_MAX_ERRORS)
        buf_printf(out, "%u more errors\n", list->error_count - WGSL_MAX_ERRORS);
}
