/* Sweeps, whole or in parts. */
#include "sim/cli/sweep_work.h"

#include <stdlib.h>

#include "sim/cli/command_line.h"
#include "sim/cli/sweep_output.h"
#include "sim/cli/watchdog.h"
#include "sim/error.h"
#include "sim/json_text.h"
#include "sim/trace/hash.h"
#include "sim/trace/trace.h"

struct work {
    const struct sweep_request *request;
    struct sweep_variants variants;
    struct cli_words words;   /* the command, without what changes nothing in the report */
    struct buf command;       /* as a line */
    struct sweep_result base; /* of the run as it is, which the others are compared with */
    bool base_ran, base_recorded;
    struct shard_results results;
    struct wgsim_error err;
};

static struct sweep_findings findings_of(const struct work *work) {
    return (struct sweep_findings){.kernel = work->request->subject.kernel,
                                   .command = work->command.data,
                                   .trace = work->request->trace,
                                   .items = work->results.items,
                                   .count = work->results.count};
}

/* ---- Traces ---- */

static int record(struct work *work, size_t item, struct wgsim_error *err) {
    char *path = sweep_trace_path(work->request->trace, item);

    if (!path)
        return error_set(err, "out of memory");
    int result = sweep_record(&work->request->subject, &work->variants.items[item], path, err);
    free(path);
    return result;
}

/* Records what has become telling by an item: the item, and what it is compared with. 1: it was
 * interrupted before that. */
static int record_telling(struct work *work, size_t item, struct wgsim_error *err) {
    struct sweep_findings findings = findings_of(work);

    if (!work->request->trace || !sweep_is_telling(&findings, item))
        return 0;
    if (!work->base_recorded) {
        int result = record(work, 0, err);
        if (result != 0)
            return result;
    }
    work->base_recorded = true;
    return item ? record(work, item, err) : 0;
}

/* Whether traces can be written, as far as that can be known before. */
static int check_trace(const char *prefix, struct wgsim_error *err) {
    if (!prefix)
        return 0;
    char *path = sweep_trace_path(prefix, 0);
    if (!path)
        return error_set(err, "out of memory");
    struct trace *trace = trace_open(path, false, err);
    int result = trace ? 0 : -1;
    trace_free(trace);
    free(path);
    return result;
}

/* ---- Runs ---- */

static json_t *run_variant(struct work *work, size_t item) {
    const struct sweep_variant *variant = &work->variants.items[item];
    struct sweep_result result;
    struct wgsim_error why;

    if (item == 0)
        return sweep_item(variant, &work->base, &work->base);
    bool ran = sweep_run(&work->request->subject, variant, &result, &why) == 0;
    json_t *json =
        ran ? sweep_item(variant, &work->base, &result) : sweep_item_failed(variant, &why);
    sweep_release(&result);
    return json;
}

static int run_base(struct work *work, struct wgsim_error *err) {
    if (work->base_ran)
        return 0;
    work->base_ran = true;
    return sweep_run(&work->request->subject, &work->variants.items[0], &work->base, err);
}

/* A struct split_work's. */
static int run_item(void *self, size_t item, struct wgsim_error *err) {
    struct work *work = self;
    json_t **result = &work->results.items[item];

    if (run_base(work, err) < 0)
        return -1;
    *result = run_variant(work, item);
    if (!*result)
        return error_set(err, "out of memory");
    int recorded = watchdog_signal ? 1 : record_telling(work, item, err);
    if (recorded > 0) {
        json_decref(*result);
        *result = NULL;
    }
    return recorded < 0 ? -1 : 0;
}

static int run_all(struct work *work, int *interrupted) {
    const struct split_options *options = &work->request->split;
    struct split_work split = {
        .item = run_item, .self = work, .argc = work->words.count, .argv = work->words.items};
    int result = split_run(&split, options, &work->results, interrupted, &work->err);

    for (size_t i = 0; options->jobs > 1 && result == 0 && i < work->results.count; i++)
        result = record_telling(work, i, &work->err);
    if (watchdog_signal)
        *interrupted = watchdog_signal;
    return result < 0 ? -1 : 0;
}

/* ---- What work it is ---- */

static void add_word(struct cli_words *words, const char *word) {
    words->items[words->count++] = (char *)word;
}

static int name_command(struct work *work) {
    const struct sweep_request *request = work->request;
    const struct cli_words *options = &request->subject.options;
    const char *seeds = arena_printf(&work->variants.arena, "%u", request->seeds);
    struct cli_words *words = &work->words;

    words->items = calloc((size_t)options->count + 6, sizeof *words->items);
    if (!words->items || !seeds)
        return error_set(&work->err, "out of memory");
    add_word(words, "sweep");
    add_word(words, request->subject.kernel);
    for (int i = 0; i < options->count; i++)
        add_word(words, options->items[i]);
    if (request->over) {
        add_word(words, "--over");
        add_word(words, request->over);
    }
    if (request->seeds != SWEEP_SEEDS) {
        add_word(words, "--seeds");
        add_word(words, seeds);
    }
    command_line(words->count, words->items, &work->command);
    return work->command.failed ? error_set(&work->err, "out of memory") : 0;
}

static int name_work(const struct work *work, char name[SHARD_WORK_MAX], struct wgsim_error *err) {
    uint64_t hash;

    bool warn = split_is_first(&work->request->split);

    if (sweep_hash(&work->request->subject, &work->variants.items[0], warn, &hash, err) < 0)
        return -1;
    hash = hash_text(hash, PACKAGE_VERSION);
    for (size_t i = 0; i < work->variants.count; i++)
        hash = hash_text(hash, work->variants.items[i].text);
    snprintf(name, SHARD_WORK_MAX, "sweep-%016llx", (unsigned long long)hash);
    return 0;
}

/* Processes of --jobs leave the traces to this one. */
static json_t *about_json(const struct work *work) {
    const struct sweep_request *request = work->request;

    return json_pack("{s:o, s:o, s:s*}", "kernel", json_text(request->subject.kernel), "command",
                     json_text(work->command.data), "trace",
                     request->split.jobs > 1 ? NULL : request->trace);
}

static int prepare(struct work *work) {
    const struct sweep_request *request = work->request;
    struct wgsim_error *err = &work->err;
    struct sweep_extent extent = {.seeds = request->seeds};
    char name[SHARD_WORK_MAX];

    if (sweep_varies_size(request->over) && sweep_size(&request->subject, &extent.size, err) < 0)
        return -1;
    if (split_check(&request->split, err) < 0 ||
        sweep_variants_fill(&work->variants, request->over, &extent, err) < 0 ||
        check_trace(request->trace, err) < 0 || name_command(work) < 0 ||
        name_work(work, name, err) < 0)
        return -1;
    return shard_results_init(&work->results, name, about_json(work), work->variants.count, err);
}

/* ---- The whole ---- */

static int report(const struct work *work, int interrupted) {
    struct sweep_findings findings = findings_of(work);
    struct wgsim_error missing;

    int status = sweep_status(&findings);
    if (work->request->split.append) /* a part does not know whether other runs are rejected */
        return status ? 1 : 0;
    if (work->request->quiet && status == 0)
        return status;
    status = sweep_print(&findings, work->request->json);
    if (interrupted && shard_results_complete(&work->results, &missing) < 0)
        cli_fail(&missing);
    return status;
}

int sweep_work(const struct sweep_request *request) {
    struct work work = {.request = request};
    int interrupted = 0;
    int result = prepare(&work);

    if (result == 0)
        result = run_all(&work, &interrupted);
    int status = result < 0 ? cli_fail(&work.err) : report(&work, interrupted);
    shard_results_release(&work.results);
    sweep_release(&work.base);
    sweep_variants_release(&work.variants);
    buf_release(&work.command);
    free(work.words.items);
    return interrupted ? 128 + interrupted : status;
}
