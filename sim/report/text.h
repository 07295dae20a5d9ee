/* A report as text for people. */
#ifndef SIM_REPORT_TEXT_H
#define SIM_REPORT_TEXT_H

#include "sim/buf.h"
#include "sim/report/report.h"

struct report_style {
    bool color;
    bool brief;              /* the first screen only */
    const char *source_root; /* folder that relative names of source files are looked up in after
                                the current one; NULL: none */
};

void report_print(const struct report *report, const struct report_style *style, struct buf *out);

#endif
