/* wgsim serve: JSON requests on standard input, answers on standard output, one a line. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/buf.h"
#include "sim/cli/commands.h"
#include "sim/cli/line.h"
#include "sim/cli/options.h"
#include "sim/cli/paths.h"
#include "sim/error.h"
#include "sim/preset.h"
#include "sim/serve.h"

struct serve_options {
    const char *device;
    uint32_t subgroup;
};

static const struct cli_option serve_table[] = {
    {"device", NULL, 0, CLI_STRING, offsetof(struct serve_options, device), "PRESET", NULL,
     "the device that runs"},
    {"subgroup", NULL, 0, CLI_U32, offsetof(struct serve_options, subgroup), "N", NULL,
     "lanes of a subgroup"},
    {0},
};

static const char about[] =
    "Runs shaders for another program: it writes a request in JSON on a line of its own and reads\n"
    "the answer. Requests make shaders, pipelines and buffers, dispatch and read back.\n";

#define SCHEMA "wgsim-serve/1"

static void answer_line(struct serve *serve, const struct buf *line) {
    json_error_t error;
    json_t *request = json_loadb(line->data, line->len, 0, &error);
    json_t *answer = request ? serve_answer(serve, request)
                             : json_pack("{s:b, s:s}", "ok", 0, "error", error.text);
    json_t *document = json_pack("{s:s}", "schema", SCHEMA);
    if (answer && json_object_update(document, answer) == 0)
        json_dumpf(document, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
    else
        fputs("{\"schema\":\"" SCHEMA "\",\"ok\":false,\"error\":\"out of memory\"}", stdout);
    putchar('\n');
    fflush(stdout);
    json_decref(document);
    json_decref(answer);
    json_decref(request);
}

enum { LINE_LIMIT_MIB = 64, LINE_LIMIT = LINE_LIMIT_MIB << 20 };

static int serve_lines(struct serve *serve) {
    struct buf line = {0};
    struct wgsim_error err;
    int status = 0;
    while (status == 0 && !ferror(stdout) && line_read(&line, LINE_LIMIT, stdin)) {
        if (line.failed || line.len > LINE_LIMIT) {
            error_format(&err,
                         line.failed ? "out of memory"
                                     : "a request is over %d MiB: write large data in parts",
                         LINE_LIMIT_MIB);
            status = cli_fail(&err);
        } else {
            answer_line(serve, &line);
        }
    }
    buf_release(&line);
    return status;
}

static int set_subgroup(struct device *device, const struct cli_table *table,
                        struct wgsim_error *err) {
    static const struct device_origin origin = {PROVENANCE_GIVEN, "command line"};
    const struct serve_options *options = table->target;
    struct wgsim_error why;
    if (cli_given(table, "subgroup") &&
        device_set(device, DEVICE_subgroup_width, options->subgroup, origin, &why))
        return error_set(err, "--subgroup: %s", why.message);
    return 0;
}

int cmd_serve(int argc, char **argv) {
    struct serve_options options = {.device = "default"};
    struct cli_table tables[] = {{.title = "Options", .options = serve_table, .target = &options}};
    struct cli_usage usage = {
        .command = "serve", .about = about, .tables = tables, .table_count = 1};
    struct cli_operands operands;
    struct wgsim_error err;
    struct device device;
    struct arena arena;
    int status;
    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    if (preset_find(&device, options.device, &err))
        return cli_fail(&err);
    if (set_subgroup(&device, &tables[0], &err))
        return cli_fail(&err);
    arena_init(&arena);
    const char *include = paths_include(&arena);
    struct serve *serve = include ? serve_new(&device, include) : NULL;
    error_format(&err, "out of memory");
    status = serve ? serve_lines(serve) : cli_fail(&err);
    serve_free(serve);
    arena_release(&arena);
    return status;
}
