/* wgsim port: a shader as a kernel in C. */
#include <stddef.h>
#include <stdio.h>

#include "sim/cli/commands.h"
#include "sim/cli/shader_command.h"
#include "sim/error.h"
#include "sim/new_file.h"
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
    "Translates a shader to a kernel in C that includes nothing but <wgsim/wgsl*.h>, with the "
    "shader's\n"
    "lines and columns in its sites. 'wgsim run' takes the result like the shader.\n";

static int write_file(const char *path, const struct buf *text, struct wgsim_error *err) {
    struct new_file file;
    int result = new_file_open(&file, path, err);
    if (result == 0) {
        new_file_write(&file, text->data, text->len);
        result = new_file_publish(&file, err);
    }
    new_file_release(&file);
    return result;
}

int cmd_port(int argc, char **argv) {
    struct port_options options = {0};
    const struct shader_command command = {.name = "port",
                                           .about = about,
                                           .options = port_table,
                                           .target = &options,
                                           .set = &options.set};
    struct wgsim_error err;
    struct shader shader;
    struct buf text = {0};
    int status;
    if (!shader_command_open(&command, argc, argv, &shader, &status))
        return status;
    int result = wgsl_emit(shader.pipelines, shader.pipeline_count, &text, &err);
    if (result == 0)
        result = text.failed ? error_set(&err, "out of memory") : 0;
    if (result == 0 && options.output)
        result = write_file(options.output, &text, &err);
    else if (result == 0)
        fwrite(text.data, 1, text.len, stdout);
    buf_release(&text);
    shader_release(&shader);
    return result == 0 ? 0 : cli_fail(&err);
}
