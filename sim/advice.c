/* What could be faster, with numbers. */
#include "sim/advice.h"

#include "sim/cost.h"
#include "sim/spelling.h"

typedef unsigned long long ull;

enum { SECTOR_BYTES = 32 };

static bool is_access(const struct wg_site *site) {
    return site && site->op <= WG_OP_ATOMIC_COMPARE_EXCHANGE && site->bytes;
}

static struct finding advice_at(enum finding_kind kind, const struct wg_site *site,
                                const char *variable) {
    struct finding finding = {.kind = kind,
                              .variable = variable,
                              .element = FINDING_UNKNOWN,
                              .first = FINDING_NO_PLACE,
                              .second = FINDING_NO_PLACE,
                              .count = 1};

    finding.first.site = site;
    return finding;
}

/* ---- Occupancy with more or less memory ---- */

static struct workgroup_needs needs_of(const struct run *run, const struct run_dispatch *dispatch) {
    return (struct workgroup_needs){
        .invocations = dispatch->size[0] * dispatch->size[1] * dispatch->size[2],
        .registers_per_lane =
            run->options->registers ? run->options->registers : dispatch->entry->registers,
        .workgroup_memory_bytes = dispatch->memory_bytes,
        .barrier = run->job->kernel->barriers};
}

/* The dispatch that made most requests at a site. */
static const struct run_dispatch *busiest(const struct run *run, uint32_t site) {
    const struct run_dispatch *best = &run->dispatches[0];

    for (size_t i = 1; i < run->dispatch_count; i++)
        if (run->dispatches[i].sites[site].requests > best->sites[site].requests)
            best = &run->dispatches[i];
    return best;
}

/* ---- Bank conflicts ---- */

/* A change of layout: `pad` bytes after every `row` bytes. */
struct padding {
    uint64_t row, pad, extra_bytes;
    uint32_t conflicts; /* of the sample, then */
};

static uint32_t padded_conflicts(const struct run *run, const struct wg_site *site,
                                 const struct sample *sample, uint64_t row, uint64_t pad) {
    uint64_t address[LANES_MAX] = {0};
    struct lanes active = {{sample->mask, 0}};

    for (uint32_t i = 0; i < WG_LOG_ROW; i++)
        address[i] = sample->address[i] + sample->address[i] / row * pad;
    return cost_of(run->device, site, active, address).conflicts;
}

/* The padding by one element that removes the conflicts of a sample: of the declared rows, or of
 * rows as long as the banks. */
static bool find_padding(const struct run *run, const struct wg_site *site,
                         const struct sample *sample, struct padding *padding) {
    const struct run_dispatch *dispatch = busiest(run, site->id);
    const struct wg_var *var = run->job->kernel->vars[sample->var];
    const uint64_t rows[] = {(uint64_t)var->columns * var->stride, 128};
    uint64_t bytes = 0;

    for (size_t i = 0; i < run->job->dispatch_count; i++)
        if (run->job->dispatches[i].entry == dispatch->entry)
            bytes = kernel_var_count(var, run->job->dispatches[i].overrides) * var->stride;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i] || rows[i] < var->stride || bytes <= rows[i])
            continue;
        *padding = (struct padding){rows[i], var->stride, bytes / rows[i] * var->stride, 0};
        padding->conflicts = padded_conflicts(run, site, sample, rows[i], var->stride);
        if (padding->conflicts * 2 < sample->cost.conflicts)
            return true;
    }
    return false;
}

/* The conflicts of a sample if what it touches of each element were in an array of its own. */
static uint32_t conflicts_apart(const struct run *run, const struct wg_site *site,
                                const struct sample *sample) {
    const struct wg_var *var = run->job->kernel->vars[sample->var];
    uint64_t address[LANES_MAX] = {0}, bytes = site->bytes == 12 ? 16 : site->bytes;
    struct lanes active = {{sample->mask, 0}};

    for (uint32_t i = 0; i < WG_LOG_ROW; i++)
        address[i] = sample->address[i] / var->stride * bytes;
    return cost_of(run->device, site, active, address).conflicts;
}

static const char *layout_text(const struct run *run, const struct wg_site *site,
                               const struct sample *sample, struct findings *findings) {
    const struct wg_var *var = run->job->kernel->vars[sample->var];

    if (site->bytes * 2 > var->stride ||
        conflicts_apart(run, site, sample) * 2 >= sample->cost.conflicts)
        return NULL;
    return findings_text(
        findings,
        "elements of %s have %u bytes, of which the lanes touch %u: keep its %s in arrays "
        "of their own",
        var->name, (unsigned)var->stride, (unsigned)site->bytes,
        var->components > 1 ? "components" : "members");
}

static const char *padding_text(const struct run *run, const struct wg_site *site,
                                const struct sample *sample, struct findings *findings) {
    struct padding padding;

    if (!sample->cost.conflicts)
        return NULL;
    if (!find_padding(run, site, sample, &padding))
        return layout_text(run, site, sample, findings);
    const struct run_dispatch *dispatch = busiest(run, site->id);
    const struct wg_var *var = run->job->kernel->vars[sample->var];
    struct workgroup_needs needs = needs_of(run, dispatch);
    uint32_t now = occupancy_of(run->device, 0, &needs).workgroups;
    needs.workgroup_memory_bytes += (padding.extra_bytes + 15) / 16 * 16;
    uint32_t then = occupancy_of(run->device, 0, &needs).workgroups;
    const char *left = padding.conflicts
                           ? findings_text(findings, "leaves %u of %u extra cycles a request",
                                           padding.conflicts, sample->cost.conflicts)
                           : "removes them";
    return findings_text(findings,
                         "padding %s by one element after every %llu %s; it costs %llu bytes, and "
                         "a compute unit holds %u workgroup%s then (now %u)",
                         var->name, (ull)(padding.row / var->stride), left,
                         (ull)padding.extra_bytes, then, then == 1 ? "" : "s", now);
}

/* Whether the lanes of a sample are on words of their own, which padding puts in other banks. */
static bool is_apart(const struct run *run, const struct wg_site *site,
                     const struct sample *sample) {
    struct padding padding;

    return sample->cost.conflicts && find_padding(run, site, sample, &padding) &&
           !padding.conflicts;
}

/* The most extra cycles that a request is known to have cost; the sample may not show it, since
 * lanes that are apart are seen one by one. */
static uint32_t worst_conflicts(const struct site_count *count, const struct sample *sample) {
    uint64_t average = (count->conflicts + count->requests - 1) / count->requests;

    return average > sample->cost.conflicts ? (uint32_t)average : sample->cost.conflicts;
}

/* How many words of one bank wait for each other at worst: of a request that takes several
 * wavefronts anyhow, in each of them. */
static uint32_t worst_ways(const struct site_count *count, const struct sample *sample) {
    uint32_t ideal = sample->cost.wavefronts - sample->cost.conflicts;

    if (ideal == 0)
        ideal = 1;
    return (worst_conflicts(count, sample) + ideal - 1) / ideal + 1;
}

/* The subgroup operation that combines the operands of an atomic one; NULL: none does, or C has no
 * macro for it. */
static const char *combining(const struct wg_site *site, bool in_c) {
    static const char *const names[] = {
        [WG_OP_ATOMIC_ADD] = "subgroupAdd", [WG_OP_ATOMIC_SUB] = "subgroupAdd",
        [WG_OP_ATOMIC_MAX] = "subgroupMax", [WG_OP_ATOMIC_MIN] = "subgroupMin",
        [WG_OP_ATOMIC_AND] = "subgroupAnd", [WG_OP_ATOMIC_OR] = "subgroupOr",
        [WG_OP_ATOMIC_XOR] = "subgroupXor",
    };

    bool bits = site->op >= WG_OP_ATOMIC_AND && site->op <= WG_OP_ATOMIC_XOR;
    if (site->op >= sizeof names / sizeof *names || (bits && in_c))
        return NULL;
    return names[site->op];
}

static const char *atomic_advice(const struct wg_site *site, bool in_c, struct findings *findings) {
    const char *operation = combining(site, in_c);

    if (!operation)
        return "keep a copy of the word for each subgroup, or let one invocation do it for several";
    return findings_text(findings,
                         "keep a copy of the word for each subgroup, or combine within the "
                         "subgroup first (%s)",
                         operation);
}

static void add_bank_conflicts(const struct run *run, const struct samples *samples,
                               const struct wg_site *site, struct findings *findings) {
    const struct site_count *count = &run->sites[site->id];
    const struct sample *sample = &samples->sites[site->id];
    bool atomic = cost_op(site) > WG_OP_ATOMIC_STORE; /* which wait for each other on one word */

    if (site->space != WG_SPACE_WORKGROUP || !count->conflicts || !count->requests)
        return;
    struct finding finding = advice_at(FINDING_BANK_CONFLICTS, site, site->variable);
    finding.count = count->conflicts;
    finding.text = findings_text(
        findings, "%s at line %u: %s, up to %u-way: %llu extra cycle%s in %llu request%s",
        *site->text ? site->text : site->variable, site->line,
        atomic ? "atomics of several lanes on one word or bank are served one by one"
               : "bank conflicts",
        atomic ? worst_conflicts(count, sample) + 1 : worst_ways(count, sample),
        (ull)count->conflicts, count->conflicts == 1 ? "" : "s", (ull)count->requests,
        count->requests == 1 ? "" : "s");
    finding.advice = atomic && !is_apart(run, site, sample)
                         ? atomic_advice(site, spelling_is_c(run->job->kernel->desc), findings)
                         : padding_text(run, site, sample, findings);
    findings_add(findings, &finding);
}

/* ---- Storage ---- */

static void add_uncoalesced(const struct run *run, const struct wg_site *site,
                            struct findings *findings) {
    const struct site_count *count = &run->sites[site->id];
    uint64_t fetched = count->sectors * SECTOR_BYTES;
    bool storage = site->space == WG_SPACE_STORAGE || site->space == WG_SPACE_STORAGE_READ;
    bool store = site->op == WG_OP_STORE;

    if (!storage || site->op >= WG_OP_ATOMIC_LOAD || count->lanes < count->requests * 4 ||
        fetched <= count->bytes * 2)
        return;
    struct finding finding = advice_at(FINDING_UNCOALESCED, site, site->variable);
    finding.count = count->requests;
    finding.text = findings_text(
        findings,
        "%s at line %u: %llu sector%s of 32 bytes for %llu bytes %s, %llu %% of what is "
        "moved is used; %.3g sectors a request",
        *site->text ? site->text : site->variable, site->line, (ull)count->sectors,
        count->sectors == 1 ? "" : "s", (ull)count->bytes, store ? "written" : "asked for",
        (ull)(count->bytes * 100 / fetched), (double)count->sectors / (double)count->requests);
    if (store)
        finding.advice = "let neighbouring lanes write neighbouring elements; go through workgroup "
                         "memory to transpose";
    findings_add(findings, &finding);
}

/* ---- Occupancy ---- */

static const char *change_text(const struct occupancy_advice *advice, struct findings *findings) {
    static const char *const names[ADVICE_COUNT] = {[ADVICE_WORKGROUP_MEMORY] =
                                                        "bytes of workgroup memory",
                                                    [ADVICE_REGISTERS] = "registers a lane",
                                                    [ADVICE_INVOCATIONS] = "invocations"};
    const char *text = NULL;

    for (int i = 0; i < ADVICE_COUNT; i++) {
        const struct advice_change *change = &advice->changes[i];
        if (change->given)
            text = findings_text(findings, "%s%s%llu %s instead of %llu", text ? text : "",
                                 !text              ? ""
                                 : advice->together ? " and "
                                                    : ", or ",
                                 (ull)change->to, names[i], (ull)change->from);
    }
    if (!text)
        return NULL;
    return findings_text(findings, "%s admit%s %u", text, advice->together ? "" : "s",
                         advice->workgroups);
}

/* Names the budget that keeps invocations out; nothing where the unit is full of invocations, or
 * all workgroups are resident anyhow. */
static void add_occupancy(const struct run *run, const struct run_dispatch *dispatch,
                          struct findings *findings) {
    const uint32_t full =
        1u << RESOURCE_SLOTS | 1u << RESOURCE_INVOCATIONS | 1u << RESOURCE_SUBGROUPS;
    const struct occupancy *occupancy = &dispatch->occupancy;
    const struct occupancy_row *row = &occupancy->rows[RESOURCE_INVOCATIONS];
    struct workgroup_needs needs = needs_of(run, dispatch);

    if ((occupancy->limiters & full) || occupancy->workgroups == 0 || !row->capacity ||
        dispatch->total <= (uint64_t)occupancy->workgroups * run->device->cus)
        return;
    enum resource limiter = (enum resource)__builtin_ctz(occupancy->limiters);
    const struct occupancy_row *limit = &occupancy->rows[limiter];
    ull resident = occupancy->workgroups * row->uses;
    struct occupancy_advice change = occupancy_advise(run->device, 0, &needs);
    struct finding finding = advice_at(FINDING_OCCUPANCY, NULL, dispatch->entry->name);
    finding.text = findings_text(
        findings,
        "%s: %u workgroup%s a compute unit, %llu of %llu invocations (%llu %%), limited by %s: "
        "%llu each of %llu",
        dispatch->entry->name, occupancy->workgroups, occupancy->workgroups == 1 ? "" : "s",
        resident, (ull)row->capacity, resident * 100 / row->capacity, resource_words[limiter],
        (ull)limit->uses, (ull)limit->capacity);
    finding.advice = change.possible ? change_text(&change, findings) : NULL;
    findings_add(findings, &finding);
}

/* ---- Idle lanes ---- */

/* NULL: as of any lanes that are scattered. */
static const char *idle_advice(const struct run *run, const struct samples *samples,
                               const struct wg_site *worst, struct findings *findings) {
    const uint32_t *size = busiest(run, worst->id)->size;
    uint32_t invocations = size[0] * size[1] * size[2], width = run->device->subgroup_width;

    if (invocations < width)
        return findings_text(findings,
                             "a workgroup has %u invocation%s, a subgroup %u lanes: make "
                             "workgroups of a multiple of %u",
                             invocations, invocations == 1 ? "" : "s", width, width);
    if (run->sites[worst->id].lanes == run->sites[worst->id].requests)
        return "one lane of each subgroup works there: share the work among all of them, or "
               "combine by subgroup operations";
    return samples->sites[worst->id].scattered
               ? NULL
               : "the active ones are neighbours: give each more to do so that fewer subgroups "
                 "take part, or combine the last ones by subgroup operations";
}

static void add_idle_lanes(const struct run *run, const struct samples *samples,
                           struct findings *findings) {
    const struct kernel *kernel = run->job->kernel;
    uint64_t requests = 0, lanes = 0, worst_lost = 0;
    const struct wg_site *worst = NULL;

    for (size_t id = 0; id < kernel->site_limit; id++) {
        const struct site_count *count = &run->sites[id];
        uint64_t possible = count->requests * run->device->subgroup_width;
        if (!is_access(kernel->sites[id]) || kernel->sites[id]->op >= WG_OP_ATOMIC_LOAD)
            continue;
        requests += count->requests;
        lanes += count->lanes;
        if (possible > count->lanes && possible - count->lanes > worst_lost) {
            worst_lost = possible - count->lanes;
            worst = kernel->sites[id];
        }
    }
    uint64_t possible = requests * run->device->subgroup_width;
    if (!worst || requests < 64 || lanes * 2 >= possible)
        return;
    struct finding finding = advice_at(FINDING_IDLE_LANES, worst, worst->variable);
    finding.count = possible - lanes;
    finding.text =
        findings_text(findings,
                      "%llu %% of the lanes of plain accesses are active (%llu of %llu); "
                      "most are idle at line %u (%s)",
                      (ull)(lanes * 100 / possible), (ull)lanes, (ull)possible, worst->line,
                      *worst->text ? worst->text : worst->variable);
    finding.advice = idle_advice(run, samples, worst, findings);
    findings_add(findings, &finding);
}

void advice_add(const struct run *run, const struct samples *samples, struct findings *findings) {
    const struct kernel *kernel = run->job->kernel;

    if (!run->dispatch_count)
        return;
    for (size_t id = 0; id < kernel->site_limit; id++)
        if (is_access(kernel->sites[id])) {
            add_bank_conflicts(run, samples, kernel->sites[id], findings);
            add_uncoalesced(run, kernel->sites[id], findings);
        }
    for (size_t i = 0; i < run->dispatch_count; i++)
        add_occupancy(run, &run->dispatches[i], findings);
    add_idle_lanes(run, samples, findings);
}
