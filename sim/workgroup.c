/* Running a resident workgroup. */
#include "sim/workgroup.h"

#include <stdlib.h>
#include <string.h>

#include "sim/collective.h"
#include "sim/error.h"

int lane_log_init(struct lane_log *log, struct wgsim_error *err) {
    size_t bytes = (size_t)LOG_BLOCKS * (LOG_ROWS + 2) * WG_LOG_ROW * sizeof *log->words;

    *log = (struct lane_log){
        .row_limit = LOG_ROWS, .words = aligned_alloc(64, bytes), .matching = matching_best()};
    if (!log->words)
        return error_set(err, "out of memory");
    memset(log->words, 0, bytes);
    return 0;
}

void lane_log_release(struct lane_log *log) {
    free(log->words);
    log->words = NULL;
}

/* What a lane runs, workgroup after workgroup, if the kernel's entry point returns at all. It never
 * returns: its stack is freed, or prepared again. */
static void lane_main(struct wg_ctx *ctx, struct wg_lane *lane) {
    const struct workgroup *workgroup = (const struct workgroup *)ctx;
    struct wg wg = {lane->log, ctx, lane, 0};

    for (;;) {
        workgroup->launch->entry->run(&wg);
        wg_end_(&wg);
    }
}

/* Blocks that the lanes of a subgroup take. */
static uint32_t blocks_each(const struct launch *launch) {
    return (launch->subgroup_size + WG_LOG_ROW - 1) / WG_LOG_ROW;
}

static int allocate(struct workgroup *w, struct wgsim_error *err) {
    const struct launch *launch = w->launch;
    size_t n = launch->invocations, blocks = (size_t)launch->subgroups * blocks_each(launch);
    size_t bytes = (blocks * sizeof *w->blocks + 63) / 64 * 64;

    w->blocks = aligned_alloc(64, bytes);
    w->ctx.collectives = calloc(n, sizeof *w->ctx.collectives);
    w->memory = aligned_alloc(64, (launch->memory_bytes + 64 + 63) / 64 * 64);
    if (!w->blocks || !w->ctx.collectives || !w->memory)
        return error_set(err, "out of memory");
    memset(w->blocks, 0, bytes);
    return coro_stacks_init(&w->stacks, n, launch->entry->stack_bytes, err);
}

static void fill_context(struct workgroup *w) {
    const struct launch *launch = w->launch;
    struct wg_ctx *ctx = &w->ctx;

    ctx->lockstep = launch->lockstep;
    ctx->subgroup_size = launch->subgroup_size;
    ctx->num_subgroups = launch->subgroups;
    ctx->ops = launch->ops;
    ctx->overrides = launch->overrides;
    memcpy(ctx->num_workgroups, launch->groups, sizeof ctx->num_workgroups);
    memcpy(ctx->workgroup_size, launch->size, sizeof ctx->workgroup_size);
    for (size_t id = 0; id < launch->kernel->var_limit; id++) {
        const struct wg_var *var = launch->kernel->vars[id];
        uint64_t bytes = launch->buffers[id].bytes;
        ctx->vars[id] = launch->buffers[id];
        ctx->last_word[id] = bytes < 4 ? 0 : bytes - 4;
        if (var && var->space == WG_SPACE_WORKGROUP)
            ctx->vars[id].data = w->memory + (uintptr_t)launch->buffers[id].data;
    }
}

static void lay_out_lanes(struct workgroup *w) {
    const struct launch *launch = w->launch;

    for (uint32_t i = 0; i < launch->subgroups; i++)
        w->subgroups[i].blocks = &w->blocks[(size_t)i * blocks_each(launch)];
    for (uint32_t i = 0; i < launch->invocations; i++) {
        struct wg_lane *lane = workgroup_lane(w, i);
        lane->number = (struct wg_pair_){i, i % launch->subgroup_size};
        lane->xy = (struct wg_pair_){i % launch->size[0], i / launch->size[0] % launch->size[1]};
        lane->z =
            (struct wg_pair_){i / launch->size[0] / launch->size[1], i / launch->subgroup_size};
        lane->owner = &w->ctx;
    }
}

static void lay_out_subgroups(struct workgroup *w) {
    const struct launch *launch = w->launch;

    for (uint32_t i = 0; i < launch->subgroups; i++) {
        struct subgroup *s = &w->subgroups[i];
        s->index = i;
        s->first = i * launch->subgroup_size;
        s->width = launch->invocations - s->first < launch->subgroup_size
                       ? launch->invocations - s->first
                       : launch->subgroup_size;
    }
}

struct workgroup *workgroup_new(const struct launch *launch, bool lanes, struct wgsim_error *err) {
    struct workgroup *w = calloc(1, sizeof *w);

    if (!w) {
        error_format(err, "out of memory");
        return NULL;
    }
    w->launch = launch;
    w->subgroups = calloc(launch->subgroups, sizeof *w->subgroups);
    if (!w->subgroups)
        error_format(err, "out of memory");
    if (!w->subgroups || (lanes && allocate(w, err) < 0)) {
        workgroup_free(w);
        return NULL;
    }
    lay_out_subgroups(w);
    if (lanes) {
        w->live = launch->invocations; /* none has returned */
        fill_context(w);
        lay_out_lanes(w);
    }
    return w;
}

void workgroup_free(struct workgroup *w) {
    if (!w)
        return;
    coro_stacks_release(&w->stacks);
    free(w->memory);
    free(w->ctx.collectives);
    free(w->blocks);
    free(w->subgroups);
    free(w);
}

void workgroup_name(struct workgroup *w, uint64_t id) {
    const struct launch *launch = w->launch;

    w->id = id;
    w->ctx.workgroup_id[0] = (uint32_t)(id % launch->groups[0]);
    w->ctx.workgroup_id[1] = (uint32_t)(id / launch->groups[0] % launch->groups[1]);
    w->ctx.workgroup_id[2] = (uint32_t)(id / launch->groups[0] / launch->groups[1]);
}

/* Lanes that have returned, as all have where none lives, go on with the next workgroup; others
 * start anew. */
static void start_lanes(struct workgroup *w, struct subgroup *s) {
    for (uint32_t i = 0; w->live && i < s->width; i++) {
        struct wg_lane *lane = subgroup_lane(s, i);
        if (stop_site(lane->stop) != WG_AT_END)
            coro_prepare(lane, &w->stacks, s->first + i, lane_main);
    }
    for (uint32_t block = 0; block * WG_LOG_ROW < s->width; block++) {
        wg_stop *stops = &s->blocks[block].stop;
        for (uint32_t i = 0; i < WG_LOG_ROW; i++)
            /* cppcheck-suppress objectIndex ; the others follow it: see struct wg_lane */
            stops[i] = WG_STOP_(WG_AT_START, WG_EVENT_RUN);
    }
}

void workgroup_abandon(struct workgroup *w) {
    for (uint32_t i = 0; i < w->launch->invocations; i++)
        workgroup_lane(w, i)->stop = WG_STOP_(WG_AT_START, WG_EVENT_RUN);
    w->live = w->launch->invocations;
}

void workgroup_start(struct workgroup *w, uint64_t id) {
    const struct launch *launch = w->launch;

    workgroup_name(w, id);
    w->waiting = w->epoch = 0;
    w->stored = false;
    memset(w->memory, 0, launch->memory_bytes);
    for (uint32_t i = 0; i < launch->subgroups; i++) {
        struct subgroup *s = &w->subgroups[i];
        start_lanes(w, s);
        s->live = s->ready = lanes_first(s->width);
        s->at_barrier = s->collective = (struct lanes){{0, 0}};
    }
    w->live = launch->invocations;
}

/* The lanes of a subgroup write to `log` from now on. */
static void attach(struct subgroup *s, struct lane_log *log) {
    for (uint32_t i = 0; i < s->width; i++)
        subgroup_lane(s, i)->log = lane_log_block(log, i / WG_LOG_ROW) + i % WG_LOG_ROW;
    s->log = log;
}

/* Runs some lanes of a block. Those between them are passed over, and the place behind the last of
 * them, who may be another one's, is lent to the engine. */
static void run_some(struct workgroup *w, struct wg_lane *block, uint32_t mask) {
    uint32_t first = (uint32_t)__builtin_ctz(mask), home = 32 - (uint32_t)__builtin_clz(mask);
    uint32_t over = ((uint32_t)(UINT64_C(1) << home) - 1) & ~mask & -(1u << first);
    struct coro_place held[WG_LOG_ROW + 1];

    held[home] = coro_place_of(block_lane(block, home));
    for (uint32_t rest = over; rest; rest &= rest - 1) {
        struct wg_lane *lane = block_lane(block, (uint32_t)__builtin_ctz(rest));
        held[__builtin_ctz(rest)] = coro_place_of(lane);
        coro_pass_over(lane, &w->stacks);
    }
    coro_run(&w->ctx, block_lane(block, first), block_lane(block, home));
    coro_put_back(block_lane(block, home), held[home]);
    for (uint32_t rest = over; rest; rest &= rest - 1)
        coro_put_back(block_lane(block, (uint32_t)__builtin_ctz(rest)), held[__builtin_ctz(rest)]);
}

static void run_block(struct workgroup *w, struct wg_lane *block, uint32_t mask) {
    if (mask == UINT32_MAX)
        coro_run(&w->ctx, block, block_lane(block, WG_LOG_ROW));
    else
        run_some(w, block, mask);
}

/* Takes note of why lanes stopped. */
static inline void settle(struct workgroup *w, struct subgroup *s, struct lanes lanes,
                          uint32_t count, uint32_t event) {
    switch (event) {
    case WG_EVENT_END:
        s->ready = lanes_without(s->ready, lanes);
        s->live = lanes_without(s->live, lanes);
        w->live -= count;
        break;
    case WG_EVENT_BARRIER:
        s->ready = lanes_without(s->ready, lanes);
        s->at_barrier = lanes_or(s->at_barrier, lanes);
        w->waiting += count;
        break;
    case WG_EVENT_SUBGROUP:
        s->ready = lanes_without(s->ready, lanes);
        s->collective = lanes_or(s->collective, lanes);
        break;
    default:
        break;
    }
}

/* Counts the rows that the lanes of a block wrote; the others keep 0. */
static void count_rows(struct lane_log *log, struct wg_lane *block, const uint64_t *words,
                       uint32_t mask, uint32_t *count) {
    uint64_t *const *ends = &block->end;

    memset(count, 0, WG_LOG_ROW * sizeof *count);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest), rows = (uint32_t)(ends[i] - words) / WG_LOG_ROW;
        count[i] = rows;
        log->most = rows > log->most ? rows : log->most;
        log->fewest = rows < log->fewest ? rows : log->fewest;
    }
}

/* Whether lanes stopped alike, and whether those that did not return did. */
static __attribute__((noinline)) void look_at_stops(struct lane_log *log, const struct subgroup *s,
                                                    struct lanes ran) {
    const wg_stop end = WG_STOP_(WG_AT_END, WG_EVENT_END);
    const wg_stop turn = (uint64_t)WG_FLOW_TURN << WG_STOP_FLOW_SHIFT;
    wg_stop first = subgroup_stop(s, lanes_lowest(ran)) & ~turn, any = end;
    uint32_t lane;

    log->united = log->alike = true;
    log->turned = (struct lanes){{0, 0}};
    for (LANES_EACH(lane, ran)) {
        wg_stop stop = subgroup_stop(s, lane) & ~turn;
        if (subgroup_stop(s, lane) & turn)
            lanes_add(&log->turned, lane);
        log->alike &= stop == first;
        if (stop == end)
            continue;
        if (any == end)
            any = stop;
        log->united &= stop == any;
    }
}

static __attribute__((noinline)) void look_at_lanes(struct lane_log *log, const struct subgroup *s,
                                                    struct lanes ran) {
    log->most = 0;
    log->fewest = UINT32_MAX;
    for (uint32_t block = 0; block * WG_LOG_ROW < s->width; block++)
        count_rows(log, &s->blocks[block], lane_log_block(log, block), lanes_block(ran, block),
                   &log->count[block * WG_LOG_ROW]);
    log->even = log->most == log->fewest && lanes_count(ran) == s->width;
    look_at_stops(log, s, ran);
}

/* The same for a subgroup of 32 lanes that all ran. */
static void look_at_block(struct lane_log *log, const struct subgroup *s) {
    const struct wg_lane *block = s->blocks;
    uint32_t turned, match = log->matching->ends(&block->stop, &block->end, &turned);

    log->even = match & MATCH_EVEN;
    if (log->even)
        log->most = (uint32_t)(block->end - log->words) / WG_LOG_ROW;
    else
        log->most = log->matching->count(&block->end, log->words, log->count);
    log->united = log->alike = true;
    log->turned = (struct lanes){{turned, 0}};
    if (!(match & MATCH_ALIKE))
        look_at_stops(log, s, lanes_first(WG_LOG_ROW));
}

void workgroup_run_lanes(struct workgroup *w, struct subgroup *s, struct lanes ran,
                         struct lane_log *log) {
    if (s->log != log)
        attach(s, log);
    for (uint32_t block = 0; block * WG_LOG_ROW < s->width; block++) {
        if (!lanes_block(ran, block))
            continue;
        w->ctx.log_end = lane_log_block(log, block) + (size_t)log->row_limit * WG_LOG_ROW;
        run_block(w, &s->blocks[block], lanes_block(ran, block));
    }
}

static __attribute__((noinline)) void settle_each(struct workgroup *w, struct subgroup *s,
                                                  struct lanes ran) {
    uint32_t lane;

    for (LANES_EACH(lane, ran)) {
        struct lanes one = {{0, 0}};
        lanes_add(&one, lane);
        settle(w, s, one, 1, stop_event(subgroup_stop(s, lane)));
    }
}

void workgroup_look(struct workgroup *w, struct subgroup *s, struct lanes ran,
                    struct lane_log *log) {
    bool whole = lanes_are_block(ran);

    if (whole)
        look_at_block(log, s);
    else
        look_at_lanes(log, s, ran);
    if (whole && log->alike)
        settle(w, s, ran, WG_LOG_ROW, stop_event(s->blocks->stop));
    else
        settle_each(w, s, ran);
}

void workgroup_step(struct workgroup *w, struct subgroup *s, struct lanes ran,
                    struct lane_log *log) {
    workgroup_run(w, s, ran, log);
    workgroup_look(w, s, ran, log);
}

void workgroup_release(struct workgroup *w) {
    for (uint32_t i = 0; i < w->launch->subgroups; i++) {
        struct subgroup *s = &w->subgroups[i];
        s->ready = lanes_or(s->ready, s->at_barrier);
        s->at_barrier = (struct lanes){{0, 0}};
    }
    w->waiting = 0;
    w->epoch++;
}

void workgroup_collect(struct workgroup *w, struct subgroup *s) {
    uint32_t lane, lowest = lanes_lowest(s->collective);
    struct lanes group = {{0, 0}};

    for (LANES_EACH(lane, s->collective))
        if (stop_site(subgroup_stop(s, lane)) == stop_site(subgroup_stop(s, lowest)))
            lanes_add(&group, lane);
    collective_perform(&w->ctx.collectives[s->first], group);
    s->collective = lanes_without(s->collective, group);
    s->ready = lanes_or(s->ready, group);
}

bool workgroup_overflown(const struct workgroup *w) {
    for (uint32_t i = 0; i < w->stacks.count; i++)
        if (coro_stacks_overflown(&w->stacks, i))
            return true;
    return false;
}
