/* What a scheduler may do, told step by step. */
#include "sim/progress/words.h"

#include <inttypes.h>

static void put_set(struct buf *text, uint32_t set) {
    const char *separator = "";

    for (; set; set &= set - 1) {
        buf_printf(text, "%s%d", separator, __builtin_ctz(set));
        separator = ", ";
    }
}

static void put_step(struct buf *text, const struct decision_step *step) {
    const struct wg_site *site = step->step.site;

    buf_printf(text, "    workgroup %" PRIu32, step->process);
    if (site)
        buf_printf(text, "  %s:%" PRIu32 "  %s%s\n", site->file, site->line, site->text,
                   step->step.changed ? "  changes it" : "");
    else
        buf_puts(text, "  ends\n");
}

static void put_steps(struct buf *text, const struct decision_step *steps, size_t count,
                      size_t most) {
    for (size_t i = 0; i < count && i < most; i++)
        put_step(text, &steps[i]);
    if (count > most)
        buf_printf(text, "    ... and %zu more\n", count - most);
}

void counterexample_words(struct buf *text, const char *opening, enum model model,
                          const struct counterexample *example, size_t most_steps) {
    uint32_t all = (uint32_t)((UINT64_C(1) << example->processes) - 1);
    uint32_t left_out = all & ~example->guaranteed & ~example->finished;

    buf_printf(text, "%s %s (%s) it need not end.", opening, models[model].name,
               models[model].promise);
    if (left_out) {
        buf_printf(text, " Workgroup%s ", left_out & (left_out - 1) ? "s" : "");
        put_set(text, left_out);
        buf_printf(text, " may never run%s.", left_out & example->started ? " again" : "");
    }
    buf_printf(text, "\n  It can come to this:%s\n", example->prefix_count ? "" : " the start");
    put_steps(text, example->prefix, example->prefix_count, most_steps);
    if (models[model].strong) {
        buf_puts(text, "  From there steps of those that must run (");
        put_set(text, example->guaranteed);
        buf_puts(text, ") never reach the end.\n");
        return;
    }
    buf_puts(text, "  and from there this can be repeated for ever:\n");
    put_steps(text, example->cycle, example->cycle_count, most_steps);
}
