/* Running a resident workgroup. */
#include "sim/workgroup.h"

#include <stdlib.h>
#include <string.h>

#include "sim/collective.h"
#include "sim/error.h"

int lane_log_init(struct lane_log *log, struct wgsim_error *err) {
    size_t bytes = (size_t)LOG_BLOCKS * (LOG_ROWS + 2) * WG_LOG_ROW * sizeof *log->words;

    *log = (struct lane_log){
        .row_limit = LOG_ROWS, .words = aligned_alloc(64, bytes), .match = match_best()};
    if (!log->words)
        return error_set(err, "out of memory");
    memset(log->words, 0, bytes);
    return 0;
}

void lane_log_release(struct lane_log *log) {
    free(log->words);
    log->words = NULL;
}

/* What a lane runs. It never returns: the workgroup is started again, or its stacks are freed. */
static void lane_main(struct wg_ctx *ctx) {
    const struct workgroup *workgroup = (const struct workgroup *)ctx;
    struct wg wg = {ctx->log_begin + ctx->cur->column, ctx};

    workgroup->launch->entry->run(&wg);
    for (;;)
        wg_suspend_(&wg, WG_AT_END, WG_EVENT_END);
}

/* The switch looks so many slots ahead. */
enum { SLOTS_FETCHED = 3 };

static int allocate(struct workgroup *w, struct wgsim_error *err) {
    const struct launch *launch = w->launch;
    size_t n = launch->invocations;

    w->slots = aligned_alloc(64, (n + 1 + SLOTS_FETCHED) * sizeof *w->slots);
    w->ctx.ends = calloc(n + WG_LOG_ROW, sizeof *w->ctx.ends);
    w->ctx.stops = calloc(n + WG_LOG_ROW, sizeof *w->ctx.stops);
    w->ctx.collectives = calloc(n, sizeof *w->ctx.collectives);
    w->memory = aligned_alloc(64, (launch->memory_bytes + 64 + 63) / 64 * 64);
    if (!w->slots || !w->ctx.ends || !w->ctx.stops || !w->ctx.collectives || !w->memory)
        return error_set(err, "out of memory");
    memset(w->slots, 0, (n + 1 + SLOTS_FETCHED) * sizeof *w->slots);
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
        ctx->vars[id] = launch->buffers[id];
        if (var && var->space == WG_SPACE_WORKGROUP)
            ctx->vars[id].data = w->memory + (uintptr_t)launch->buffers[id].data;
    }
}

static void lay_out_lanes(struct workgroup *w) {
    const struct launch *launch = w->launch;

    for (uint32_t i = 0; i < launch->invocations; i++) {
        struct wg_slot *slot = &w->slots[i];
        slot->local_index = i;
        slot->subgroup = i / launch->subgroup_size;
        slot->lane = i % launch->subgroup_size;
        slot->column = slot->lane % WG_LOG_ROW;
        slot->local_id[0] = i % launch->size[0];
        slot->local_id[1] = i / launch->size[0] % launch->size[1];
        slot->local_id[2] = i / launch->size[0] / launch->size[1];
        slot->owner = &w->ctx;
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
    free(w->ctx.stops);
    free(w->ctx.ends);
    free(w->subgroups);
    free(w->slots);
    free(w);
}

void workgroup_name(struct workgroup *w, uint64_t id) {
    const struct launch *launch = w->launch;

    w->id = id;
    w->ctx.workgroup_id[0] = (uint32_t)(id % launch->groups[0]);
    w->ctx.workgroup_id[1] = (uint32_t)(id / launch->groups[0] % launch->groups[1]);
    w->ctx.workgroup_id[2] = (uint32_t)(id / launch->groups[0] / launch->groups[1]);
}

void workgroup_start(struct workgroup *w, uint64_t id) {
    const struct launch *launch = w->launch;

    workgroup_name(w, id);
    w->live = launch->invocations;
    w->waiting = w->epoch = 0;
    w->stored = false;
    memset(w->memory, 0, launch->memory_bytes);
    for (uint32_t i = 0; i < launch->invocations; i++) {
        coro_prepare(&w->slots[i], &w->stacks, i, lane_main);
        w->ctx.stops[i] = WG_STOP_(WG_AT_START, WG_EVENT_RUN);
    }
    for (uint32_t i = 0; i < launch->subgroups; i++) {
        struct subgroup *s = &w->subgroups[i];
        s->live = s->ready = lanes_first(s->width);
        s->at_barrier = s->collective = (struct lanes){{0, 0}};
    }
}

/* Links the lanes of each block in ascending order, the last to the scheduler. */
static void chain(struct workgroup *w, struct subgroup *s, struct lanes lanes) {
    struct wg_slot *home = &w->slots[w->launch->invocations];

    for (uint32_t block = 0; block * WG_LOG_ROW < s->width; block++) {
        struct wg_slot *slots = subgroup_slot(w, s, block * WG_LOG_ROW), *last = NULL;
        for (uint32_t rest = lanes_block(lanes, block); rest; rest &= rest - 1) {
            struct wg_slot *slot = &slots[__builtin_ctz(rest)];
            if (last)
                last->next = slot;
            last = slot;
        }
        if (last)
            last->next = home;
    }
    s->chained = lanes;
}

static void run_block(struct workgroup *w, struct wg_slot *first, uint64_t *words,
                      uint32_t row_limit) {
    w->ctx.log_begin = words;
    w->ctx.log_end = words + (size_t)row_limit * WG_LOG_ROW;
    coro_run(&w->ctx, first, &w->slots[w->launch->invocations]);
}

/* Takes note of why lanes stopped. */
static void settle(struct workgroup *w, struct subgroup *s, struct lanes lanes, uint32_t event) {
    switch (event & 0xff) {
    case WG_EVENT_END:
        s->ready = lanes_without(s->ready, lanes);
        s->live = lanes_without(s->live, lanes);
        w->live -= lanes_count(lanes);
        break;
    case WG_EVENT_BARRIER:
        s->ready = lanes_without(s->ready, lanes);
        s->at_barrier = lanes_or(s->at_barrier, lanes);
        w->waiting += lanes_count(lanes);
        break;
    case WG_EVENT_SUBGROUP:
        s->ready = lanes_without(s->ready, lanes);
        s->collective = lanes_or(s->collective, lanes);
        break;
    default:
        break;
    }
}

static const uint64_t alike[WG_LOG_ROW];
/* Cursors of lanes that wrote equally many rows, relative to the first. */
static const uint64_t side_by_side[WG_LOG_ROW] = {
    0,   8,   16,  24,  32,  40,  48,  56,  64,  72,  80,  88,  96,  104, 112, 120,
    128, 136, 144, 152, 160, 168, 176, 184, 192, 200, 208, 216, 224, 232, 240, 248};

/* Counts the rows that the lanes of a block wrote; true if all 32 ran, wrote equally many and
 * stopped alike. */
static bool look_at_full_block(struct lane_log *log, uint64_t *const *ends, const wg_stop *stops,
                               const uint64_t *words, uint32_t *count) {
    uint64_t first = (uint64_t)(uintptr_t)ends[0];

    if (~log->match(stops, stops[0], alike) ||
        ~log->match((const uint64_t *)(const void *)ends, first, side_by_side))
        return false;
    uint32_t rows = (uint32_t)((uint64_t)(ends[0] - words) / WG_LOG_ROW);
    for (uint32_t i = 0; i < WG_LOG_ROW; i++)
        count[i] = rows;
    log->most = rows > log->most ? rows : log->most;
    log->fewest = rows < log->fewest ? rows : log->fewest;
    return true;
}

static void look_at_block(struct lane_log *log, uint64_t *const *ends, const uint64_t *words,
                          uint32_t mask, uint32_t *count) {
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest);
        count[i] = (uint32_t)((uint64_t)(ends[i] - words) / WG_LOG_ROW);
        log->most = count[i] > log->most ? count[i] : log->most;
        log->fewest = count[i] < log->fewest ? count[i] : log->fewest;
    }
}

/* Whether lanes stopped alike, and whether those that did not return did. */
static void look_at_stops(struct lane_log *log, const wg_stop *stops, struct lanes ran) {
    const wg_stop end = WG_STOP_(WG_AT_END, WG_EVENT_END);
    wg_stop first = stops[lanes_lowest(ran)], any = end;
    uint32_t lane;

    for (LANES_EACH(lane, ran)) {
        log->alike &= stops[lane] == first;
        if (stops[lane] == end)
            continue;
        if (any == end)
            any = stops[lane];
        log->united &= stops[lane] == any;
    }
}

/* Runs the blocks; true if one full block is all there is and its lanes did the same. */
static bool run_blocks(struct workgroup *w, struct subgroup *s, struct lane_log *log,
                       struct lanes ran) {
    bool simple = s->width == WG_LOG_ROW;

    for (uint32_t block = 0; block * WG_LOG_ROW < s->width; block++) {
        uint32_t mask = lanes_block(ran, block), first = block * WG_LOG_ROW;
        uint64_t *words = lane_log_block(log, block), **ends = w->ctx.ends + s->first + first;
        if (!mask)
            continue;
        run_block(w, subgroup_slot(w, s, first + (uint32_t)__builtin_ctz(mask)), words,
                  log->row_limit);
        simple = simple && !~mask &&
                 look_at_full_block(log, ends, w->ctx.stops + s->first, words, log->count);
        if (!simple)
            look_at_block(log, ends, words, mask, &log->count[first]);
    }
    return simple;
}

void workgroup_step(struct workgroup *w, struct subgroup *s, struct lanes ran,
                    struct lane_log *log) {
    const wg_stop *stops = w->ctx.stops + s->first;
    uint32_t lane;

    log->most = 0;
    log->fewest = UINT32_MAX;
    log->united = log->alike = true;
    memset(log->count, 0, (s->width + 31) / 32 * 32 * sizeof log->count[0]);
    if (!lanes_equal(s->chained, ran))
        chain(w, s, ran);
    if (!run_blocks(w, s, log, ran))
        look_at_stops(log, stops, ran);
    if (log->alike) {
        settle(w, s, ran, (uint32_t)(stops[lanes_lowest(ran)] >> 32));
        return;
    }
    for (LANES_EACH(lane, ran)) {
        struct lanes one = {{0, 0}};
        lanes_add(&one, lane);
        settle(w, s, one, subgroup_event(w, s, lane));
    }
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
        if (subgroup_site(w, s, lane) == subgroup_site(w, s, lowest))
            lanes_add(&group, lane);
    collective_perform(&w->ctx.collectives[s->first], group);
    s->collective = lanes_without(s->collective, group);
    s->ready = lanes_or(s->ready, group);
}

bool workgroup_overflown(const struct workgroup *w) {
    for (uint32_t i = 0; i < w->launch->invocations; i++)
        if (coro_stacks_overflown(&w->stacks, i))
            return true;
    return false;
}
