/* wgsim serve: JSON requests on standard input, answers on standard output, one a line. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/cli/commands.h"
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

static void answer_line(struct serve *serve, const char *line) {
    json_error_t error;
    json_t *request = json_loads(line, 0, &error);
    json_t *answer = request ? serve_answer(serve, request)
                             : json_pack("{s:b, s:s}", "ok", 0, "error", error.text);
    if (answer)
        json_dumpf(answer, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
    else
        fputs("{\"ok\":false,\"error\":\"out of memory\"}", stdout);
    putchar('\n');
    fflush(stdout);
    json_decref(answer);
    json_decref(request);
}

static int serve_lines(struct serve *serve) {
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0)
        answer_line(serve, line);
    free(line);
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
    if (options.subgroup)
        device.subgroup_width = options.subgroup;
    if (device_check(&device, &err))
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
