/* A proved deadlock: who waits where on what, who would change that and why that one cannot start,
 * and what would end it. */
#include <inttypes.h>

#include "sim/element.h"
#include "sim/report/print.h"
#include "sim/report/waiters.h"

enum { GROUPS_MAX = 6, RANGES_MAX = 8, LINKS_MAX = 6 };

/* ---- Who waits ---- */

/* "0..31, 40". */
static void print_ids(struct printer *p, const struct wait_group *group) {
    size_t ranges = 0;

    for (size_t i = 0; i < group->count;) {
        size_t end = i + 1;
        while (end < group->count && group->ids[end] == group->ids[end - 1] + 1)
            end++;
        if (ranges++ == RANGES_MAX) {
            buf_puts(p->out, ", ...");
            return;
        }
        buf_printf(p->out, "%s%" PRIu64, i ? ", " : "", group->ids[i]);
        if (end - i > 1)
            buf_printf(p->out, "..%" PRIu64, group->ids[end - 1]);
        i = end;
    }
}

static const struct wg_var *var_of(const struct printer *p, uint32_t var) {
    return var < WG_MAX_VARS ? p->report->run.job->kernel->vars[var] : NULL;
}

static void print_value(struct printer *p, const struct wg_var *var, uint32_t bits) {
    union wg_value value = {.u = bits};

    if (var && var->scalar == WG_I32)
        buf_printf(p->out, "%" PRId32, value.i);
    else if (var && var->scalar == WG_F32)
        buf_printf(p->out, "%g", (double)value.f);
    else
        buf_printf(p->out, "%" PRIu32, value.u);
}

/* "ready[0]", or of a struct "flags.ready" */
static void print_word(struct printer *p, const struct explain_waiter *waiter) {
    const struct wg_var *var = var_of(p, waiter->var);
    struct findings scratch;

    if (!var || !waiter->site) {
        buf_printf(p->out, "%s[%" PRIu64 "]", var ? var->name : "?", waiter->element);
        return;
    }
    findings_init(&scratch);
    buf_puts(p->out, element_text(&scratch, var, waiter->offset, waiter->site));
    findings_release(&scratch);
}

static void print_source_or_text(struct printer *p, const struct wg_site *site) {
    if (sources_line(&p->sources, site->file, site->line))
        print_source_line(p, site->file, site->line);
    else
        buf_printf(p->out, "%8" PRIu32 " |  %s\n", site->line, site->text);
}

static void print_at_barriers(struct printer *p, const struct wait_group *group) {
    if (group->at_barrier) {
        buf_puts(p->out, "; ");
        print_count(p, group->at_barrier, "other invocation");
        buf_printf(p->out, " wait%s for them at barriers", group->at_barrier == 1 ? "s" : "");
    }
    buf_puts(p->out, "\n");
}

static void print_others(struct printer *p, const struct wait_group *group) {
    if (group->first->meets) {
        buf_puts(p->out, "; ");
        print_count(p, group->spinning, "invocation");
        buf_printf(p->out, " go%s round the loop past its barriers",
                   group->spinning == 1 ? "es" : "");
    } else if (group->spinning > group->count) {
        buf_puts(p->out, "; ");
        print_count(p, group->spinning, "invocation");
        buf_puts(p->out, " look at it in turn");
    }
    print_at_barriers(p, group);
}

/* They look at nothing that another could change: they turn in a loop, or are at barriers. */
static void print_blind(struct printer *p, const struct wait_group *group) {
    const struct wg_site *loop = group->first->loop;
    const char *s = group->count == 1 ? "s" : "";

    if (!loop || !group->spinning) {
        buf_printf(p->out,
                   ") wait%s without looking at anything: all their invocations are at barriers\n",
                   s);
        return;
    }
    buf_printf(p->out, ") turn%s for ever in the loop at ", s);
    print_place(p, loop);
    buf_puts(p->out, "\n");
    print_source_or_text(p, loop);
    buf_puts(p->out, "    it looks at nothing that another could change");
    if (group->first->meets)
        buf_puts(p->out, ", and its barriers open");
    print_at_barriers(p, group);
}

static void print_who(struct printer *p, const struct wait_group *group) {
    buf_puts(p->out, "  ");
    print_count(p, group->count, "resident workgroup");
    buf_puts(p->out, " (");
    print_ids(p, group);
    if (!group->first->site) {
        print_blind(p, group);
        return;
    }
    buf_printf(p->out, ") wait%s at ", group->count == 1 ? "s" : "");
    print_place(p, group->first->site);
    buf_puts(p->out, group->words ? ", each on a word of its own\n" : "\n");
    print_source_or_text(p, group->first->site);
}

/* What the waiter looks at. */
static void print_state(struct printer *p, const struct explain_waiter *waiter, const char *is) {
    print_word(p, waiter);
    buf_puts(p->out, is);
    print_value(p, var_of(p, waiter->var), waiter->value);
}

/* ---- Who would change it ---- */

static const char *ordinal(uint64_t n) {
    if (n % 100 >= 11 && n % 100 <= 13)
        return "th";
    return n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
}

static void print_pending_writer(struct printer *p, const struct explain_waiter *waiter) {
    const struct explanation *deadlock = &p->report->deadlock;
    const struct run *run = &p->report->run;
    bool unit = run->options->placement == PLACE_STATIC && run->device->cus > 1;

    buf_puts(p->out, "  and it cannot start: it is ");
    if (run->options->order == ORDER_ASCENDING) {
        print_number(p, 0, waiter->writer_place);
        buf_puts(p->out, ordinal(waiter->writer_place));
        buf_puts(p->out, " ");
    }
    buf_puts(p->out, "in the queue");
    if (unit)
        buf_printf(p->out, " of unit %" PRIu32, waiter->writer_unit);
    if (deadlock->draining)
        buf_puts(p->out, ", and places that are free stay empty (--refill lazy)\n");
    else if (run->options->resident && deadlock->residents >= run->options->resident)
        buf_puts(p->out, ", and as many are resident as may be\n");
    else if (run->device->cus == 1)
        buf_puts(p->out, ", and the only unit is full\n");
    else if (unit)
        buf_puts(p->out, ", which is full\n");
    else
        buf_printf(p->out, ", and all %" PRIu32 " units are full%s\n", run->device->cus,
                   run->device->unit_count ? ", for instance" : "");
}

/* Whether a workgroup is one of those that wait, of whatever group. */
static bool is_waiter(const struct explanation *deadlock, uint64_t workgroup) {
    for (size_t i = 0; i < deadlock->waiter_count; i++)
        if (deadlock->waiters[i].workgroup == workgroup)
            return true;
    return false;
}

/* Who stored what is looked at, as who took a lock. */
static void print_origin(struct printer *p, const struct explain_waiter *waiter) {
    if (!waiter->has_origin)
        return;
    buf_printf(p->out, "  Workgroup %" PRIu64 " stored that, at ", waiter->origin);
    print_place(p, waiter->origin_site);
    buf_puts(p->out, "\n");
    print_source_or_text(p, waiter->origin_site);
    buf_puts(p->out, is_waiter(&p->report->deadlock, waiter->origin) ? "  and waits now itself.\n"
                                                                     : "  and has ended.\n");
}

static void print_no_writer(struct printer *p, const struct explain_waiter *waiter) {
    if (waiter->freed)
        buf_puts(p->out, "  It is freed by a value that was there before, in runs that end.\n");
    else if (waiter->site->space == WG_SPACE_WORKGROUP)
        buf_puts(p->out, "  Only invocations of its own workgroup could change it.\n");
    else if (waiter->site->space != WG_SPACE_STORAGE)
        buf_puts(p->out, "  It is the same during the whole dispatch.\n");
    else
        buf_printf(p->out, "  No workgroup changes it%s in any run that was tried.\n",
                   waiter->has_origin ? " again" : "");
}

static void print_need(struct printer *p, const struct wait_group *group) {
    const struct explain_waiter *key = group->first;

    if (!key->has_writer) {
        print_origin(p, key);
        print_no_writer(p, key);
        return;
    }
    buf_printf(p->out, "  Workgroup %" PRIu64 " would change it", key->writer);
    if (key->has_freed_value) {
        buf_puts(p->out, ", to ");
        print_value(p, var_of(p, key->var), key->freed_value);
        buf_puts(p->out, ",");
    }
    buf_puts(p->out, " at ");
    print_place(p, key->writer_site);
    buf_puts(p->out, "\n");
    print_source_or_text(p, key->writer_site);
    if (key->writer_pending)
        print_pending_writer(p, key);
    else if (wait_group_has(group, key->writer))
        buf_puts(p->out, "  but it is one of those that wait.\n");
    else
        buf_puts(p->out, "  but it is resident and waits itself.\n");
}

/* In lockstep a lane that has left a loop goes on only once the others have. */
static void print_parked(struct printer *p, const struct explain_waiter *waiter) {
    if (!waiter->parked)
        return;
    buf_puts(p->out, "    ");
    print_count(p, waiter->parked, "invocation");
    buf_printf(p->out,
               " of workgroup %" PRIu64 " (the lowest is %" PRIu32 ") left the loop and must wait "
               "at its end for the\n    %" PRIu32
               " of %s subgroup%s that turn%s in it: lanes share one "
               "program counter\n",
               waiter->workgroup, waiter->parked_invocation, waiter->parked_spinning,
               waiter->parked == 1 ? "its" : "their", waiter->parked_subgroups == 1 ? "" : "s",
               waiter->parked_spinning == 1 ? "s" : "");
}

/* All that wait on one word for one writer. */
static void print_group(struct printer *p, const struct wait_group *group) {
    print_who(p, group);
    if (!group->first->site)
        return;
    buf_puts(p->out, "    ");
    print_state(p, group->first, " is ");
    print_others(p, group);
    print_parked(p, group->first);
    print_need(p, group);
}

/* Words that nobody would change. */
static void print_unwritten_words(struct printer *p, const struct wait_group *family) {
    buf_printf(p->out, "    workgroup %" PRIu64 " waits for ", family->first->workgroup);
    print_state(p, family->first, ", which is ");
    buf_puts(p->out, ", and so on");
    print_others(p, family);
    print_parked(p, family->first);
    print_origin(p, family->first);
    print_no_writer(p, family->first);
}

/* Who waits for whom in a family, but those who wait for one in the queue, and those for one that
 * has ended. */
static void print_links(struct printer *p, const struct wait_group *family) {
    const struct explanation *deadlock = &p->report->deadlock;
    size_t links = 0;

    for (size_t i = 0; i < deadlock->waiter_count; i++) {
        const struct explain_waiter *waiter = &deadlock->waiters[i];
        uint64_t other = waiter->has_writer ? waiter->writer : waiter->origin;
        if (!waiters_same_family(waiter, family->first) || waiter->writer_pending ||
            !is_waiter(deadlock, other))
            continue;
        if (links < LINKS_MAX)
            buf_printf(p->out, "%s%" PRIu64 " for %" PRIu64,
                       links ? ", " : "    Each waits for another: ", waiter->workgroup, other);
        links++;
    }
    if (links)
        buf_puts(p->out, links > LINKS_MAX ? ", ...\n" : "\n");
}

/* All that wait at one place, each for another word or another workgroup: a chain. */
static void print_family(struct printer *p, const struct wait_group *family) {
    print_who(p, family);
    if (family->first->has_writer || family->first->has_origin)
        print_links(p, family);
    if (!family->first->has_writer)
        print_unwritten_words(p, family);
    if (!family->first->writer_pending)
        return;
    buf_printf(p->out, "  Workgroup %" PRIu64 " waits for ", family->first->workgroup);
    print_state(p, family->first, ", which is ");
    buf_puts(p->out, "\n");
    print_need(p, family);
}

/* ---- What is full ---- */

static const struct run_dispatch *dispatch_of(const struct printer *p) {
    return &p->report->run.dispatches[p->report->run.dispatch_count - 1];
}

static void print_budgets(struct printer *p) {
    const struct explanation *deadlock = &p->report->deadlock;
    const struct occupancy *occupancy = &dispatch_of(p)->occupancy;

    if (deadlock->capped) {
        buf_printf(p->out, "      residents %" PRIu64 " of %" PRIu32 " (--resident)\n",
                   deadlock->residents, p->report->run.options->resident);
        return;
    }
    buf_puts(p->out, p->report->run.device->unit_count ? "      unit 0 " : "      each  ");
    for (int r = 0; r < RESOURCE_COUNT; r++) {
        const struct occupancy_row *row = &occupancy->rows[r];
        if (!(deadlock->limiters >> r & 1))
            continue;
        buf_puts(p->out, "  ");
        print_limiters(p, UINT32_C(1) << r);
        uint64_t used = row->uses * occupancy->workgroups;
        buf_printf(p->out, " %" PRIu64 " of %" PRIu64, used, row->total);
        if (used < row->total)
            buf_printf(p->out, " (one more takes %" PRIu64 ")", row->uses);
    }
    buf_puts(p->out, "\n");
}

static bool any_pending_writer(const struct wait_group *groups, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (groups[i].first->has_writer && groups[i].first->writer_pending)
            return true;
    return false;
}

static void print_why_full(struct printer *p, const struct wait_group *groups, size_t count) {
    uint64_t residents = p->report->deadlock.residents;

    if (!p->report->deadlock.draining)
        print_budgets(p);
    if (p->report->deadlock.draining) {
        buf_puts(p->out, "  None is given again before the last of the residents ends, and each "
                         "of them waits");
    } else if (residents == 1) {
        buf_puts(p->out, "  The place is freed only when the resident ends, and it waits");
    } else {
        buf_puts(p->out, "  A place is freed only when one of the ");
        print_number(p, 0, residents);
        buf_puts(p->out, " residents ends, and each of them waits");
    }
    if (count == 1 && !groups[0].family && groups[0].first->has_writer)
        buf_printf(p->out, " for %" PRIu64, groups[0].first->writer);
    buf_puts(p->out, ".\n");
}

/* ---- What would end it ---- */

static uint64_t workgroups_of(const struct run_dispatch *d) {
    return (uint64_t)d->groups[0] * d->groups[1] * d->groups[2];
}

/* No workgroup looks at anything. */
static bool all_are_blind(const struct explanation *deadlock) {
    for (size_t i = 0; i < deadlock->waiter_count; i++)
        if (!deadlock->waiters[i].loop)
            return false;
    return true;
}

/* Some workgroup would change what another one looks at. */
static bool any_writer(const struct explanation *deadlock) {
    for (size_t i = 0; i < deadlock->waiter_count; i++)
        if (deadlock->waiters[i].has_writer ||
            (deadlock->waiters[i].has_origin && is_waiter(deadlock, deadlock->waiters[i].origin)))
            return true;
    return false;
}

/* No workgroup is in the queue, and more residents would not help. */
static const char *why_hopeless(const struct explanation *deadlock) {
    if (all_are_blind(deadlock))
        return "  Nobody else can end it: it would turn for ever on any device.\n";
    if (any_writer(deadlock))
        return "  All workgroups are resident, so that a larger device does not help: they wait "
               "for each other.\n";
    return "  All workgroups have started, and none is left that would end it: a larger device "
           "does not help.\n";
}

/* Which smaller dispatch ends. Only those in one row are tried: of others nothing is said. */
static bool print_smaller(struct printer *p) {
    const struct explanation *deadlock = &p->report->deadlock;
    const struct run_dispatch *d = dispatch_of(p);

    if (deadlock->has_dispatch && deadlock->largest_dispatch) {
        buf_puts(p->out, "  Ends with at most ");
        print_count(p, deadlock->largest_dispatch, "workgroup");
        buf_puts(p->out, " on this device");
        return true;
    }
    if (d->groups[1] != 1 || d->groups[2] != 1)
        return false;
    buf_puts(p->out, "  No smaller dispatch was found that ends on this device");
    return true;
}

static void print_remedy(struct printer *p) {
    const struct explanation *deadlock = &p->report->deadlock;

    buf_puts(p->out, "\n");
    if (deadlock->ends_independent) {
        buf_puts(p->out,
                 "  Ends where the lanes of a subgroup diverge freely (--lanes=independent), "
                 "which WebGPU does not promise.\n");
        return;
    }
    if (!deadlock->has_residency && deadlock->pending == 0) {
        buf_puts(p->out, why_hopeless(deadlock));
        if (deadlock->lockstep)
            buf_puts(p->out,
                     "  A lane may wait for one that is masked meanwhile: --lanes independent "
                     "shows whether it ends\n  where lanes diverge freely. WebGPU does not "
                     "promise that they do.\n");
        return;
    }
    bool told = print_smaller(p);
    if (deadlock->has_residency) {
        buf_puts(p->out, told ? "; this dispatch of " : "  This dispatch of ");
        print_number(p, 0, workgroups_of(dispatch_of(p)));
        buf_puts(p->out, " needs ");
        print_count(p, deadlock->smallest_residency, "resident");
    } else {
        buf_puts(p->out, told ? "; no number of residents was found with which this one ends"
                              : "  No number of residents was found with which it ends");
    }
    buf_puts(p->out, ".\n  WebGPU promises neither: what a workgroup waits for must not be done by "
                     "another one of the same\n  dispatch. Write it as two dispatches (man "
                     "wgsim-model, \"Dispatches\").\n");
}

void print_explanation(struct printer *p) {
    size_t count;
    struct wait_group *groups = waiters_group(&p->report->deadlock, &p->arena, &count);

    if (!groups || count == 0)
        return;
    buf_puts(p->out, "\n");
    for (size_t i = 0; i < count && i < GROUPS_MAX; i++) {
        if (groups[i].family)
            print_family(p, &groups[i]);
        else
            print_group(p, &groups[i]);
    }
    if (count > GROUPS_MAX)
        buf_printf(p->out, "  and %zu more groups of workgroups wait likewise (--json lists all)\n",
                   count - GROUPS_MAX);
    if (any_pending_writer(groups, count))
        print_why_full(p, groups, count);
    print_picture(p, groups);
    print_remedy(p);
}
