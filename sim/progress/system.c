/* Stepping single workgroups, and going back. */
#include "sim/progress/system.h"

#include <stdlib.h>
#include <string.h>

#include "sim/access.h"
#include "sim/error.h"
#include "sim/word.h"

/* Steps that nobody else can tell, made at once: more than a workgroup of plain code takes, so that
 * a loop that never ends still comes back to a state that is known. */
enum { LOCAL_STEPS_MAX = 1 << 16 };

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

/* A barrier at which a workgroup waits while some of its invocations wait at another, or have
 * returned; NULL: all wait at one. */
static const struct wg_site *divergence(const struct workgroup *w) {
    uint32_t first = UINT32_MAX, lane;
    bool apart = w->live < w->launch->invocations;

    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        const struct subgroup *s = &w->subgroups[i];
        for (LANES_EACH(lane, s->at_barrier)) {
            uint32_t site = stop_site(subgroup_stop(s, lane));
            apart |= first != UINT32_MAX && site != first;
            first = first == UINT32_MAX ? site : first;
        }
    }
    return apart && first != UINT32_MAX ? w->launch->kernel->sites[first] : NULL;
}

/* What nothing outside can tell: a collective that has all its lanes, a barrier that opens. */
static void settle(struct system *system, struct process *process) {
    struct workgroup *w = process->workgroup;
    uint32_t lane;

    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        struct subgroup *s = &w->subgroups[i];
        if (!lanes_empty(s->ready) || lanes_empty(s->collective))
            continue;
        for (LANES_EACH(lane, s->collective))
            process_lane_changes(process, s->first + lane);
        workgroup_collect(w, s);
    }
    if (workgroup_all_wait(w)) {
        if (!system->divergence)
            system->divergence = divergence(w);
        workgroup_release(w);
    }
}

/* Notes one access to a word that is read; true: another workgroup's is not independent of it. */
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

/* An access of a workgroup to storage, that was made, and the part of it in one word. */
struct access {
    uint8_t me;
    const struct wg_site *site;
    uint32_t var;
    uint64_t offset;
    bool changed;
    size_t word;
    uint64_t begin, bytes; /* in the variable */
};

/* Whether it takes the value that was there. */
static bool takes_value(const struct wg_site *site) {
    return site->op != WG_OP_STORE && !(site->flags & WG_SITE_UNUSED);
}

/* Nobody takes the word's value: it stays what it was at first. */
static void drop(struct system *system, const struct access *access) {
    const struct wg_view *view = &system->dispatch.launch.buffers[access->var];
    size_t first = system->first_word[access->var] * 4;

    system->classes[access->word] = WORD_DROPPED;
    memcpy(view->data + access->begin, system->initial + first + access->begin, access->bytes);
}

/* Whether other workgroups can tell that the access was made to its word. */
static bool use_word(struct system *system, const struct access *access) {
    uint8_t *class = &system->classes[access->word];
    struct word_use *use = &system->uses[access->word], before = *use;

    if (*class < WORD_READ && !takes_value(access->site)) {
        drop(system, access);
        return false;
    }
    if (*class < WORD_READ) {
        system->again |= *class == WORD_DROPPED;
        *class = WORD_READ;
    }
    if (note_use(use, access->me, access->site) && *class != WORD_SHARED) {
        *class = WORD_SHARED;
        system->again = true;
    }
    memory_note(&system->storage, system->first_page[access->var], access->begin, access->bytes,
                access->changed);
    memory_note(&system->uses_memory, 0, access->word * sizeof before, sizeof before,
                memcmp(&before, use, sizeof before) != 0);
    return *class == WORD_SHARED ||
           (access->site->op != WG_OP_LOAD && access->site->op != WG_OP_STORE);
}

/* Whether other workgroups can tell that the access was made. */
static bool use(struct system *system, struct access access) {
    uint64_t end = access.offset + access.site->bytes;
    bool visible = false;

    for (uint64_t at = access.offset / 4; at * 4 < end; at++) {
        access.word = system->first_word[access.var] + at;
        access.begin = at * 4 < access.offset ? access.offset : at * 4;
        access.bytes = (at * 4 + 4 < end ? at * 4 + 4 : end) - access.begin;
        visible |= use_word(system, &access);
    }
    return visible;
}

/* An access to workgroup memory. */
static void note_own(struct system *system, struct process *process, const struct access *access) {
    const struct launch *launch = &system->dispatch.launch;

    if (launch->kernel->vars[access->var]->space == WG_SPACE_WORKGROUP && access->changed)
        memory_note(&process->memory, 0,
                    (uintptr_t)launch->buffers[access->var].data + access->offset,
                    access->site->bytes, true);
}

static struct access access_of(const struct kernel *kernel, uint64_t word) {
    const struct wg_site *site = kernel->sites[word_site(word)];

    return (struct access){.site = site,
                           .var = word_var(word),
                           .offset = word & WORD_OFFSET,
                           .changed = site->op != WG_OP_LOAD && !word_is_silent(word)};
}

/* Whether the lane that just ran did what other workgroups can tell. *step: the last such access
 * that changed something, or else the first. */
static bool visible(struct system *system, struct process *process, uint32_t lane,
                    struct system_step *step) {
    const struct lane_log *log = &system->dispatch.logs[0];
    const uint64_t *words = lane_log_block(log, lane / WG_LOG_ROW) + lane % WG_LOG_ROW;
    bool touched = false;

    for (uint32_t row = 0; row < lane_log_rows(log, lane); row++) {
        uint64_t word = words[(size_t)row * WG_LOG_ROW];
        if (word_is_mark(word))
            continue;
        struct access access = access_of(system->dispatch.launch.kernel, word);
        access.me = (uint8_t)(process->workgroup->id + 1);
        if (!system_is_storage(system, access.var)) {
            note_own(system, process, &access);
            continue;
        }
        if (!use(system, access))
            continue;
        step->changed |= access.changed;
        if (!touched || access.changed) {
            step->site = access.site;
            step->var = access.var;
            step->offset = access.offset;
        }
        touched = true;
    }
    return touched;
}

static void run_lane(struct system *system, struct workgroup *w, struct subgroup *s,
                     struct lanes lane) {
    if (system->running)
        *system->running = &system->dispatch;
    workgroup_step(w, s, lane, &system->dispatch.logs[0]);
    if (system->running)
        *system->running = NULL;
    system->dispatch.steps++;
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
        process_lane_changes(process, s->first + lane);
        coro_clear_unused(subgroup_lane(s, lane), &w->stacks, s->first + lane);
        run_lane(system, w, s, one);
        process->next = (s->first + lane + 1) % w->launch->invocations;
        settle(system, process);
        if (visible(system, process, lane, step))
            return 0;
    }
    return 0;
}

int system_execute_step(struct system *system, const struct system_state *from, uint32_t which,
                        struct system_state *to, struct system_step *step,
                        struct wgsim_error *err) {
    struct process *process = &system->processes[which];

    memory_load(&system->storage, from->storage);
    memory_load(&system->uses_memory, from->uses);
    memory_forget_noted(&system->storage);
    memory_forget_noted(&system->uses_memory);
    process_load(process, from->process[which]);
    if (run_step(system, process, step, err) < 0)
        return -1;
    *to = *from;
    to->process[which] = process_save(process);
    to->storage = memory_save(&system->storage);
    to->uses = memory_save(&system->uses_memory);
    if (to->process[which] == PROCESS_FAILED || to->storage == MEMORY_FAILED ||
        to->uses == MEMORY_FAILED)
        return error_set(err, "out of memory");
    return 0;
}

/* ---- Steps made before ---- */

/* What a memory holds after a step, as the number of its table. */
static uint32_t table_after(struct memory *memory, uint32_t table, const struct memo_page *pages,
                            uint32_t count) {
    struct intern *tables = &memory->contents->tables;
    bool changed = false;

    for (uint32_t i = 0; i < count; i++)
        changed |= pages[i].before != pages[i].after;
    if (!changed)
        return table;
    memcpy(memory->table, intern_get(tables, table)->bytes,
           memory->page_count * sizeof *memory->table);
    for (uint32_t i = 0; i < count; i++)
        memory->table[pages[i].page] = pages[i].after;
    return intern_add(tables, memory->table, memory->page_count * sizeof *memory->table);
}

static int apply(struct system *system, const struct memo_entry *entry,
                 const struct system_state *from, uint32_t which, struct system_state *to,
                 struct wgsim_error *err) {
    const struct memo_page *uses = entry->pages + entry->page_count[0];

    *to = *from;
    to->process[which] = entry->process_after;
    to->storage = table_after(&system->storage, from->storage, entry->pages, entry->page_count[0]);
    to->uses = table_after(&system->uses_memory, from->uses, uses, entry->page_count[1]);
    if (to->storage == INTERN_FAILED || to->uses == INTERN_FAILED)
        return error_set(err, "out of memory");
    return 0;
}

int system_make_step(struct system *system, const struct system_state *from, uint32_t which,
                     struct system_state *to, struct system_step *step, struct wgsim_error *err) {
    const struct memory *const memories[] = {&system->storage, &system->uses_memory};
    const uint32_t tables[] = {from->storage, from->uses};
    const struct memo_entry *entry =
        memo_find(&system->memo, which, from->process[which], memories, tables);
    struct system_step made;

    if (entry) {
        if (step)
            *step = entry->step;
        return apply(system, entry, from, which, to, err);
    }
    if (system_execute_step(system, from, which, to, &made, err) < 0)
        return -1;
    if (step)
        *step = made;
    if (memo_add(&system->memo, which, from->process[which], to->process[which], memories, tables,
                 &made) < 0)
        return error_set(err, "out of memory");
    return 0;
}

void system_begin_again(struct system *system) {
    system->again = false;
    memo_release(&system->memo);
    for (size_t word = 0; word < system->word_count; word++)
        if (system->classes[word] == WORD_DROPPED)
            system->classes[word] = WORD_UNREAD;
}

/* ---- The whole ---- */

static int lay_out_storage(struct system *system) {
    const struct launch *launch = &system->dispatch.launch;

    system->storage.contents = &system->storage_contents;
    system->uses_memory.contents = &system->uses_contents;
    for (size_t id = 0; id < launch->kernel->var_limit; id++) {
        if (!system_is_storage(system, id))
            continue;
        system->first_word[id] = system->word_count;
        system->word_count += launch->buffers[id].bytes / 4 + 1;
        system->first_page[id] =
            memory_append(&system->storage, launch->buffers[id].data, launch->buffers[id].bytes);
        if (system->first_page[id] == MEMORY_FAILED)
            return -1;
    }
    system->uses = calloc(system->word_count + 1, sizeof *system->uses);
    system->classes = calloc(system->word_count + 1, sizeof *system->classes);
    system->initial = calloc(system->word_count + 1, 4);
    if (!system->uses || !system->classes || !system->initial)
        return -1;
    for (size_t id = 0; id < launch->kernel->var_limit; id++)
        if (system_is_storage(system, id))
            memcpy(system->initial + system->first_word[id] * 4, launch->buffers[id].data,
                   launch->buffers[id].bytes);
    return memory_append(&system->uses_memory, system->uses,
                         system->word_count * sizeof *system->uses) == MEMORY_FAILED
               ? -1
               : 0;
}

int system_init(struct system *system, const struct device *device,
                const struct run_options *options, const struct dispatch_spec *spec,
                struct system_state *initial, struct wgsim_error *err) {
    memset(system, 0, sizeof *system);
    *initial = (struct system_state){0};
    memo_init(&system->memo);
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
        if (process_init(process, &system->process_contents, &system->dispatch.launch,
                         system->count, err) < 0) {
            system_release(system);
            return -1;
        }
        process->workgroup->user = &system->dispatch;
    }
    if (lay_out_storage(system) < 0 ||
        (initial->storage = memory_save(&system->storage)) == MEMORY_FAILED ||
        (initial->uses = memory_save(&system->uses_memory)) == MEMORY_FAILED) {
        system_release(system);
        return error_set(err, "out of memory");
    }
    return 0;
}

int system_open(struct system *system, const struct job *job, const struct device *device,
                const struct run_options *options, struct system_state *initial,
                struct wgsim_error *err) {
    struct wg_view views[WG_MAX_VARS + 1];

    if (job->dispatch_count == 0)
        return error_set(err, "%s: dispatches nothing", job->kernel->desc->name);
    const struct job_dispatch *dispatch = &job->dispatches[0];
    if (job_bind(job, dispatch, views, err) < 0)
        return -1;
    struct dispatch_spec spec = {.kernel = job->kernel,
                                 .entry = dispatch->entry,
                                 .overrides = dispatch->overrides,
                                 .buffers = views,
                                 .ops = &access_ops};
    memcpy(spec.groups, dispatch->groups, sizeof spec.groups);
    return system_init(system, device, options, &spec, initial, err);
}

void system_release(struct system *system) {
    for (uint32_t i = 0; i < system->count; i++)
        process_release(&system->processes[i]);
    system->count = 0;
    free(system->uses);
    free(system->classes);
    free(system->initial);
    system->uses = NULL;
    system->classes = system->initial = NULL;
    memory_release(&system->storage);
    memory_release(&system->uses_memory);
    memo_release(&system->memo);
    process_contents_release(&system->process_contents);
    memory_contents_release(&system->storage_contents);
    memory_contents_release(&system->uses_contents);
    dispatch_release(&system->dispatch);
}

uint64_t system_bytes(const struct system *system) {
    return memo_bytes(&system->memo) + process_contents_bytes(&system->process_contents) +
           memory_contents_bytes(&system->storage_contents) +
           memory_contents_bytes(&system->uses_contents);
}
