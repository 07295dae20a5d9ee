/* What the parts of a printed report have in common. */
#ifndef SIM_REPORT_PRINT_H
#define SIM_REPORT_PRINT_H

#include "sim/report/source.h"
#include "sim/report/text.h"

enum print_color { PRINT_PLAIN, PRINT_BOLD, PRINT_DIM, PRINT_RED, PRINT_GREEN, PRINT_YELLOW };

struct wait_group;

struct printer {
    const struct report *report;
    const struct report_style *style;
    struct buf *out;
    struct sources sources;
    struct arena arena; /* scratch */
};

/* Text in a colour, if the style has colours. */
void print_colored(struct printer *p, enum print_color color, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "1,234,567", at least so many characters wide. */
void print_number(struct printer *p, int width, uint64_t value);
/* part of whole as "12 %", "< 1 %" or "-". */
void print_share(struct printer *p, int width, uint64_t part, uint64_t whole);
/* "1 workgroup", "2 workgroups". */
void print_count(struct printer *p, uint64_t count, const char *singular);
/* "4", "4 x 2", "4 x 2 x 1": axes that are 1 at the end are left out. */
void print_triple(struct printer *p, const uint32_t values[3]);
/* "invocations, subgroups", with "workgroup memory" for workgroup_memory. */
void print_limiters(struct printer *p, uint32_t limiters);
/* "kernels/reduce.c:14" or with the column behind. */
void print_place(struct printer *p, const struct wg_site *site);
/* The line of the source, as "    21 |  while ..."; nothing where it cannot be read. */
void print_source_line(struct printer *p, const char *file, uint32_t line);

extern const char *const print_cause_words[TIMING_CAUSE_COUNT];

/* A line, where something is unusual. */
void print_scheduling(struct printer *p);

/* The parts, each beginning with an empty line if there is anything to say. */
void print_stop(struct printer *p);
void print_explanation(struct printer *p);
/* groups[0] says whom most wait for. */
void print_picture(struct printer *p, const struct wait_group *groups);
void print_findings(struct printer *p);
/* One line, or none. */
void print_findings_summary(struct printer *p);
void print_lines(struct printer *p);
void print_variables(struct printer *p);
void print_time(struct printer *p);

#endif
