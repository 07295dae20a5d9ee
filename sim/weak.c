/* Weak memory.
 *
 * A workgroup has two copies of each buffer: its own view, which its plain accesses use, and the
 * base, what of the common memory was visible to it. Bytes in which the two differ are stores that
 * others do not see. Invariant: where a workgroup stored nothing, view, base and common memory are
 * the same. */
#include "sim/weak.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"
#include "sim/mix.h"

/* Bytes of all copies of the residents, and in total over a dispatch. */
#define BYTES_MAX ((uint64_t)1 << 32)

/* A store of a workgroup that has ended. */
struct late_byte {
    uint64_t offset;
    uint8_t var, value;
};

struct weak {
    const struct launch *launch;
    uint64_t seed;
    uint64_t bytes; /* of one copy of all variables */
    uint64_t live;  /* copies there are, in bytes */
    uint32_t vars[WG_MAX_VARS];
    size_t var_count;
    struct weak_copy *copies; /* of the residents */
    struct late_byte *late;
    size_t late_count, late_capacity;
};

/* The buffers lie one behind the other, in the order of weak.vars. */
struct weak_copy {
    struct weak *weak;
    struct weak_copy *next, **link; /* in weak.copies, while resident */
    uint64_t steps;
    uint8_t *base;
    uint8_t view[];
};

/* ---- Which variables ---- */

/* Whether some atomic may act on the variable: then it is one memory for all. */
static bool has_atomics(const struct kernel *kernel, const struct wg_var *var) {
    if (var->atomic)
        return true;
    for (size_t id = 0; id < kernel->site_limit; id++) {
        const struct wg_site *site = kernel->sites[id];
        if (site && site->op >= WG_OP_ATOMIC_LOAD && site->op <= WG_OP_ATOMIC_COMPARE_EXCHANGE &&
            (site->var == var->id || (site->var == WG_VAR_DYNAMIC && !var->components)))
            return true;
    }
    return false;
}

struct weak *weak_new(const struct launch *launch, uint64_t seed, struct wgsim_error *err) {
    struct weak *weak = calloc(1, sizeof *weak);

    if (!weak) {
        error_format(err, "out of memory");
        return NULL;
    }
    weak->launch = launch;
    weak->seed = seed;
    for (size_t id = 0; id < launch->kernel->var_limit; id++) {
        const struct wg_var *var = launch->kernel->vars[id];
        if (!var || var->space != WG_SPACE_STORAGE || !launch->buffers[id].data ||
            has_atomics(launch->kernel, var))
            continue;
        weak->vars[weak->var_count++] = var->id;
        weak->bytes += launch->buffers[id].bytes;
    }
    return weak;
}

void weak_free(struct weak *weak) {
    if (!weak)
        return;
    free(weak->late);
    free(weak);
}

/* ---- Copies ---- */

static struct weak_copy *copy_of(struct weak *weak, struct workgroup *w) {
    if (w->weak)
        return w->weak;
    if (weak->live + 2 * weak->bytes > BYTES_MAX)
        return NULL;
    struct weak_copy *copy = malloc(sizeof *copy + 2 * weak->bytes);
    if (!copy)
        return NULL;
    *copy = (struct weak_copy){.weak = weak, .base = copy->view + weak->bytes};
    weak->live += 2 * weak->bytes;
    w->weak = copy;
    return copy;
}

static void leave(struct weak_copy *copy) {
    if (!copy->link)
        return;
    *copy->link = copy->next;
    if (copy->next)
        copy->next->link = copy->link;
    copy->link = NULL;
}

int weak_start(struct weak *weak, struct workgroup *w) {
    struct weak_copy *copy = copy_of(weak, w);
    uint64_t at = 0;

    if (!copy)
        return -1;
    for (size_t i = 0; i < weak->var_count; i++) {
        uint32_t var = weak->vars[i];
        const struct wg_view *common = &weak->launch->buffers[var];
        memcpy(copy->view + at, common->data, common->bytes);
        w->ctx.vars[var].data = copy->view + at;
        at += common->bytes;
    }
    memcpy(copy->base, copy->view, weak->bytes);
    copy->steps = 0;
    leave(copy); /* of one that was parked: it had stored nothing */
    copy->next = weak->copies;
    copy->link = &weak->copies;
    if (copy->next)
        copy->next->link = &copy->next;
    weak->copies = copy;
    return 0;
}

void weak_forget(struct workgroup *w) {
    if (!w->weak)
        return;
    leave(w->weak);
    w->weak->weak->live -= 2 * w->weak->weak->bytes;
    free(w->weak);
    w->weak = NULL;
}

/* ---- Becoming visible ---- */

/* The byte at `offset` of the variable, `at` of all copies, gets a value that all can see, except
 * those that stored there themselves. */
static bool show_byte(struct weak *weak, uint32_t var, uint64_t offset, uint64_t at,
                      uint8_t value) {
    uint8_t *common = weak->launch->buffers[var].data + offset;
    bool changed = *common != value;

    *common = value;
    for (struct weak_copy *copy = weak->copies; copy; copy = copy->next) {
        if (copy->view[at] == copy->base[at])
            copy->view[at] = value;
        copy->base[at] = value;
    }
    return changed;
}

/* Calls `visit` for every byte that the copy's workgroup stored and others do not see. */
static bool each_store(struct weak_copy *copy,
                       bool (*visit)(struct weak *weak, uint32_t var, uint64_t offset, uint64_t at,
                                     uint8_t value)) {
    struct weak *weak = copy->weak;
    uint64_t at = 0;
    bool result = false;

    for (size_t i = 0; i < weak->var_count; i++) {
        uint64_t bytes = weak->launch->buffers[weak->vars[i]].bytes;
        if (memcmp(copy->view + at, copy->base + at, bytes) != 0)
            for (uint64_t offset = 0; offset < bytes; offset++)
                if (copy->view[at + offset] != copy->base[at + offset])
                    result |=
                        visit(weak, weak->vars[i], offset, at + offset, copy->view[at + offset]);
        at += bytes;
    }
    return result;
}

/* One step in sixteen is a moment. */
bool weak_step(struct weak *weak, struct workgroup *w) {
    struct weak_copy *copy = w->weak;

    copy->steps++;
    if (weak->seed == 0 || mix(mix(weak->seed ^ mix(w->id)) + copy->steps) % 16 != 0)
        return false;
    return each_store(copy, show_byte);
}

/* True: out of memory. */
static bool keep_byte(struct weak *weak, uint32_t var, uint64_t offset, uint64_t at,
                      uint8_t value) {
    (void)at;
    if (weak->late_count == weak->late_capacity) {
        size_t capacity = weak->late_capacity ? weak->late_capacity * 2 : 256;
        struct late_byte *late = realloc(weak->late, capacity * sizeof *late);
        if (!late)
            return true;
        weak->late = late;
        weak->late_capacity = capacity;
    }
    weak->late[weak->late_count++] = (struct late_byte){offset, (uint8_t)var, value};
    return false;
}

int weak_end(struct weak *weak, struct workgroup *w) {
    bool failed = each_store(w->weak, keep_byte);

    (void)weak;
    leave(w->weak);
    return failed ? -1 : 0;
}

/* Where a variable begins in the copies. */
static uint64_t start_of(const struct weak *weak, uint32_t var) {
    uint64_t at = 0;

    for (size_t i = 0; weak->vars[i] != var; i++)
        at += weak->launch->buffers[weak->vars[i]].bytes;
    return at;
}

bool weak_publish(struct weak *weak) {
    bool changed = false;

    for (size_t i = 0; i < weak->late_count; i++) {
        const struct late_byte *late = &weak->late[i];
        changed |= show_byte(weak, late->var, late->offset,
                             start_of(weak, late->var) + late->offset, late->value);
    }
    weak->late_count = 0;
    for (struct weak_copy *copy = weak->copies; copy; copy = copy->next)
        changed |= each_store(copy, show_byte);
    return changed;
}
