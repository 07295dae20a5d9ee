/* Errors and warnings about a shader. */
#ifndef WGSIM_WGSL_DIAGNOSTIC_H
#define WGSIM_WGSL_DIAGNOSTIC_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/arena.h"
#include "sim/buf.h"
#include "sim/wgsl/source.h"

enum wgsl_severity { WGSL_OFF, WGSL_INFO, WGSL_WARNING, WGSL_ERROR };

struct wgsl_diagnostic {
    struct wgsl_diagnostic *next;
    enum wgsl_severity severity;
    struct wgsl_span span; /* line 0: about the shader as a whole */
    const char *message;   /* one sentence, lower case, no full stop */
    struct wgsl_span note_span;
    const char *note; /* NULL, or what the second place has to do with it */
};

/* All diagnostics of one shader in the order found. The list owns its texts; files are borrowed
 * from the module. After WGSL_MAX_ERRORS errors further ones are counted but not kept. */
struct wgsl_diagnostics {
    struct arena arena;
    struct wgsl_diagnostic *first;
    struct wgsl_diagnostic *last;
    uint32_t error_count;
    const struct wgsl_file *files;
    uint32_t file_count;
};

enum { WGSL_MAX_ERRORS = 20 };

void wgsl_diagnostics_init(struct wgsl_diagnostics *list);
void wgsl_diagnostics_release(struct wgsl_diagnostics *list);

/* Appends one diagnostic and returns it, or NULL when it is not kept. */
struct wgsl_diagnostic *wgsl_diagnose(struct wgsl_diagnostics *list, enum wgsl_severity severity,
                                      struct wgsl_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds the second place to a diagnostic; diagnostic may be NULL. */
void wgsl_note(struct wgsl_diagnostics *list, struct wgsl_diagnostic *diagnostic,
               struct wgsl_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Writes all of them for a person: file:line:column, the line, a caret under it. */
void wgsl_diagnostics_print(const struct wgsl_diagnostics *list, struct buf *out);

#endif
