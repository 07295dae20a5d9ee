/* Cross-checks as text and as JSON. */
#include "sim/webgpu/crosscheck.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char *fact(const struct crosscheck *check, const char *key) {
    const char *text = json_string_value(json_object_get(check->device->device, key));
    return text ? text : "";
}

/* --- Text --- */

static void print_rule(const struct compare_rule *rule, struct buf *out) {
    switch (rule->kind) {
    case COMPARE_EXACT:
        buf_puts(out, "exact");
        break;
    case COMPARE_ULP:
        buf_printf(out, "within %g units in the last place", rule->tolerance);
        break;
    case COMPARE_RELATIVE:
        buf_printf(out, "within %g of the value", rule->tolerance);
        break;
    case COMPARE_NEAR:
        buf_printf(out, "within %g, or so much of the value", rule->tolerance);
        break;
    case COMPARE_ACCURACY:
        buf_printf(out, "within WGSL's accuracy of %s", rule->accuracy->function);
        break;
    case COMPARE_PERMUTATION:
        buf_puts(out, "in any order");
        break;
    case COMPARE_SET:
        buf_printf(out, "one of %zu allowed values", rule->allowed_count);
        break;
    case COMPARE_IGNORE:
        buf_puts(out, "not compared");
        break;
    }
    if (rule->reason)
        buf_printf(out, " (%s)", rule->reason);
}

/* A column of labels; longer ones push their line on. */
static void print_label(const char *label, struct buf *out) {
    buf_printf(out, "  %-11s ", label);
}

static void print_differing(const struct crosscheck *check, const struct crosscheck_buffer *buffer,
                            struct buf *out) {
    buf_printf(out, "\n  %14s  %20s  %20s\n", "element", "simulator", "device");
    for (size_t i = 0; i < buffer->result.shown_count; i++) {
        struct buf ours = {0}, theirs = {0};
        uint64_t element = buffer->result.shown[i];
        element_print(&buffer->type, check->chosen->buffers[buffer->index], element, &ours);
        element_print(&buffer->type, check->device->outputs[buffer->index], element, &theirs);
        buf_printf(out, "  %14llu  %20s  %20s\n", (unsigned long long)element,
                   ours.data ? ours.data : "", theirs.data ? theirs.data : "");
        buf_release(&ours);
        buf_release(&theirs);
    }
    if (buffer->result.differing > buffer->result.shown_count)
        buf_printf(out, "  %14s  and %llu more\n", "...",
                   (unsigned long long)(buffer->result.differing - buffer->result.shown_count));
}

static void print_buffer(const struct crosscheck *check, const struct crosscheck_buffer *buffer,
                         struct buf *out) {
    const struct compare_result *result = &buffer->result;
    print_label(buffer->name, out);
    buf_printf(out, "%llu element%s, ", (unsigned long long)result->elements,
               result->elements == 1 ? "" : "s");
    print_rule(&buffer->rule, out);
    if (result->compared && result->differing == 0)
        buf_puts(out, ": all agree");
    if (result->differing > 0)
        buf_printf(out, ": %llu differ", (unsigned long long)result->differing);
    if (result->worst_ulp > 0)
        buf_printf(out, "; worst %.3g units in the last place (relative %.2g), element %llu",
                   result->worst_ulp, result->worst_relative,
                   (unsigned long long)result->worst_element);
    if (result->differing > 0)
        print_differing(check, buffer, out);
    else
        buf_puts(out, "\n");
}

static void print_device(const struct crosscheck *check, struct buf *out) {
    print_label("device", out);
    buf_printf(out, "%s", fact(check, "name"));
    if (*fact(check, "driver"))
        buf_printf(out, ", %s", fact(check, "driver"));
    buf_printf(out, ", by %s: ", fact(check, "library"));
    switch (check->device->status) {
    case DEVICE_REJECTED:
        buf_printf(out, "rejected at \"%s\"\n", check->device->step);
        break;
    case DEVICE_HUNG:
        buf_printf(out, "hung at \"%s\": %s\n", check->device->step, check->device->message);
        break;
    default:
        buf_printf(out, "ended, %.1f s", (double)check->device->milliseconds / 1000);
        if (check->gave_up > 0)
            buf_printf(out, "; %llu gave up waiting", (unsigned long long)check->gave_up);
        else if (check->waits && check->bounded)
            buf_puts(out, "; waits bounded");
        buf_puts(out, "\n");
    }
}

void crosscheck_print(const struct crosscheck *check, struct buf *out) {
    buf_printf(out, "crosscheck %s: ", check->kernel);
    for (const char *c = crosscheck_verdict_name(check->result); *c; c++)
        buf_printf(out, "%c", *c == '-' ? ' ' : toupper((unsigned char)*c));
    buf_puts(out, "\n");
    print_label("simulator", out);
    buf_printf(out, "%s: %s\n", check->simulator, check->verdict);
    print_device(check, out);
    for (size_t i = 0; check->chosen && i < check->buffer_count; i++)
        print_buffer(check, &check->buffers[i], out);
    if (check->reason) {
        print_label("because", out);
        buf_printf(out, "%s\n", check->reason);
    }
    if (check->fault) {
        print_label("known fault", out);
        buf_printf(out, "%s\n", check->fault);
    }
}

/* --- JSON --- */

static json_t *encode_scalar(const char *text) {
    json_error_t ignored;
    json_t *number = json_loads(text, JSON_DECODE_ANY, &ignored);
    return number ? number : json_string(text);
}

/* A number, an array of numbers, or for what JSON has no number for ("nan", "inf") a text. */
static json_t *encode_element(const struct element_type *type, const void *buffer, uint64_t index) {
    struct buf text = {0};
    element_print(type, buffer, index, &text);
    json_t *value = NULL;
    if (!text.failed && type->components == 1) {
        value = encode_scalar(text.data);
    } else if (!text.failed) {
        value = json_array();
        char *rest = NULL;
        for (char *part = strtok_r(text.data, "(), ", &rest); part;
             part = strtok_r(NULL, "(), ", &rest))
            json_array_append_new(value, encode_scalar(part));
    }
    buf_release(&text);
    return value;
}

static json_t *encode_buffer(const struct crosscheck *check,
                             const struct crosscheck_buffer *buffer) {
    const struct compare_result *result = &buffer->result;
    struct buf rule = {0};
    print_rule(&buffer->rule, &rule);
    json_t *json =
        json_pack("{s:s, s:I, s:I, s:b, s:s}", "name", buffer->name, "elements",
                  (json_int_t)result->elements, "differing", (json_int_t)result->differing,
                  "compared", (int)result->compared, "rule", rule.data ? rule.data : "");
    buf_release(&rule);
    if (result->worst_ulp > 0 && isfinite(result->worst_ulp))
        json_object_set_new(json, "worst_ulp", json_real(result->worst_ulp));
    if (result->shown_count > 0) {
        uint64_t element = result->shown[0];
        json_object_set_new(
            json, "first",
            json_pack(
                "{s:I, s:o, s:o}", "element", (json_int_t)element, "simulator",
                encode_element(&buffer->type, check->chosen->buffers[buffer->index], element),
                "device",
                encode_element(&buffer->type, check->device->outputs[buffer->index], element)));
    }
    return json;
}

json_t *crosscheck_json(const struct crosscheck *check) {
    json_t *buffers = json_array();
    for (size_t i = 0; check->chosen && i < check->buffer_count; i++)
        json_array_append_new(buffers, encode_buffer(check, &check->buffers[i]));
    json_t *json = json_pack("{s:s, s:s, s:s, s:s?, s:s?, s:{s:s, s:s}, s:O, s:s, s:f, s:o}",
                             "schema", "wgsim-crosscheck/1", "kernel", check->kernel, "verdict",
                             crosscheck_verdict_name(check->result), "reason", check->reason,
                             "known_fault", check->fault, "simulator", "device", check->simulator,
                             "verdict", check->verdict, "device", check->device->device, "step",
                             check->device->step ? check->device->step : "", "seconds",
                             (double)check->device->milliseconds / 1000, "buffers", buffers);
    if (json && check->waits && check->bounded)
        json_object_set_new(json, "gave_up", json_integer((json_int_t)check->gave_up));
    return json;
}
