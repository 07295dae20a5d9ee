/* State of the observer: what there is to track, seats of workgroups, phases. */
#include "sim/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "sim/judge/judge.h"

/* ---- What there is to track ---- */

static enum cell_access access_of(const struct wg_site *site) {
    if (site->op == WG_OP_LOAD)
        return CELL_READ;
    if (site->op == WG_OP_STORE)
        return CELL_WRITE;
    return site->op == WG_OP_ATOMIC_LOAD ? CELL_ATOMIC_READ : CELL_ATOMIC_WRITE;
}

/* What an access touches: a store to a component of a vector is one to all of it. */
static struct site_way way_of(const struct wg_site *site) {
    struct site_way way = {access_of(site), site->bytes, 1};

    if (way.access != CELL_WRITE || !site->vector_bytes)
        return way;
    way.bytes = site->vector_bytes;
    while (way.align < way.bytes)
        way.align *= 2;
    return way;
}

static bool is_access(const struct wg_site *site) {
    return site && site->op <= WG_OP_ATOMIC_COMPARE_EXCHANGE && site->bytes;
}

static bool has_atomics(const struct wg_var *var) {
    return var->atomic || var->scalar == WG_STRUCT;
}

/* Whether accesses of a site may go to a variable. */
static bool may_touch(const struct wg_site *site, const struct wg_var *var) {
    if (site->var != WG_VAR_DYNAMIC)
        return site->var == var->id;
    return access_of(site) >= CELL_ATOMIC_WRITE ? has_atomics(var) : !var->atomic;
}

static uint8_t kind_of_update(uint8_t op) {
    return op == WG_OP_ATOMIC_SUB ? WG_OP_ATOMIC_ADD : op;
}

static bool is_plain_update(uint8_t op) {
    return op >= WG_OP_ATOMIC_ADD && op <= WG_OP_ATOMIC_XOR;
}

bool shadow_updates_commute(uint8_t one, uint8_t two) {
    return kind_of_update(one) == kind_of_update(two) || !is_plain_update(one) ||
           !is_plain_update(two);
}

static void note_update(struct shadow_var *known, uint8_t op) {
    known->updates_mixed |= known->updates && !shadow_updates_commute(known->updates, op);
    if (is_plain_update(op))
        known->updates = op;
}

static void note_site(struct shadow_var *known, const struct wg_var *var,
                      const struct wg_site *site) {
    enum cell_access access = access_of(site);

    known->atomic_stores |= site->op == WG_OP_ATOMIC_STORE;
    known->atomic_loads |= site->op == WG_OP_ATOMIC_LOAD;
    note_update(known, site->op);
    known->accesses |= 1u << access;
    if (access == CELL_ATOMIC_WRITE) /* most of them read as well */
        known->accesses |= 1u << CELL_ATOMIC_READ;
    known->in_parts |= way_of(site).bytes != var->stride;
    while (site->bytes < 1u << known->shift)
        known->shift--;
}

/* A piece is a word, what the smallest access takes of one, or a vector that is always accessed as
 * a whole. */
static uint32_t shift_of(const struct shadow_var *known, const struct wg_var *var) {
    bool whole = var->components > 1 && var->element_bytes == var->stride && !known->in_parts;

    if (!whole || (var->stride != 8 && var->stride != 16))
        return known->shift;
    return var->stride == 16 ? 4 : 3;
}

/* Variables that nobody writes, and those that only atomics touch, cannot race. */
static void survey(struct shadow *shadow, const struct wg_var *var) {
    const uint32_t plain = 1u << CELL_WRITE | 1u << CELL_READ, atomic = 1u << CELL_ATOMIC_WRITE;
    struct shadow_var *known = &shadow->vars[var->id];

    known->shift = 2;
    for (size_t id = 0; id < shadow->kernel->site_limit; id++)
        if (is_access(shadow->kernel->sites[id]) && may_touch(shadow->kernel->sites[id], var))
            note_site(known, var, shadow->kernel->sites[id]);
    known->shift = shift_of(known, var);
    known->is_texture = races_barrier_of(var) == WG_OP_TEXTURE_BARRIER;
    bool writable = var->space == WG_SPACE_STORAGE || var->space == WG_SPACE_WORKGROUP;
    known->mixed = (known->accesses & plain) && (known->accesses & atomic);
    known->tracked = writable && (known->accesses & plain);
    if (var->space == WG_SPACE_STORAGE && !(known->accesses & (1u << CELL_WRITE | atomic)))
        known->tracked = false;
    known->ordering = var->space == WG_SPACE_WORKGROUP && !known->tracked &&
                      (known->atomic_stores || known->updates_mixed ||
                       (known->atomic_loads && known->accesses & atomic));
    known->tracked |= known->ordering;
    known->accesses |= known->ordering ? (1u << CELL_ACCESSES) - 1 : 1u << CELL_WRITE;
    shadow->orders |= known->ordering;
}

int shadow_init(struct shadow *shadow, const struct kernel *kernel) {
    *shadow = (struct shadow){.kernel = kernel};
    shadow->ways = calloc(kernel->site_limit + 1, sizeof *shadow->ways);
    shadow->unwritten = calloc(SHADOW_READS_MAX, sizeof *shadow->unwritten);
    shadow->stale = calloc(SHADOW_READS_MAX, sizeof *shadow->stale);
    if (!shadow->ways || !shadow->unwritten || !shadow->stale ||
        races_init(&shadow->races, kernel) < 0 || spins_init(&shadow->spins, kernel) < 0) {
        shadow_release(shadow);
        return -1;
    }
    for (size_t id = 0; id < kernel->site_limit; id++)
        if (is_access(kernel->sites[id]))
            shadow->ways[id] = way_of(kernel->sites[id]);
    for (size_t id = 0; id < kernel->var_limit; id++)
        if (kernel->vars[id])
            survey(shadow, kernel->vars[id]);
    return 0;
}

static void free_seat(struct seat *seat) {
    if (!seat)
        return;
    for (size_t id = 0; id < WG_MAX_VARS; id++)
        cells_release(&seat->vars[id].cells);
    for (size_t id = 0; id < WG_MAX_VARS; id++)
        free(seat->vars[id].past);
    free(seat->polls);
    free(seat->stores);
    free(seat->trips);
    free(seat);
}

static void forget_dispatch(struct shadow *shadow) {
    for (size_t i = 0; i < shadow->seat_count; i++)
        free_seat(shadow->seats[i]);
    free(shadow->seats);
    shadow->seats = NULL;
    shadow->seat_count = 0;
    shadow->seated = NULL;
    shadow->quiet_reads = 0;
    for (size_t id = 0; id < WG_MAX_VARS; id++)
        cells_release(&shadow->vars[id].cells);
}

void shadow_release(struct shadow *shadow) {
    forget_dispatch(shadow);
    races_release(&shadow->races);
    spins_release(&shadow->spins);
    free(shadow->phase_workgroup);
    free(shadow->unwritten);
    free(shadow->stale);
    free(shadow->ways);
    *shadow = (struct shadow){0};
}

/* ---- Seats and phases ---- */

void shadow_begin(struct shadow *shadow, const struct dispatch *d) {
    forget_dispatch(shadow);
    races_clear(&shadow->races);
    shadow->dispatch = d;
    shadow->phases = 0;
    shadow->unwritten_count = shadow->stale_count = 0;
    shadow->workgroups = shadow->effective = 0;
    shadow->forgot = false;
    /* tags have no room for more invocations */
    bool follow = d->launch.invocations <= CELLS_LANE_MASK;
    shadow->seat_count = follow ? (size_t)d->device->cus * d->max_slots + 1 : 0;
    shadow->seats = calloc(shadow->seat_count + 1, sizeof *shadow->seats);
    if (!shadow->seats) {
        shadow->failed = true;
        shadow->seat_count = 0;
    }
    for (size_t id = 0; id < shadow->kernel->var_limit; id++) {
        const struct wg_var *var = shadow->kernel->vars[id];
        struct shadow_var *known = &shadow->vars[id];
        known->shared = false;
        known->lanes_storing = known->written = 0;
        known->clamped_from = known->clamped_to = 0;
        if (var && known->tracked && var->space == WG_SPACE_STORAGE && d->launch.buffers[id].data &&
            cells_init(&known->cells, d->launch.buffers[id].bytes, known->shift, known->accesses) <
                0)
            shadow->failed = true;
    }
}

static int fill_seat(const struct shadow *shadow, struct seat *seat, const struct launch *launch) {
    const struct kernel *kernel = shadow->kernel;

    for (size_t id = 0; id < kernel->var_limit; id++) {
        const struct shadow_var *known = &shadow->vars[id];
        if (kernel->vars[id] && kernel->vars[id]->space == WG_SPACE_WORKGROUP && known->tracked &&
            cells_init(&seat->vars[id].cells, launch->buffers[id].bytes, known->shift,
                       known->accesses) < 0)
            return -1;
        if (known->ordering) {
            seat->vars[id].past = calloc(launch->invocations, sizeof *seat->vars[id].past);
            if (!seat->vars[id].past)
                return -1;
        }
    }
    size_t places = (kernel->site_limit + 1) * launch->subgroups;
    seat->polls = shadow->orders ? calloc(places, sizeof *seat->polls) : NULL;
    if (shadow->orders && !seat->polls)
        return -1;
    seat->stores = calloc(kernel->site_limit + 1, sizeof *seat->stores);
    seat->trips = calloc(places, sizeof *seat->trips);
    return seat->stores && seat->trips ? 0 : -1;
}

/* Workgroups that run ahead do so one after the other, and share one seat. */
struct seat *shadow_find_seat(struct shadow *shadow, const struct workgroup *w) {
    const struct dispatch *d = shadow->dispatch;
    size_t index = d->ahead ? 0 : (size_t)w->cu * d->max_slots + w->slot + 1;

    if (index >= shadow->seat_count)
        return NULL;
    struct seat **seat = &shadow->seats[index];
    if (!*seat && !shadow->failed) { /* one made later would not know of its workgroup's start */
        *seat = calloc(1, sizeof **seat);
        if (*seat && fill_seat(shadow, *seat, w->launch) < 0) {
            free_seat(*seat);
            *seat = NULL;
        }
        if (!*seat)
            shadow->failed = true;
    }
    shadow->seated = w;
    shadow->seat = *seat;
    return *seat;
}

/* Nobody wrote what was read quietly. */
void shadow_forget_quiet_reads(struct shadow *shadow, struct seat *seat) {
    shadow->quiet_reads -= seat->quiet_count;
    seat->quiet_count = 0;
}

/* A new phase of workgroup memory. */
static void next_phase(struct shadow *shadow, struct seat *seat) {
    shadow_forget_quiet_reads(shadow, seat);
    if (++seat->phase < CELLS_PHASES)
        return;
    for (size_t id = 0; id < WG_MAX_VARS; id++) {
        struct seat_var *var = &seat->vars[id];
        if (var->cells.memory)
            cells_clear(&var->cells);
        if (var->past)
            memset(var->past, 0, seat->workgroup->launch->invocations * sizeof *var->past);
        var->write_phase = var->earlier_phase = var->looked_phase = 0;
        var->read_phase = var->quiet_phase = 0;
    }
    seat->phase = seat->first_phase = 1;
}

void shadow_start(struct shadow *shadow, const struct workgroup *w) {
    struct seat *seat = shadow_find_seat(shadow, w); /* it may have another place than before */

    shadow->workgroups++;
    if (!seat)
        return;
    next_phase(shadow, seat);
    seat->workgroup = w;
    seat->first_phase = seat->phase;
    seat->storage_phase = seat->texture_phase = 0;
    seat->effect = false;
}

/* Which memory a barrier orders. Parties at different ones were let go together: as the first. */
void shadow_barrier(struct shadow *shadow, const struct workgroup *w, const struct wg_site *site) {
    struct seat *seat = shadow_seat(shadow, w);

    if (!seat || !site)
        return;
    if (shadow->orders)
        spins_note_barrier(&shadow->spins, judge_track(&w->subgroups[0], 0));
    if (site->op == WG_OP_WORKGROUP_BARRIER || site->op == WG_OP_UNIFORM_LOAD)
        next_phase(shadow, seat);
    if (site->op == WG_OP_STORAGE_BARRIER)
        seat->storage_phase = 0;
    if (site->op == WG_OP_TEXTURE_BARRIER)
        seat->texture_phase = 0;
}

/* Beyond the last phase all that was known of storage is forgotten. */
uint32_t shadow_new_storage_phase(struct shadow *shadow, uint64_t workgroup) {
    if (shadow->phases + 2 >= CELLS_PHASES) {
        shadow->forgot = true;
        for (size_t id = 0; id < WG_MAX_VARS; id++)
            if (shadow->vars[id].cells.memory)
                cells_clear(&shadow->vars[id].cells);
        for (size_t i = 0; i < shadow->seat_count; i++)
            if (shadow->seats[i])
                shadow->seats[i]->storage_phase = shadow->seats[i]->texture_phase = 0;
        shadow->phases = 0;
    }
    if (shadow->phases + 1 >= shadow->phase_capacity) {
        uint32_t capacity = shadow->phase_capacity ? shadow->phase_capacity * 2 : 1024;
        uint64_t *grown = realloc(shadow->phase_workgroup, capacity * sizeof *grown);
        if (!grown) {
            shadow->failed = true;
            return 0;
        }
        shadow->phase_workgroup = grown;
        shadow->phase_capacity = capacity;
    }
    shadow->phase_workgroup[++shadow->phases] = workgroup;
    return shadow->phases;
}
