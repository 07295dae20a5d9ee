/* Stepping single workgroups, and going back. */
#include "sim/progress/system.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"

/* Steps that nobody else can tell, made at once: more than a workgroup of plain code takes, so that
 * a loop that never ends still comes back to a state that is known. */
enum { LOCAL_STEPS_MAX = 1 << 16 };

/* ---- Storage ---- */

static bool is_storage(const struct system *system, size_t id) {
    return saved_concerns(system->dispatch.launch.kernel->vars[id]) &&
           system->dispatch.launch.buffers[id].data;
}

static uint32_t save_storage(struct system *system) {
    const struct launch *launch = &system->dispatch.launch;

    system->scratch.len = 0;
    for (size_t id = 0; id < launch->kernel->var_limit; id++)
        if (is_storage(system, id))
            buf_append(&system->scratch, launch->buffers[id].data, launch->buffers[id].bytes);
    if (system->scratch.failed)
        return INTERN_FAILED;
    return intern_add(&system->storage_seen, system->scratch.data ? system->scratch.data : "",
                      system->scratch.len);
}

static void load_storage(struct system *system, uint32_t number) {
    const struct launch *launch = &system->dispatch.launch;
    const uint8_t *bytes = intern_get(&system->storage_seen, number)->bytes;

    if (number == system->storage_now)
        return;
    for (size_t id = 0; id < launch->kernel->var_limit; id++) {
        if (!is_storage(system, id))
            continue;
        memcpy(launch->buffers[id].data, bytes, launch->buffers[id].bytes);
        bytes += launch->buffers[id].bytes;
    }
    system->storage_now = number;
}

static uint32_t save_uses(struct system *system) {
    system->uses_changed = false;
    return intern_add(&system->uses_seen, system->uses, system->word_count * sizeof *system->uses);
}

static void load_uses(struct system *system, uint32_t number) {
    if (number == system->uses_now)
        return;
    memcpy(system->uses, intern_get(&system->uses_seen, number)->bytes,
           system->word_count * sizeof *system->uses);
    system->uses_now = number;
}

/* ---- A workgroup ---- */

/* The fixed part of a saved subgroup. */
struct saved_subgroup {
    struct lanes live, ready, at_barrier, collective;
};

/* The fixed part of a saved lane; its stack follows. */
struct saved_lane {
    uint64_t sp;
    wg_stop stop;
    struct wg_collective operand;
    uint64_t length;
};

static void put_lane(struct buf *out, const struct workgroup *w, const struct subgroup *s,
                     uint32_t lane) {
    uint32_t index = s->first + lane;
    struct coro_state state = coro_state(&w->slots[index], &w->stacks, index);
    struct saved_lane saved;

    memset(&saved, 0, sizeof saved);
    saved.sp = (uintptr_t)w->slots[index].sp;
    saved.stop = w->ctx.stops[index];
    saved.length = state.length;
    if (lanes_has(s->collective, lane))
        saved.operand = w->ctx.collectives[index];
    buf_append(out, &saved, sizeof saved);
    buf_append(out, state.bytes, state.length);
}

static uint32_t save_process(struct system *system, struct process *process) {
    const struct workgroup *w = process->workgroup;
    struct buf *out = &system->scratch;
    uint32_t lane;

    if (w->live == 0)
        return PROCESS_FINISHED;
    out->len = 0;
    buf_append(out, &process->next, sizeof process->next);
    buf_append(out, &w->id, sizeof w->id); /* stacks lie elsewhere in another workgroup anyway */
    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        const struct subgroup *s = &w->subgroups[i];
        struct saved_subgroup saved = {s->live, s->ready, s->at_barrier, s->collective};
        buf_append(out, &saved, sizeof saved);
        for (LANES_EACH(lane, s->live))
            put_lane(out, w, s, lane);
    }
    buf_append(out, w->memory, w->launch->memory_bytes);
    uint32_t number =
        out->failed ? INTERN_FAILED : intern_add(&system->processes_seen, out->data, out->len);
    return number == INTERN_FAILED ? INTERN_FAILED : number + PROCESS_FIRST;
}

static const uint8_t *take(const uint8_t *from, void *to, size_t bytes) {
    memcpy(to, from, bytes);
    return from + bytes;
}

static const uint8_t *get_lane(const uint8_t *from, struct workgroup *w, const struct subgroup *s,
                               uint32_t lane) {
    uint32_t index = s->first + lane;
    struct saved_lane saved;

    from = take(from, &saved, sizeof saved);
    w->slots[index].sp = (void *)(uintptr_t)saved.sp;
    w->ctx.stops[index] = saved.stop;
    if (lanes_has(s->collective, lane))
        w->ctx.collectives[index] = saved.operand;
    struct coro_state state = coro_state(&w->slots[index], &w->stacks, index);
    memcpy((uint8_t *)(uintptr_t)state.bytes, from, saved.length);
    return from + saved.length;
}

static void load_process(struct system *system, struct process *process, uint32_t number) {
    struct workgroup *w = process->workgroup;
    const uint8_t *from;
    uint32_t lane;

    if (process->now == number)
        return;
    process->now = number;
    if (number == PROCESS_NOT_STARTED) {
        workgroup_start(w, w->id);
        process->next = 0;
        return;
    }
    from = intern_get(&system->processes_seen, number - PROCESS_FIRST)->bytes;
    from = take(from, &process->next, sizeof process->next);
    from += sizeof w->id;
    w->live = w->waiting = 0;
    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        struct subgroup *s = &w->subgroups[i];
        struct saved_subgroup saved;
        from = take(from, &saved, sizeof saved);
        s->live = saved.live;
        s->ready = saved.ready;
        s->at_barrier = saved.at_barrier;
        s->collective = saved.collective;
        w->live += lanes_count(s->live);
        w->waiting += lanes_count(s->at_barrier);
        for (LANES_EACH(lane, s->live))
            from = get_lane(from, w, s, lane);
    }
    take(from, w->memory, w->launch->memory_bytes);
}

/* ---- Steps ---- */

/* The next ready invocation from `next` on, round robin. False: none is ready. */
static bool next_invocation(const struct workgroup *w, uint32_t next, struct subgroup **subgroup,
                            uint32_t *lane) {
    uint32_t width = w->launch->subgroup_size, n = w->launch->invocations;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t index = (next + i) % n;
        *subgroup = &w->subgroups[index / width];
        *lane = index % width;
        if (lanes_has((*subgroup)->ready, *lane))
            return true;
    }
    return false;
}

/* What nothing outside can tell: a collective that has all its lanes, a barrier that opens. */
static void settle(struct workgroup *w) {
    for (uint32_t i = 0; i < w->launch->subgroups; i++)
        if (lanes_empty(w->subgroups[i].ready) && !lanes_empty(w->subgroups[i].collective))
            workgroup_collect(w, &w->subgroups[i]);
    if (workgroup_all_wait(w))
        workgroup_release(w);
}

/* Notes one access to a word; true: another workgroup's is not independent of it. */
static bool note_use(struct word_use *word, uint8_t me, const struct wg_site *site) {
    struct word_use before = *word;

    if (site->op == WG_OP_LOAD) {
        word->reader = word->reader && word->reader != me ? WORD_SEVERAL : me;
        return (before.writer && before.writer != me) || before.atomic;
    }
    if (site->op == WG_OP_STORE) {
        word->writer = word->writer && word->writer != me ? WORD_SEVERAL : me;
        return (before.writer && before.writer != me) || (before.reader && before.reader != me) ||
               before.atomic;
    }
    word->atomic = true;
    return before.writer || before.reader;
}

/* Whether other workgroups can tell that this access was made. */
static bool use(struct system *system, uint8_t me, const struct wg_site *site, uint32_t var,
                uint64_t offset) {
    bool visible = site->op != WG_OP_LOAD && site->op != WG_OP_STORE;

    for (uint64_t at = offset / 4; at * 4 < offset + site->bytes; at++) {
        size_t word = system->first_word[var] + at;
        struct word_use before = system->uses[word];
        if (note_use(&system->uses[word], me, site) && !system->shared[word])
            system->shared[word] = system->again = true;
        system->uses_changed |= memcmp(&before, &system->uses[word], sizeof before) != 0;
        visible |= system->shared[word];
    }
    return visible;
}

/* Whether the lane that just ran did what other workgroups can tell. *step: the last such access
 * that changed something, or else the first. */
static bool visible(struct system *system, const struct workgroup *w, uint32_t lane,
                    struct system_step *step) {
    const struct kernel *kernel = system->dispatch.launch.kernel;
    const struct lane_log *log = &system->dispatch.log;
    const uint64_t *words = lane_log_block(log, lane / WG_LOG_ROW) + lane % WG_LOG_ROW;
    bool touched = false;

    for (uint32_t row = 0; row < log->count[lane]; row++) {
        uint64_t word = words[(size_t)row * WG_LOG_ROW];
        uint32_t var = (uint32_t)(word >> WG_LOG_VAR_SHIFT) & 127;
        if (var == WG_LOG_MARK_VAR || !is_storage(system, var))
            continue;
        const struct wg_site *site = kernel->sites[word >> WG_LOG_SITE_SHIFT];
        uint64_t offset = word & ((UINT64_C(1) << WG_LOG_VAR_SHIFT) - 1);
        bool changed = site->op != WG_OP_LOAD && !(word >> WG_LOG_SILENT_SHIFT & 1);
        step->changed |= changed;
        if (!use(system, (uint8_t)(w->id + 1), site, var, offset))
            continue;
        if (!touched || changed) {
            step->site = site;
            step->var = var;
            step->offset = offset;
        }
        touched = true;
    }
    return touched;
}

static int run_step(struct system *system, struct process *process, struct system_step *step,
                    struct wgsim_error *err) {
    struct workgroup *w = process->workgroup;
    struct subgroup *s;
    uint32_t lane;

    *step = (struct system_step){0};
    for (int i = 0; i < LOCAL_STEPS_MAX && w->live > 0; i++) {
        if (!next_invocation(w, process->next, &s, &lane))
            return error_set(err, "workgroup %llu has no invocation that can run",
                             (unsigned long long)w->id);
        struct lanes one = {{0, 0}};
        lanes_add(&one, lane);
        workgroup_step(w, s, one, &system->dispatch.log);
        process->next = (s->first + lane + 1) % w->launch->invocations;
        settle(w);
        if (visible(system, w, lane, step))
            return 0;
    }
    return 0;
}

int system_make_step(struct system *system, const struct system_state *from, uint32_t which,
                     struct system_state *to, struct system_step *step, struct wgsim_error *err) {
    struct process *process = &system->processes[which];
    struct system_step own;

    load_storage(system, from->storage);
    load_uses(system, from->uses);
    load_process(system, process, from->process[which]);
    if (run_step(system, process, step ? step : &own, err) < 0)
        return -1;
    *to = *from;
    to->process[which] = process->now = save_process(system, process);
    if ((step ? step : &own)->changed)
        system->storage_now = save_storage(system);
    if (system->uses_changed)
        system->uses_now = save_uses(system);
    to->storage = system->storage_now;
    to->uses = system->uses_now;
    if (to->process[which] == INTERN_FAILED || to->storage == INTERN_FAILED ||
        to->uses == INTERN_FAILED)
        return error_set(err, "out of memory");
    return 0;
}

static int lay_out_words(struct system *system) {
    for (size_t id = 0; id < system->dispatch.launch.kernel->var_limit; id++) {
        system->first_word[id] = system->word_count;
        if (is_storage(system, id))
            system->word_count += system->dispatch.launch.buffers[id].bytes / 4 + 1;
    }
    system->uses = calloc(system->word_count + 1, sizeof *system->uses);
    system->shared = calloc(system->word_count + 1, sizeof *system->shared);
    return system->uses && system->shared ? 0 : -1;
}

int system_init(struct system *system, const struct device *device,
                const struct run_options *options, const struct dispatch_spec *spec,
                struct system_state *initial, struct wgsim_error *err) {
    memset(system, 0, sizeof *system);
    *initial = (struct system_state){0};
    if (dispatch_init(&system->dispatch, device, options, spec, err) < 0)
        return -1;
    uint64_t total = dispatch_total(&system->dispatch);
    if (total > SYSTEM_MAX) {
        system_release(system);
        return error_set(err, "%llu workgroups are too many to explore, at most %d are possible",
                         (unsigned long long)total, SYSTEM_MAX);
    }
    for (; system->count < total; system->count++) {
        struct process *process = &system->processes[system->count];
        process->workgroup = workgroup_new(&system->dispatch.launch, true, err);
        if (!process->workgroup) {
            system_release(system);
            return -1;
        }
        process->workgroup->user = &system->dispatch;
        workgroup_start(process->workgroup, system->count);
    }
    if (lay_out_words(system) < 0) {
        system_release(system);
        return error_set(err, "out of memory");
    }
    initial->uses = system->uses_now = save_uses(system);
    initial->storage = system->storage_now = save_storage(system);
    return initial->storage == INTERN_FAILED || initial->uses == INTERN_FAILED
               ? error_set(err, "out of memory")
               : 0;
}

void system_release(struct system *system) {
    for (uint32_t i = 0; i < system->count; i++)
        workgroup_free(system->processes[i].workgroup);
    system->count = 0;
    free(system->uses);
    free(system->shared);
    system->uses = NULL;
    system->shared = NULL;
    intern_release(&system->uses_seen);
    intern_release(&system->processes_seen);
    intern_release(&system->storage_seen);
    buf_release(&system->scratch);
    dispatch_release(&system->dispatch);
}
