/* Findings and the explanation of a deadlock as JSON. */
#include <math.h>
#include <string.h>

#include "sim/half.h"
#include "sim/report/json_parts.h"

static json_t *place_json(struct maker *m, const struct finding_place *place) {
    json_t *object = json_object();

    maker_text(m, object, "file", place->site->file);
    maker_int(m, object, "line", place->site->line);
    maker_int(m, object, "column", place->site->column);
    maker_known(m, object, "workgroup", place->workgroup);
    maker_known(m, object, "invocation", place->invocation);
    maker_known(m, object, "iteration", place->iteration);
    if (report_is_access(place->site))
        maker_text(m, object, "access", report_access_names[report_access_of(place->site)]);
    maker_text(m, object, "text", place->site->text);
    return object;
}

static json_t *float_json(float number) {
    return isfinite(number) ? json_real((double)number) : json_null();
}

static json_t *halves_json(uint32_t word) {
    json_t *array = json_array();

    json_array_append_new(array, float_json(half_to_float((uint16_t)word)));
    json_array_append_new(array, float_json(half_to_float((uint16_t)(word >> 16))));
    return array;
}

static void put_word(struct maker *m, json_t *object, const char *key, uint8_t scalar,
                     uint32_t word) {
    float number;

    memcpy(&number, &word, sizeof number);
    if (scalar == WG_I32)
        maker_put(m, object, key, json_integer((int32_t)word));
    else if (scalar == WG_F16)
        maker_put(m, object, key, halves_json(word));
    else if (scalar != WG_F32)
        maker_put(m, object, key, json_integer(word));
    else
        maker_put(m, object, key, float_json(number));
}

static json_t *access_json(struct maker *m, const struct finding_place *place,
                           const struct finding_value *value) {
    json_t *object = place_json(m, place);

    if (value->known)
        put_word(m, object, "value", value->scalar, value->value);
    if (value->before_known)
        put_word(m, object, "value_before", value->scalar, value->before);
    return object;
}

static json_t *finding_json(struct maker *m, const struct report *report,
                            const struct finding *finding) {
    const struct finding_kind_info *kind = &finding_kinds[finding->kind];
    json_t *object = json_object();

    maker_text(m, object, "kind", kind->name);
    maker_text(m, object, "severity", finding_severity_names[kind->severity]);
    maker_text(m, object, "text", finding->text);
    maker_text(m, object, "advice",
               finding->advice ? finding->advice : report_fix(report, finding->kind));
    maker_int(m, object, "count", finding->count);
    maker_int(m, object, "dispatch", finding->dispatch);
    if (finding->what_if)
        maker_put(m, object, "what_if", json_true());
    if (finding->variable)
        maker_text(m, object, "variable", finding->variable);
    maker_known(m, object, "element", finding->element);
    if (finding->first.site)
        maker_put(m, object, "first", access_json(m, &finding->first, &finding->first_value));
    if (finding->second.site)
        maker_put(m, object, "second", access_json(m, &finding->second, &finding->second_value));
    if (finding->file) {
        maker_text(m, object, "file", finding->file);
        maker_int(m, object, "line", finding->line);
    }
    return object;
}

json_t *json_findings(struct maker *m, const struct report *report) {
    json_t *array = json_array();

    for (size_t i = 0; i < report->findings.count; i++)
        maker_append(m, array, finding_json(m, report, &report->findings.items[i]));
    return array;
}

/* ---- Deadlock ---- */

static const char *var_name(const struct report *report, uint32_t var) {
    const struct wg_var *found = var < WG_MAX_VARS ? report->run.job->kernel->vars[var] : NULL;

    return found ? found->name : "";
}

static void put_origin(struct maker *m, json_t *object, const struct explain_waiter *waiter) {
    maker_int(m, object, "stored_by_workgroup", waiter->origin);
    maker_text(m, object, "stored_by_file", waiter->origin_site->file);
    maker_int(m, object, "stored_by_line", waiter->origin_site->line);
}

/* Who would end the wait, and where. */
static void put_need(struct maker *m, json_t *object, const struct explain_waiter *waiter) {
    maker_int(m, object, "needs_workgroup", waiter->writer);
    maker_put(m, object, "needs_pending", json_boolean(waiter->writer_pending));
    if (waiter->has_freed_value)
        maker_int(m, object, "freed_by_value", waiter->freed_value);
    maker_text(m, object, "needs_file", waiter->writer_site->file);
    maker_int(m, object, "needs_line", waiter->writer_site->line);
}

static void put_place(struct maker *m, json_t *object, const struct wg_site *site) {
    maker_text(m, object, "file", site->file);
    maker_int(m, object, "line", site->line);
    maker_int(m, object, "column", site->column);
}

/* What is not known of a waiter is null: where it looks at nothing, or nobody frees it. */
static void put_unknown(struct maker *m, json_t *object) {
    static const char *const keys[] = {"file",      "line",  "column",          "variable",
                                       "element",   "value", "needs_workgroup", "needs_file",
                                       "needs_line"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!json_object_get(object, keys[i]))
            maker_put(m, object, keys[i], json_null());
}

static json_t *waiter_json(struct maker *m, const struct report *report,
                           const struct explain_waiter *waiter) {
    json_t *object = json_object();

    maker_int(m, object, "workgroup", waiter->workgroup);
    maker_int(m, object, "cu", waiter->cu);
    maker_int(m, object, "slot", waiter->slot);
    maker_int(m, object, "invocation", waiter->invocation);
    maker_int(m, object, "spinning", waiter->spinning);
    maker_int(m, object, "at_barrier", waiter->at_barrier);
    if (waiter->parked) {
        maker_int(m, object, "parked", waiter->parked);
        maker_int(m, object, "parked_invocation", waiter->parked_invocation);
    }
    if (waiter->loop)
        put_place(m, object, waiter->loop);
    else if (waiter->site)
        put_place(m, object, waiter->site);
    if (waiter->site) {
        maker_text(m, object, "variable", var_name(report, waiter->var));
        maker_int(m, object, "element", waiter->element);
        maker_int(m, object, "value", waiter->value);
    }
    if (waiter->has_writer)
        put_need(m, object, waiter);
    if (waiter->has_origin)
        put_origin(m, object, waiter);
    put_unknown(m, object);
    return object;
}

static json_t *pending_json(struct maker *m, const struct explanation *deadlock) {
    json_t *object = json_object(), *names = json_limiters(m, deadlock->limiters);

    if (deadlock->draining)
        maker_append(m, names, json_string("refill"));
    if (deadlock->capped)
        maker_append(m, names, json_string("resident"));
    const char *first = json_string_value(json_array_get(names, 0));

    maker_int(m, object, "count", deadlock->pending);
    maker_put(m, object, "first",
              deadlock->pending ? json_integer((json_int_t)deadlock->first_pending) : json_null());
    maker_put(m, object, "limiter", deadlock->pending && first ? json_string(first) : json_null());
    maker_put(m, object, "limiters", names);
    return object;
}

json_t *json_deadlock(struct maker *m, const struct report *report) {
    const struct explanation *deadlock = &report->deadlock;
    json_t *object = json_object(), *waiting = json_array();

    maker_put(m, object, "proved", json_true());
    maker_int(m, object, "cycle_steps", report->cycle_steps);
    for (size_t i = 0; i < deadlock->waiter_count; i++)
        maker_append(m, waiting, waiter_json(m, report, &deadlock->waiters[i]));
    maker_put(m, object, "waiting", waiting);
    maker_put(m, object, "pending", pending_json(m, deadlock));
    if (deadlock->lockstep)
        maker_put(m, object, "ends_with_independent_lanes",
                  json_boolean(deadlock->ends_independent));
    maker_put(m, object, "largest_dispatch_that_ends",
              deadlock->has_dispatch ? json_integer((json_int_t)deadlock->largest_dispatch)
                                     : json_null());
    maker_put(m, object, "smallest_residency_that_ends",
              deadlock->has_residency ? json_integer((json_int_t)deadlock->smallest_residency)
                                      : json_null());
    return object;
}
