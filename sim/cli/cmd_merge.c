/* wgsim merge: the report of work that several processes did. */
#include "sim/cli/commands.h"
#include "sim/cli/litmus_output.h"
#include "sim/cli/options.h"
#include "sim/cli/shard.h"
#include "sim/cli/sweep_output.h"
#include "sim/error.h"

static const struct cli_option options_table[] = {
    {"json", NULL, 0, CLI_FLAG, 0, NULL, NULL, "print the result as JSON"},
    {0},
};

static const char about[] =
    "Joins files that 'wgsim sweep' or 'wgsim progress --litmus FILE' wrote, with --shard I/N and\n"
    "with --append FILE, into what one process would have printed. Names what none of them has.\n";

enum { FILES_MAX = 4096 };

static int print_litmus(const struct shard_results *results, bool json) {
    json_t *rows = json_array();

    for (size_t i = 0; results->items && i < results->count; i++)
        if (results->items[i])
            json_array_append(rows, results->items[i]);
    return litmus_print(rows, json) < 0 ? 2 : 0;
}

static int print_sweep(const struct shard_results *results, bool json) {
    struct sweep_findings findings = {
        .kernel = json_string_value(json_object_get(results->about, "kernel")),
        .command = json_string_value(json_object_get(results->about, "command")),
        .trace = json_string_value(json_object_get(results->about, "trace")),
        .items = results->items,
        .count = results->count};
    struct wgsim_error err;

    if (findings.kernel && findings.command)
        return sweep_print(&findings, json);
    error_format(&err, "the files do not say of what sweep they are");
    return cli_fail(&err);
}

static int report(const struct shard_results *results, bool json) {
    struct wgsim_error err;
    int status = shard_results_are_of(results, "sweep") ? print_sweep(results, json)
                                                        : print_litmus(results, json);

    if (status < 2 && shard_results_complete(results, &err) < 0)
        return cli_fail(&err);
    return status;
}

int cmd_merge(int argc, char **argv) {
    bool json = false;
    struct cli_table table = {.title = "Options", .options = options_table, .target = &json};
    struct cli_usage usage = {.command = "merge",
                              .operands = "FILE...",
                              .about = about,
                              .min_operands = 1,
                              .max_operands = FILES_MAX,
                              .tables = &table,
                              .table_count = 1};
    struct shard_results results = {0};
    struct cli_operands operands;
    struct wgsim_error err;
    int status;

    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    status = 0;
    for (int i = 0; status == 0 && i < operands.count; i++)
        if (shard_results_read(&results, operands.items[i], &err) < 0)
            status = cli_fail(&err);
    if (status == 0 && !results.items) {
        error_format(&err, "%s: holds no item", operands.items[0]);
        status = cli_fail(&err);
    }
    if (status == 0)
        status = report(&results, json);
    shard_results_release(&results);
    return status;
}
