/* Comparison of results. */
#include "sim/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sweep_cause_texts[SWEEP_CAUSES] = {
    [SWEEP_NOTHING] = "the same",
    [SWEEP_VERDICT] = "one run ends otherwise",
    [SWEEP_WIDTH] = "the result depends on the subgroup width",
    [SWEEP_RACE] = "a data race: what is read depends on the order",
    [SWEEP_PROMISE] = "atomics without an order among each other",
    [SWEEP_FLOAT] = "floats in their last digits: the order of additions",
    [SWEEP_RESIDENCY] =
        "neither a race nor atomics do it: the dispatch follows what the device holds",
};

/* ---- Keeping ---- */

static bool uses_places(const struct kernel *kernel) {
    for (size_t id = 0; id < kernel->site_limit; id++) {
        const struct wg_site *site = kernel->sites[id];
        if (site && site->op >= WG_OP_ATOMIC_LOAD && site->op <= WG_OP_ATOMIC_COMPARE_EXCHANGE &&
            !(site->flags & WG_SITE_UNUSED))
            return true;
    }
    return false;
}

/* Floats are added by compare-exchange of their bits: whether a buffer of atomics can hold such. */
static bool holds_floats(const struct job_buffer *buffer, const struct wg_var *var) {
    bool any = false;

    for (uint64_t byte = 0; var->atomic && byte + 4 <= buffer->bytes; byte += 4) {
        float value;
        memcpy(&value, buffer->data + byte, sizeof value);
        if (value != 0 && !isnormal(value))
            return false;
        any |= value != 0;
    }
    return any;
}

static int keep_buffer(struct sweep_buffer *kept, const struct job *job,
                       const struct job_buffer *buffer, bool adds_floats) {
    const struct wg_var *var = job->kernel->vars[buffer->like];

    *kept = (struct sweep_buffer){.name = strdup(buffer->name),
                                  .scalar = adds_floats && holds_floats(buffer, var) ? WG_F32
                                                                                     : var->scalar,
                                  .stride = var->stride,
                                  .bytes = buffer->bytes,
                                  .data = malloc(buffer->bytes + 1)};
    if (!kept->name || !kept->data)
        return -1;
    memcpy(kept->data, buffer->data, buffer->bytes);
    return 0;
}

int sweep_keep(struct sweep_result *result, const struct report *report, const struct job *job) {
    *result = (struct sweep_result){
        .verdict = report->run.verdict,
        .cycles = report->run.cycles,
        .turns = report->run.options->pace != PACE_MODELLED,
        .width = report->run.device->subgroup_width,
        .result_free = (job->kernel->desc->flags & WG_KERNEL_RESULT_FREE) != 0,
        .takes_places = uses_places(job->kernel),
        .buffers = calloc(job->buffer_count + 1, sizeof *result->buffers)};
    if (!result->buffers)
        return -1;
    for (size_t i = 0; i < report->findings.count; i++)
        result->found |= UINT64_C(1) << report->findings.items[i].kind;
    for (size_t i = 0; i < report->output_count; i++) {
        result->checked |= report->outputs[i].check != REPORT_UNCHECKED;
        result->wrong |= report->outputs[i].check == REPORT_DIFFER;
    }
    bool adds_floats = result->found >> FINDING_FLOAT_ORDER & 1;
    for (size_t i = 0; i < job->buffer_count; i++)
        if (keep_buffer(&result->buffers[result->buffer_count++], job, &job->buffers[i],
                        adds_floats) < 0)
            return -1;
    return 0;
}

void sweep_release(struct sweep_result *result) {
    for (size_t i = 0; i < result->buffer_count; i++) {
        free((char *)result->buffers[i].name);
        free(result->buffers[i].data);
    }
    free(result->buffers);
    *result = (struct sweep_result){0};
}

/* ---- Comparing ---- */

static uint32_t word_at(const struct sweep_buffer *buffer, uint64_t byte) {
    uint32_t word = 0;
    uint64_t left = buffer->bytes - byte;

    memcpy(&word, buffer->data + byte, left < sizeof word ? left : sizeof word);
    return word;
}

static float float_at(const struct sweep_buffer *buffer, uint64_t byte) {
    uint32_t word = word_at(buffer, byte);
    float value;

    memcpy(&value, &word, sizeof value);
    return value;
}

static void print_value(const struct sweep_buffer *buffer, uint64_t byte, char text[32]) {
    switch (buffer->scalar) {
    case WG_F32:
        snprintf(text, 32, "%.9g", (double)float_at(buffer, byte));
        break;
    case WG_I32:
        snprintf(text, 32, "%" PRId32, (int32_t)word_at(buffer, byte));
        break;
    default:
        snprintf(text, 32, "%" PRIu32, word_at(buffer, byte));
        break;
    }
}

/* Relative difference of two floats that additions in another order may explain. */
static bool nearly(float a, float b) {
    return fabsf(a - b) <= 1e-4f * (fabsf(a) + fabsf(b));
}

/* Counts the words that differ. Floats that do so in their last digits alone leave *last_digits. */
static void compare_buffers(const struct sweep_buffer *a, const struct sweep_buffer *b,
                            struct sweep_difference *difference, bool *last_digits) {
    uint32_t stride = a->stride ? a->stride : 4;
    uint64_t last = UINT64_MAX;

    for (uint64_t byte = 0; byte < a->bytes; byte += 4) {
        if (word_at(a, byte) == word_at(b, byte))
            continue;
        *last_digits &= a->scalar == WG_F32 && nearly(float_at(a, byte), float_at(b, byte));
        if (!difference->a) {
            difference->a = a;
            difference->b = b;
            difference->element = byte / stride;
            print_value(a, byte, difference->a_value);
            print_value(b, byte, difference->b_value);
        }
        if (difference->a == a && byte / stride != last)
            difference->differing++;
        last = byte / stride;
    }
}

static int compare_words(const void *a, const void *b) {
    uint32_t one, two;

    memcpy(&one, a, sizeof one);
    memcpy(&two, b, sizeof two);
    return (one > two) - (one < two);
}

static uint32_t *sorted_words(const struct sweep_buffer *buffer) {
    uint32_t *words = malloc(buffer->bytes + 1);

    if (words) {
        memcpy(words, buffer->data, buffer->bytes);
        qsort(words, buffer->bytes / sizeof *words, sizeof *words, compare_words);
    }
    return words;
}

/* Whether two runs left the same words in other places. */
static bool in_other_places(const struct sweep_result *a, const struct sweep_result *b) {
    bool same = true;

    for (size_t i = 0; same && i < a->buffer_count; i++) {
        uint32_t *one = sorted_words(&a->buffers[i]), *two = sorted_words(&b->buffers[i]);
        same = one && two && memcmp(one, two, a->buffers[i].bytes / 4 * 4) == 0;
        free(one);
        free(two);
    }
    return same;
}

static bool raced(const struct sweep_result *a, const struct sweep_result *b) {
    const finding_set races = UINT64_C(1) << FINDING_RACE | UINT64_C(1) << FINDING_RACE_STORAGE |
                              UINT64_C(1) << FINDING_PUBLISH_BY_FLAG;

    return ((a->found | b->found) & races) != 0;
}

static enum sweep_cause cause_of(const struct sweep_result *a, const struct sweep_result *b,
                                 bool width, bool last_digits) {
    if (raced(a, b))
        return SWEEP_RACE;
    if (last_digits)
        return SWEEP_FLOAT;
    if (width)
        return SWEEP_WIDTH;
    return a->takes_places ? SWEEP_PROMISE : SWEEP_RESIDENCY;
}

static enum finding_kind kind_of(enum sweep_cause cause, bool width) {
    if (cause == SWEEP_FLOAT)
        return FINDING_FLOAT_ORDER;
    return width ? FINDING_WIDTH_DEPENDENT : FINDING_ORDER_DEPENDENT;
}

/* Buffers of other sizes are other problems. */
static bool comparable(const struct sweep_result *a, const struct sweep_result *b) {
    if (a->buffer_count != b->buffer_count)
        return false;
    for (size_t i = 0; i < a->buffer_count; i++)
        if (a->buffers[i].bytes != b->buffers[i].bytes)
            return false;
    return true;
}

struct sweep_difference sweep_compare(const struct sweep_result *a, const struct sweep_result *b,
                                      bool width) {
    struct sweep_difference difference = {.cause = SWEEP_NOTHING};
    bool last_digits = true, ended = a->verdict == VERDICT_FINISHED;

    if (a->verdict != b->verdict) {
        difference.cause = SWEEP_VERDICT;
        difference.kind = kind_of(SWEEP_VERDICT, width);
        strcpy(difference.a_value, verdict_names[a->verdict]);
        strcpy(difference.b_value, verdict_names[b->verdict]);
        return difference;
    }
    bool by_check = a->result_free && a->checked && a->wrong == b->wrong;
    if (!ended || by_check || !comparable(a, b))
        return difference;
    for (size_t i = 0; i < a->buffer_count; i++)
        compare_buffers(&a->buffers[i], &b->buffers[i], &difference, &last_digits);
    if (difference.a) {
        /* taken in another order because subgroups are others */
        width = width && !(a->takes_places && in_other_places(a, b));
        /* devices of other widths, where nothing else makes a difference */
        width |= a->width != b->width && !a->takes_places && !raced(a, b);
        difference.cause = cause_of(a, b, width, last_digits);
        difference.kind = kind_of(difference.cause, width);
    }
    return difference;
}
