/* States of a workgroup by number. */
#include "sim/progress/process.h"

#include <stdlib.h>
#include <string.h>

#include "sim/error.h"

/* A kept state: this, a saved_subgroup for each, the number of each invocation's string. */
struct saved_process {
    uint64_t id;
    uint32_t next, memory;
};

struct saved_subgroup {
    struct lanes live, ready, at_barrier, collective;
};

/* The fixed part of an invocation's string; its stack follows. */
struct saved_lane {
    struct coro_place place;
    wg_stop stop;
    struct wg_collective operand;
};

static struct saved_subgroup *subgroups_of(uint8_t *record) {
    return (struct saved_subgroup *)(void *)(record + sizeof(struct saved_process));
}

static uint32_t *lanes_of(uint8_t *record, const struct workgroup *w) {
    return (uint32_t *)(void *)(subgroups_of(record) + w->launch->subgroups);
}

int process_init(struct process *process, struct process_contents *contents,
                 const struct launch *launch, uint64_t id, struct wgsim_error *err) {
    size_t n = launch->invocations;

    *process = (struct process){.contents = contents,
                                .memory.contents = &contents->memory,
                                .workgroup = workgroup_new(launch, true, err)};
    if (!process->workgroup)
        return -1;
    process->record_bytes = sizeof(struct saved_process) +
                            launch->subgroups * sizeof(struct saved_subgroup) +
                            n * sizeof(uint32_t);
    process->record = calloc(1, process->record_bytes);
    process->lanes = calloc(n, sizeof *process->lanes);
    if (!process->record || !process->lanes ||
        memory_append(&process->memory, process->workgroup->memory, launch->memory_bytes) ==
            MEMORY_FAILED) {
        process_release(process);
        return error_set(err, "out of memory");
    }
    memset(process->lanes, 0xff, n * sizeof *process->lanes);
    workgroup_start(process->workgroup, id);
    return 0;
}

void process_release(struct process *process) {
    workgroup_free(process->workgroup);
    memory_release(&process->memory);
    free(process->record);
    free(process->lanes);
    *process = (struct process){0};
}

/* ---- Invocations ---- */

static bool has_operand(const struct workgroup *w, uint32_t index) {
    return stop_event(workgroup_lane(w, index)->stop) == WG_EVENT_SUBGROUP;
}

static uint32_t save_lane(struct process *process, uint32_t index) {
    const struct workgroup *w = process->workgroup;
    const struct wg_lane *lane = workgroup_lane(w, index);
    struct coro_state state = coro_state(lane, &w->stacks, index);
    struct saved_lane saved;

    memset(&saved, 0, sizeof saved);
    saved.place = state.place;
    saved.stop = lane->stop;
    if (has_operand(w, index))
        saved.operand = w->ctx.collectives[index];
    coro_forget_red_zones(state.bytes, state.length);
    return intern_add_two(&process->contents->lanes, &saved, sizeof saved, state.bytes,
                          state.length);
}

static void load_lane(struct process *process, uint32_t index, uint32_t number) {
    struct workgroup *w = process->workgroup;
    struct wg_lane *lane = workgroup_lane(w, index);
    const struct interned *from = intern_get(&process->contents->lanes, number);
    struct saved_lane saved;

    memcpy(&saved, from->bytes, sizeof saved);
    coro_put_back(lane, saved.place);
    lane->stop = saved.stop;
    if (has_operand(w, index))
        w->ctx.collectives[index] = saved.operand;
    struct coro_state state = coro_state(lane, &w->stacks, index);
    coro_forget_red_zones(state.bytes, state.length);
    memcpy((uint8_t *)(uintptr_t)state.bytes, from->bytes + sizeof saved, state.length);
    process->lanes[index] = number;
}

/* ---- The whole ---- */

/* Writes the record's parts of a subgroup, and keeps those of its invocations that changed. */
static int save_subgroup(struct process *process, const struct subgroup *s) {
    uint32_t *numbers = lanes_of(process->record, process->workgroup), lane;

    subgroups_of(process->record)[s->index] =
        (struct saved_subgroup){s->live, s->ready, s->at_barrier, s->collective};
    memset(&numbers[s->first], 0xff, s->width * sizeof *numbers);
    for (LANES_EACH(lane, s->live)) {
        uint32_t *number = &process->lanes[s->first + lane];
        if (*number == LANE_CHANGED)
            *number = save_lane(process, s->first + lane);
        if (*number == INTERN_FAILED)
            return -1;
        numbers[s->first + lane] = *number;
    }
    return 0;
}

uint32_t process_save(struct process *process) {
    const struct workgroup *w = process->workgroup;
    struct saved_process saved = {.id = w->id, .next = process->next};

    if (w->live == 0)
        return process->now = PROCESS_FINISHED;
    saved.memory = memory_save(&process->memory);
    if (saved.memory == MEMORY_FAILED)
        return PROCESS_FAILED;
    memcpy(process->record, &saved, sizeof saved);
    for (uint32_t i = 0; i < w->launch->subgroups; i++)
        if (save_subgroup(process, &w->subgroups[i]) < 0)
            return PROCESS_FAILED;
    uint32_t number =
        intern_add(&process->contents->states, process->record, process->record_bytes);
    return number == INTERN_FAILED ? PROCESS_FAILED : (process->now = number + PROCESS_FIRST);
}

static void start(struct process *process) {
    struct workgroup *w = process->workgroup;

    workgroup_abandon(w);
    workgroup_start(w, w->id);
    memory_note_all_changed(&process->memory);
    memset(process->lanes, 0xff, w->launch->invocations * sizeof *process->lanes);
    process->next = 0;
}

static void load_subgroup(struct process *process, struct subgroup *s, uint8_t *record) {
    struct workgroup *w = process->workgroup;
    const struct saved_subgroup *saved = &subgroups_of(record)[s->index];
    const uint32_t *numbers = lanes_of(record, w);
    uint32_t lane;

    s->live = saved->live;
    s->ready = saved->ready;
    s->at_barrier = saved->at_barrier;
    s->collective = saved->collective;
    w->live += lanes_count(s->live);
    w->waiting += lanes_count(s->at_barrier);
    for (LANES_EACH(lane, s->live))
        if (process->lanes[s->first + lane] != numbers[s->first + lane])
            load_lane(process, s->first + lane, numbers[s->first + lane]);
}

void process_load(struct process *process, uint32_t number) {
    struct workgroup *w = process->workgroup;
    struct saved_process saved;

    if (process->now == number)
        return;
    process->now = number;
    memory_forget_noted(&process->memory);
    if (number == PROCESS_NOT_STARTED) {
        start(process);
        return;
    }
    uint8_t *record = intern_get(&process->contents->states, number - PROCESS_FIRST)->bytes;
    memcpy(&saved, record, sizeof saved);
    process->next = saved.next;
    w->live = w->waiting = 0;
    for (uint32_t i = 0; i < w->launch->subgroups; i++)
        load_subgroup(process, &w->subgroups[i], record);
    memory_load(&process->memory, saved.memory);
}

void process_contents_release(struct process_contents *contents) {
    intern_release(&contents->lanes);
    intern_release(&contents->states);
    memory_contents_release(&contents->memory);
}

uint64_t process_contents_bytes(const struct process_contents *contents) {
    return intern_bytes(&contents->lanes) + intern_bytes(&contents->states) +
           memory_contents_bytes(&contents->memory);
}
