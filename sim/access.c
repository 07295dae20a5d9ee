/* Accesses out of bounds, arithmetic advice and prints: they become records. These run on a lane's
 * stack. */
#include "sim/access.h"

#include <stdarg.h>
#include <stdio.h>

#include "sim/coro/coro.h"
#include "sim/dispatch/dispatch.h"
#include "sim/later.h"

static void tell_of_lane(const struct wg_ctx *ctx, struct record *record) {
    const struct workgroup *w = (const struct workgroup *)ctx;

    record->workgroup = w;
    record->subgroup = &w->subgroups[ctx->cur->z.second];
    record->invocation = ctx->cur->number.first;
    if (w->later)
        later_report(w->later, record);
    else
        dispatch_tell_now(w->user, record);
}

/* The byte offset of the same part of the last element. */
static uint64_t clamped(uint64_t where, int64_t index, uint64_t count, uint64_t stride) {
    return (count - 1) * stride + (where - (uint64_t)index * stride);
}

/* What runs ahead does not end here, but is void and run again in steps. */
static void trap(struct dispatch *d, struct workgroup *w) {
    if (w->later)
        w->later->lost = true;
    else if (d->ahead)
        d->runner.guard.conflict = true;
    else
        d->trapped = true;
}

static uint64_t outside(struct wg_ctx *ctx, u32 site, u32 var, uint64_t where, int64_t index,
                        uint64_t count, uint64_t stride, u32 bytes) {
    struct workgroup *w = (struct workgroup *)ctx;
    struct dispatch *d = w->user;
    struct record record = {.type = RECORD_OUTSIDE,
                            .site = d->launch.kernel->sites[site],
                            .var = var,
                            .index = index,
                            .count = count};

    if (bytes && where >= WG_DROPPED / 2 && where < WG_DROPPED * 2048)
        return WG_NOWHERE; /* an index that was dropped on the way */
    tell_of_lane(ctx, &record);
    if (d->options->outside == OUTSIDE_TRAP)
        trap(d, w);
    if (d->options->outside != OUTSIDE_CLAMP || count == 0)
        return bytes ? WG_NOWHERE : WG_DROPPED;
    return bytes ? clamped(where, index, count, stride) : count - 1;
}

static void no_texel(struct wg_ctx *ctx, u32 site, u32 var, const i32 at[4]) {
    struct workgroup *w = (struct workgroup *)ctx;
    struct dispatch *d = w->user;
    struct record record = {.type = RECORD_NO_TEXEL,
                            .site = d->launch.kernel->sites[site],
                            .var = var,
                            .texel = {at[0], at[1], at[2], at[3]}};

    tell_of_lane(ctx, &record);
    if (d->options->outside == OUTSIDE_TRAP)
        trap(d, w);
}

static void arithmetic(struct wg_ctx *ctx, u32 site, u32 kind) {
    const struct dispatch *d = ((const struct workgroup *)ctx)->user;
    struct record record = {
        .type = RECORD_ARITHMETIC, .kind = kind, .site = d->launch.kernel->sites[site]};

    tell_of_lane(ctx, &record);
}

static void wrapped(struct wg_ctx *ctx, u32 source, u32 site, u32 var, int64_t element,
                    int64_t exact, bool below) {
    const struct dispatch *d = ((const struct workgroup *)ctx)->user;
    struct record record = {.type = RECORD_WRAPPED,
                            .site = d->launch.kernel->sites[site],
                            .source = d->launch.kernel->sites[source],
                            .var = var,
                            .kind = below,
                            .index = element,
                            .exact = exact};

    tell_of_lane(ctx, &record);
}

static void print(struct wg_ctx *ctx, u32 site, const char *format, ...) {
    const struct dispatch *d = ((const struct workgroup *)ctx)->user;
    char text[512];
    va_list args;
    struct record record = {
        .type = RECORD_PRINT, .site = d->launch.kernel->sites[site], .text = text};

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tell_of_lane(ctx, &record);
}

const struct wg_ops access_ops = {.suspend = coro_suspend,
                                  .outside = outside,
                                  .arithmetic = arithmetic,
                                  .print = print,
                                  .wrapped = wrapped,
                                  .no_texel = no_texel};
