/* Findings, grouped by kind, most severe first. */
#include <inttypes.h>
#include <string.h>

#include "sim/report/print.h"

enum { TEXT_WIDTH = 96, SAME_KIND_MAX = 8 };

static const enum print_color severity_colors[] = {PRINT_RED, PRINT_YELLOW, PRINT_BOLD};

/* Words of a text, the first line behind so many spaces, the others indented. */
static void print_wrapped(struct printer *p, int first, int indent, const char *text) {
    int column = 0, before = first;

    while (*text) {
        int word = (int)strcspn(text, " ");
        if (column && column + 1 + word > TEXT_WIDTH) {
            buf_puts(p->out, "\n");
            column = 0;
            before = indent;
        }
        buf_printf(p->out, "%*s%.*s", before, "", word, text);
        column += before + word;
        before = 1;
        text += word + (int)strspn(text + word, " ");
    }
    buf_puts(p->out, "\n");
}

/* Of several dispatches the first that showed it is named. */
static void print_where(struct printer *p, const struct finding *finding,
                        const struct finding_place *place) {
    if (!place->site)
        return;
    buf_puts(p->out, "    ");
    print_place(p, place->site);
    if (place->workgroup != FINDING_UNKNOWN && p->report->run.dispatch_count > 1)
        buf_printf(p->out, "  dispatch %" PRIu32 ",", finding->dispatch + 1);
    if (place->workgroup != FINDING_UNKNOWN)
        buf_printf(p->out, "%s workgroup %" PRIu64, p->report->run.dispatch_count > 1 ? "" : " ",
                   place->workgroup);
    if (place->invocation != FINDING_UNKNOWN)
        buf_printf(p->out, "%s invocation %" PRIu64,
                   place->workgroup != FINDING_UNKNOWN ? "," : " ", place->invocation);
    if (place->iteration != FINDING_UNKNOWN && place->iteration != 0)
        buf_printf(p->out, ", turn %" PRIu64 " of its loop", place->iteration + 1);
    buf_puts(p->out, "\n");
    print_source_line(p, place->site->file, place->site->line);
}

static void print_declared(struct printer *p, const struct finding *finding) {
    if (!finding->file)
        return;
    buf_puts(p->out, "    ");
    print_colored(p, PRINT_BOLD, "%s:%" PRIu32 "\n", finding->file, finding->line);
    print_source_line(p, finding->file, finding->line);
}

static void print_advice(struct printer *p, const char *text) {
    print_colored(p, PRINT_BOLD, "    ->");
    print_wrapped(p, 1, 7, text);
}

static void print_finding(struct printer *p, const struct finding *finding) {
    print_wrapped(p, 2, 2, finding->text);
    if (finding->what_if)
        buf_puts(p->out, "    in the hypothetical run in which all workgroups are resident\n");
    print_where(p, finding, &finding->first);
    print_where(p, finding, &finding->second);
    print_declared(p, finding);
    if (finding->advice)
        print_advice(p, finding->advice);
}

/* Findings of one kind, from `first` on; returns how many. */
static size_t print_kind(struct printer *p, size_t first) {
    const struct findings *findings = &p->report->findings;
    const struct finding *items = &findings->items[first];
    const struct finding_kind_info *kind = &finding_kinds[items->kind];
    size_t count = 0;

    while (first + count < findings->count && items[count].kind == items->kind)
        count++;
    size_t shown = count < SAME_KIND_MAX ? count : SAME_KIND_MAX;
    buf_puts(p->out, "\n");
    print_colored(p, severity_colors[kind->severity], "%s: %s",
                  finding_severity_names[kind->severity], kind->name);
    buf_puts(p->out, "\n");
    /* the advice of the kind stands below those that have none of their own */
    for (size_t i = 0; i < shown; i++) {
        print_finding(p, &items[i]);
        if (!items[i].advice && i + 1 < shown && items[i + 1].advice)
            print_advice(p, report_fix(p->report, items->kind));
    }
    if (count > shown)
        buf_printf(p->out, "  and %zu more of this kind (--json lists them%s)\n", count - shown,
                   findings->more_races ? "" : " all");
    if (!items[shown - 1].advice)
        print_advice(p, report_fix(p->report, items->kind));
    return count;
}

void print_findings(struct printer *p) {
    for (size_t i = 0; i < p->report->findings.count;)
        i += print_kind(p, i);
}

/* "2 errors (race, stale)" */
static void print_severity(struct printer *p, enum finding_severity severity, const char **before) {
    const struct findings *findings = &p->report->findings;
    uint64_t count = 0;
    finding_set kinds = 0;
    const char *comma = " (";

    for (size_t i = 0; i < findings->count; i++)
        if (finding_kinds[findings->items[i].kind].severity == severity) {
            count++;
            kinds |= UINT64_C(1) << findings->items[i].kind;
        }
    if (count == 0)
        return;
    buf_puts(p->out, *before);
    *before = ", ";
    print_colored(p, severity_colors[severity], "%" PRIu64 " %s%s", count,
                  finding_severity_names[severity],
                  count > 1 && severity != SEVERITY_ADVICE ? "s" : "");
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++)
        if (kinds >> kind & 1) {
            buf_printf(p->out, "%s%s", comma, finding_kinds[kind].name);
            comma = ", ";
        }
    buf_puts(p->out, ")");
}

void print_findings_summary(struct printer *p) {
    const char *before = "  Found: ";

    print_severity(p, SEVERITY_ERROR, &before);
    print_severity(p, SEVERITY_WARNING, &before);
    print_severity(p, SEVERITY_ADVICE, &before);
    if (p->report->findings.more_races)
        buf_puts(p->out, "; more places race than are listed");
    if (p->report->findings.count)
        buf_puts(p->out, "\n");
}
