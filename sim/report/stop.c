/* Why a run did not end: where its residents stand, and who waits behind them. */
#include <inttypes.h>

#include "sim/report/print.h"

enum { STANDS_MAX = 8 };

/* Of one invocation, or of several. */
static const char *event_words(uint32_t event, bool one) {
    switch (event) {
    case WG_EVENT_BARRIER:
        return one ? "waits at the barrier" : "wait at the barrier";
    case WG_EVENT_ATOMIC:
        return one ? "is before the atomic" : "are before the atomic";
    case WG_EVENT_SUBGROUP:
        return one ? "waits in the subgroup operation" : "wait in the subgroup operation";
    default:
        return one ? "is" : "are";
    }
}

static void print_stand(struct printer *p, const struct report_stand *stand) {
    bool one = stand->invocations == 1;

    buf_puts(p->out, "  ");
    print_count(p, stand->invocations, "invocation");
    buf_puts(p->out, " of ");
    print_count(p, stand->workgroups, "workgroup");
    if (stand->first == stand->last)
        buf_printf(p->out, " (%" PRIu64 ")", stand->first);
    else
        buf_printf(p->out, " (from %" PRIu64 " to %" PRIu64 ")", stand->first, stand->last);
    if (!stand->site) {
        buf_puts(p->out, one ? " has not begun\n" : " have not begun\n");
        return;
    }
    buf_printf(p->out, " %s at ", event_words(stand->event, one));
    print_place(p, stand->site);
    buf_puts(p->out, "\n");
    print_source_line(p, stand->site->file, stand->site->line);
}

static void print_queue(struct printer *p) {
    const struct report_queue *queue = &p->report->queue;

    buf_puts(p->out, "  ");
    print_count(p, queue->ended, "workgroup");
    buf_printf(p->out, " ha%s ended.\n", queue->ended == 1 ? "s" : "ve");
    if (queue->pending == 0) {
        buf_puts(p->out, "  No workgroup waits to be admitted: all that are left are resident.\n");
        return;
    }
    buf_puts(p->out, "  ");
    print_count(p, queue->pending, "workgroup");
    buf_printf(p->out,
               " cannot start while no resident ends; the next in the queue is %" PRIu64 ".\n",
               queue->first);
}

void print_stop(struct printer *p) {
    const struct report *report = p->report;

    if (report->deadlock.waiter_count) {
        print_explanation(p);
        return;
    }
    if (report->stand_count == 0)
        return;
    buf_puts(p->out, "\n");
    for (size_t i = 0; i < report->stand_count && i < STANDS_MAX; i++)
        print_stand(p, &report->stands[i]);
    if (report->stand_count > STANDS_MAX)
        buf_printf(p->out, "  and at %zu more places\n", report->stand_count - STANDS_MAX);
    print_queue(p);
}
