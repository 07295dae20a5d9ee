/* The picture of a deadlock: a line for each compute unit with its residents, then the queue. */
#include <inttypes.h>

#include "sim/report/print.h"
#include "sim/report/waiters.h"

enum { UNITS_MAX = 8, LINE_WIDTH = 96 };

static int digits_of(uint64_t n) {
    int digits = 1;

    while (n >= 10) {
        n /= 10;
        digits++;
    }
    return digits;
}

static uint64_t largest_id(const struct explanation *deadlock) {
    uint64_t largest = 0;

    for (size_t i = 0; i < deadlock->waiter_count; i++)
        if (deadlock->waiters[i].workgroup > largest)
            largest = deadlock->waiters[i].workgroup;
    return largest;
}

/* The waiters of one unit, from `at` on; returns where the next unit's begin. */
static size_t print_unit(struct printer *p, size_t at, int digits) {
    const struct explanation *deadlock = &p->report->deadlock;
    uint32_t cu = deadlock->waiters[at].cu;
    int cells = (LINE_WIDTH - 20) / (digits + 7), shown = 0, more = 0;

    buf_printf(p->out, "  unit %-4" PRIu32 "[", cu);
    for (; at < deadlock->waiter_count && deadlock->waiters[at].cu == cu; at++) {
        if (shown < cells) {
            buf_printf(p->out, " %*" PRIu64 " waits", digits, deadlock->waiters[at].workgroup);
            shown++;
        } else {
            more++;
        }
    }
    if (more)
        buf_printf(p->out, " and %d more", more);
    buf_puts(p->out, " ]\n");
    return at;
}

/* Whether all of a family wait for one in the queue: each for it, or for another of the family. */
static bool is_chain(const struct explanation *deadlock, const struct wait_group *family) {
    for (size_t i = 0; i < deadlock->waiter_count; i++) {
        const struct explain_waiter *waiter = &deadlock->waiters[i];
        if (waiters_same_family(waiter, family->first) && waiter->writer != family->first->writer &&
            !wait_group_has(family, waiter->writer))
            return false;
    }
    return true;
}

/* The workgroup that the first group waits for, if it is in the queue. Where each unit has a queue,
 * that of the unit that is to run it. */
static void print_queue_line(struct printer *p, const struct wait_group *group) {
    const struct explanation *deadlock = &p->report->deadlock;
    const struct explain_waiter *first = group->first;
    const struct run *run = &p->report->run;
    const uint32_t *groups = run->dispatches[run->dispatch_count - 1].groups;
    uint64_t next = deadlock->first_pending, step = 1, pending = deadlock->pending;
    bool wanted = first->has_writer && first->writer_pending, own = false;

    if (wanted && run->options->order == ORDER_ASCENDING &&
        run->options->placement == PLACE_STATIC && run->device->cus > 1) {
        uint64_t total = (uint64_t)groups[0] * groups[1] * groups[2];
        own = true;
        next = first->writer_next;
        step = run->device->cus;
        pending = (total - 1 - next) / step + 1;
    }
    if (own)
        buf_printf(p->out, "  queue %-3" PRIu32, first->writer_unit);
    else
        buf_puts(p->out, "  queue    ");
    if (p->report->run.options->order != ORDER_ASCENDING) {
        buf_printf(p->out, " %" PRIu64, next);
        if (wanted && first->writer == next)
            buf_puts(p->out, " <- the one that is waited for");
        if (deadlock->pending > 1)
            buf_printf(p->out, ", then %" PRIu64 " more", deadlock->pending - 1);
        if (wanted && first->writer != next)
            buf_printf(p->out, ", among them %" PRIu64 ", which is waited for", first->writer);
        buf_puts(p->out, "\n");
        return;
    }
    uint64_t shown = wanted && first->writer_place <= 3 ? first->writer_place - 1 : 3;
    const char *dots = wanted && first->writer_place > shown + 1 ? " ..." : "";
    for (uint64_t i = 0; i < shown && i < pending; i++)
        buf_printf(p->out, " %" PRIu64, next + i * step);
    if (wanted && (group->count == 1 || (group->family && !is_chain(deadlock, group))))
        buf_printf(p->out, "%s %" PRIu64 " <- the one that %" PRIu64 " waits for", dots,
                   first->writer, first->workgroup);
    else if (wanted)
        buf_printf(p->out, "%s %" PRIu64 " <- the one that %s wait for", dots, first->writer,
                   group->family                            ? "the chain ends at, and all"
                   : group->count == deadlock->waiter_count ? "all"
                                                            : "most");
    else if (pending > shown)
        buf_printf(p->out, " ... %" PRIu64 " in all", pending);
    if (wanted && pending > first->writer_place)
        buf_printf(p->out, ", then %" PRIu64 " more", pending - first->writer_place);
    if (deadlock->pending > pending)
        buf_printf(p->out, "; %" PRIu64 " in those of other units", deadlock->pending - pending);
    buf_puts(p->out, "\n");
}

void print_picture(struct printer *p, const struct wait_group *groups) {
    const struct explanation *deadlock = &p->report->deadlock;
    int digits = digits_of(largest_id(deadlock));
    size_t units = 0;

    buf_puts(p->out, "\n");
    for (size_t at = 0; at < deadlock->waiter_count && units < UNITS_MAX; units++)
        at = print_unit(p, at, digits);
    if (p->report->run.device->cus > units) {
        buf_puts(p->out, "  and ");
        print_count(p, p->report->run.device->cus - units, "more unit");
        buf_puts(p->out, "\n");
    }
    if (deadlock->pending)
        print_queue_line(p, groups);
}
