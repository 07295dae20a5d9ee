/* A report as JSON. Failed allocations show in json_object_set_new's result, which is summed up in
 * struct maker. */
#include "sim/report/json.h"

#include <stdlib.h>
#include <string.h>

struct maker {
    bool failed;
};

static void put(struct maker *m, json_t *object, const char *key, json_t *value) {
    m->failed |= json_object_set_new(object, key, value) < 0;
}

static void put_int(struct maker *m, json_t *object, const char *key, uint64_t value) {
    put(m, object, key, json_integer((json_int_t)value));
}

/* Text from a kernel may be anything: what is not UTF-8 becomes "?". */
static json_t *text_of(const char *text) {
    json_t *value = text ? json_string(text) : json_null();

    if (value)
        return value;
    json_t *plain = NULL;
    char *copy = strdup(text);
    for (char *c = copy; c && *c; c++)
        if (*c & 0x80)
            *c = '?';
    if (copy)
        plain = json_string(copy);
    free(copy);
    return plain;
}

static void put_text(struct maker *m, json_t *object, const char *key, const char *text) {
    put(m, object, key, text_of(text));
}

static void append(struct maker *m, json_t *array, json_t *value) {
    m->failed |= json_array_append_new(array, value) < 0;
}

static json_t *limiters_json(struct maker *m, uint32_t limiters) {
    json_t *names = json_array();

    for (int r = 0; r < RESOURCE_COUNT; r++)
        if (limiters >> r & 1)
            append(m, names, json_string(resource_names[r]));
    return names;
}

static json_t *occupancy_json(struct maker *m, const struct occupancy *occupancy) {
    json_t *object = json_object();

    put_int(m, object, "workgroups_per_cu", occupancy->workgroups);
    put(m, object, "limiters", limiters_json(m, occupancy->limiters));
    return object;
}

static json_t *device_json(struct maker *m, const struct device *device) {
    json_t *object = json_object();
    static const enum device_field fields[] = {DEVICE_cus,
                                               DEVICE_workgroup_memory_bytes,
                                               DEVICE_subgroup_slots,
                                               DEVICE_invocation_slots,
                                               DEVICE_registers,
                                               DEVICE_banks,
                                               DEVICE_clock_mhz};

    put_text(m, object, "name", device->name);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        put_int(m, object, device_fields[fields[i]].name, device_get(device, fields[i]));
    put_int(m, object, "slots", device->workgroup_slots);
    put_int(m, object, "subgroup", device->subgroup_width);
    return object;
}

/* ---- Counts ---- */

static json_t *count_json(struct maker *m, enum report_access access,
                          const struct site_count *count) {
    json_t *object = json_object();

    put_int(m, object, "requests", count->requests);
    if (access <= REPORT_WORKGROUP_ATOMIC) {
        put_int(m, object, "wavefronts", count->wavefronts);
        put_int(m, object, "conflicts", count->conflicts);
    } else {
        put_int(m, object, "sectors", count->sectors);
    }
    put_int(m, object, "bytes", count->bytes);
    return object;
}

static json_t *counts_json(struct maker *m, const struct report_counts *counts) {
    json_t *object = json_object();
    bool lower_bound = false;

    for (int access = 0; access <= REPORT_STORAGE_ATOMIC; access++) {
        put(m, object, report_access_names[access],
            count_json(m, (enum report_access)access, &counts->access[access]));
        lower_bound |= counts->access[access].lower_bound;
    }
    put_int(m, object, "barriers", counts->barriers);
    put_text(m, object, "accuracy", lower_bound ? "lower bound" : "exact");
    return object;
}

static json_t *site_json(struct maker *m, const struct report_site *site) {
    json_t *object = json_object();

    put_text(m, object, "file", site->site->file);
    put_int(m, object, "line", site->site->line);
    put_int(m, object, "column", site->site->column);
    put_text(m, object, "variable", site->site->variable[0] ? site->site->variable : NULL);
    put_text(m, object, "access", report_access_names[site->access]);
    put_text(m, object, "text", site->site->text);
    put_int(m, object, "requests", site->count.requests);
    put_int(m, object, "wavefronts", site->count.wavefronts);
    put_int(m, object, "conflicts", site->count.conflicts);
    put_int(m, object, "sectors", site->count.sectors);
    put_int(m, object, "bytes", site->count.bytes);
    put(m, object, "lower_bound", json_boolean(site->count.lower_bound));
    return object;
}

static json_t *sites_json(struct maker *m, const struct report *report) {
    json_t *array = json_array();

    for (size_t i = 0; i < report->site_count; i++)
        append(m, array, site_json(m, &report->sites[i]));
    return array;
}

/* ---- Dispatches and time ---- */

static json_t *time_json(struct maker *m, const struct timing_report *time) {
    json_t *object = json_object(), *spent = json_object(), *busy = json_object();

    for (int cause = 0; cause < TIMING_CAUSE_COUNT; cause++)
        put_int(m, spent, timing_cause_names[cause], time->spent[cause]);
    for (int part = TIMING_BOUND_ISSUE; part < TIMING_BOUND_COUNT; part++)
        put(m, busy, timing_bound_names[part], json_real(time->busy[part] / 1000.0));
    put(m, object, "spent", spent);
    put(m, object, "busy", busy);
    put_text(m, object, "bound", timing_bound_names[time->bound]);
    put(m, object, "achieved_occupancy", json_real(time->occupancy / 1000.0));
    put_text(m, object, "accuracy", "modelled");
    return object;
}

static json_t *triple(struct maker *m, const uint32_t values[3]) {
    json_t *array = json_array();

    for (int axis = 0; axis < 3; axis++)
        append(m, array, json_integer(values[axis]));
    return array;
}

static json_t *dispatch_json(struct maker *m, const struct run_dispatch *dispatch,
                             const struct report_counts *counts) {
    json_t *object = json_object();

    put_text(m, object, "entry", dispatch->entry->name);
    put(m, object, "groups", triple(m, dispatch->groups));
    put(m, object, "workgroup_size", triple(m, dispatch->size));
    put_text(m, object, "verdict", verdict_names[dispatch->verdict]);
    put_int(m, object, "cycles", dispatch->cycles);
    put_int(m, object, "steps", dispatch->steps);
    put_int(m, object, "peak_resident", dispatch->peak_resident);
    put_int(m, object, "workgroups_finished", dispatch->finished);
    put_int(m, object, "workgroup_memory_bytes", dispatch->memory_bytes);
    put(m, object, "occupancy", occupancy_json(m, &dispatch->occupancy));
    put(m, object, "time", time_json(m, &dispatch->time));
    put(m, object, "counts", counts_json(m, counts));
    return object;
}

static json_t *dispatches_json(struct maker *m, const struct report *report) {
    json_t *array = json_array();

    for (size_t i = 0; i < report->run.dispatch_count; i++)
        append(m, array, dispatch_json(m, &report->run.dispatches[i], &report->dispatches[i]));
    return array;
}

/* ---- Variables, outputs, prints ---- */

static json_t *variables_json(struct maker *m, const struct report *report) {
    static const char *const spaces[] = {"storage_read", "storage", "uniform", "workgroup"};
    json_t *array = json_array();

    for (size_t i = 0; i < report->variable_count; i++) {
        const struct report_variable *variable = &report->variables[i];
        json_t *object = json_object();
        put_text(m, object, "name", variable->var->name);
        put_text(m, object, "space", spaces[variable->var->space]);
        put_text(m, object, "type", variable->var->type);
        put_int(m, object, "bytes", variable->bytes);
        put_int(m, object, "loaded_bytes", variable->count.loaded_bytes);
        put_int(m, object, "stored_bytes", variable->count.stored_bytes);
        if (variable->var->space == WG_SPACE_WORKGROUP)
            put(m, object, "reuse",
                variable->count.stored_bytes ? json_real((double)variable->count.loaded_bytes /
                                                         (double)variable->count.stored_bytes)
                                             : json_null());
        append(m, array, object);
    }
    return array;
}

static json_t *outputs_json(struct maker *m, const struct report *report) {
    json_t *array = json_array();

    for (size_t i = 0; i < report->output_count; i++) {
        const struct report_output *output = &report->outputs[i];
        json_t *object = json_object();
        put_text(m, object, "name", output->name);
        put_int(m, object, "elements", output->elements);
        put_text(m, object, "check", report_check_names[output->check]);
        if (output->check == REPORT_DIFFER) {
            put_int(m, object, "element", output->element);
            put_text(m, object, "text", output->text);
        }
        append(m, array, object);
    }
    return array;
}

static json_t *prints_json(struct maker *m, const struct report *report) {
    json_t *array = json_array();

    for (size_t i = 0; i < report->print_count; i++) {
        const struct report_print *print = &report->prints[i];
        json_t *object = json_object();
        put_int(m, object, "workgroup", print->workgroup);
        put_int(m, object, "invocation", print->invocation);
        put_int(m, object, "line", print->site->line);
        put_text(m, object, "text", print->text);
        append(m, array, object);
    }
    return array;
}

/* ---- Findings ---- */

static void put_known(struct maker *m, json_t *object, const char *key, uint64_t value) {
    if (value != FINDING_UNKNOWN)
        put_int(m, object, key, value);
}

static json_t *place_json(struct maker *m, const struct finding_place *place) {
    json_t *object = json_object();

    put_text(m, object, "file", place->site->file);
    put_int(m, object, "line", place->site->line);
    put_int(m, object, "column", place->site->column);
    put_known(m, object, "workgroup", place->workgroup);
    put_known(m, object, "invocation", place->invocation);
    put_known(m, object, "iteration", place->iteration);
    if (report_is_access(place->site))
        put_text(m, object, "access", report_access_names[report_access_of(place->site)]);
    put_text(m, object, "text", place->site->text);
    return object;
}

static json_t *finding_json(struct maker *m, const struct finding *finding) {
    const struct finding_kind_info *kind = &finding_kinds[finding->kind];
    json_t *object = json_object();

    put_text(m, object, "kind", kind->name);
    put_text(m, object, "severity", finding_severity_names[kind->severity]);
    put_text(m, object, "text", finding->text);
    put_text(m, object, "advice", finding->advice ? finding->advice : kind->fix);
    put_int(m, object, "count", finding->count);
    put_int(m, object, "dispatch", finding->dispatch);
    if (finding->variable)
        put_text(m, object, "variable", finding->variable);
    put_known(m, object, "element", finding->element);
    if (finding->first.site)
        put(m, object, "first", place_json(m, &finding->first));
    if (finding->second.site)
        put(m, object, "second", place_json(m, &finding->second));
    if (finding->file) {
        put_text(m, object, "file", finding->file);
        put_int(m, object, "line", finding->line);
    }
    return object;
}

static json_t *findings_json(struct maker *m, const struct report *report) {
    json_t *array = json_array();

    for (size_t i = 0; i < report->findings.count; i++)
        append(m, array, finding_json(m, &report->findings.items[i]));
    return array;
}

/* ---- Deadlock ---- */

static const char *var_name(const struct report *report, uint32_t var) {
    const struct wg_var *found = var < WG_MAX_VARS ? report->run.job->kernel->vars[var] : NULL;

    return found ? found->name : "";
}

static void put_need(struct maker *m, json_t *object, const struct explain_waiter *waiter) {
    put_int(m, object, "needs_workgroup", waiter->writer);
    put(m, object, "needs_pending", json_boolean(waiter->writer_pending));
    if (waiter->has_freed_value)
        put_int(m, object, "freed_by_value", waiter->freed_value);
    put_text(m, object, "needs_file", waiter->writer_site->file);
    put_int(m, object, "needs_line", waiter->writer_site->line);
}

static json_t *waiter_json(struct maker *m, const struct report *report,
                           const struct explain_waiter *waiter) {
    json_t *object = json_object();

    put_int(m, object, "workgroup", waiter->workgroup);
    put_int(m, object, "cu", waiter->cu);
    put_int(m, object, "slot", waiter->slot);
    put_int(m, object, "invocation", waiter->invocation);
    put_int(m, object, "spinning", waiter->spinning);
    put_int(m, object, "at_barrier", waiter->at_barrier);
    if (waiter->parked) {
        put_int(m, object, "parked", waiter->parked);
        put_int(m, object, "parked_invocation", waiter->parked_invocation);
    }
    if (waiter->site) {
        put_text(m, object, "file", waiter->site->file);
        put_int(m, object, "line", waiter->site->line);
        put_int(m, object, "column", waiter->site->column);
        put_text(m, object, "variable", var_name(report, waiter->var));
        put_int(m, object, "element", waiter->element);
        put_int(m, object, "value", waiter->value);
    }
    if (waiter->has_writer)
        put_need(m, object, waiter);
    else
        put(m, object, "needs_workgroup", json_null());
    return object;
}

static json_t *pending_json(struct maker *m, const struct explanation *deadlock) {
    json_t *object = json_object(), *names = limiters_json(m, deadlock->limiters);
    const char *first = json_string_value(json_array_get(names, 0));

    put_int(m, object, "count", deadlock->pending);
    put(m, object, "first",
        deadlock->pending ? json_integer((json_int_t)deadlock->first_pending) : json_null());
    put(m, object, "limiter", deadlock->pending && first ? json_string(first) : json_null());
    put(m, object, "limiters", names);
    return object;
}

static json_t *deadlock_json(struct maker *m, const struct report *report) {
    const struct explanation *deadlock = &report->deadlock;
    json_t *object = json_object(), *waiting = json_array();

    put(m, object, "proved", json_true());
    put_int(m, object, "cycle_steps", report->cycle_steps);
    for (size_t i = 0; i < deadlock->waiter_count; i++)
        append(m, waiting, waiter_json(m, report, &deadlock->waiters[i]));
    put(m, object, "waiting", waiting);
    put(m, object, "pending", pending_json(m, deadlock));
    if (deadlock->lockstep)
        put(m, object, "ends_with_independent_lanes", json_boolean(deadlock->ends_independent));
    put(m, object, "largest_dispatch_that_ends",
        deadlock->has_dispatch ? json_integer((json_int_t)deadlock->largest_dispatch)
                               : json_null());
    put(m, object, "smallest_residency_that_ends",
        deadlock->has_residency ? json_integer((json_int_t)deadlock->smallest_residency)
                                : json_null());
    return object;
}

/* ---- The whole ---- */

json_t *report_to_json(const struct report *report) {
    struct maker m = {false};
    json_t *root = json_object();
    const struct run *run = &report->run;
    static const struct occupancy none = {0};

    put_text(&m, root, "schema", "wgsim-report/1");
    put_text(&m, root, "kernel", report->kernel);
    put_text(&m, root, "verdict", verdict_names[run->verdict]);
    put(&m, root, "device", device_json(&m, run->device));
    put(&m, root, "occupancy",
        occupancy_json(&m, run->dispatch_count ? &run->dispatches[0].occupancy : &none));
    put_int(&m, root, "cycles", run->cycles);
    put_int(&m, root, "steps", run->steps);
    put(&m, root, "dispatches", dispatches_json(&m, report));
    put(&m, root, "counts", counts_json(&m, &report->total));
    put(&m, root, "sites", sites_json(&m, report));
    put(&m, root, "variables", variables_json(&m, report));
    put(&m, root, "findings", findings_json(&m, report));
    if (run->verdict == VERDICT_DEADLOCK)
        put(&m, root, "deadlock", deadlock_json(&m, report));
    put(&m, root, "outputs", outputs_json(&m, report));
    put(&m, root, "prints", prints_json(&m, report));
    if (report->run.trapped)
        put(&m, root, "trapped", json_true());
    if (report->interrupted)
        put(&m, root, "interrupted", json_true());
    put_int(&m, root, "seed", run->options->seed);
    put_text(&m, root, "command", report->command);
    if (m.failed) {
        json_decref(root);
        return NULL;
    }
    return root;
}
