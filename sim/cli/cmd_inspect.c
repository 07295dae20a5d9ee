/* wgsim inspect: what a shader declares. */
#include <stddef.h>
#include <stdio.h>

#include "sim/cli/commands.h"
#include "sim/cli/output.h"
#include "sim/cli/shader_command.h"
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

static int print(json_t *inspection, bool json, struct wgsim_error *err) {
    struct buf text = {0};
    if (json || !inspection)
        return output_json(inspection, err);
    inspect_print(inspection, &text);
    fputs(text.data ? text.data : "", stdout);
    buf_release(&text);
    json_decref(inspection);
    return 0;
}

int cmd_inspect(int argc, char **argv) {
    struct inspect_options options = {.device = "default"};
    const struct shader_command command = {.name = "inspect",
                                           .about = about,
                                           .options = inspect_table,
                                           .target = &options,
                                           .set = &options.set,
                                           .partial = true};
    struct wgsim_error err;
    struct device device;
    struct shader shader;
    int status;
    if (!shader_command_open(&command, argc, argv, &shader, &status))
        return status;
    int result = preset_find(&device, options.device, &err);
    if (result == 0)
        result = print(inspect_shader(&shader, &device), options.json, &err);
    shader_release(&shader);
    return result == 0 ? 0 : cli_fail(&err);
}
