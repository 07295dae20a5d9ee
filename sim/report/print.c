/* Pieces of printed text. */
#include "sim/report/print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void print_colored(struct printer *p, enum print_color color, const char *format, ...) {
    static const char *const codes[] = {"",           "\033[1m",    "\033[2m",
                                        "\033[1;31m", "\033[1;32m", "\033[1;33m"};
    bool colored = p->style->color && color != PRINT_PLAIN;
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (colored)
        buf_puts(p->out, codes[color]);
    buf_puts(p->out, text);
    if (colored)
        buf_puts(p->out, "\033[0m");
}

/* Needs 27 characters. */
static const char *with_commas(uint64_t value, char text[static 32]) {
    char *at = text + 31;
    int digits = 0;

    *at = 0;
    do {
        if (digits && digits % 3 == 0)
            *--at = ',';
        *--at = (char)('0' + value % 10);
        value /= 10;
        digits++;
    } while (value);
    return at;
}

void print_number(struct printer *p, int width, uint64_t value) {
    char text[32];

    buf_printf(p->out, "%*s", width, with_commas(value, text));
}

void print_share(struct printer *p, int width, uint64_t part, uint64_t whole) {
    char text[16];
    double percent = whole ? 100.0 * (double)part / (double)whole : 0;

    if (part == 0 || whole == 0)
        snprintf(text, sizeof text, "-");
    else if (percent < 1)
        snprintf(text, sizeof text, "< 1 %%");
    else
        snprintf(text, sizeof text, "%.0f %%", percent);
    buf_printf(p->out, "%*s", width, text);
}

void print_count(struct printer *p, uint64_t count, const char *singular) {
    print_number(p, 0, count);
    buf_printf(p->out, " %s%s", singular, count == 1 ? "" : "s");
}

void print_triple(struct printer *p, const uint32_t values[3]) {
    int axes = values[2] != 1 ? 3 : values[1] != 1 ? 2 : 1;

    for (int axis = 0; axis < axes; axis++)
        buf_printf(p->out, "%s%" PRIu32, axis ? " x " : "", values[axis]);
}

void print_limiters(struct printer *p, uint32_t limiters) {
    const char *before = "";

    for (int r = 0; r < RESOURCE_COUNT; r++) {
        if (!(limiters >> r & 1))
            continue;
        buf_puts(p->out, before);
        buf_puts(p->out, resource_words[r]);
        before = ", ";
    }
}

void print_place(struct printer *p, const struct wg_site *site) {
    if (site->column)
        print_colored(p, PRINT_BOLD, "%s:%" PRIu32 ":%u", site->file, site->line, site->column);
    else
        print_colored(p, PRINT_BOLD, "%s:%" PRIu32, site->file, site->line);
}

void print_source_line(struct printer *p, const char *file, uint32_t line) {
    const char *text = sources_line(&p->sources, file, line);

    if (!text)
        return;
    print_colored(p, PRINT_DIM, "%8" PRIu32 " |  ", line);
    buf_puts(p->out, text + strspn(text, " \t"));
    buf_puts(p->out, "\n");
}
