/* wgsim merge: the report of work that several processes did. */
#include <stdio.h>

#include "sim/cli/commands.h"
#include "sim/cli/litmus_output.h"
#include "sim/cli/options.h"
#include "sim/cli/shard.h"
#include "sim/error.h"

static const struct cli_option options_table[] = {
    {"json", NULL, 0, CLI_FLAG, 0, NULL, NULL, "print the result as JSON"},
    {0},
};

static const char about[] =
    "Joins files that 'wgsim progress --litmus FILE --shard I/N --append FILE' wrote, into what "
    "one\n"
    "process would have printed. Names the items that none of them holds.\n";

enum { FILES_MAX = 4096 };

static int report(const struct shard_results *results, bool json) {
    struct wgsim_error err;
    json_t *rows = json_array();
    char missing[512];

    for (size_t i = 0; results->items && i < results->count; i++)
        if (results->items[i])
            json_array_append(rows, results->items[i]);
    int status = litmus_print(rows, json) < 0 ? 2 : 0;
    if (results->present == results->count)
        return status;
    shard_results_missing(results, missing, sizeof missing);
    error_format(&err, "%zu of %zu items are missing: %s", results->count - results->present,
                 results->count, missing);
    return cli_fail(&err);
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
