/* wgsim port: a shader as a kernel in C. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/commands.h"
#include "sim/cli/shader_options.h"
#include "sim/error.h"
#include "sim/wgsl/emit.h"

struct port_options {
    const char *output;
    struct cli_list set;
};

static const struct cli_option port_table[] = {
    {"output", NULL, 'o', CLI_STRING, offsetof(struct port_options, output), "FILE", NULL,
     "where the C text goes; without it, to standard output"},
    SHADER_SET_OPTION(offsetof(struct port_options, set)),
    {0},
};

static const char about[] =
    "Translates a shader to a kernel in C that includes <wgsim/wgsl.h> alone, with the shader's\n"
    "lines and columns in its sites. 'wgsim run' takes the result like the shader.\n";

static int write_text(const char *path, const struct buf *text, struct wgsim_error *err) {
    FILE *file = path ? fopen(path, "w") : stdout;
    if (!file)
        return error_set(err, "cannot write %s: %s", path, strerror(errno));
    bool failed = fwrite(text->data, 1, text->len, file) != text->len;
    failed |= path && fclose(file) != 0;
    return failed && path ? error_set(err, "cannot write %s", path) : 0;
}

int cmd_port(int argc, char **argv) {
    struct port_options options = {0};
    struct shader_cli shader_options = {0};
    struct cli_table tables[] = {
        {.title = "Options", .options = port_table, .target = &options},
        {.title = SHADER_OPTIONS_TITLE, .options = shader_option_table, .target = &shader_options}};
    struct cli_usage usage = {.command = "port",
                              .operands = "SHADER",
                              .about = about,
                              .min_operands = 1,
                              .max_operands = 1,
                              .tables = tables,
                              .table_count = sizeof tables / sizeof *tables};
    struct cli_operands operands;
    struct wgsim_error err;
    struct shader shader;
    struct buf text = {0};
    int status;
    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    if (shader_cli_open_set(&shader, operands.items[0], &shader_options, &options.set, &err))
        return cli_fail(&err);
    int result = wgsl_emit(shader.pipelines, shader.pipeline_count, &text, &err);
    if (result == 0)
        result = write_text(options.output, &text, &err);
    buf_release(&text);
    shader_release(&shader);
    return result == 0 ? 0 : cli_fail(&err);
}
