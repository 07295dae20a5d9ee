/* The table of counts by source line, and that of variables. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/report/print.h"

enum { WHAT_WIDTH = 50 };

static void print_heading(struct printer *p, bool lower_bound) {
    buf_puts(p->out, "\n");
    print_colored(p, PRINT_BOLD, "Lines");
    buf_printf(p->out, ", %s\n", lower_bound ? "lower bounds: some loop has no mark" : "exact");
    print_colored(p, PRINT_DIM, "%-*s%10s%12s%11s%9s%12s\n", WHAT_WIDTH, "", "requests",
                  "wavefronts", "conflicts", "sectors", "bytes");
}

/* "storage load" for storage_load. */
static const char *access_words(enum report_access access, char text[static 32]) {
    snprintf(text, 32, "%s", report_access_names[access]);
    for (char *c = text; *c; c++)
        if (*c == '_')
            *c = ' ';
    return text;
}

/* "-" where the count means nothing. A number too wide for its column still stands apart. */
static void print_cell(struct printer *p, int width, bool means, uint64_t value) {
    buf_puts(p->out, " ");
    if (means)
        print_number(p, width - 1, value);
    else
        buf_printf(p->out, "%*s", width - 1, "-");
}

static void print_what(struct printer *p, const struct report_site *site) {
    char access[32], what[160];

    access_words(site->access, access);
    int length = snprintf(what, sizeof what, "        %-24s %s", site->site->text, access);
    if (length > WHAT_WIDTH) {
        buf_printf(p->out, "%s\n%*s", what, WHAT_WIDTH, "");
        return;
    }
    buf_printf(p->out, "%-*s", WHAT_WIDTH, what);
}

static void print_site(struct printer *p, const struct report_site *site) {
    bool memory = site->access <= REPORT_WORKGROUP_ATOMIC;
    bool storage = !memory && site->access != REPORT_UNIFORM_LOAD;

    print_what(p, site);
    print_cell(p, 10, true, site->count.requests);
    print_cell(p, 12, memory, site->count.wavefronts);
    print_cell(p, 11, memory, site->count.conflicts);
    print_cell(p, 9, storage, site->count.sectors);
    print_cell(p, 12, true, site->count.bytes);
    buf_puts(p->out, "\n");
}

static bool same_line(const struct wg_site *a, const struct wg_site *b) {
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

static bool any_lower_bound(const struct report *report) {
    for (size_t i = 0; i < report->site_count; i++)
        if (report->sites[i].count.lower_bound)
            return true;
    return false;
}

void print_lines(struct printer *p) {
    const struct report *report = p->report;
    const struct wg_site *before = NULL;

    if (report->site_count == 0)
        return;
    print_heading(p, any_lower_bound(report));
    for (size_t i = 0; i < report->site_count; i++) {
        const struct wg_site *site = report->sites[i].site;
        if (!before || strcmp(before->file, site->file) != 0)
            print_colored(p, PRINT_BOLD, "%s\n", site->file);
        if (!before || !same_line(before, site)) {
            if (sources_line(&p->sources, site->file, site->line))
                print_source_line(p, site->file, site->line);
            else
                print_colored(p, PRINT_DIM, "%8" PRIu32 " |\n", site->line);
        }
        print_site(p, &report->sites[i]);
        before = site;
    }
}

void print_variables(struct printer *p) {
    const struct report *report = p->report;
    bool any = false;

    if (report->run.dispatch_count == 0)
        return;
    for (size_t i = 0; i < report->variable_count; i++) {
        const struct report_variable *variable = &report->variables[i];
        if (variable->var->space != WG_SPACE_WORKGROUP)
            continue;
        if (!any) {
            buf_puts(p->out, "\n");
            print_colored(p, PRINT_BOLD, "Workgroup variables");
            buf_puts(p->out, ", exact\n");
            print_colored(p, PRINT_DIM, "%-32s%12s%14s%14s%11s\n", "", "bytes", "stored", "loaded",
                          "reuse");
        }
        any = true;
        buf_printf(p->out, "  %-14s%-16s", variable->var->name, variable->var->type);
        print_number(p, 12, variable->bytes);
        print_number(p, 14, variable->count.stored_bytes);
        print_number(p, 14, variable->count.loaded_bytes);
        if (variable->count.stored_bytes)
            buf_printf(p->out, "%11.2f\n",
                       (double)variable->count.loaded_bytes / (double)variable->count.stored_bytes);
        else
            buf_printf(p->out, "%11s\n", "-");
    }
}
