/* A report as text: what happened first, then why, then what it cost. */
#include "sim/report/text.h"

#include <inttypes.h>
#include <string.h>

#include "sim/report/print.h"

/* ---- What ran on what ---- */

static void print_residents(struct printer *p, const struct run_dispatch *d) {
    buf_puts(p->out, ", ");
    print_number(p, 0, d->peak_resident);
    buf_printf(p->out, " resident\n  %s holds %" PRIu32 " at once: limited by ",
               p->report->run.device->unit_count ? "unit 0" : "a unit", d->occupancy.workgroups);
    print_limiters(p, d->occupancy.limiters);
}

static void print_head(struct printer *p) {
    const struct run *run = &p->report->run;
    const struct job *job = run->job;
    uint64_t workgroups = 0;

    for (size_t i = 0; i < job->dispatch_count; i++) {
        const uint32_t *groups = job->dispatches[i].groups;
        workgroups += (uint64_t)groups[0] * groups[1] * groups[2];
    }
    print_colored(p, PRINT_BOLD, "%s", p->report->kernel);
    buf_puts(p->out, ": ");
    print_count(p, workgroups, "workgroup");
    if (job->dispatch_count == 1) {
        uint32_t size[3];
        kernel_workgroup_size(job->dispatches[0].entry, job->dispatches[0].overrides, size);
        buf_puts(p->out, " of ");
        print_triple(p, size);
    } else {
        buf_printf(p->out, " in %zu dispatches", job->dispatch_count);
    }
    buf_printf(p->out, " on %s: ", run->device->name);
    print_count(p, run->device->cus, "compute unit");
    if (run->dispatch_count)
        print_residents(p, &run->dispatches[0]);
    buf_puts(p->out, "\n");
    print_scheduling(p);
}

/* ---- The verdict ---- */

static void print_finished(struct printer *p) {
    print_colored(p, PRINT_GREEN, "FINISHED");
    buf_puts(p->out, p->report->run.dispatch_count ? ": every invocation returned.\n"
                                                   : ": there was nothing to run.\n");
}

static const struct run_dispatch *last_dispatch(const struct printer *p) {
    return &p->report->run.dispatches[p->report->run.dispatch_count - 1];
}

static const char *lanes_words(const struct printer *p) {
    return p->report->run.options->lockstep ? " with lanes in lockstep" : "";
}

static void print_deadlock(struct printer *p) {
    print_colored(p, PRINT_RED, "DEADLOCK");
    buf_printf(p->out, ", proved%s: from %s ", lanes_words(p),
               p->report->run.options->pace == PACE_MODELLED ? "cycle" : "turn");
    print_number(p, 0, last_dispatch(p)->cycles);
    buf_puts(p->out, " nothing can change, in whatever order the residents run.\n");
}

static void print_livelock(struct printer *p) {
    print_colored(p, PRINT_RED, "LIVELOCK");
    buf_printf(p->out,
               ", proved%s: the whole state comes back every %llu steps, although memory changes\n"
               "in between. This schedule never ends; another one may.\n",
               lanes_words(p), (unsigned long long)p->report->cycle_steps);
}

static void print_divergence(struct printer *p) {
    print_colored(p, PRINT_RED, "DIVERGENCE");
    buf_printf(p->out,
               ": invocations of one workgroup waited at different barriers. It hangs where "
               "barriers are\nkept apart; here it went on as on a machine that only counts "
               "arrivals%s.\n",
               p->report->run.hang == VERDICT_FINISHED ? "" : ", and did not end");
}

static void print_suspected(struct printer *p) {
    if (p->report->interrupted) {
        print_colored(p, PRINT_YELLOW, "INTERRUPTED");
        buf_puts(p->out, " after ");
        print_count(p, last_dispatch(p)->steps, "step");
        buf_puts(p->out, ": this is where it stood.\n");
        return;
    }
    print_colored(p, PRINT_YELLOW, "SUSPECTED");
    buf_puts(p->out, " of never ending: stopped after ");
    print_count(p, last_dispatch(p)->steps, "step");
    buf_puts(p->out, " (--max-steps). Nothing was proved,\nso it may just be long.\n");
}

static void print_rejected(struct printer *p) {
    print_colored(p, PRINT_RED, "REJECTED");
    buf_puts(p->out, ": nothing ran.\n");
}

static void print_trapped(struct printer *p) {
    print_colored(p, PRINT_RED, "TRAPPED");
    buf_puts(p->out, ": an access out of bounds ended the run (--oob trap).\n");
}

static void print_verdict(struct printer *p) {
    static void (*const printers[])(struct printer *) = {
        [VERDICT_FINISHED] = print_finished,   [VERDICT_DEADLOCK] = print_deadlock,
        [VERDICT_LIVELOCK] = print_livelock,   [VERDICT_DIVERGENCE] = print_divergence,
        [VERDICT_SUSPECTED] = print_suspected, [VERDICT_REJECTED] = print_rejected,
        [VERDICT_TRAPPED] = print_trapped,
    };

    buf_puts(p->out, "\n");
    printers[p->report->run.verdict](p);
    if (p->report->run.hang != VERDICT_FINISHED)
        printers[p->report->run.hang](p);
}

/* ---- Results ---- */

/* Whether something was found that may give other results in another schedule. */
static bool is_luck(const struct findings *findings) {
    for (size_t i = 0; i < findings->count; i++)
        switch (findings->items[i].kind) {
        case FINDING_RACE:
        case FINDING_RACE_STORAGE:
        case FINDING_PUBLISH_BY_FLAG:
        case FINDING_ORDER_DEPENDENT:
            return true;
        default:
            break;
        }
    return false;
}

static void print_outputs(struct printer *p) {
    const struct report *report = p->report;
    const char *luck = is_luck(&report->findings) ? ", in this schedule" : "";

    for (size_t i = 0; i < report->output_count; i++) {
        const struct report_output *output = &report->outputs[i];
        if (output->check == REPORT_UNCHECKED)
            continue;
        buf_printf(p->out, "  %s, ", output->name);
        print_count(p, output->elements, "element");
        if (output->check == REPORT_MATCH) {
            buf_printf(p->out, ": %s%s\n", output->text, luck);
            continue;
        }
        buf_puts(p->out, ": ");
        print_colored(p, PRINT_RED, "WRONG");
        buf_printf(p->out, " from element %" PRIu64 " on: %s\n", output->element, output->text);
    }
}

static void print_prints(struct printer *p) {
    const struct report *report = p->report;

    if (report->print_count == 0)
        return;
    buf_puts(p->out, "\n");
    print_colored(p, PRINT_BOLD, "Printed by the kernel\n");
    for (size_t i = 0; i < report->print_count; i++) {
        const struct report_print *print = &report->prints[i];
        size_t length = strlen(print->text);
        buf_printf(p->out, "  [workgroup %" PRIu64 ", invocation %" PRIu32 "] %s%s",
                   print->workgroup, print->invocation, print->text,
                   length && print->text[length - 1] == '\n' ? "" : "\n");
    }
    if (report->prints_dropped) {
        buf_puts(p->out, "  and ");
        print_count(p, report->prints_dropped, "line");
        buf_puts(p->out, " more\n");
    }
}

/* ---- The numbers worth knowing first ---- */

static enum timing_cause largest_cause(const struct run *run, uint64_t *spent) {
    enum timing_cause largest = TIMING_ISSUE;

    *spent = 0;
    for (int cause = 0; cause < TIMING_CAUSE_COUNT; cause++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < run->dispatch_count; i++)
            sum += run->dispatches[i].time.spent[cause];
        if (sum > *spent) {
            *spent = sum;
            largest = (enum timing_cause)cause;
        }
    }
    return largest;
}

static void print_cycles(struct printer *p) {
    const struct run *run = &p->report->run;
    uint64_t spent;
    enum timing_cause cause = largest_cause(run, &spent);

    print_number(p, 14, run->cycles);
    if (run->options->pace != PACE_MODELLED) {
        buf_puts(p->out, " turns (--pace)\n");
        return;
    }
    buf_puts(p->out, " cycles (modelled)");
    if (spent) {
        buf_puts(p->out, ", ");
        print_share(p, 0, spent, run->cycles);
        buf_printf(p->out, " of them %s", print_cause_words[cause]);
    }
    buf_puts(p->out, "\n");
}

static void print_conflicts(struct printer *p) {
    const struct site_count *access = p->report->total.access;
    uint64_t wavefronts = 0, conflicts = 0;

    for (int kind = REPORT_WORKGROUP_LOAD; kind <= REPORT_WORKGROUP_ATOMIC; kind++) {
        wavefronts += access[kind].wavefronts;
        conflicts += access[kind].conflicts;
    }
    if (wavefronts == 0)
        return;
    print_number(p, 14, conflicts);
    buf_puts(p->out, " bank conflicts (exact) in ");
    print_number(p, 0, wavefronts);
    buf_puts(p->out, " wavefronts of workgroup memory");
    if (conflicts) {
        buf_puts(p->out, ": ");
        print_share(p, 0, conflicts, wavefronts);
    }
    buf_puts(p->out, "\n");
}

static void print_sectors(struct printer *p) {
    const struct site_count *access = p->report->total.access;
    uint64_t sectors = 0, bytes = 0;

    for (int kind = REPORT_STORAGE_LOAD; kind <= REPORT_STORAGE_ATOMIC; kind++) {
        sectors += access[kind].sectors;
        bytes += access[kind].bytes;
    }
    if (sectors == 0)
        return;
    print_number(p, 14, sectors);
    buf_printf(p->out, " sector%s of storage (exact) of 32 B for ", sectors == 1 ? "" : "s");
    print_number(p, 0, bytes);
    buf_puts(p->out, " B asked for");
    if (bytes <= sectors * 32) {
        buf_puts(p->out, ": ");
        print_share(p, 0, bytes, sectors * 32);
        buf_puts(p->out, " of what moves is used");
    }
    buf_puts(p->out, "\n");
}

static void print_occupancy(struct printer *p) {
    const struct run *run = &p->report->run;
    double slots = 0;

    for (size_t i = 0; i < run->dispatch_count; i++)
        slots += (double)run->dispatches[i].time.occupancy * (double)run->dispatches[i].cycles;
    if (run->cycles)
        buf_printf(p->out, "%14.1f %% of subgroup slots in use on average (%s)\n",
                   slots / (double)run->cycles / 10,
                   run->options->pace == PACE_MODELLED ? "modelled" : "--pace");
}

static void print_numbers(struct printer *p) {
    if (p->report->run.dispatch_count == 0 || !report_ended(p->report))
        return;
    buf_puts(p->out, "\n");
    print_cycles(p);
    print_conflicts(p);
    print_sectors(p);
    print_occupancy(p);
}

/* ---- The whole ---- */

void report_print(const struct report *report, const struct report_style *style, struct buf *out) {
    struct printer p = {.report = report, .style = style, .out = out};

    sources_init(&p.sources, style->source_root);
    arena_init(&p.arena);
    print_head(&p);
    print_verdict(&p);
    print_outputs(&p);
    if (report->run.verdict == VERDICT_FINISHED || report->run.verdict == VERDICT_TRAPPED)
        print_findings_summary(&p);
    print_stop(&p);
    print_numbers(&p);
    print_prints(&p);
    print_findings(&p);
    if (!style->brief) {
        print_lines(&p);
        print_variables(&p);
        print_time(&p);
    }
    arena_release(&p.arena);
    sources_release(&p.sources);
}
