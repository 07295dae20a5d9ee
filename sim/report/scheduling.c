/* The options that choose the schedule, where they are not the usual ones. */
#include "sim/report/json_parts.h"
#include "sim/report/print.h"

static bool is_usual(const struct run_options *run) {
    return run->order == ORDER_ASCENDING && run->placement == PLACE_FEWEST &&
           run->refill == REFILL_EAGER && run->pace == PACE_MODELLED && run->resident == 0;
}

static const char *order_of(const struct run_options *run) {
    return run->order == ORDER_LIST ? run->order_file : queue_order_names[run->order];
}

void print_scheduling(struct printer *p) {
    const struct run_options *run = p->report->run.options;

    if (is_usual(run))
        return;
    buf_puts(p->out, "  scheduled by");
    if (run->order != ORDER_ASCENDING)
        buf_printf(p->out, " --order %s", order_of(run));
    if (run->placement != PLACE_FEWEST)
        buf_printf(p->out, " --placement %s", placement_names[run->placement]);
    if (run->resident)
        buf_printf(p->out, " --resident %u", run->resident);
    if (run->refill != REFILL_EAGER)
        buf_printf(p->out, " --refill %s", refill_names[run->refill]);
    if (run->pace != PACE_MODELLED)
        buf_printf(p->out, " --pace %s", pace_names[run->pace]);
    buf_puts(p->out, "\n");
}

json_t *json_scheduling(struct maker *m, const struct run_options *run) {
    json_t *object;

    if (is_usual(run))
        return NULL;
    object = json_object();
    maker_text(m, object, "order", order_of(run));
    maker_text(m, object, "placement", placement_names[run->placement]);
    maker_put(m, object, "resident", run->resident ? json_integer(run->resident) : json_null());
    maker_text(m, object, "refill", refill_names[run->refill]);
    maker_text(m, object, "pace", pace_names[run->pace]);
    return object;
}
