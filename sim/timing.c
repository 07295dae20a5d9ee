/* Time. */
#include "sim/timing.h"

#include <string.h>

const char *const timing_cause_names[TIMING_CAUSE_COUNT + 1] = {
    "issue",    "workgroup_memory", "bank_conflicts", "storage", "atomics",
    "barriers", "launch",           "idle",           NULL};

const char *const timing_bound_names[TIMING_BOUND_COUNT + 1] = {
    "latency", "issue", "workgroup_memory", "storage", "launch", NULL};

#define CYCLE (UINT64_C(1) << TIMING_SHIFT)
enum { SECTOR_BYTES = 32 };

/* How long a subgroup may wait for values within the event in which it is played: pipes are asked
 * about times at most this much out of order. What it issues without a wait it issues in one go,
 * so that it gets to its long waits early. */
#define AHEAD (64 * CYCLE)

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint64_t ceil_cycle(uint64_t time) {
    return (time + CYCLE - 1) >> TIMING_SHIFT;
}

/* ---- Set-up ---- */

static uint64_t cycles(uint32_t thousandths) {
    return (uint64_t)thousandths * CYCLE / 1000;
}

/* The time of one at a rate in thousandths a cycle. */
static uint64_t time_of_one(uint32_t rate) {
    return later(1000 * CYCLE / rate, 1);
}

static uint64_t device_subgroup_slots(const struct device *device) {
    uint64_t slots = 0;
    for (uint32_t cu = 0; cu < device->cus; cu++) {
        struct device_unit unit = device_unit(device, cu);
        slots += unit.subgroup_slots ? unit.subgroup_slots
                                     : (unit.invocation_slots + device->subgroup_width - 1) /
                                           device->subgroup_width;
    }
    return slots <= UINT32_MAX ? slots : UINT32_MAX;
}

static struct timing_costs costs_of(const struct device *device) {
    uint64_t sector = time_of_one(device->sectors_per_cycle);
    uint64_t vram_sector = time_of_one(device->vram_sectors_per_cycle);
    return (struct timing_costs){
        .issue = time_of_one(device->issue_rate),
        .instruction = later(time_of_one(device->issue_rate), CYCLE),
        .memory_latency = cycles(device->workgroup_memory_cycles),
        .storage_latency = cycles(device->vram_cycles),
        .sector = sector,
        .vram_sector = later(vram_sector, sector),
        .partial_sector = sector * device->partial_sector_cost / 1000,
        .atomic = cycles(device->atomic_cycles),
        .barrier = cycles(device->barrier_cycles),
        .barrier_subgroup = cycles(device->barrier_subgroup_cycles),
        .dispatch = cycles(device->dispatch_cycles),
        .launch = time_of_one(device->launch_rate),
        .loads_in_flight = device->loads_in_flight,
        .subgroup_slots = (uint32_t)device_subgroup_slots(device),
    };
}

size_t timing_bytes(const struct device *device) {
    return sizeof(struct timing) + device->cus * sizeof(struct timing_unit);
}

void timing_init(struct timing *timing, const struct device *device, uint64_t storage_bytes) {
    memset(timing, 0, timing_bytes(device));
    timing->costs = costs_of(device);
    if (device->l2_bytes && storage_bytes > device->l2_bytes)
        timing->uncached = storage_bytes / SECTOR_BYTES;
    timing->unit_count = device->cus;
}

void timing_free_of_charge(struct timing *timing) {
    timing->costs = (struct timing_costs){.loads_in_flight = timing->costs.loads_in_flight,
                                          .subgroup_slots = timing->costs.subgroup_slots};
    timing->uncached = 0;
}

/* ---- Pipes ---- */

/* Asks a pipe for `cost` of its time from `at` on, in an event at `event`; the result is when it
 * begins. The time is booked from the event on, not from `at`: what others ask for in between is
 * not held up by work that lies ahead. */
static uint64_t pipe_ask(struct timing_pipe *pipe, uint64_t event, uint64_t at, uint64_t cost) {
    uint64_t begin = later(at, pipe->free);
    pipe->free = later(event, pipe->free) + cost;
    pipe->busy += cost;
    return begin;
}

/* ---- Workgroups ---- */

uint64_t timing_dispatch(struct timing *timing, uint64_t cycle) {
    timing->dispatched = cycle << TIMING_SHIFT;
    timing->launcher.busy = timing->sectors.busy = 0;
    timing->launch_bound = timing->resident_time = 0;
    memset(timing->waits, 0, sizeof timing->waits);
    for (uint32_t cu = 0; cu < timing->unit_count; cu++) {
        struct timing_unit *unit = &timing->units[cu];
        unit->issue.busy = unit->memory.busy = unit->conflicts_busy = unit->occupied = 0;
    }
    return ceil_cycle(timing->dispatched + timing->costs.dispatch);
}

uint64_t timing_launch(struct timing *timing, uint32_t cu, uint64_t cycle) {
    struct timing_unit *unit = &timing->units[cu];
    uint64_t at = cycle << TIMING_SHIFT;
    uint64_t begin = pipe_ask(&timing->launcher, at, at, timing->costs.launch);
    if (begin > at)
        timing->launch_bound += timing->costs.launch;
    if (unit->residents++ == 0)
        unit->since = begin;
    return ceil_cycle(begin);
}

void timing_finish(struct timing *timing, uint32_t cu, uint32_t subgroups, uint64_t start,
                   uint64_t end) {
    struct timing_unit *unit = &timing->units[cu];
    uint64_t end_time = end << TIMING_SHIFT;
    timing->resident_time += (end - start) * subgroups << TIMING_SHIFT;
    if (--unit->residents == 0 && end_time > unit->since)
        unit->occupied += end_time - unit->since;
}

uint64_t timing_complete(const struct timing *timing, uint64_t cycle) {
    uint64_t done = timing->sectors.free;
    for (int i = 0; i < TIMING_ATOMIC_UNITS; i++)
        done = later(done, timing->atomic_free[i]);
    return later(cycle, ceil_cycle(done));
}

/* ---- Subgroups ---- */

struct timing_clock timing_clock_at(uint64_t cycle) {
    return (struct timing_clock){.now = cycle << TIMING_SHIFT};
}

uint64_t timing_cycle(const struct timing_clock *clock) {
    return ceil_cycle(clock->now);
}

static void wait_until(struct timing *timing, struct timing_clock *clock, uint64_t time,
                       enum timing_cause cause) {
    if (time <= clock->now)
        return;
    timing->waits[cause] += time - clock->now;
    clock->now = time;
}

/* Waits for all loads. What the bank conflicts took of it is accounted to them. */
static void wait_for_loads(struct timing *timing, struct timing_clock *clock) {
    uint64_t before = clock->now;
    clock->oldest = 0;
    if (clock->ready <= before) {
        clock->conflicts = 0;
        return;
    }
    wait_until(timing, clock, clock->ready, (enum timing_cause)clock->ready_cause);
    uint64_t waited = clock->now - before;
    uint64_t conflicts = waited < clock->conflicts ? waited : clock->conflicts;
    timing->waits[clock->ready_cause] -= conflicts;
    timing->waits[TIMING_BANK_CONFLICTS] += conflicts;
    clock->conflicts = 0;
}

static void note_ready(struct timing_clock *clock, uint64_t ready, enum timing_cause cause,
                       uint64_t conflicts) {
    if (ready <= clock->ready)
        return;
    clock->ready = ready;
    clock->ready_cause = cause;
    clock->conflicts = conflicts;
}

/* What the request has to wait for before it can issue. */
static void wait_before(struct timing *timing, struct timing_clock *clock,
                        const struct timing_request *request) {
    switch ((enum timing_kind)request->kind) {
    case TIMING_OPERATIONS:
    case TIMING_WORKGROUP_LOAD:
    case TIMING_WORKGROUP_STORE:
    case TIMING_STORAGE_STORE:
        return;
    case TIMING_STORAGE_LOAD:
        wait_until(timing, clock, clock->in_flight[clock->oldest], TIMING_STORAGE);
        return;
    case TIMING_WORKGROUP_ATOMIC:
    case TIMING_STORAGE_ATOMIC:
        wait_for_loads(timing, clock);
        return;
    }
}

/* A subgroup being played: the event's time is where its clock stood. */
struct player {
    struct timing *timing;
    struct timing_unit *unit;
    struct timing_clock *clock;
    uint64_t event;
    uint64_t issuing; /* time that issuing took so far, with its queue */
};

static void issue(struct player *player, uint64_t instructions) {
    struct timing *timing = player->timing;
    struct timing_clock *clock = player->clock;
    uint64_t begin = pipe_ask(&player->unit->issue, player->event, clock->now,
                              instructions * timing->costs.issue);
    uint64_t done = begin + instructions * timing->costs.instruction;
    player->issuing += done - clock->now;
    wait_until(timing, clock, done, TIMING_ISSUE);
}

/* A store is done when all loads before it are there. If that is long, it is put off to the event
 * in which the subgroup goes on. */
static bool is_put_off(const struct player *player) {
    return player->clock->ready > player->event + AHEAD;
}

/* In the event in which the subgroup goes on after a wait: the stores that waited with it. */
static void do_pending_stores(struct player *player) {
    struct timing_clock *clock = player->clock;
    if (!(clock->pending_sectors | clock->pending_memory))
        return;
    pipe_ask(&player->timing->sectors, player->event, player->event, clock->pending_sectors);
    pipe_ask(&player->unit->memory, player->event, player->event, clock->pending_memory);
    clock->pending_sectors = clock->pending_memory = 0;
}

static void store_workgroup_memory(struct player *player, const struct timing_request *request) {
    struct timing_clock *clock = player->clock;
    uint64_t cost = request->wavefronts * CYCLE;
    player->unit->conflicts_busy += request->conflicts * CYCLE;
    if (is_put_off(player))
        clock->pending_memory += cost;
    else
        pipe_ask(&player->unit->memory, player->event, later(clock->now, clock->ready), cost);
}

/* Loads and atomics. */
static void use_workgroup_memory(struct player *player, const struct timing_request *request) {
    struct timing_unit *unit = player->unit;
    struct timing_clock *clock = player->clock;
    uint64_t cost = request->wavefronts * CYCLE;
    uint64_t done = pipe_ask(&unit->memory, player->event, clock->now, cost) + cost;
    unit->conflicts_busy += request->conflicts * CYCLE;
    if (request->kind == TIMING_WORKGROUP_ATOMIC && !request->waits)
        return;
    /* The queue in the pipe is made of conflicts as much as the pipe's work is. */
    uint64_t conflicts = 0;
    if (unit->conflicts_busy)
        conflicts =
            (uint64_t)((__uint128_t)(done - clock->now) * unit->conflicts_busy / unit->memory.busy);
    note_ready(clock, done + player->timing->costs.memory_latency, TIMING_WORKGROUP_MEMORY,
               conflicts);
}

/* What it takes more to move so many sectors if they are not in the last cache. */
static uint64_t cost_of_vram(struct timing *timing, uint64_t sectors) {
    uint64_t moved = sectors < timing->uncached ? sectors : timing->uncached;
    timing->uncached -= moved;
    return moved * (timing->costs.vram_sector - timing->costs.sector);
}

static void load_storage(struct player *player, const struct timing_request *request) {
    struct timing *timing = player->timing;
    struct timing_clock *clock = player->clock;
    uint64_t cost =
        request->sectors * timing->costs.sector + cost_of_vram(timing, request->sectors);
    uint64_t done = pipe_ask(&timing->sectors, player->event, clock->now, cost) + cost;
    uint64_t ready = done + timing->costs.storage_latency;
    clock->in_flight[clock->oldest] = ready;
    if (++clock->oldest >= timing->costs.loads_in_flight)
        clock->oldest = 0;
    note_ready(clock, ready, TIMING_STORAGE, 0);
}

/* Sectors that are written in part cost more: those beyond what the bytes would fill. That hides
 * where they go. */
static void store_storage(struct player *player, const struct timing_request *request) {
    struct timing *timing = player->timing;
    uint32_t filled = (request->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
    uint32_t full = request->sectors < filled ? request->sectors : filled;
    uint64_t cost = full * timing->costs.sector + cost_of_vram(timing, full) +
                    (request->sectors - full) * timing->costs.partial_sector;
    if (is_put_off(player))
        player->clock->pending_sectors += cost;
    else
        pipe_ask(&timing->sectors, player->event, later(player->clock->now, player->clock->ready),
                 cost);
}

/* Atomics are served where the storage is: one request after the other on a word, its lanes on one
 * word a cycle apart. Words share a small number of servers. */
static void do_storage_atomic(struct player *player, const struct timing_request *request) {
    struct timing *timing = player->timing;
    struct timing_clock *clock = player->clock;
    uint64_t sectors = request->sectors * timing->costs.sector;
    uint64_t at = pipe_ask(&timing->sectors, player->event, clock->now, sectors) + sectors;
    uint32_t server = (request->word * UINT32_C(2654435761)) >> 24;
    uint64_t *free = &timing->atomic_free[server];
    uint64_t cost = timing->costs.atomic;
    if (request->lanes_on_word > 1)
        cost += (request->lanes_on_word - 1) * CYCLE;
    uint64_t done = later(at, *free) + cost;
    *free = later(player->event, *free) + cost;
    if (request->waits)
        wait_until(timing, clock, done, TIMING_ATOMICS);
}

static void play_one(struct player *player, const struct timing_request *request) {
    bool plain = request->kind == TIMING_OPERATIONS;
    issue(player, plain ? request->operations : 1);
    switch ((enum timing_kind)request->kind) {
    case TIMING_OPERATIONS:
        return;
    case TIMING_WORKGROUP_STORE:
        store_workgroup_memory(player, request);
        return;
    case TIMING_WORKGROUP_LOAD:
    case TIMING_WORKGROUP_ATOMIC:
        use_workgroup_memory(player, request);
        break;
    case TIMING_STORAGE_LOAD:
        load_storage(player, request);
        break;
    case TIMING_STORAGE_STORE:
        store_storage(player, request);
        return;
    case TIMING_STORAGE_ATOMIC:
        do_storage_atomic(player, request);
        return;
    }
    if (request->waits)
        wait_for_loads(player->timing, player->clock);
}

size_t timing_play(struct timing *timing, uint32_t cu, struct timing_clock *clock,
                   const struct timing_request *requests, size_t count) {
    struct player player = {timing, &timing->units[cu], clock, clock->now, 0};
    do_pending_stores(&player);
    for (size_t i = 0; i < count; i++) {
        wait_before(timing, clock, &requests[i]);
        if (clock->now - player.event - player.issuing >= AHEAD)
            return i;
        play_one(&player, &requests[i]);
    }
    return count;
}

bool timing_drain(struct timing *timing, struct timing_clock *clock) {
    wait_for_loads(timing, clock);
    return clock->pending_sectors == 0 && clock->pending_memory == 0;
}

void timing_open(struct timing *timing, struct timing_clock *const clocks[], size_t count) {
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++)
        last = later(last, clocks[i]->now);
    uint64_t open = last + timing->costs.barrier;
    if (count > 1)
        open += (count - 1) * timing->costs.barrier_subgroup;
    for (size_t i = 0; i < count; i++)
        wait_until(timing, clocks[i], open, TIMING_BARRIERS);
}

/* ---- The account ---- */

static uint64_t take(uint64_t *left, uint64_t amount) {
    uint64_t taken = amount < *left ? amount : *left;
    *left -= taken;
    return taken;
}

/* Divides what is left of the units' time by what subgroups waited for. */
static void divide_waits(const struct timing *timing, uint64_t left,
                         uint64_t spent[TIMING_CAUSE_COUNT]) {
    static const enum timing_cause waits[] = {TIMING_WORKGROUP_MEMORY, TIMING_BANK_CONFLICTS,
                                              TIMING_STORAGE, TIMING_ATOMICS, TIMING_BARRIERS};
    enum { COUNT = sizeof waits / sizeof waits[0] };
    __uint128_t sum = 0;
    uint64_t given = 0;
    for (int i = 0; i < COUNT; i++)
        sum += timing->waits[waits[i]];
    for (int i = 0; sum && i < COUNT; i++) {
        uint64_t share = (uint64_t)(timing->waits[waits[i]] * (__uint128_t)left / sum);
        spent[waits[i]] += share;
        given += share;
    }
    spent[TIMING_IDLE] += left - given;
}

/* Time of all units by cause, from what is known directly to what is shared out. */
static void account(const struct timing *timing, uint64_t elapsed,
                    uint64_t spent[TIMING_CAUSE_COUNT]) {
    uint64_t units = timing->unit_count, left = elapsed * units;
    uint64_t issue_busy = 0, empty = left;
    for (uint32_t cu = 0; cu < units; cu++) {
        issue_busy += timing->units[cu].issue.busy;
        take(&empty, timing->units[cu].occupied);
    }
    spent[TIMING_LAUNCH] = take(&left, (timing->costs.dispatch + timing->launch_bound) * units);
    spent[TIMING_ISSUE] = take(&left, issue_busy);
    take(&empty, spent[TIMING_LAUNCH]);
    spent[TIMING_IDLE] = take(&left, empty);
    divide_waits(timing, left, spent);
}

/* Rounds parts of a whole to whole cycles that add up to `total`: the largest takes the rest. */
static void round_parts(const uint64_t spent[TIMING_CAUSE_COUNT], uint64_t units, uint64_t total,
                        uint64_t out[TIMING_CAUSE_COUNT]) {
    int largest = 0;
    uint64_t sum = 0;
    for (int i = 0; i < TIMING_CAUSE_COUNT; i++) {
        out[i] = spent[i] / units >> TIMING_SHIFT;
        sum += out[i];
        if (out[i] > out[largest])
            largest = i;
    }
    out[largest] += total - sum;
}

static uint32_t thousandths(uint64_t part, __uint128_t whole) {
    return whole ? (uint32_t)((__uint128_t)part * 1000 / whole) : 0;
}

struct timing_report timing_report(const struct timing *timing, uint64_t cycle) {
    uint64_t elapsed = (cycle << TIMING_SHIFT) - timing->dispatched;
    uint64_t worked = elapsed > timing->costs.dispatch ? elapsed - timing->costs.dispatch : 0;
    uint64_t units = timing->unit_count, issue_busy = 0, memory_busy = 0;
    uint64_t spent[TIMING_CAUSE_COUNT] = {0};
    struct timing_report report = {.cycles = elapsed >> TIMING_SHIFT};
    enum { MOSTLY = 800 };
    account(timing, elapsed, spent);
    round_parts(spent, units, report.cycles, report.spent);
    for (uint32_t cu = 0; cu < units; cu++) {
        issue_busy += timing->units[cu].issue.busy;
        memory_busy += timing->units[cu].memory.busy;
    }
    report.busy[TIMING_BOUND_ISSUE] = thousandths(issue_busy, worked * units);
    report.busy[TIMING_BOUND_WORKGROUP_MEMORY] = thousandths(memory_busy, worked * units);
    report.busy[TIMING_BOUND_STORAGE] = thousandths(timing->sectors.busy, worked);
    report.busy[TIMING_BOUND_LAUNCH] = thousandths(timing->launch_bound, worked);
    for (int i = 0; i < TIMING_BOUND_COUNT; i++)
        if (report.busy[i] >= MOSTLY && report.busy[i] > report.busy[report.bound])
            report.bound = (enum timing_bound)i;
    report.occupancy =
        thousandths(timing->resident_time, (__uint128_t)worked * timing->costs.subgroup_slots);
    return report;
}

/* ---- Comparison ---- */

static uint64_t still(uint64_t time, uint64_t cycle) {
    uint64_t now = cycle << TIMING_SHIFT;
    return time > now ? time - now : 0;
}

bool timing_same(const struct timing *a, uint64_t cycle_a, const struct timing *b,
                 uint64_t cycle_b) {
#define SAME(field) (still(a->field, cycle_a) == still(b->field, cycle_b))
    if (!SAME(launcher.free) || !SAME(sectors.free) || a->uncached != b->uncached)
        return false;
    for (int i = 0; i < TIMING_ATOMIC_UNITS; i++)
        if (!SAME(atomic_free[i]))
            return false;
    for (uint32_t cu = 0; cu < a->unit_count; cu++)
        if (!SAME(units[cu].issue.free) || !SAME(units[cu].memory.free))
            return false;
    return true;
}

bool timing_clock_same(const struct timing_clock *a, uint64_t cycle_a, const struct timing_clock *b,
                       uint64_t cycle_b) {
    if (!SAME(now) || !SAME(ready) || a->oldest != b->oldest)
        return false;
    if (a->pending_sectors != b->pending_sectors || a->pending_memory != b->pending_memory)
        return false;
    for (int i = 0; i < TIMING_LOADS_MAX; i++)
        if (!SAME(in_flight[i]))
            return false;
    return true;
#undef SAME
}
