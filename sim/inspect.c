/* What a shader declares. */
#include "sim/inspect.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sim/json_text.h"
#include "sim/occupancy.h"

static json_t *integer(uint64_t number) {
    return json_integer((json_int_t)number);
}

static uint64_t round_up(uint64_t bytes, uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

/* -- types ------------------------------------------------------------------------------------- */

/* Bytes that hold data: what is left of a type's size without its padding. */
static uint64_t data_bytes(struct wgsl_pipeline *pipeline, const struct wgsl_type *type) {
    uint64_t bytes = 0;
    switch (type->kind) {
    case TY_VEC:
        return type->rows * type->elem->size;
    case TY_MAT:
        return (uint64_t)type->columns * type->rows * type->elem->size;
    case TY_ARRAY:
        return wgsl_pipeline_count(pipeline, type) * data_bytes(pipeline, type->elem);
    case TY_STRUCT:
        for (uint32_t k = 0; k < type->member_count; k++)
            bytes += data_bytes(pipeline, type->members[k].type);
        return bytes;
    default:
        return type->size;
    }
}

/* Whether a size hangs on an override without value. */
static bool is_unknown(struct wgsl_pipeline *pipeline, const struct wgsl_type *type) {
    return type->kind == TY_ARRAY && type->count_expr && !wgsl_pipeline_count(pipeline, type);
}

static const struct wgsl_type *innermost(const struct wgsl_type *type) {
    while (type->kind == TY_ARRAY)
        type = type->elem;
    return type;
}

static void add_members(json_t *into, struct wgsl_pipeline *pipeline, const struct wgsl_type *type);

/* Size, alignment and, for structures, their members. */
static void add_layout(json_t *into, struct wgsl_pipeline *pipeline, const struct wgsl_type *type) {
    json_object_set_new(into, "type", json_string(type->name));
    json_object_set_new(into, "bytes",
                        is_unknown(pipeline, type) ? json_null()
                                                   : integer(wgsl_pipeline_size(pipeline, type)));
    json_object_set_new(into, "align", integer(type->align));
    if (type->kind == TY_ARRAY) {
        uint64_t count = wgsl_pipeline_count(pipeline, type);
        json_object_set_new(into, "stride", integer(type->stride));
        json_object_set_new(into, "count", count ? integer(count) : json_null());
    }
    if (innermost(type)->kind == TY_STRUCT)
        add_members(into, pipeline, innermost(type));
}

static void add_members(json_t *into, struct wgsl_pipeline *pipeline,
                        const struct wgsl_type *type) {
    json_t *members = json_array();
    for (uint32_t k = 0; k < type->member_count; k++) {
        json_t *member = json_object();
        json_object_set_new(member, "name", json_string(type->members[k].name));
        json_object_set_new(member, "offset", integer(type->members[k].offset));
        add_layout(member, pipeline, type->members[k].type);
        json_array_append_new(members, member);
    }
    json_object_set_new(into, "members", members);
}

/* -- variables --------------------------------------------------------------------------------- */

/* The pipeline of some entry point that uses a variable, which is how sizes are known. Without any
 * entry point all variables are shown. */
static struct wgsl_pipeline *user_of(const struct shader *shader,
                                     const struct wgsl_variable *variable) {
    for (uint32_t p = 0; p < shader->pipeline_count; p++) {
        const struct wgsl_function *entry = shader->pipelines[p]->entry;
        if (!entry)
            return shader->pipelines[p];
        for (uint32_t k = 0; k < entry->global_count; k++) {
            if (entry->globals[k] == variable)
                return shader->pipelines[p];
        }
    }
    return NULL;
}

static json_t *inspect_binding(struct wgsl_pipeline *pipeline,
                               const struct wgsl_variable *variable) {
    json_t *binding = json_object();
    json_object_set_new(binding, "group", json_integer(variable->group));
    json_object_set_new(binding, "binding", json_integer(variable->binding));
    json_object_set_new(binding, "name", json_string(variable->name));
    json_object_set_new(binding, "space", json_string(space_name(variable->space)));
    if (variable->space == AS_STORAGE)
        json_object_set_new(binding, "access", json_string(access_name(variable->access)));
    add_layout(binding, pipeline, variable->type);
    return binding;
}

static json_t *inspect_workgroup(struct wgsl_pipeline *pipeline,
                                 const struct wgsl_variable *variable) {
    json_t *object = json_object();
    uint64_t bytes = wgsl_pipeline_size(pipeline, variable->type),
             data = data_bytes(pipeline, variable->type);
    const struct wgsl_type *element = innermost(variable->type);
    json_object_set_new(object, "name", json_string(variable->name));
    add_layout(object, pipeline, variable->type);
    bool unknown = is_unknown(pipeline, variable->type);
    json_object_set_new(object, "counted_bytes",
                        unknown ? json_null() : integer(round_up(bytes, 16)));
    json_object_set_new(object, "padding_bytes", unknown ? json_null() : integer(bytes - data));
    if (bytes > data && variable->type->kind == TY_ARRAY)
        json_object_set_new(object, "padding",
                            json_sprintf("each %s holds %" PRIu64
                                         " bytes of data and takes %" PRIu64,
                                         element->name, data_bytes(pipeline, element),
                                         round_up(element->size, element->align)));
    return object;
}

/* -- entry points and overrides ------------------------------------------------------------------
 */

static json_t *inspect_occupancy(const struct wgsl_pipeline *pipeline,
                                 const struct device *device) {
    const uint32_t *size = pipeline->workgroup_size;
    if (!size[0] || !size[1] || !size[2] || pipeline->bytes_unknown)
        return json_null();
    struct workgroup_needs needs = {.invocations = size[0] * size[1] * size[2],
                                    .workgroup_memory_bytes = pipeline->workgroup_bytes};
    struct occupancy occupancy = occupancy_of(device, 0, &needs);
    json_t *limiters = json_array();
    for (unsigned k = 0; k < RESOURCE_COUNT; k++) {
        if (occupancy.limiters >> k & 1)
            json_array_append_new(limiters, json_string(resource_names[k]));
    }
    return json_pack("{s:s, s:i, s:o}", "device", device->name, "workgroups_per_cu",
                     (int)occupancy.workgroups, "limiters", limiters);
}

static json_t *inspect_entry(const struct wgsl_pipeline *pipeline, const struct device *device) {
    const struct wgsl_function *entry = pipeline->entry;
    json_t *uses = json_array(), *size = json_array();
    for (int k = 0; k < 3; k++)
        json_array_append_new(
            size, pipeline->workgroup_size[k] ? integer(pipeline->workgroup_size[k]) : json_null());
    for (uint32_t k = 0; k < entry->global_count; k++)
        json_array_append_new(uses, json_string(entry->globals[k]->name));
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", entry->name, "workgroup_size", size,
                     "workgroup_bytes",
                     pipeline->bytes_unknown ? json_null() : integer(pipeline->workgroup_bytes),
                     "uses", uses, "occupancy", inspect_occupancy(pipeline, device));
}

static json_t *scalar_json(const struct wgsl_type *type, union wgsl_scalar scalar) {
    return type->kind == TY_BOOL ? json_boolean(scalar.i)
           : type_is_float(type) ? json_real(scalar.f)
                                 : json_integer(scalar.i);
}

/* The value of an override that is used, or else its default, or NULL. */
static const struct wgsl_value *override_value(const struct shader *shader,
                                               const struct wgsl_variable *variable) {
    for (uint32_t p = 0; p < shader->pipeline_count; p++) {
        const struct wgsl_value *value = shader->pipelines[p]->overrides[variable->override_index];
        if (value)
            return value;
    }
    return variable->init ? variable->init->value : NULL;
}

static bool needs_value(const struct shader *shader, const struct wgsl_variable *variable) {
    for (uint32_t p = 0; p < shader->pipeline_count; p++)
        if (shader->pipelines[p]->missing[variable->override_index])
            return true;
    return false;
}

static json_t *inspect_override(const struct shader *shader, const struct wgsl_variable *variable) {
    const struct wgsl_value *value = override_value(shader, variable);
    json_t *object = json_pack("{s:s, s:s}", "name", variable->name, "type", variable->type->name);
    if (variable->has_id)
        json_object_set_new(object, "id", json_integer(variable->id));
    json_object_set_new(object, "value",
                        value ? scalar_json(value->type, value_leaf(value, 0)) : json_null());
    json_object_set_new(object, "needs_value", json_boolean(needs_value(shader, variable)));
    return object;
}

json_t *inspect_shader(const struct shader *shader, const struct device *device) {
    const struct wgsl_module *module = shader->module;
    json_t *entries = json_array(), *bindings = json_array(), *workgroup = json_array(),
           *overrides = json_array();
    for (uint32_t p = 0; p < shader->pipeline_count; p++)
        if (shader->pipelines[p]->entry)
            json_array_append_new(entries, inspect_entry(shader->pipelines[p], device));
    for (uint32_t k = 0; k < module->global_count; k++) {
        const struct wgsl_variable *variable = module->globals[k];
        struct wgsl_pipeline *pipeline = user_of(shader, variable);
        if (pipeline && variable->has_binding)
            json_array_append_new(bindings, inspect_binding(pipeline, variable));
        if (pipeline && variable->kind == VAR_VAR && variable->space == AS_WORKGROUP)
            json_array_append_new(workgroup, inspect_workgroup(pipeline, variable));
    }
    for (uint32_t k = 0; k < module->override_count; k++)
        json_array_append_new(overrides, inspect_override(shader, module->overrides[k]));
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "schema", "wgsim-inspect/1", "shader",
                     json_text(module->files[0].name), "entries", entries, "bindings", bindings,
                     "workgroup_variables", workgroup, "overrides", overrides);
}

/* -- text -------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static long long number_of(const json_t *object, const char *key) {
    return (long long)json_integer_value(json_object_get(object, key));
}

/* A number, or "unknown". */
static void print_number(const json_t *number, struct buf *out) {
    if (json_is_integer(number))
        buf_printf(out, "%lld", (long long)json_integer_value(number));
    else
        buf_puts(out, "unknown");
}

static void print_members(const json_t *object, int indent, struct buf *out) {
    size_t index;
    json_t *member;
    json_array_foreach(json_object_get(object, "members"), index, member) {
        buf_printf(out, "%*s%6lld  %s: %s, %lld bytes\n", indent, "", number_of(member, "offset"),
                   text_of(member, "name"), text_of(member, "type"), number_of(member, "bytes"));
        print_members(member, indent + 8, out);
    }
}

static void print_occupancy(const json_t *occupancy, struct buf *out) {
    const json_t *limiters = json_object_get(occupancy, "limiters");
    if (json_is_null(occupancy)) {
        buf_puts(out, "    how many are resident is unknown until overrides have values\n");
        return;
    }
    buf_printf(out, "    on device %s %lld resident on a compute unit; limited by",
               text_of(occupancy, "device"), number_of(occupancy, "workgroups_per_cu"));
    for (size_t k = 0; k < json_array_size(limiters); k++)
        buf_printf(out, "%s %s", k ? "," : "", json_string_value(json_array_get(limiters, k)));
    buf_puts(out, "\n");
}

static void print_entry(const json_t *entry, struct buf *out) {
    const json_t *size = json_object_get(entry, "workgroup_size");
    buf_printf(out, "entry point %s: workgroups of ", text_of(entry, "name"));
    for (size_t k = 0; k < json_array_size(size); k++) {
        buf_puts(out, k ? " x " : "");
        print_number(json_array_get(size, k), out);
    }
    buf_puts(out, ", ");
    print_number(json_object_get(entry, "workgroup_bytes"), out);
    buf_puts(out, " bytes of workgroup memory\n");
    print_occupancy(json_object_get(entry, "occupancy"), out);
}

static void print_binding(const json_t *binding, struct buf *out) {
    buf_printf(out, "@group(%lld) @binding(%lld) %s: %s, %s%s%s", number_of(binding, "group"),
               number_of(binding, "binding"), text_of(binding, "name"), text_of(binding, "type"),
               text_of(binding, "space"), json_object_get(binding, "access") ? " " : "",
               text_of(binding, "access"));
    if (number_of(binding, "bytes"))
        buf_printf(out, ", %lld bytes", number_of(binding, "bytes"));
    if (json_object_get(binding, "stride"))
        buf_printf(out, ", stride %lld", number_of(binding, "stride"));
    buf_puts(out, "\n");
    print_members(binding, 4, out);
}

static void print_workgroup(const json_t *variable, struct buf *out) {
    buf_printf(out, "workgroup variable %s: %s, ", text_of(variable, "name"),
               text_of(variable, "type"));
    print_number(json_object_get(variable, "counted_bytes"), out);
    buf_puts(out, " bytes");
    if (number_of(variable, "padding_bytes"))
        buf_printf(out, ", %lld of them padding", number_of(variable, "padding_bytes"));
    buf_printf(out, "%s%s\n", json_object_get(variable, "padding") ? ": " : "",
               text_of(variable, "padding"));
    print_members(variable, 4, out);
}

static void print_override(const json_t *override, struct buf *out) {
    const json_t *value = json_object_get(override, "value");
    const char *name = text_of(override, "name");
    buf_printf(out, "override %s: %s", name, text_of(override, "type"));
    if (json_is_true(json_object_get(override, "needs_value"))) {
        buf_printf(out, " without default: needs a value (--set %s=VALUE)\n", name);
        return;
    }
    char *text =
        json_is_null(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    buf_printf(out, " = %s\n", text ? text : "unknown");
    free(text);
}

void inspect_print(const json_t *inspection, struct buf *out) {
    static const struct {
        const char *key;
        void (*print)(const json_t *object, struct buf *out);
    } parts[] = {{"entries", print_entry},
                 {"bindings", print_binding},
                 {"workgroup_variables", print_workgroup},
                 {"overrides", print_override}};
    buf_printf(out, "%s\n", text_of(inspection, "shader"));
    if (json_array_size(json_object_get(inspection, "entries")) == 0)
        buf_puts(out, "no compute entry point\n");
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        size_t index;
        json_t *object;
        json_array_foreach(json_object_get(inspection, parts[k].key), index, object) parts[k].print(
            object, out);
    }
}
