/* Comparison of buffers. */
#include "sim/order_results.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/half.h"
#include "sim/saved.h"
#include "wgsim/wgsl_format.h"

/* ---- Keeping ---- */

/* Whether a variable of atomics can hold floats. */
static bool holds_floats(const struct wg_var *var, struct wg_view view) {
    bool any = false;

    for (uint64_t byte = 0; var->atomic && byte + 4 <= view.bytes; byte += 4) {
        float value;
        memcpy(&value, view.data + byte, sizeof value);
        if (value != 0 && !isnormal(value))
            return false;
        any |= value != 0;
    }
    return any;
}

/* A half, a texel that is narrower than a word, or a word. */
static uint32_t compared_bytes(const struct wg_var *var, struct wg_view view) {
    struct wgsl_texture texture;

    if (!texture_spec_is_texture(var->type))
        return var->scalar == WG_F16 ? sizeof(uint16_t) : sizeof(uint32_t);
    memcpy(&texture, view.data, sizeof texture);
    return texture.texel_bytes < sizeof(uint32_t) ? texture.texel_bytes : sizeof(uint32_t);
}

static int keep(struct results *results, const char *name, const struct wg_var *var,
                struct wg_view view, bool adds_floats) {
    struct result_buffer *kept = &results->buffers[results->count++];

    *kept = (struct result_buffer){.name = strdup(name),
                                   .type = strdup(var->type ? var->type : ""),
                                   .word_bytes = compared_bytes(var, view),
                                   .scalar = adds_floats && holds_floats(var, view) ? WG_F32
                                                                                    : var->scalar,
                                   .stride = var->stride,
                                   .bytes = view.bytes,
                                   .data = malloc(view.bytes + 1)};
    if (!kept->name || !kept->type || !kept->data)
        return -1;
    memcpy(kept->data, view.data, view.bytes);
    return 0;
}

static int begin(struct results *results, size_t capacity) {
    *results = (struct results){.buffers = calloc(capacity + 1, sizeof *results->buffers)};
    return results->buffers ? 0 : -1;
}

int results_keep(struct results *results, const struct job *job, bool adds_floats) {
    if (begin(results, job->buffer_count) < 0)
        return -1;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *buffer = &job->buffers[i];
        if (keep(results, buffer->name, job->kernel->vars[buffer->like],
                 (struct wg_view){buffer->data, buffer->bytes}, adds_floats) < 0)
            return -1;
    }
    return 0;
}

int results_keep_views(struct results *results, const struct kernel *kernel,
                       const struct wg_view *views, bool adds_floats) {
    if (begin(results, kernel->var_limit) < 0)
        return -1;
    for (size_t id = 0; id < kernel->var_limit; id++)
        if (saved_concerns(kernel->vars[id]) && views[id].bytes &&
            keep(results, kernel->vars[id]->name, kernel->vars[id], views[id], adds_floats) < 0)
            return -1;
    return 0;
}

void results_release(struct results *results) {
    for (size_t i = 0; i < results->count; i++) {
        free((char *)results->buffers[i].name);
        free((char *)results->buffers[i].type);
        free(results->buffers[i].data);
    }
    free(results->buffers);
    *results = (struct results){0};
}

/* ---- Comparing ---- */

static uint32_t word_at(const struct result_buffer *buffer, uint64_t byte) {
    uint32_t word = 0;
    uint64_t left = buffer->bytes - byte, size = buffer->word_bytes;

    memcpy(&word, buffer->data + byte, left < size ? left : size);
    return word;
}

static float float_at(const struct result_buffer *buffer, uint64_t byte) {
    uint32_t word = word_at(buffer, byte);
    float value;

    memcpy(&value, &word, sizeof value);
    return value;
}

static void print_value(const struct result_buffer *buffer, uint64_t byte, char text[32]) {
    switch (buffer->scalar) {
    case WG_F32:
        snprintf(text, 32, "%.9g", (double)float_at(buffer, byte));
        break;
    case WG_F16:
        snprintf(text, 32, "%.5g", (double)half_to_float((uint16_t)word_at(buffer, byte)));
        break;
    case WG_I32:
        snprintf(text, 32, "%" PRId32, (int32_t)word_at(buffer, byte));
        break;
    default:
        snprintf(text, 32, "%" PRIu32, word_at(buffer, byte));
        break;
    }
}

/* The largest of finite floats, by magnitude. */
static float magnitude_of(const struct result_buffer *buffer) {
    float most = 0;

    for (uint64_t byte = 0; buffer->scalar == WG_F32 && byte < buffer->bytes; byte += 4) {
        float value = fabsf(float_at(buffer, byte));
        if (value > most && value < INFINITY)
            most = value;
    }
    return most;
}

/* Whether additions in another order may explain the difference of two floats: by what they are, or
 * by what is large beside them, of which they are the rest. Whole numbers leave none. */
static bool nearly(float a, float b, float magnitude) {
    float difference = fabsf(a - b);

    return difference <= 1e-4f * (fabsf(a) + fabsf(b)) ||
           (difference <= 0x1p-19f * magnitude && (a != rintf(a) || b != rintf(b)));
}

/* The element, of a texture the texel, that holds a byte. */
static uint64_t element_at(const struct result_buffer *buffer, uint64_t byte) {
    if (texture_spec_is_texture(buffer->type))
        return texture_spec_texel(buffer->data, byte);
    return byte / (buffer->stride ? buffer->stride : 4);
}

/* The first place that differs. */
static void tell(const struct result_buffer *a, const struct result_buffer *b, uint64_t byte,
                 struct results_difference *difference) {
    difference->a = a;
    difference->b = b;
    difference->element = element_at(a, byte);
    if (texture_spec_is_texture(a->type))
        texture_spec_place(a->data, a->type, byte, difference->texel);
    print_value(a, byte, difference->a_value);
    print_value(b, byte, difference->b_value);
}

/* Counts the elements that differ. Floats that do so in their last digits alone leave
 * ->last_digits. */
static void compare_buffers(const struct result_buffer *a, const struct result_buffer *b,
                            struct results_difference *difference) {
    uint64_t last = UINT64_MAX;
    float magnitude = magnitude_of(a);

    for (uint64_t byte = 0; byte < a->bytes; byte += a->word_bytes) {
        if (word_at(a, byte) == word_at(b, byte))
            continue;
        difference->last_digits &=
            a->scalar == WG_F32 && nearly(float_at(a, byte), float_at(b, byte), magnitude);
        if (!difference->a)
            tell(a, b, byte, difference);
        uint64_t element = element_at(a, byte);
        if (difference->a == a && element != last)
            difference->differing++;
        last = element;
    }
}

static int compare_words(const void *a, const void *b) {
    uint32_t one, two;

    memcpy(&one, a, sizeof one);
    memcpy(&two, b, sizeof two);
    return (one > two) - (one < two);
}

static uint32_t *sorted_words(const struct result_buffer *buffer) {
    uint32_t *words = malloc(buffer->bytes + 1);

    if (words) {
        memcpy(words, buffer->data, buffer->bytes);
        qsort(words, buffer->bytes / sizeof *words, sizeof *words, compare_words);
    }
    return words;
}

bool results_in_other_places(const struct results *a, const struct results *b) {
    bool same = true;

    for (size_t i = 0; same && i < a->count; i++) {
        uint32_t *one = sorted_words(&a->buffers[i]), *two = sorted_words(&b->buffers[i]);
        same = one && two && memcmp(one, two, a->buffers[i].bytes / 4 * 4) == 0;
        free(one);
        free(two);
    }
    return same;
}

bool results_comparable(const struct results *a, const struct results *b) {
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->buffers[i].bytes != b->buffers[i].bytes)
            return false;
    return true;
}

struct results_difference results_compare(const struct results *a, const struct results *b) {
    struct results_difference difference = {.last_digits = true};

    for (size_t i = 0; i < a->count; i++)
        compare_buffers(&a->buffers[i], &b->buffers[i], &difference);
    return difference;
}

bool results_differ(const struct results *a, const struct results *b,
                    struct results_difference *difference) {
    *difference = results_compare(a, b);
    return difference->a && !difference->last_digits && !results_in_other_places(a, b);
}

const char *order_difference_text(struct findings *findings,
                                  const struct order_difference *difference) {
    char index[32];

    snprintf(index, sizeof index, "[%" PRIu64 "]", difference->element);
    return findings_text(findings, "; in two orders of the same run %s%s%s came out as %s and %s",
                         difference->buffer, *difference->texel ? " at " : index, difference->texel,
                         difference->a_value, difference->b_value);
}
