/* Commands on one shader. */
#include "sim/cli/shader_command.h"

#include <string.h>
#include <unistd.h>

#include "sim/error.h"

/* What is no shader would be refused for its first line, as a shader that cannot be read. */
static int check_language(const char *command, const char *path, struct wgsim_error *err) {
    static const struct {
        const char *suffix, *what;
    } others[] = {{".c", "a kernel in C"}, {".so", "a kernel object"}, {".json", "a job"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof others / sizeof *others; i++)
        if (strcmp(dot, others[i].suffix) == 0 && access(path, R_OK) == 0)
            return error_set(err, "%s is %s: %s takes a WGSL shader", path, others[i].what,
                             command);
    return 0;
}

static int open_with_settings(struct shader *shader, const char *path,
                              const struct shader_cli *options,
                              const struct shader_command *command, struct wgsim_error *err) {
    const struct cli_list *set = command->set;
    struct arena arena;
    arena_init(&arena);
    struct wgsl_setting *settings = shader_settings(&arena, set->items, set->count, err);
    struct shader_wanted wanted = {
        .settings = settings, .setting_count = (uint32_t)set->count, .partial = command->partial};
    int result = settings ? shader_cli_open(shader, path, options, &wanted, NULL, err) : -1;
    arena_release(&arena);
    return result;
}

bool shader_command_open(const struct shader_command *command, int argc, char **argv,
                         struct shader *shader, int *status) {
    struct shader_cli shader_options = {0};
    struct cli_table tables[] = {
        {.title = "Options", .options = command->options, .target = command->target},
        {.title = SHADER_OPTIONS_TITLE, .options = shader_option_table, .target = &shader_options}};
    struct cli_usage usage = {.command = command->name,
                              .operands = "SHADER",
                              .about = command->about,
                              .min_operands = 1,
                              .max_operands = 1,
                              .tables = tables,
                              .table_count = sizeof tables / sizeof *tables};
    struct cli_operands operands;
    struct wgsim_error err;
    if (!cli_parse(&usage, argc, argv, &operands, status))
        return false;
    if (check_language(command->name, operands.items[0], &err) == 0 &&
        open_with_settings(shader, operands.items[0], &shader_options, command, &err) == 0)
        return true;
    *status = cli_fail(&err);
    return false;
}
