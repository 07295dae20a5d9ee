/* Where the cycles went. */
#include <inttypes.h>

#include "sim/report/print.h"

enum { BAR_WIDTH = 30, DISPATCHES_MAX = 12 };

const char *const print_cause_words[TIMING_CAUSE_COUNT] = {
    [TIMING_ISSUE] = "issue",
    [TIMING_WORKGROUP_MEMORY] = "workgroup memory",
    [TIMING_BANK_CONFLICTS] = "bank conflicts",
    [TIMING_STORAGE] = "storage",
    [TIMING_ATOMICS] = "atomics",
    [TIMING_BARRIERS] = "barriers",
    [TIMING_LAUNCH] = "dispatch and launch",
    [TIMING_IDLE] = "idle: no resident",
};

static const char *const bound_words[TIMING_BOUND_COUNT] = {
    [TIMING_BOUND_LATENCY] = "latency",
    [TIMING_BOUND_ISSUE] = "issue",
    [TIMING_BOUND_WORKGROUP_MEMORY] = "workgroup memory",
    [TIMING_BOUND_STORAGE] = "storage",
    [TIMING_BOUND_LAUNCH] = "launch",
};

static void print_bar(struct printer *p, uint64_t part, uint64_t whole) {
    int width = whole ? (int)((double)part / (double)whole * BAR_WIDTH + 0.5) : 0;

    if (width)
        buf_puts(p->out, "  ");
    for (int i = 0; i < width; i++)
        buf_puts(p->out, "#");
}

/* Largest first. */
static void print_causes(struct printer *p, const uint64_t spent[TIMING_CAUSE_COUNT],
                         uint64_t cycles) {
    bool printed[TIMING_CAUSE_COUNT] = {false};

    for (int n = 0; n < TIMING_CAUSE_COUNT; n++) {
        int next = -1;
        for (int cause = 0; cause < TIMING_CAUSE_COUNT; cause++)
            if (!printed[cause] && (next < 0 || spent[cause] > spent[next]))
                next = cause;
        if (spent[next] == 0)
            return;
        printed[next] = true;
        buf_printf(p->out, "  %-20s", print_cause_words[next]);
        print_number(p, 14, spent[next]);
        print_share(p, 8, spent[next], cycles);
        print_bar(p, spent[next], cycles);
        buf_puts(p->out, "\n");
    }
}

/* A triple in a column. */
static void print_triple_cell(struct printer *p, int width, const uint32_t values[3]) {
    size_t before = p->out->len;

    print_triple(p, values);
    int length = (int)(p->out->len - before);
    buf_printf(p->out, "%*s", length < width ? width - length : 1, "");
}

static void print_dispatch(struct printer *p, size_t index) {
    const struct run_dispatch *d = &p->report->run.dispatches[index];

    buf_printf(p->out, "  %3zu %-17s ", index + 1, d->entry->name);
    print_triple_cell(p, 14, d->groups);
    print_triple_cell(p, 12, d->size);
    print_number(p, 14, d->cycles);
    print_number(p, 11, d->peak_resident);
    buf_printf(p->out, "%9.1f %%  %s\n", d->time.occupancy / 10.0, bound_words[d->time.bound]);
}

static void print_dispatches(struct printer *p) {
    const struct run *run = &p->report->run;

    print_colored(p, PRINT_DIM, "%-24s%-14s%-12s%14s%11s%11s  %s\n", "  dispatch", "workgroups",
                  "each of", "cycles", "residents", "slots used", "bound by");
    for (size_t i = 0; i < run->dispatch_count && i < DISPATCHES_MAX; i++)
        print_dispatch(p, i);
    if (run->dispatch_count > DISPATCHES_MAX)
        buf_printf(p->out, "  and %zu more dispatches\n", run->dispatch_count - DISPATCHES_MAX);
}

void print_time(struct printer *p) {
    const struct run *run = &p->report->run;
    uint64_t spent[TIMING_CAUSE_COUNT] = {0};

    if (run->cycles == 0 || run->options->pace != PACE_MODELLED || !report_ended(p->report))
        return;
    for (size_t i = 0; i < run->dispatch_count; i++)
        for (int cause = 0; cause < TIMING_CAUSE_COUNT; cause++)
            spent[cause] += run->dispatches[i].time.spent[cause];
    buf_puts(p->out, "\n");
    print_colored(p, PRINT_BOLD, "Time");
    buf_puts(p->out, ", modelled: ");
    print_count(p, run->cycles, "cycle");
    buf_printf(p->out, ", %.1f us at %" PRIu32 " MHz; no cache is modelled\n",
               (double)run->cycles / run->device->clock_mhz, run->device->clock_mhz);
    print_causes(p, spent, run->cycles);
    print_dispatches(p);
}
