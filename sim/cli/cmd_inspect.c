/* wgsim inspect: what a shader declares. */
#include <stddef.h>
#include <stdio.h>

#include "sim/cli/commands.h"
#include "sim/cli/shader_options.h"
#include "sim/error.h"
#include "sim/inspect.h"
#include "sim/preset.h"

struct inspect_options {
    const char *device;
    struct cli_list set;
    bool json;
};

#define AT(member) offsetof(struct inspect_options, member)

static const struct cli_option inspect_table[] = {
    {"device", NULL, 0, CLI_STRING, AT(device), "PRESET", NULL,
     "the device whose occupancy is shown"},
    SHADER_SET_OPTION(AT(set)),
    {"json", NULL, 0, CLI_FLAG, AT(json), NULL, NULL, "print the result as JSON"},
    {0},
};

static const char about[] =
    "Shows a shader's entry points, the layout of its bindings, its workgroup memory and what\n"
    "of that is padding, its overrides, and how many workgroups a compute unit holds.\n";

static void print(const json_t *inspection, bool json) {
    struct buf text = {0};
    if (json) {
        json_dumpf(inspection, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
        puts("");
        return;
    }
    inspect_print(inspection, &text);
    fputs(text.data ? text.data : "", stdout);
    buf_release(&text);
}

int cmd_inspect(int argc, char **argv) {
    struct inspect_options options = {.device = "default"};
    struct shader_cli shader_options = {0};
    struct cli_table tables[] = {
        {.title = "Options", .options = inspect_table, .target = &options},
        {.title = SHADER_OPTIONS_TITLE, .options = shader_option_table, .target = &shader_options}};
    struct cli_usage usage = {.command = "inspect",
                              .operands = "SHADER",
                              .about = about,
                              .min_operands = 1,
                              .max_operands = 1,
                              .tables = tables,
                              .table_count = sizeof tables / sizeof *tables};
    struct cli_operands operands;
    struct wgsim_error err;
    struct device device;
    struct shader shader;
    int status;
    if (!cli_parse(&usage, argc, argv, &operands, &status))
        return status;
    if (preset_find(&device, options.device, &err))
        return cli_fail(&err);
    if (shader_cli_open_set(&shader, operands.items[0], &shader_options, &options.set, &err))
        return cli_fail(&err);
    json_t *inspection = inspect_shader(&shader, &device);
    if (inspection)
        print(inspection, options.json);
    json_decref(inspection);
    shader_release(&shader);
    error_format(&err, "out of memory");
    return inspection ? 0 : cli_fail(&err);
}
