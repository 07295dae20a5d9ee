/* A report as JSON. */
#include "sim/report/json.h"

#include "sim/report/json_parts.h"

json_t *json_limiters(struct maker *m, uint32_t limiters) {
    json_t *names = json_array();

    for (int r = 0; r < RESOURCE_COUNT; r++)
        if (limiters >> r & 1)
            maker_append(m, names, json_string(resource_names[r]));
    return names;
}

static json_t *occupancy_json(struct maker *m, const struct occupancy *occupancy) {
    json_t *object = json_object();

    maker_int(m, object, "workgroups_per_cu", occupancy->workgroups);
    maker_put(m, object, "limiters", json_limiters(m, occupancy->limiters));
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

    maker_text(m, object, "name", device->name);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        maker_int(m, object, device_fields[fields[i]].name, device_get(device, fields[i]));
    maker_int(m, object, "slots", device->workgroup_slots);
    maker_int(m, object, "subgroup", device->subgroup_width);
    return object;
}

/* ---- Counts ---- */

static json_t *count_json(struct maker *m, enum report_access access,
                          const struct site_count *count) {
    json_t *object = json_object();

    maker_int(m, object, "requests", count->requests);
    if (access <= REPORT_WORKGROUP_ATOMIC) {
        maker_int(m, object, "wavefronts", count->wavefronts);
        maker_int(m, object, "conflicts", count->conflicts);
    } else {
        maker_int(m, object, "sectors", count->sectors);
    }
    maker_int(m, object, "bytes", count->bytes);
    return object;
}

static json_t *counts_json(struct maker *m, const struct report_counts *counts) {
    json_t *object = json_object();
    bool lower_bound = false;

    for (int access = 0; access <= REPORT_STORAGE_ATOMIC; access++) {
        maker_put(m, object, report_access_names[access],
                  count_json(m, (enum report_access)access, &counts->access[access]));
        lower_bound |= counts->access[access].lower_bound;
    }
    maker_int(m, object, "barriers", counts->barriers);
    maker_text(m, object, "accuracy", lower_bound ? "lower bound" : "exact");
    return object;
}

static json_t *site_json(struct maker *m, const struct report_site *site) {
    json_t *object = json_object();

    maker_text(m, object, "file", site->site->file);
    maker_int(m, object, "line", site->site->line);
    maker_int(m, object, "column", site->site->column);
    maker_text(m, object, "variable", site->site->variable[0] ? site->site->variable : NULL);
    maker_text(m, object, "access", report_access_names[site->access]);
    maker_text(m, object, "text", site->site->text);
    maker_int(m, object, "requests", site->count.requests);
    maker_int(m, object, "wavefronts", site->count.wavefronts);
    maker_int(m, object, "conflicts", site->count.conflicts);
    maker_int(m, object, "sectors", site->count.sectors);
    maker_int(m, object, "bytes", site->count.bytes);
    maker_put(m, object, "lower_bound", json_boolean(site->count.lower_bound));
    return object;
}

static json_t *sites_json(struct maker *m, const struct report *report) {
    json_t *array = json_array();

    for (size_t i = 0; i < report->site_count; i++)
        maker_append(m, array, site_json(m, &report->sites[i]));
    return array;
}

/* ---- Dispatches and time ---- */

static json_t *time_json(struct maker *m, const struct timing_report *time, enum pace pace) {
    json_t *object = json_object(), *spent = json_object(), *busy = json_object();

    for (int cause = 0; cause < TIMING_CAUSE_COUNT; cause++)
        maker_int(m, spent, timing_cause_names[cause], time->spent[cause]);
    for (int part = TIMING_BOUND_ISSUE; part < TIMING_BOUND_COUNT; part++)
        maker_put(m, busy, timing_bound_names[part], json_real(time->busy[part] / 1000.0));
    maker_put(m, object, "spent", spent);
    maker_put(m, object, "busy", busy);
    maker_text(m, object, "bound", timing_bound_names[time->bound]);
    maker_put(m, object, "achieved_occupancy", json_real(time->occupancy / 1000.0));
    maker_text(m, object, "accuracy", pace == PACE_MODELLED ? "modelled" : "none: --pace");
    return object;
}

static json_t *triple(struct maker *m, const uint32_t values[3]) {
    json_t *array = json_array();

    for (int axis = 0; axis < 3; axis++)
        maker_append(m, array, json_integer(values[axis]));
    return array;
}

static json_t *dispatch_json(struct maker *m, const struct run_dispatch *dispatch,
                             const struct report_counts *counts, enum pace pace) {
    json_t *object = json_object();

    maker_text(m, object, "entry", dispatch->entry->name);
    maker_put(m, object, "groups", triple(m, dispatch->groups));
    maker_put(m, object, "workgroup_size", triple(m, dispatch->size));
    maker_text(m, object, "verdict", verdict_names[dispatch->verdict]);
    maker_int(m, object, "cycles", dispatch->cycles);
    maker_int(m, object, "steps", dispatch->steps);
    maker_int(m, object, "peak_resident", dispatch->peak_resident);
    maker_int(m, object, "workgroups_finished", dispatch->finished);
    maker_int(m, object, "workgroup_memory_bytes", dispatch->memory_bytes);
    maker_put(m, object, "occupancy", occupancy_json(m, &dispatch->occupancy));
    maker_put(m, object, "time", time_json(m, &dispatch->time, pace));
    maker_put(m, object, "counts", counts_json(m, counts));
    return object;
}

static json_t *dispatches_json(struct maker *m, const struct report *report) {
    json_t *array = json_array();

    for (size_t i = 0; i < report->run.dispatch_count; i++)
        maker_append(m, array,
                     dispatch_json(m, &report->run.dispatches[i], &report->dispatches[i],
                                   report->run.options->pace));
    return array;
}

/* ---- Variables, outputs, prints ---- */

static json_t *variables_json(struct maker *m, const struct report *report) {
    static const char *const spaces[] = {"storage_read", "storage", "uniform", "workgroup"};
    json_t *array = json_array();

    for (size_t i = 0; i < report->variable_count; i++) {
        const struct report_variable *variable = &report->variables[i];
        json_t *object = json_object();
        maker_text(m, object, "name", variable->var->name);
        maker_text(m, object, "space", spaces[variable->var->space]);
        maker_text(m, object, "type", variable->var->type);
        maker_int(m, object, "bytes", variable->bytes);
        maker_int(m, object, "loaded_bytes", variable->count.loaded_bytes);
        maker_int(m, object, "stored_bytes", variable->count.stored_bytes);
        if (variable->var->space == WG_SPACE_WORKGROUP)
            maker_put(m, object, "reuse",
                      variable->count.stored_bytes
                          ? json_real((double)variable->count.loaded_bytes /
                                      (double)variable->count.stored_bytes)
                          : json_null());
        maker_append(m, array, object);
    }
    return array;
}

static json_t *outputs_json(struct maker *m, const struct report *report) {
    json_t *array = json_array();

    for (size_t i = 0; i < report->output_count; i++) {
        const struct report_output *output = &report->outputs[i];
        json_t *object = json_object();
        maker_text(m, object, "name", output->name);
        maker_int(m, object, "elements", output->elements);
        maker_text(m, object, "check", report_check_names[output->check]);
        if (output->check == REPORT_DIFFER) {
            maker_int(m, object, "element", output->element);
            maker_text(m, object, "text", output->text);
        }
        maker_append(m, array, object);
    }
    return array;
}

static json_t *prints_json(struct maker *m, const struct report *report) {
    json_t *array = json_array();

    for (size_t i = 0; i < report->print_count; i++) {
        const struct report_print *print = &report->prints[i];
        json_t *object = json_object();
        maker_int(m, object, "workgroup", print->workgroup);
        maker_int(m, object, "invocation", print->invocation);
        maker_int(m, object, "line", print->site->line);
        maker_text(m, object, "text", print->text);
        maker_append(m, array, object);
    }
    return array;
}

/* ---- The whole ---- */

json_t *report_to_json(const struct report *report) {
    struct maker m = {false};
    json_t *root = json_object(), *scheduling;
    const struct run *run = &report->run;
    static const struct occupancy none = {0};

    maker_text(&m, root, "schema", "wgsim-report/1");
    maker_text(&m, root, "kernel", report->kernel);
    maker_text(&m, root, "verdict", verdict_names[run->verdict]);
    maker_put(&m, root, "device", device_json(&m, run->device));
    maker_put(&m, root, "occupancy",
              occupancy_json(&m, run->dispatch_count ? &run->dispatches[0].occupancy : &none));
    if ((scheduling = json_scheduling(&m, run->options)))
        maker_put(&m, root, "schedule", scheduling);
    maker_int(&m, root, "cycles", run->cycles);
    maker_int(&m, root, "steps", run->steps);
    maker_put(&m, root, "dispatches", dispatches_json(&m, report));
    maker_put(&m, root, "counts", counts_json(&m, &report->total));
    maker_put(&m, root, "sites", sites_json(&m, report));
    maker_put(&m, root, "variables", variables_json(&m, report));
    maker_put(&m, root, "findings", json_findings(&m, report));
    if (report->findings.more_races)
        maker_put(&m, root, "more_races", json_true());
    if (run->hang != VERDICT_FINISHED)
        maker_text(&m, root, "went_on", verdict_names[run->hang]);
    if (run->verdict == VERDICT_DEADLOCK || run->hang == VERDICT_DEADLOCK)
        maker_put(&m, root, "deadlock", json_deadlock(&m, report));
    if (run->verdict == VERDICT_LIVELOCK || run->hang == VERDICT_LIVELOCK)
        maker_put(
            &m, root, "livelock",
            json_pack("{s:b, s:I}", "proved", 1, "cycle_steps", (json_int_t)report->cycle_steps));
    maker_put(&m, root, "outputs", outputs_json(&m, report));
    maker_put(&m, root, "prints", prints_json(&m, report));
    if (report->run.trapped)
        maker_put(&m, root, "trapped", json_true());
    if (report->interrupted)
        maker_put(&m, root, "interrupted", json_true());
    maker_int(&m, root, "seed", run->options->seed);
    maker_text(&m, root, "command", report->command);
    if (m.failed) {
        json_decref(root);
        return NULL;
    }
    return root;
}
