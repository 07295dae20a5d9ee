/* Lists of variants. */
#include "sim/cli/sweep_variants.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/buf.h"
#include "sim/error.h"
#include "sim/preset.h"

const char sweep_axes[] = "widths, orders, placements, schedules, lanes, cus, stress, sizes, "
                          "devices";

static struct sweep_variant *grow(struct sweep_variants *variants) {
    size_t capacity = variants->capacity ? variants->capacity * 2 : 64;

    if (variants->count == variants->capacity) {
        struct sweep_variant *items = realloc(variants->items, capacity * sizeof *items);
        if (!items)
            return NULL;
        variants->items = items;
        variants->capacity = capacity;
    }
    return &variants->items[variants->count++];
}

/* The arguments end at the first that is NULL. */
static void add(struct sweep_variants *variants, bool width, const char *first, const char *second,
                const char *third, const char *fourth) {
    struct sweep_variant *variant = grow(variants);
    struct buf text = {0};

    if (!variant) {
        variants->failed = true;
        return;
    }
    *variant = (struct sweep_variant){.arguments = {first, second, third, fourth}, .width = width};
    for (size_t i = 0; variant->arguments[i]; i++)
        buf_printf(&text, "%s%s", i ? " " : "", variant->arguments[i]);
    variant->text = arena_strdup(&variants->arena, text.data ? text.data : "");
    variants->failed |= text.failed || !variant->text;
    buf_release(&text);
}

static void add_widths(struct sweep_variants *variants, const struct sweep_extent *extent) {
    static const char *const widths[] = {"4", "8", "16", "32", "64", "128"};

    (void)extent;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        add(variants, true, "--subgroup", widths[i], NULL, NULL);
}

/* An option that takes `random`, with so many seeds. */
static void add_random(struct sweep_variants *variants, const char *option,
                       const struct sweep_extent *extent) {
    for (uint32_t seed = 1; seed <= extent->seeds && !variants->failed; seed++) {
        const char *text = arena_printf(&variants->arena, "%u", seed);
        variants->failed |= !text;
        add(variants, false, option, "random", "--seed", text);
    }
}

static void add_orders(struct sweep_variants *variants, const struct sweep_extent *extent) {
    add(variants, false, "--order", "descending", NULL, NULL);
    add_random(variants, "--order", extent);
}

static void add_placements(struct sweep_variants *variants, const struct sweep_extent *extent) {
    (void)extent;
    add(variants, false, "--placement", "fill", NULL, NULL);
    add(variants, false, "--placement", "round-robin", NULL, NULL);
    add(variants, false, "--placement", "static", NULL, NULL);
}

static void add_schedules(struct sweep_variants *variants, const struct sweep_extent *extent) {
    add(variants, false, "--resident", "1", NULL, NULL);
    add(variants, false, "--resident", "2", "--refill", "lazy");
    add(variants, false, "--refill", "lazy", NULL, NULL);
    add(variants, false, "--pace", "even", NULL, NULL);
    add_random(variants, "--pace", extent);
}

static void add_lanes(struct sweep_variants *variants, const struct sweep_extent *extent) {
    (void)extent;
    add(variants, false, "--lanes", "independent", NULL, NULL);
    add(variants, false, "--lanes", "lockstep", NULL, NULL);
}

static void add_cus(struct sweep_variants *variants, const struct sweep_extent *extent) {
    static const char *const counts[] = {"1", "2", "3", "16"};

    (void)extent;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        add(variants, false, "--cus", counts[i], NULL, NULL);
}

static void add_stress(struct sweep_variants *variants, const struct sweep_extent *extent) {
    (void)extent;
    add(variants, false, "--stress", "yield", NULL, NULL);
}

static bool is_new_size(const struct sweep_variants *variants, uint64_t size) {
    for (size_t i = 0; i < variants->count; i++)
        if (variants->items[i].sized && variants->items[i].size == size)
            return false;
    return true;
}

/* The run as it is has the size itself. */
static void add_sizes(struct sweep_variants *variants, const struct sweep_extent *extent) {
    uint64_t size = extent->size, twice = size > UINT64_MAX / 2 ? UINT64_MAX : size * 2;
    const uint64_t sizes[] = {0, 1, size / 2 | 1, size ? size - 1 : 0, size + 1, twice};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !variants->failed; i++) {
        const char *text = arena_printf(&variants->arena, "%" PRIu64, sizes[i]);
        variants->failed |= !text;
        if (!text || sizes[i] == size || !is_new_size(variants, sizes[i]))
            continue;
        add(variants, false, "--size", text, NULL, NULL);
        if (variants->failed)
            return;
        variants->items[variants->count - 1].sized = true;
        variants->items[variants->count - 1].size = sizes[i];
    }
}

static void add_devices(struct sweep_variants *variants, const struct sweep_extent *extent) {
    (void)extent;
    for (size_t i = 0; preset_name(i); i++)
        add(variants, false, "--device", preset_name(i), NULL, NULL);
}

static const struct axis {
    const char *name;
    void (*add)(struct sweep_variants *variants, const struct sweep_extent *extent);
    bool unasked; /* part of a sweep over everything */
    bool random;  /* takes seeds */
} axes[] = {
    {"widths", add_widths, true, false},         {"orders", add_orders, true, true},
    {"placements", add_placements, true, false}, {"schedules", add_schedules, true, true},
    {"lanes", add_lanes, true, false},           {"cus", add_cus, true, false},
    {"stress", add_stress, true, false},         {"sizes", add_sizes, false, false},
    {"devices", add_devices, false, false},
};

enum { AXES = sizeof axes / sizeof *axes };

/* *random: becomes true where the axis takes seeds. */
static int add_named(struct sweep_variants *variants, const char *name, size_t length,
                     const struct sweep_extent *extent, bool *random, struct wgsim_error *err) {
    for (size_t i = 0; i < AXES; i++)
        if (strlen(axes[i].name) == length && strncmp(axes[i].name, name, length) == 0) {
            axes[i].add(variants, extent);
            *random |= axes[i].random;
            return 0;
        }
    return error_set(err, "--over %.*s: there are %s", (int)length, name, sweep_axes);
}

bool sweep_varies_size(const char *over) {
    for (const char *at = over; at && (at = strstr(at, "sizes")); at++)
        if ((at == over || at[-1] == ',') && (at[5] == ',' || !at[5]))
            return true;
    return false;
}

int sweep_variants_fill(struct sweep_variants *variants, const char *over,
                        const struct sweep_extent *extent, struct wgsim_error *err) {
    bool random = !over;

    *variants = (struct sweep_variants){0};
    arena_init(&variants->arena);
    if (extent->seeds > SWEEP_SEEDS_MAX)
        return error_set(err, "--seeds must be at most %d", SWEEP_SEEDS_MAX);
    if (over && !*over)
        return error_set(err, "--over names nothing: there are %s", sweep_axes);
    add(variants, false, NULL, NULL, NULL, NULL);
    for (size_t i = 0; !over && i < AXES; i++)
        if (axes[i].unasked)
            axes[i].add(variants, extent);
    while (over && *over) {
        size_t length = strcspn(over, ",");
        if (add_named(variants, over, length, extent, &random, err) < 0)
            return -1;
        over += length + (over[length] == ',');
    }
    if (extent->seeds != SWEEP_SEEDS && !random)
        return error_set(err, "--seeds: only orders and schedules take seeds, and --over names "
                              "neither");
    return variants->failed ? error_set(err, "out of memory") : 0;
}

void sweep_variants_release(struct sweep_variants *variants) {
    free(variants->items);
    arena_release(&variants->arena);
}
