/* A report as text. */
#include "sim/report/text.h"

#include <inttypes.h>

void report_print(const struct report *report, const struct report_style *style, struct buf *out) {
    const struct run *run = &report->run;

    (void)style;
    buf_printf(out, "%s: %s\n", report->kernel, verdict_names[run->verdict]);
    buf_printf(out, "cycles %" PRIu64 " (modelled)\n", run->cycles);
    for (size_t i = 0; i < report->output_count; i++)
        buf_printf(out, "output %s: %s\n", report->outputs[i].name,
                   report_check_names[report->outputs[i].check]);
}
